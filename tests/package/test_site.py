"""Generated pages of the site have everything that a game has."""

import re

import pytest
from docs import generate
from examples import top_card
from tests.conftest import COMPILED

from kitchentable import find_game
from kitchentable.core.registry import shipped_versions

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing here is compiled")


def test_the_generated_pages_in_the_repository_are_current() -> None:
    """The usage of commands is not compared: each version of Python formats it differently."""
    pages = generate.pages().items()
    old = [path.name for path, content in pages if path.read_bytes() != content]
    assert set(old) <= {generate.COMMANDS.name}, "make docs writes them"


@pytest.mark.parametrize("name", shipped_versions())
def test_a_page_has_all_parameters_actions_parts_and_players(name) -> None:
    game = find_game(name)
    params = game.make_params()
    page = generate.game_page(game)
    kinds = {action.partition(":")[0] for action in game.rules.action_names(params)}
    parts = game.rules.observation_layout(params)
    for row in [*params.as_dict(), *kinds, *parts, *game.players.scripted]:
        assert f"`{row}" in page, row
    assert f"Box(0, 1, ({sum(parts.values())},), float32)" in page
    shown = set(re.findall(r"\]\((\w+_rules_\d+\.svg)\)", page))
    assert shown == set(generate.rule_figures(game)) != set()
    assert all(page.partition(f"## {title}\n\n")[2].strip() for title in ("Rules", "Rewards"))


def test_a_page_needs_no_more_than_rules() -> None:
    page = generate.game_page(top_card.GAME)
    assert re.search(r"^\| `num_players` +\| `2` +\| number of seats", page, re.MULTILINE)
    assert "Trained players" not in page


def test_comments_begin_beside_their_entries() -> None:
    def layout():
        return {
            "one": 1,  # beside it,
            # and below it
            "two": 2,  # on the same line
            "three": 3,
        }

    assert generate.comments_by_key(layout) == {
        "one": "beside it, and below it",
        "two": "on the same line",
        "three": "",
    }
