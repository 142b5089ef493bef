"""Examples of Fiddlefoo's rules: the deal, where a card may be played, pairs and throws."""

from __future__ import annotations

from itertools import permutations

import pytest
from tests.games.fiddlefoo.cards import ACTION_CARDS, BASE, full_deck, notes
from tests.games.fiddlefoo.play import Table, names

from kitchentable import fiddlefoo_v0
from kitchentable.games.fiddlefoo import GAME

MAP_SIZES = (8, 10, 12, 14, 16)


def dealt(deck: str, **params) -> Table:
    """Return a table dealt from a deck with this top."""
    table = Table("Y1 R1 B1 P1", "", "", **params)
    table.env.reset(seed=3, options={"deck": deck.split()})
    table.check()
    return table


# --- The material and the deal ------------------------------------------------------------------


def test_the_deck_has_the_cards_of_the_rules_page():
    deck = GAME.rules.deck(GAME.make_params())
    assert list(deck) == BASE
    assert set(deck.values()) == {1}
    assert len(deck) == 54
    totals = [sum(notes(card) for card in deck if card[0] == color) for color in "YRBP"]
    assert totals == [38, 38, 38, 12]
    assert [card for card in deck if card[0] == "P"] == ["P1", "P4", "P7", "P10", "P13", "P16"]
    every = GAME.rules.deck(GAME.make_params(talkytoot="all"))
    assert list(every) == [*BASE, *ACTION_CARDS]
    assert len(ACTION_CARDS) == 21


def test_actions_have_the_names_of_the_rules_page_in_order():
    for side in MAP_SIZES:
        cells = [f"cell:{row},{column}" for row in range(side) for column in range(side)]
        chosen = ["draw", "move"]
        for talkytoot in ([], ["draw"], chosen):
            cards = full_deck(talkytoot)
            card, throw, pile, place = (
                [f"{what}:{name}" for name in cards] for what in ("card", "throw", "pile", "map")
            )
            place = place if "move" in talkytoot else []
            options = {"map_size": side, "talkytoot": talkytoot}
            base = [*card, *cells, *throw, "pass"]
            assert list(fiddlefoo_v0.raw_env(**options).action_names) == [*base, *place]
            together = fiddlefoo_v0.raw_env(cooperative=True, **options)
            assert list(together.action_names) == [*base, *pile, *place]


@pytest.mark.parametrize("effect", ["move", "remove_cards", "swap_map"])
def test_map_cards_are_named_where_an_effect_chooses_them(effect):
    assert "map:Y7" in fiddlefoo_v0.raw_env(talkytoot=[effect]).action_names
    others = [name for name in ACTION_CARDS if name not in ("move", "remove_cards", "swap_map")]
    assert "map:Y7" not in fiddlefoo_v0.raw_env(talkytoot=others).action_names


def test_the_first_card_of_each_color_makes_the_block_and_the_others_keep_their_order():
    table = dealt("Y3 Y5 R5 Y7 B9 R1 Y9 P10 B1 P1 B2")
    assert table.map == {(5, 5): "Y3", (5, 6): "R5", (6, 6): "B9", (6, 5): "P10"}
    for seat, first in enumerate((["Y5", "R1", "B1", "B2"], ["Y7", "Y9", "P1"])):
        assert set(first) <= set(table.hand(seat).split())
        assert len(table.hand(seat).split()) == 8
    assert table.asks == "0 choose a card to play"
    assert names([table.state.last_added]) == ["P10"]


def test_action_cards_are_no_part_of_the_block():
    table = dealt("discard Y4 swap_map P1 play_again R3 B2", talkytoot="all")
    assert list(table.map.values()) == ["Y4", "P1", "B2", "R3"]
    assert {"discard", "play_again"} <= set(table.hand(0).split())
    assert "swap_map" in table.hand(1).split()


# --- Where a card may go ------------------------------------------------------------------------

EXAMPLE = "Y3@5,2 Y9@5,8 R16@5,5"
"""The map of the rules page's examples."""


def test_examples_of_the_rules_page():
    table = Table.at(EXAMPLE, "Y12 Y4 B3", "Y5 Y11 Y2 R10 B7 P13 R1 R8")
    assert table.cells("Y12") == table.cells("Y4") == {"5,4", "5,6"}
    table.play("Y12@5,6")
    assert table.asks == "1 throw"
    assert table.options("throw") == "Y5 Y11 R10 B7"
    table = Table.at(EXAMPLE, "Y12 Y4 B3", "Y5 Y8 Y10 R10 B7 P13 R1 B15").play("Y4@5,6")
    assert table.options("throw") == "Y5 Y8 R1 B15"


