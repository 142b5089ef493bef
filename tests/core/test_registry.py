"""Games are found by name; a broken one does not affect the others."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from examples import top_card

import kitchentable.games
from kitchentable import all_games, find_game
from kitchentable.core import registry


@pytest.fixture
def broken_folder(tmp_path, monkeypatch):
    """Create a folder beside the games whose rules contain an error."""
    folder = tmp_path / "broken_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("import kitchentable.core.no_such_module\n")
    paths = [*kitchentable.games.__path__, str(tmp_path)]
    monkeypatch.setattr(kitchentable.games, "__path__", paths)
    monkeypatch.setitem(registry.shipped_versions(), "broken_game", 0)
    monkeypatch.setattr(registry, "_GAMES", {})


def test_a_broken_folder_is_named_and_the_other_games_are_there(broken_folder):
    with pytest.warns(UserWarning, match=r"kitchentable.games.broken_game cannot be imported"):
        found = all_games.__wrapped__()
    assert list(found) == [name for name in registry.shipped_versions() if name != "broken_game"]
    with pytest.raises(ImportError, match=r"broken_game cannot be imported: .*no_such_module"):
        find_game("broken_game")


def test_a_game_is_imported_when_it_is_asked_for():
    loaded = "print([m for m in sys.modules if m.count('.') == 2 and '.games.' in m])"
    code = f"import sys, kitchentable\n{loaded}\nkitchentable.find_game('diddly')\n{loaded}"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["[]", "['kitchentable.games.diddly']"]


def test_games_of_the_package_come_first_whatever_was_asked_for_before(monkeypatch):
    mine = top_card.GAME
    before = {mine.name: mine, "quiddler": find_game("quiddler")}
    monkeypatch.setattr(registry, "_GAMES", before)
    assert list(all_games.__wrapped__()) == [*registry.shipped_versions(), mine.name]


def test_an_installed_game_is_announced_when_it_is_found(monkeypatch):
    point = EntryPoint("top_card", "examples.top_card:GAME", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])  # noqa: ARG005
    monkeypatch.setattr(registry, "_GAMES", {})
    announced = []
    monkeypatch.setattr(registry, "when_added", [announced.append])
    for name in ("top_card", "diddly", "top_card"):
        find_game(name)
    assert announced == [top_card.GAME]


def test_a_module_without_a_game_is_named():
    with pytest.raises(ImportError, match=r"json:GAME is no kitchentable\.Game"):
        registry.import_game("json")
