"""The scripted players of Fiddlefoo make the obvious move, by what they know of the map."""

import numpy as np
import pytest
from tests.games.fiddlefoo.play import Table

from kitchentable.games.fiddlefoo.board import BLOCKS, find_extent, growth

thinkers = pytest.mark.parametrize("name", ["greedy", "expert"])


@thinkers
def test_they_make_the_pair_with_the_smallest_range(name):
    """Y4 beside Y5 leaves nothing to throw in the range; Y16 allows all of 6 to 15."""
    table = Table.at("Y5@5,5 R1@5,6 B1@6,6 P1@6,5", "Y4 Y16", "Y8 Y9 Y10 R5 B5", pile="R15 R16 B16")
    assert table.ask(name) == "card:Y4"


@thinkers
def test_they_choose_the_cell_whose_distance_fits_fewer_cards(name):
    """R2 pairs with R1 at a distance of 1 or 2; all of the rival's cards have two notes."""
    table = Table.at(
        "B1@5,4 Y1@5,6 R1@5,5 P1@6,5 Y9@7,4 Y12@7,6 B8@8,4", "R2 R8", "Y3 B3 Y14", pile="B14 Y4"
    ).play("card:R2")
    distances = {}
    for action in table.legal:
        with table.taken_back():
            distances[action] = int(table.play(action).state.distance)
    assert {1, 2} <= set(distances.values())
    assert distances[table.ask(name)] == 1


@thinkers
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


def at_throw(hand: str, piles: str) -> Table:
    """Return a table of three where player_1 may throw at a pair with the range 2 to 14."""
    hands = ("Y14 R2 R3", hand, "R15 B15 P4")
    return Table.at(MAP, *hands, piles=piles, cooperative=True).play("Y14@5,7")


@thinkers
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
    for piles, waits in (("", True), ("P4", False)):
        hands = ("Y14 R2 R3", "P7 P10 R16 B16", "P4 P13 B15" if waits else "P13 B15")
        table = Table.at(f"{MAP} Y6@5,7 R4@5,8", *hands, piles=piles, cooperative=True)
        table.play("Y14@5,9")  # at a distance of three from Y2
        assert table.asks == "1 throw"
        assert (table.ask("expert") != "pile:P7") == waits


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
    hands = ("Y3 R15", "P13 R13 R14", "B13 B14 B15")
    table = Table.at(f"{MAP} R4@5,7 B4@6,7", *hands, piles=piles, cooperative=True)
    table.play(table.ask("expert")).play(table.ask("expert"))
    assert (table.state.distance, table.state.current_player) == (2, 1)
    assert table.ask("expert") == "pile:P13"


@pytest.mark.parametrize("places", [[(3, 9)], [(4, 2), (15, 1), (7, 14)], [(0, 15), (8, 0)]])
def test_the_extent_of_a_map_is_that_of_its_cells(places):
    cells, box = np.zeros(BLOCKS, np.uint64), np.zeros(4, np.int64)
    for row, column in places:
        cells[(16 * row + column) // 64] |= np.uint64(1) << np.uint64((16 * row + column) % 64)
    find_extent(cells, box)
    rows, columns = zip(*places, strict=True)
    assert box.tolist() == [min(rows), max(rows), min(columns), max(columns)]
    for row, column in [(0, 0), (2, 15), (15, 3), (9, 9)]:
        longer = np.ptp([*rows, row]) - np.ptp(rows) + np.ptp([*columns, column]) - np.ptp(columns)
        assert growth(box, 16 * row + column) == longer