def test_a_card_touches_the_map_and_stands_in_line_with_its_color():
    table = Table.at("Y3@5,5 R5@5,6 B7@6,6", "Y12 B1 P1 R1", "Y5")
    assert table.legal == ["card:Y12", "card:R1", "card:B1"]
    assert table.cells("Y12") == {"5,7"}
    assert table.cells("R1") == {"5,4", "7,6"}
    assert table.cells("B1") == {"4,6"}


def test_no_neighbour_is_of_the_same_color():
    table = Table.at("Y3@5,5 R5@5,6 Y9@4,7 B1@4,5", "Y12", "Y5")
    assert table.cells("Y12") == {"3,5", "4,4"}  # not 4,6 and 5,7, which are beside Y9


EDGES = {
    "right": ("Y3@1,{d} R5@1,{e}", "Y3@1,{c} R5@1,{d}", "1,{e}"),
    "left": ("Y3@1,1 R5@1,0", "Y3@1,2 R5@1,1", "1,0"),
    "top": ("Y3@1,1 R5@0,1", "Y3@2,1 R5@1,1", "0,1"),
    "bottom": ("Y3@{d},1 R5@{e},1", "Y3@{c},1 R5@{d},1", "{e},1"),
}


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("side", MAP_SIZES)
def test_the_map_ends_at_the_window(edge, side):
    """A cell just outside the window is not legal; one cell further inside it is."""
    at_edge, inside, cell = (
        text.format(e=side - 1, d=side - 2, c=side - 3) for text in EDGES[edge]
    )
    outside = Table.at(f"{at_edge} P7@4,3 R16@4,4", "Y12 P10", "Y5", map_size=side)
    assert outside.legal == ["card:P10"]
    table = Table.at(f"{inside} P7@4,3 R16@4,4", "Y12 P10", "Y5", map_size=side)
    assert cell in table.cells("Y12")


@pytest.mark.parametrize("side", MAP_SIZES)
def test_the_first_cell_of_a_row_does_not_touch_the_last_one_of_the_row_above(side):
    e = side - 1
    for row in (2, 4):
        places = f"R5@{row},{e} Y3@{row + 1},{e}"
        table = Table.at(places, "Y12 R1", "Y5", map_size=side)
        assert table.cells("Y12") == {f"{row - 1},{e}"}
        assert table.cells("R1") == {f"{row + 2},{e}"}


# --- The pair -----------------------------------------------------------------------------------

AWAY = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


@pytest.mark.parametrize(("near", "far", "note"), [("Y7", "Y1", "P4"), ("Y1", "Y7", "P1")])
def test_the_largest_range_counts_at_any_distance(near, far, note):
    table = Table.at(f"{near}@6,8 {far}@3,6 R1@5,6", "Y10", "Y5 Y9 Y12 P1 P4").play("Y10@6,6")
    assert table.options("throw") == f"Y5 Y9 {note}"


@pytest.mark.parametrize(("near", "far", "fits"), [("Y4", "Y12", "Y6"), ("Y12", "Y4", "Y10")])
def test_among_equal_ranges_the_smaller_distance_counts(near, far, fits):
    table = Table.at(f"{near}@6,8 {far}@3,6 R1@5,6", "Y8", "Y6 Y10").play("Y8@6,6")
    assert table.options("throw") == fits


@pytest.mark.parametrize(("first", "second"), list(permutations(AWAY, 2)))
def test_among_equal_distances_the_direction_counts(first, second):
    def cell(way, steps):
        return f"{6 + AWAY[way][0] * steps},{6 + AWAY[way][1] * steps}"

    places = f"Y4@{cell(first, 2)} Y12@{cell(second, 2)} R1@{cell(first, 1)}"
    table = Table.at(places, "Y8", "Y6 Y10").play("Y8@6,6")
    ways = list(AWAY)
    assert table.options("throw") == ("Y6" if ways.index(first) < ways.index(second) else "Y10")


