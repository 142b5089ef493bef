"""The built distributions, installed in a new environment, work from an empty folder."""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest
from tests.conftest import COMPILED

import kitchentable

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "training" / "kitchentable_training" / "web"
LOWEST_EXTRAS = ("render", "video", "training", "web")
PLAY = """
import sys
import kitchentable, pettingzoo
assert sys.prefix in kitchentable.__file__, kitchentable.__file__
table = pettingzoo.make("aec", "kitchentable/kuhn_poker_v0")
table.reset(seed=1)
for agent in table.agent_iter():
    seen, _, terminated, truncated, _ = table.last()
    table.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
print(sorted(table.unwrapped.scores.tolist()))
"""
BRIEF = [
    "steps=16", "num_envs=4", "training.n_steps=4", "training.batch_size=8", "threads=1",
    "params.rounds=1",
    "evaluation.deals=1", "evaluation.final_deals=2", "evaluation.opponents=[random]",
]  # fmt: skip

COMMANDS = """
import sys
from kitchentable_training.cli.main import main
sys.stderr = sys.stdout
print(*[main(words) for words in {}])
"""
ONE_DEAL = ["--against", "random", "--deals", "1"]


def build(source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, source]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def players_wheel(tmp_path_factory) -> Path:
    return build(ROOT / "checkpoints", tmp_path_factory.mktemp("players"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of programs of a new environment with the wheel; dependencies are borrowed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    paths = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    # As a mere path: this environment finds the project through a .pth file, the new one must not.
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install(folder / "bin", wheel)
    return folder / "bin"


def install(programs: Path, wheel: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    options = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, *options, str(wheel)], check=True)


@pytest.fixture
def run(installed, tmp_path):
    """Return a function that runs a program of that environment in an empty folder."""
    names = ("HOME", "PATH", "OMP_WAIT_POLICY")
    kept = {name: os.environ[name] for name in names if name in os.environ}

    def runs(*command) -> str:
        program, *words = map(str, command)
        # Commands run uncompiled: they play little.
        surroundings = kept if PLAY in words else kept | {"NUMBA_DISABLE_JIT": "1"}
        done = subprocess.run(
            [installed / program, *words],
            capture_output=True, text=True, cwd=tmp_path, env=surroundings, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return runs


def test_the_wheel_holds_both_packages_with_pages_and_settings_and_nothing_else(wheel) -> None:
    files = {path.relative_to(ROOT / "training").as_posix() for path in PAGES.rglob("*.*")}
    wanted = {name for name in files if not name.endswith((".py", ".pyc"))}
    assert {Path(name).suffix for name in wanted} == {".html", ".css", ".js", ".svg"}
    configs = [path.name for path in ROOT.glob("configs/*.yaml")]
    assert configs
    wanted |= {f"kitchentable_training/configs/{name}" for name in configs}
    wanted |= {"kitchentable/py.typed", "kitchentable_training/py.typed"}
    names = zipfile.ZipFile(wheel).namelist()
    assert wanted <= set(names)
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"kitchentable", "kitchentable_training"}
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_players_wheel_holds_every_player_and_nothing_else(players_wheel):
    found = {Path(name) for name in zipfile.ZipFile(players_wheel).namelist()}
    files = {file.relative_to(ROOT) for file in ROOT.glob("checkpoints/*/*")}
    assert {one.name for one in files} == {"card.json", "weights.safetensors"}
    wanted = {Path("kitchentable_players", *file.parts[1:]) for file in files}
    assert {one for one in found if ".dist-info" not in one.parts[0]} == wanted


def test_the_version_is_the_same_everywhere():
    project, players = (
        tomllib.loads((ROOT / at / "pyproject.toml").read_text())["project"]
        for at in (".", "checkpoints")
    )
    version = project["version"]
    assert players["version"] == kitchentable.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {version} - " in (ROOT / "CHANGELOG.md").read_text()
    major = int(version.partition(".")[0])
    assert players["dependencies"] == [f"kitchentable[training]>={version},<{major + 1}"]


@pytest.mark.skipif(not COMPILED, reason="the same wheel")
def test_the_installed_project_plays_trains_and_tells_what_is_missing(run, tmp_path):
    assert run("python", "-c", PLAY).startswith("[")
    copied = ["configs", "diddly_demo", "--to", "mine"]
    words = [["configs"], copied, copied, ["train", "diddly_demo", *BRIEF]]
    words += [["evaluate", "diddly_2p_dmc"], ["train", "ddly"]]
    told = run("python", "-c", COMMANDS.format(words))
    assert told.splitlines()[-1] == "0 0 2 0 2 2"
    for text in (
        "diddly_demo ", "is there already", "The trained player", "did you mean ",
        "the distribution kitchentable-players is installed",
    ):  # fmt: skip
        assert text in told
    assert (tmp_path / "runs" / "diddly_demo" / "final" / "card.json").is_file()


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="the same wheel")
def test_installed_players_are_evaluated_and_served(installed, run, players_wheel, tmp_path):
    install(installed, players_wheel)
    run("kitchentable", "evaluate", "diddly_2p_dmc", *ONE_DEAL, "--out", "found.json")
    assert json.loads((tmp_path / "found.json").read_text())["player"] == "diddly_2p_dmc"
    command = [installed / "kitchentable", "serve", "--port", "0"]
    # Its output is a pipe, as in a log: it tells the link while it runs.
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            lines = iter(server.stdout.readline, "")
            address = next(found[0] for line in lines if (found := re.search(r"http://\S+", line)))
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with browser.open(address) as page:
                assert "Kitchentable" in page.read().decode()
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=30)


def test_the_lowest_versions_that_are_tested_are_those_that_are_allowed() -> None:
    """`make test-lowest` installs by constraints-lowest.txt."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in LOWEST_EXTRAS for one in extras[name])]
    allowed = {one.replace(">=", "==") for one in wanted if not one.startswith("kitchentable[")}
    lines = (ROOT / "constraints-lowest.txt").read_text("utf-8").splitlines()
    assert {line for line in lines if not line.startswith("#")} == allowed
