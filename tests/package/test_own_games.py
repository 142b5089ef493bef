"""Games that are added as the guide says, inside the package and outside of it.

Games of a folder are imported in processes of their own, uncompiled.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kitchentable_training.cli.main import main

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "adding_a_game.md"

QUICK = ("test_public_modules", "changes_nothing", "illegal", "rigged", "layouts", "parameters")
"""Words of contract tests that take little time uncompiled."""

OPEN = """
'''Top Card with the least that a game must have: one open deal, and nothing that is optional.'''
from dataclasses import replace

import numpy as np

from examples import top_card
from kitchentable.core.kernels import kernel
from kitchentable.core.rng import advance


@kernel
def init(state, top):
    seed = advance(state.seed)
    state.seed = np.uint64(7)
    top_card.init(state, top)
    state.seed = seed


@kernel
def observe(state, viewer, out):
    top_card.observe(state, viewer, out)
    for player in range(state.num_players):
        for i in range(top_card.HAND):
            kind = state.hands[(viewer + player) % state.num_players, i]
            if kind != top_card.NO_CARD:
                out[state.at.hands + player * top_card.KINDS + kind] = 1.0


def observation_layout(params):
    hands = {"hands": params.num_players * top_card.KINDS}
    return dict(top_card.observation_layout(params)) | hands


GAME = replace(
    top_card.GAME,
    name="open_card",
    rules=replace(
        top_card.GAME.rules, init=init, observe=observe, observation_layout=observation_layout,
        redeal=None, deck=lambda _: {}, card_parts=(),
    ),
)
"""


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python uncompiled, in the folder that the environment's PWD names."""
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", **environment},
        cwd=environment.get("PWD", ROOT), capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder of packages with one that names a game, one that is not there, and a shipped one."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "open_card.py").write_text(OPEN)
    facts = folder / "own_games-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: own_games\nVersion: 1.0\n")
    points = "open_card = open_card:GAME\ngone = no_such_module:GAME\ndiddly = json:GAME\n"
    (facts / "entry_points.txt").write_text(f"[kitchentable.games]\n{points}")
    return folder


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    """A copy of the project with the template as a game of the package, as the guide has it."""
    folder = tmp_path_factory.mktemp("project")
    package = folder / "envs" / "kitchentable"
    clutter = shutil.ignore_patterns("__pycache__", "golden")
    shutil.copytree(ROOT / "envs", folder / "envs", ignore=clutter)
    for name in ("examples", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=clutter)
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copy(ROOT / "examples" / "top_card.py", package / "games")
    module = re.search(r"```python\n# envs/(\S+_v0\.py)\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    (folder / "envs" / module[1]).write_text(module[2])
    return folder


def test_a_game_of_the_package_and_an_installed_one_keep_the_contract(unpacked, installed):
    """No existing file is edited; all tests are collected, and the quick ones are run."""
    chosen = f"(top_card or open_card) and ({' or '.join(QUICK)})"
    done = run(
        *("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-W", "ignore:the game '"),
        *("tests/contract", "-k", chosen),
        PYTHONPATH=os.pathsep.join(map(str, (unpacked / "envs", installed))), PWD=str(unpacked),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 30


def test_an_installed_game_is_found_by_its_name_and_what_is_wrong_costs_a_line(installed):
    code = """
import gymnasium, kitchentable
kitchentable.SeatEnv("open_card").reset(seed=1)
gymnasium.make("kitchentable/OpenCard-v0").reset(seed=1)
print(list(kitchentable.all_games())[-2:])
kitchentable.find_game("gone")
"""
    done = run("-c", code, PYTHONPATH=str(installed))
    assert done.stdout == "['quiddler_solitaire', 'open_card']\n"
    warning, other, trace, *_, error = done.stderr.splitlines()
    why = "the game 'gone': no_such_module cannot be imported: ModuleNotFoundError"
    assert warning.startswith(f"kitchentable:1: UserWarning: {why}")
    assert error.startswith(f"ImportError: {why}")
    assert "the game 'diddly': json:GAME has the name of a game of kitchentable" in other
    assert trace == "Traceback (most recent call last):"


def test_the_command_line_imports_a_game_for_its_workers_too(installed, tmp_path):
    shutil.copy(installed / "open_card.py", tmp_path)
    paths = {"PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path[1:])), "PWD": str(tmp_path)}
    words = ("--import", "open_card", "compile", "open_card", "--no-players")
    done = run("-m", "kitchentable_training", *words, **paths)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("open_card: compiled")


def test_what_cannot_be_imported_is_refused_in_a_line(capsys):
    for wrong, why in (("no_such", "no_such cannot be imported"), ("json", "json:GAME")):
        assert main(["--import", wrong, "compile"]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"kitchentable: error: --import: {why}")
        assert len(said.splitlines()) == 1