def test_the_range_is_strictly_between_the_two():
    table = Table.at("Y3@5,5 R5@5,6", "Y7", "Y4 Y6 Y8 Y9").play("Y7@5,7")
    assert table.options("throw") == "Y4 Y6"
    table = Table.at("Y8@5,5 R5@5,6", "Y7 R1", "Y6 Y9 R3").play("Y7@5,7")
    assert table.asks == "1 choose a card to play"  # no card is between 7 and 8


@pytest.mark.parametrize("distance", [1, 2, 3])
def test_notes_must_be_as_many_as_the_distance(distance):
    table = Table.at(f"Y8@5,2 R5@5,{2 + distance}", "Y7", "R1 R3 R6 R8 P1 P4 P7")
    table.play(f"Y7@5,{3 + distance}")
    assert table.options("throw") == ["R1 P1", "R3 P4", "R6 P7"][distance - 1]


# --- Safe Songs ---------------------------------------------------------------------------------


def test_a_distance_over_three_is_a_safe_song():
    table = Table.at("Y3@5,2 R5@5,6", "Y12 R1", "Y5 R8 R4", pile="B1 B2").play("Y12@5,7")
    assert table.asks == "1 choose a card to play"
    assert table.hand(0) == "R1 B1"
    assert table.known(0) == ""
    assert table.pile == "B2"


def test_a_distance_of_three_is_none():
    table = Table.at("Y3@5,2 R5@5,5", "Y12 R1", "Y5 R8 R4", pile="B1 B2").play("Y12@5,6")
    assert table.asks == "1 throw"
    assert table.hand(0) == "R1"


# --- Throws -------------------------------------------------------------------------------------

THROWS = ("Y3@5,5 R5@5,6", "Y16 B1", "Y4 Y5 Y15 R15 B2 P4")
"""After ``Y16@5,7`` seat 1 has two cards in the range, one that fits both ways and two by notes."""


def test_after_a_range_card_only_range_cards_follow():
    table = Table.at(*THROWS).play("Y16@5,7")
    assert table.legal == ["throw:Y4", "throw:Y5", "throw:Y15", "throw:R15", "throw:B2", "pass"]
    table.play(">Y4")
    assert table.legal == ["throw:Y5", "throw:Y15", "pass"]
    assert table.play("pass").hand(0) == "Y4 B1"
    assert table.asks == "1 choose a card to play"


def test_a_card_that_fits_both_ways_is_a_range_card():
    table = Table.at(*THROWS).play("Y16@5,7 >Y15")
    assert table.legal == ["throw:Y4", "throw:Y5", "pass"]
    assert table.play(">Y5 >Y4").asks == "1 choose a card to play"
    assert table.hand(0) == "Y4 Y5 Y15 B1"
    assert table.hand(1) == "R15 B2 P4"


def test_a_notes_card_ends_the_throws_of_its_seat():
    table = Table.at(*THROWS).play("Y16@5,7 >R15")
    assert table.asks == "0 choose a card to play"  # seat 1 has nothing to play
    assert table.hand(0) == "R15 B1"
    assert table.hand(1) == "Y4 Y5 Y15 B2 P4"


@pytest.mark.parametrize("seat", range(4))
def test_the_others_throw_in_turn_from_the_left_of_the_active_seat(seat):
    hands = ["Y16 R1", "Y5 R3", "P4 R4", "Y7 Y8"]
    turned = [hands[(i - seat) % 4] for i in range(4)]
    table = Table.at("Y3@5,5 R5@5,6", *turned, seat=seat).play("Y16@5,7")
    assert table.asks == f"{(seat + 1) % 4} throw"
    table.play(">Y5")
    assert table.known(seat) == "Y5"  # public before the next seat decides
    assert table.asks == f"{(seat + 3) % 4} throw"  # the seat between has nothing to throw
    table.play(">Y8 pass")
    assert table.hand(seat) == "Y5 Y8 R1"
    assert table.asks == f"{(seat + 1) % 4} choose a card to play"


def test_what_was_thrown_is_known_while_it_is_in_that_hand():
    table = Table.at(*THROWS).play("Y16@5,7 >Y4 >Y5 pass R15@5,4 pass")
    assert [table.known(0), table.known(1)] == ["Y4 Y5", ""]
    table.play("card:Y4")
    assert table.known(0) == "Y4 Y5"
    assert table.play("cell:5,3").known(0) == "Y5"
