"""Games are found by their folders; one that is broken does not take the others with it."""

import pytest
from examples import top_card

import kitchentable.games
from kitchentable import all_games, find_game
from kitchentable.core import registry


@pytest.fixture
def broken_folder(tmp_path, monkeypatch):
    """A folder beside those of the games whose rules have an error in them."""
    folder = tmp_path / "broken_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("import kitchentable.core.no_such_module\n")
    paths = [*kitchentable.games.__path__, str(tmp_path)]
    monkeypatch.setattr(kitchentable.games, "__path__", paths)
    monkeypatch.setattr(registry, "_BROKEN", {})


def test_a_broken_folder_is_named_and_the_other_games_are_there(broken_folder):
    with pytest.warns(UserWarning, match=r"kitchentable.games.broken_game cannot be imported"):
        found = all_games.__wrapped__()
    assert {"addtoo", "diddly", "fiddlefoo", "quiddler", "quiddler_solitaire"} == set(found)
    with pytest.raises(ImportError, match=r"broken_game cannot be imported: .*no_such_module"):
        find_game("broken_game")


def test_a_game_of_ones_own_is_found_by_its_name():
    """The tests' configuration registers it."""
    assert find_game("top_card") is top_card.GAME
