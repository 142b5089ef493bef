"""The wheel, installed alone in a new environment, imports and plays."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from tests.conftest import COMPILED

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "training" / "kitchentable_training" / "web"
PLAY = """
import sys
import kitchentable, pettingzoo
assert sys.prefix in kitchentable.__file__, kitchentable.__file__
table = pettingzoo.make("aec", "kitchentable/diddly_v0", num_players=3)
table.reset(seed=1)
for agent in table.agent_iter():
    seen, _, terminated, truncated, _ = table.last()
    table.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
print(sorted(table.unwrapped.scores.tolist()))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), "."]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_has_what_pages_are_made_of(wheel):
    files = {path.relative_to(ROOT / "training").as_posix() for path in PAGES.rglob("*.*")}
    wanted = {name for name in files if not name.endswith((".py", ".pyc"))}
    assert {Path(name).suffix for name in wanted} == {".html", ".css", ".js", ".svg"}
    with zipfile.ZipFile(wheel) as archive:
        assert wanted <= set(archive.namelist())


@pytest.mark.skipif(not COMPILED, reason="the same wheel")
def test_the_wheel_alone_imports_and_plays(wheel, tmp_path) -> None:
    """Dependencies are lent by this environment; the project itself is the wheel's alone."""
    venv.create(tmp_path, with_pip=False)
    python = tmp_path / "bin" / "python"
    paths = {"base": str(tmp_path), "platbase": str(tmp_path)}
    site = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    done = subprocess.run(
        [python, "-E", "-W", "ignore", "-c", PLAY],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[")


def test_the_wheel_holds_both_packages_and_nothing_else(wheel) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"kitchentable", "kitchentable_training"}
    assert "kitchentable/py.typed" in names
    assert "kitchentable_training/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
