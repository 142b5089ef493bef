"""The README and guides are true: their code runs, tables match the results, files exist."""

import multiprocessing
import os
import re
import sys
from pathlib import Path
from unittest import mock

import pytest
from docs import tables
from tests.conftest import COMPILED

from kitchentable.engine import batch

ROOT = Path(__file__).parents[2]
TEXTS = {path: path.read_text(encoding="utf-8") for path in tables.PAGES}
ELSEWHERE = {ROOT / "docs" / "guides" / "rllib.md"}
"""Pages whose code needs another environment; `make test-rllib` runs it there."""


def code_of(text: str) -> str:
    """Return all code of a page as one program, without files to add to the package."""
    return "\n".join(re.findall(r"```python\n(?!# envs/)(.*?)```", text, re.DOTALL))


CODE = {
    str(page.relative_to(ROOT)): code_of(text)
    for page, text in TEXTS.items()
    if "```python" in text and page not in ELSEWHERE
}
FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["gymnasium", "kitchentable_training.runs.run", "pettingzoo"])
"""Starts processes in which nothing is imported but what is slow to import."""
FOLDERS = ("envs", "tests", "configs", "docs", "training", "checkpoints", "examples", "benchmarks")

pytestmark = pytest.mark.skipif(not COMPILED, reason="examples are for compiled rules")


@pytest.mark.parametrize("page", CODE)
def test_the_code_of_a_page_runs(page, tmp_path) -> None:
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    process = FRESH.Process(target=run_code, args=(CODE[page], tmp_path))
    process.start()
    process.join()
    assert process.exitcode == 0, (tmp_path / "said.txt").read_text()


def run_code(code: str, folder: Path) -> None:
    """Run code as the main program of a process, in a folder that gets its errors.

    On one thread: compiling a game for several takes longer than all else, and on shared cores
    the threads of torch wait for each other.
    """
    batch.PARALLEL_FROM = sys.maxsize
    mock.patch("torch.set_num_threads").start()
    os.chdir(folder)
    sys.path.insert(0, "")
    os.dup2(os.open("said.txt", os.O_WRONLY | os.O_CREAT), 2)
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})


def test_the_tables_are_the_results() -> None:
    assert all(tables.render(text) == text for text in TEXTS.values())
    shown = re.findall(r"<!-- table: (\w+) -->", "".join(TEXTS.values()))
    assert sorted(shown) == sorted(tables.TABLES)


def test_measured_players_are_the_shipped_players() -> None:
    weights = {name: one["sha256"]["weights.safetensors"] for name, one in tables.cards().items()}
    assert {name: one["weights"] for name, one in tables.trained_results().items()} == weights
    responses = tables.best_responses()
    assert responses
    for one in responses:
        assert one["weights"] == weights[one["player"]]


def test_pictures_and_files_exist() -> None:
    for page, text in TEXTS.items():
        shown = re.findall(r'src="([^"]+)"', text)
        links = re.findall(r"\]\(([^)#:]+)(?:#([^)]*))?\)", text)
        for path, heading in [*((path, "") for path in shown), *links]:
            target = page.parent / path
            assert target.exists(), (page, path)
            assert not heading or heading in _headings(target), (page, path, heading)
        for path in re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./]+)`", text):
            assert (ROOT / path).exists(), (page, path)


def _headings(page: Path) -> list[str]:
    """Return the anchors of a page's headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


def test_the_readme_stays_short() -> None:
    assert (ROOT / "README.md").stat().st_size <= 12_000


def test_shipped_players_are_as_strong_as_their_cards_say() -> None:
    """Compare with the strongest opponent on the card, in a small sample of duplicate deals.

    The margin is wide: 5 standard errors of 120 games.
    """
    from kitchentable import find_game
    from kitchentable.players.scripted import ScriptedPlayer
    from kitchentable_training.evaluate.duplicate import figures, play_duplicate
    from kitchentable_training.players.checkpoint import load_player, read_card

    folders = [card.parent for card in (ROOT / "checkpoints").glob("*/card.json")]
    assert folders
    for folder in folders:
        card = read_card(folder)
        assert {"settings", "steps"} <= card.keys()
        assert all(one["deals"] > 0 for one in card["results"].values())
        player = load_player(folder)
        assert player.name == folder.name
        game = find_game(card["game"])
        params = game.make_params(**card["params"])
        name, claimed = list(card["results"].items())[-1]
        opponent = ScriptedPlayer(game, name, seed=1)
        found = figures(play_duplicate(player, opponent, game, params, 60, seed=99))
        assert abs(found["win_rate"] - claimed["win_rate"]) < 5 * (0.25 / 120) ** 0.5


def test_settings_that_name_a_shipped_player_are_those_of_its_card() -> None:
    from kitchentable_training.runs.settings import load_settings

    named = {}
    for path in (ROOT / "configs").glob("*.yaml"):
        for name in re.findall(r"checkpoints/(\w+)", path.read_text(encoding="utf-8")):
            named[name] = load_settings(path)
    shipped = {card.parent.name for card in (ROOT / "checkpoints").glob("*/card.json")}
    assert named.keys() == shipped
    for name, settings in named.items():
        assert settings == load_settings(ROOT / "checkpoints" / name), name
