"""The scripted players of Fiddlefoo: legal, sensible, and as strong as intended."""

from __future__ import annotations

import pytest
from tests.games.fiddlefoo.play import Table

from kitchentable.games import fiddlefoo
from kitchentable.games.fiddlefoo.state import THROW

GAME = fiddlefoo.GAME
THINKERS = ("greedy", "expert")


# --- Positions with an obvious move -------------------------------------------------------------


@pytest.mark.parametrize("name", THINKERS)
def test_they_make_the_pair_with_the_smallest_range(name):
    """Y4 beside Y5 leaves nothing to throw in the range; Y16 allows all of 6 to 15."""
    table = Table.at("Y5@5,5 R1@5,6 B1@6,6 P1@6,5", "Y4 Y16", "Y8 Y9 Y10 R5 B5", pile="R15 R16 B16")
    assert table.ask(name) == "card:Y4"


@pytest.mark.parametrize("name", THINKERS)
def test_they_choose_the_cell_whose_distance_fits_fewer_cards(name):
    """R2 pairs with R1 at a distance of 1 or 2; all of the rival's cards have two notes."""
    table = Table.at(
        "B1@5,4 Y1@5,6 R1@5,5 P1@6,5 Y9@7,4 Y12@7,6 B8@8,4", "R2 R8", "Y3 B3 Y14", pile="B14 Y4"
    )
    table.play("card:R2")
    before = {cell: distance(table, cell) for cell in table.options("cell").split()}
    assert {1, 2} <= set(before.values())
    chosen = table.ask(name).partition(":")[2]
    assert before[chosen] == 1


def distance(table: Table, cell: str) -> int:
    """Return the distance of the pair that the chosen card makes in a cell."""
    with table.taken_back():
        return int(table.play(f"cell:{cell}").state.distance)


@pytest.mark.parametrize("name", THINKERS)
def test_they_throw_all_range_cards_and_end_with_pass_or_nothing(name):
    table = Table.at(
        "Y1@5,5 R1@5,6 B1@6,6 P1@6,5", "Y16 R8 B8", "Y8 Y9 Y3 B5 B6", pile="R15 R16"
    ).play("card:Y16")
    table.play(f"cell:{table.options('cell').split()[0]}")
    thrown = []
    while table.asks == "1 throw":
        thrown.append(table.ask(name))
        table.play(thrown[-1])
    assert name != "greedy" or thrown[0] == "throw:Y8", "most notes first"
    assert sorted(thrown) == ["throw:Y3", "throw:Y8", "throw:Y9"]


# --- Teams ----------------------------------------------------------------------------------------

MAP = "Y2@5,5 R1@5,6 B1@6,6 P1@6,5"


def at_throw(hand: str, piles: str, play: str = "Y14@5,7", spare: str = "R2 R3") -> Table:
    """Return a table of three where player_1 may throw at a pair with the range 2 to 14."""
    active = play.partition("@")[0]
    return Table.at(
        MAP, f"{active} {spare}", hand, "R15 B15 P4", piles=piles, cooperative=True
    ).play(play)


@pytest.mark.parametrize("name", THINKERS)
def test_they_complete_a_pile(name):
    table = at_throw("Y9 R16 B16", "Y3 Y4 Y7")  # 2 + 2 + 3 notes; Y9 has 4: too many
    assert table.ask(name) != "pile:Y9"
    assert at_throw("Y12 R16 B14", "Y3 Y4 Y7").ask(name) == "pile:Y12"


def test_the_expert_starts_a_pile_that_it_can_fill_at_once():
    table = at_throw("Y5 Y8 Y11 R16 B16", "")  # 3 + 4 + 3
    for card in ("Y5", "Y8", "Y11"):
        assert table.ask("expert") == f"pile:{card}"
        table.play(f"pile:{card}")


def test_the_expert_does_not_skip_a_card_that_a_pile_needs():
    """The purple pile needs 4, 7, 10 and 13, as 1 is on the map: 7 must wait for 4."""
    places = "Y2@5,5 R1@5,6 B1@6,6 P1@6,5 Y6@5,7 R4@5,8"
    table = Table.at(places, "Y14 R2 R3", "P7 P10 R16 B16", "P4 P13 B15", cooperative=True)
    table.play("Y14@5,9")  # at a distance of three from Y2
    assert table.state.phase == THROW
    assert table.ask("expert") != "pile:P7"
    waiting = Table.at(
        places, "Y14 R2 R3", "P7 P10 R16 B16", "P13 B15", piles="P4", cooperative=True
    )
    assert waiting.play("Y14@5,9").ask("expert") == "pile:P7"


def test_the_expert_keeps_what_a_pile_needs():
    """All three purple cards are needed, and with full piles no other card is."""
    piles = "Y5 Y8 Y11 R5 R8 R11 B5 B8 B11 P4"
    hands = ("Y13 P7 P10", "R13 B13 P13", "R14 B14")
    table = Table.at(MAP, *hands, piles=piles, cooperative=True)
    assert "card:P7" in table.legal
    assert table.ask("expert") == "card:Y13"


def test_the_expert_makes_the_distance_that_the_others_need():
    """P13 has two notes: at a distance of two its holder can complete the purple pile."""
    piles = "Y5 Y8 Y11 R5 R8 R11 B5 B8 B11 P4 P7 P10"
    places = "Y2@5,5 R1@5,6 B1@6,6 P1@6,5 R4@5,7 B4@6,7"
    hands = ("Y3 R15", "P13 R13 R14", "B13 B14 B15")
    table = Table.at(places, *hands, piles=piles, cooperative=True)
    table.play(table.ask("expert")).play(table.ask("expert"))
    assert (table.state.distance, table.state.current_player) == (2, 1)
    assert table.ask("expert") == "pile:P13"
