"""Examples of Fiddlefoo's expansion cards: when paired, thrown, drawn or scored, and together."""

from __future__ import annotations

import pytest
from tests.games.fiddlefoo.play import Table

DISCARD = "take a card out of the game"
YELLOW = "Y3@5,5 R5@5,6"
"""Yellow cards go to ``5,7`` at a distance of 1, red ones to ``5,4``."""


# --- When paired --------------------------------------------------------------------------------


def test_discard_takes_a_hand_card_out_of_the_game():
    table = Table.at(YELLOW, "discard Y16 R1 B2", "Y5 R3").play("discard@5,7")
    assert table.asks == f"0 {DISCARD}"
    assert table.legal == ["card:Y16", "card:R1", "card:B2", "pass"]
    table.play("card:R1")
    assert table.hand(0) == "Y16 B2"
    assert "R1" in table.out.split()
    assert table.asks == "1 throw"


def test_discard_asks_nobody_whose_hand_is_empty():
    table = Table.at(YELLOW, "discard", "Y5 R3").play("discard@5,7")
    assert table.asks == "1 throw"


MOVE = "P1@5,5 R5@5,6 B2@6,6 B7@4,6"


def test_move_puts_a_map_card_elsewhere_whatever_the_colors():
    table = Table.at(MOVE, "move R1", "Y5 R3").play("move@5,7")
    assert table.asks == "0 choose a card to move"
    assert table.legal == ["pass", "map:R5", "map:B2", "map:B7"]  # no card of the pair
    table.play("map:B2")
    assert table.asks == "0 choose a cell to move it to"
    # Cells beside the other cards once it is lifted, except its old one.
    assert table.options("cell") == "3,6 4,5 4,7 5,4 5,8 6,5 6,7"
    table.play("cell:4,7")
    assert table.map[4, 7] == "B2"
    assert (6, 6) not in table.map
    assert len(table.map) == 5
    assert table.hand(0) == "R1"


def test_a_moved_card_makes_no_pair_and_was_not_added_by_a_play():
    """Otherwise the penalty card drawn next would compare with blue and draw another card."""
    table = Table.at(MOVE, "move R1", "Y5", pile="hand_match_penalty Y1")
    table.play("move@5,7 map:B2 cell:3,6")
    assert table.asks == "0 choose a card to play"
    assert table.hand(1) == "Y5 hand_match_penalty"
    assert table.pile == "Y1"


def test_the_effect_of_the_card_played_comes_before_its_partners():
    """With purple as any color, `move` and `discard` make a pair."""
    asks = {"move": "0 choose a card to move", "discard": f"0 {DISCARD}"}
    for new, old in (("move", "discard"), ("discard", "move")):
        table = Table.at(f"{old}@5,5 R5@5,6 B2@6,6", f"{new} Y16", "R4 P7", wildcard=True)
        assert table.play(f"{new}@5,7").asks == asks[new]
        assert table.play("pass").asks == asks[old]
        assert "choose a card to play" in table.play("pass").asks


PURPLE = "P10@5,5 R5@5,6 Y1@6,5"


def test_play_again_plays_another_card_of_another_color_after_the_throws():
    table = Table.at(PURPLE, "play_again R1 Y16 P16", "P7 B12", "R6 B3").play("play_again@5,7")
    assert table.asks == "1 throw"
    table.play(">P7")
    assert table.asks == "0 play again"
    assert table.legal == ["card:Y16", "card:R1", "pass"]  # neither P7 nor P16
    table.play("card:R1")
    assert table.asks == "0 choose a cell for it"
    assert table.options("cell") == "5,4 5,8"


def test_play_again_gives_another_play_each_time_it_is_paired():
    """The color of the turn's first card stays barred; a received card may be played."""
    table = Table.at("play_again@5,5 R5@5,6", "Y16 Y2 B1", "R9 B16", wildcard=True)
    table.play("Y16@5,7 >R9")
    assert table.asks == "0 play again"
    assert table.legal == ["card:R9", "card:B1", "pass"]
    table.play("R9@5,8")
    assert table.asks == "0 play again"
    assert table.legal == ["card:B1", "pass"]
    table.play("B1@5,9")
    assert table.hand(0) == "Y2"
    assert table.asks.startswith("1")


def test_remove_cards_takes_up_to_three_map_cards_out_of_the_game():
    places = "R10@5,5 Y5@5,6 B2@6,6 P1@4,6 B9@3,6"
    table = Table.at(places, "remove_cards R16", "Y16 R3").play("remove_cards@5,7")
    assert table.asks == "0 remove cards from the map"
    assert table.legal == ["pass", "map:Y5", "map:B2", "map:B9", "map:P1"]
    table.play("map:Y5 map:P1")
    assert table.legal == ["pass", "map:B2", "map:B9"]
    table.play("map:B2")
    assert table.map == {(5, 5): "R10", (3, 6): "B9", (5, 7): "remove_cards"}
    assert {"Y5", "P1", "B2"} <= set(table.out.split())
    assert table.asks == "1 throw"


def test_play_again_is_not_asked_where_nothing_can_be_played():
    table = Table.at(PURPLE, "play_again P16 B1", "R9 B12").play("play_again@5,7")
    assert table.asks == "1 choose a card to play"


def test_remove_cards_ends_with_a_pass_or_with_the_last_card():
    places = "R10@5,5 Y5@5,6 B2@6,6"
    table = Table.at(places, "remove_cards R16", "Y16 R3").play("remove_cards@5,7 map:Y5 pass")
    assert table.asks == "1 throw"
    assert (6, 6) in table.map
    table = Table.at(places, "remove_cards R16", "Y16 R3").play("remove_cards@5,7 map:Y5 map:B2")
    assert table.asks == "1 throw"


# --- What may be thrown, and where a card may go --------------------------------------------------

SOME = "Y5 Y8 R5 R6 B6 P7"
ALL = "B4 P7 Y3 R2 Y10 R12 notes_match_forbid"
THROWN = [
    ("wildcard_pair takes the other color", "Y3@5,5 B5@5,6", "wildcard_pair@5,7", SOME, "Y5 Y8"),
    ("wildcard_pair takes the other color", "wildcard_pair@5,5 B5@5,6", "Y3@5,7", SOME, "Y5 Y8"),
    ("any color", "R1@5,5 Y5@5,6", "throw_other_colors@5,7", ALL, "Y3 R2 B4 P7"),
    ("any color", "throw_other_colors@5,5 Y5@5,6", "R1@5,7", ALL, "Y3 R2 B4 P7"),
    ("no Safe Song", "R1@5,2 Y5@5,6", "safety_rule_disable@5,7", "Y8 R5 Y2", "Y8 R5"),
    ("no Safe Song", "safety_rule_disable@5,2 Y5@5,6", "R1@5,7", "Y8 R5 Y2", "Y8 R5"),
    ("not in the range", "P1@5,5 R5@5,6", "P16@5,7", "notes_match_forbid P7", "P7"),
    ("but for its notes", "R1@5,2 Y5@5,6", "safety_rule_disable@5,7", "notes_match_forbid P7",
     "notes_match_forbid"),
    ("stays with three cards", "P1@5,5 R5@5,6", "P16@5,7", "cant_throw P7 R3", "P7"),
    ("goes from four", "P1@5,5 R5@5,6", "P16@5,7", "cant_throw P7 R3 R4", "P7 cant_throw"),
    ("at any pair", "Y3@5,5 R5@5,6", "Y4@5,7", "wildcard_throw B2 R3", "B2 wildcard_throw"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "places", "play", "hand", "fits"), THROWN)
def test_what_may_be_thrown(rule, places, play, hand, fits):
    table = Table.at(places, f"{play.partition('@')[0]} B13", hand, pile="B1").play(play)
    assert table.options("throw") == fits, rule
    assert table.hand(0) == "B13", "no Safe Song draws a card"


LIMITS = [
    ("B3@5,5 Y5@5,6", "range_limit", False), ("B2@5,5 Y5@5,6", "range_limit", True),
    ("range_limit@5,5 Y5@5,6", "B11", False), ("range_limit@5,5 Y5@5,6", "B12", True),
    ("B3@5,5 Y5@5,6", "B7", True),
    # The limit is for the pair that counts, and no second-best one is taken in its place.
    ("range_limit@5,5 Y5@5,6 B9@3,7", "B11", False),
    ("range_limit@5,5 Y5@5,6 B16@3,7", "B11", True),
    *((f"{one}@5,{column} Y5@5,6", other, column > 3) for column in (3, 4, 5)
      for one, other in (("R1", "distance_limit"), ("distance_limit", "R1"))),
    ("R1@5,3 Y5@5,6", "R12", True),
    ("Y3@5,5 R5@5,6", "wildcard_pair", False),  # it is red beside red
]  # fmt: skip


@pytest.mark.parametrize(("places", "card", "goes"), LIMITS)
def test_where_a_card_may_go(places, card, goes):
    table = Table.at(f"{places} Y4@8,8 B4@8,9", f"{card} Y16", "P1")
    assert ("5,7" in table.cells(card)) == goes


# --- When thrown --------------------------------------------------------------------------------

BLUE = "B1@5,5 Y1@5,6"
"""``B16@5,7`` makes a pair of distance 1 with 2 to 15 in its range."""


def test_draw_makes_the_thrower_draw_one():
    table = Table.at(BLUE, "B16 R1", "draw Y3", pile="P4 P1").play("B16@5,7 >draw")
    assert table.hand(1) == "Y3 P4"
    assert table.hand(0) == "R1 draw"
    assert table.known(0) == "draw"
    assert table.known(1) == ""
    assert table.pile == "P1"


def test_notes_match_penalty_costs_two_cards_if_it_was_thrown_for_its_notes():
    table = Table.at("Y1@5,4 R5@5,6", "Y3 R16", "notes_match_penalty R1", pile="P4 P1 P7")
    table.play("Y3@5,7 >notes_match_penalty")
    assert table.hand(1) == "R1 P1 P4"
    assert table.known(1) == ""
    assert table.pile == "P7"
    assert table.asks == "1 choose a card to play"


def test_notes_match_penalty_costs_nothing_in_the_range():
    hands = ("Y16 R1", "notes_match_penalty B8 R3")
    for places in ("Y3@5,5 R5@5,6", "Y3@5,4 R5@5,6"):  # at a distance of 2 the card fits both ways
        table = Table.at(places, *hands, pile="P4 P1 P7").play("Y16@5,7 >notes_match_penalty")
        assert table.hand(1) == "R3 B8"


def test_wildcard_throw_can_be_thrown_at_any_pair_as_a_range_card():
    table = Table.at(YELLOW, "Y4 R1", "wildcard_throw B2 R3").play("Y4@5,7")
    assert table.options("throw") == "B2 wildcard_throw"
    table.play(">wildcard_throw")
    assert table.asks == "1 choose a card to play"  # no notes card may follow
    table = Table.at(YELLOW, "Y16 R1", "wildcard_throw Y5 B2 R3").play("Y16@5,7 >Y5")
    assert table.options("throw") == "wildcard_throw"


def test_wildcard_throw_can_be_thrown_at_a_safe_song_after_the_draw():
    table = Table.at("Y3@5,2 R5@5,6", "Y16 R1", "wildcard_throw Y5 R8", "R3 Y4", pile="B1")
    table.play("Y16@5,7")
    assert table.hand(0) == "R1 B1"
    assert table.asks == "1 throw"
    assert table.options("throw") == "wildcard_throw"
    table.play(">wildcard_throw")
    assert table.hand(0) == "R1 B1 wildcard_throw"
    assert table.asks.endswith("choose a card to play")


def test_draw_from_an_empty_pile_falls_away_and_may_end_the_game():
    table = Table.at(BLUE, "B16 R1", "draw").play("B16@5,7 >draw")
    assert table.over
    table = Table.at(BLUE, "B16 R1", "draw", pile="Y3").play("B16@5,7 >draw")
    assert not table.over
    assert table.hand(1) == "Y3"


SWAP, FOR = "choose a hand card to swap", "choose a map card to swap it with"
STUCK = "P4 P13"
"""A hand that cannot throw at a distance of 1, nor play where there is no purple card."""


def drawn(
    pile: str, *, places: str = "Y3@5,5 R5@5,6", card: str = "R1@5,4", keeps: str = "Y16 R16"
):
    """Return a table where player_1 could not play, and so has drawn from this pile."""
    hand = f"{card.partition('@')[0]} {keeps}"
    return Table.at(places, hand, STUCK, pile=pile).play(card)


# --- When drawn ---------------------------------------------------------------------------------


def test_reveal_to_all_is_known_while_in_that_hand():
    table = drawn("reveal_to_all")
    assert table.hand(1) == f"{STUCK} reveal_to_all"
    assert table.known(1) == "reveal_to_all"


def test_effects_of_draws_do_not_happen_to_cards_dealt_or_received():
    hand = "Y16 R16 reveal_to_all instaplay swap_map hand_match_penalty"
    table = Table.at("Y3@5,5 R5@5,6 B1@4,6", hand, "R3 hand_match_note_penalty")
    assert table.known(0) == ""
    assert table.asks == "0 choose a card to play"
    table = Table.at("Y1@5,5 R5@5,6", "Y16 R1", "reveal_to_all instaplay R3").play("Y16@5,7")
    table.play(">instaplay >reveal_to_all")
    assert table.asks == "1 choose a card to play"
    assert table.known(0) == "instaplay reveal_to_all"


def test_instaplay_is_played_at_once_as_a_full_play():
    table = drawn("instaplay P1", keeps="Y5 Y16")
    assert table.asks == "1 choose a cell for it"
    assert table.options("cell") == "5,3 5,7"
    assert table.known(1) == "instaplay"
    table.play("cell:5,7")
    assert table.asks == "0 throw"
    assert table.options("throw") == "Y5 Y16"
    table.play(">Y5")
    assert table.hand(1) == f"Y5 {STUCK}"
    assert table.asks == "0 choose a card to play"  # player_1's turn is over
    assert table.pile == "P1"


def test_instaplay_without_a_legal_cell_stays_in_the_hand_unseen():
    table = drawn("instaplay P1", card="Y16@5,7", keeps="R1 R16")
    assert table.hand(1) == f"{STUCK} instaplay"
    assert table.known(1) == ""
    assert table.asks == "0 choose a card to play"


def test_hand_match_penalty_draws_another_if_the_last_card_has_its_color():
    places = "B1@5,5 R5@5,6"
    table = drawn("hand_match_penalty Y2 Y4", places=places, card="B16@5,7", keeps="R1")
    assert table.hand(1) == f"Y2 {STUCK} hand_match_penalty"
    assert table.known(1) == "hand_match_penalty"
    assert table.pile == "Y4"
    table = drawn("hand_match_penalty Y2 Y4", card="R1@5,4")
    assert table.hand(1) == f"{STUCK} hand_match_penalty"
    assert table.known(1) == ""


def test_hand_match_note_penalty_draws_another_if_the_last_card_has_its_notes():
    places = "B1@5,5 R5@5,6"
    table = drawn("hand_match_note_penalty Y2 Y4", places=places, card="B8@5,7", keeps="R1")
    assert table.hand(1) == f"Y2 {STUCK} hand_match_note_penalty"
    assert table.known(1) == "hand_match_note_penalty"
    assert table.pile == "Y4"
    table = drawn("hand_match_note_penalty Y2 Y4", places=places, card="B7@5,7", keeps="R1")
    assert table.hand(1) == f"{STUCK} hand_match_note_penalty"
    assert table.known(1) == ""


def test_swap_map_swaps_three_hand_cards_with_map_cards():
    table = drawn("swap_map B9", card="Y16@5,7", keeps="B1")
    assert table.asks == f"1 {SWAP}"
    assert table.legal == ["card:P4", "card:P13", "card:swap_map"]
    assert table.known(1) == "swap_map"
    table.play("card:P4")
    assert table.asks == f"1 {FOR}"
    assert table.legal == ["map:Y3", "map:Y16", "map:R5"]
    assert table.known(1) == "P4 swap_map"
    table.play("map:Y3")
    assert table.map == {(5, 5): "P4", (5, 6): "R5", (5, 7): "Y16"}
    assert table.known(1) == "Y3 swap_map"
    assert table.legal == ["card:P13", "card:swap_map"]  # not Y3
    assert table.play("card:swap_map").legal == ["map:Y16", "map:R5"]  # not P4
    table.play("map:R5 card:P13 map:Y16")
    assert table.map == {(5, 5): "P4", (5, 6): "swap_map", (5, 7): "P13"}
    assert table.hand(1) == table.known(1) == "Y3 Y16 R5"
    assert table.asks == "0 choose a card to play"
    assert table.pile == "B9"


def test_penalties_of_draws_follow_one_another_and_end_with_the_pile():
    both = "hand_match_penalty hand_match_note_penalty"
    for more in ("", " Y2 Y4"):
        table = drawn(both + more, places="B1@5,5 R5@5,6", card="B9@5,7", keeps="R1")
        assert table.hand(1) == (f"Y2 {STUCK} {both}" if more else f"{STUCK} {both}")
        assert table.known(1) == both


def test_swap_map_swaps_as_many_cards_as_there_are():
    table = Table.at("Y3@5,5 R5@5,6", "Y16 R1", "P4", pile="swap_map B9").play("Y16@5,7")
    table.play("card:P4 map:R5 card:swap_map map:Y3")
    assert table.hand(1) == "Y3 R5"
    assert table.asks == "1 choose a card to play"
    table = Table.at("R10@5,5 Y5@5,6", "remove_cards R16", STUCK, pile="swap_map B9")
    table.play("remove_cards@5,7 map:Y5 card:P4 map:R10")
    assert table.legal == ["card:P13", "card:swap_map"]
    assert table.play("card:P13").legal == ["map:remove_cards"]
    assert SWAP not in table.play("map:remove_cards").asks


# --- When scored --------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "points"), [
    ("score_double_worst", 2),
    ("score_double_worst P1", 2 + 1),
    ("score_double_worst B8 R6", 8 + 4 + 3),
    ("score_double_worst notes_match_forbid", 8 + 4),
    ("score_minus_conditional", -10),
    ("score_minus_conditional R1", -10 + 1),
    ("score_minus_conditional R1 R2", 3 + 1 + 1),
    ("score_minus_conditional Y1 R1 R2", -10 + 1 + 1 + 1),
    ("score_minus_conditional discard R1 R2", -10 + 3 + 1 + 1),
    ("score_minus_conditional R1 remove_cards", 3 + 1 + 1),
    ("score_minus_conditional R1 B1 P1", -10 + 3),
    ("score_minus_conditional B1 B2 Y1 P1 P4", -10 + 1 + 1 + 1 + 1 + 2),
    ("score_minus_conditional B1 P1 P4", 3 + 1 + 1 + 2),
    ("score_double_worst score_minus_conditional", 6 - 10),
    ("score_double_worst score_minus_conditional P4", 6 + 3 + 2),
])  # fmt: skip
def test_hands_are_scored_by_the_rules_of_their_cards(hand, points):
    table = Table.at("Y3@5,2 R5@5,6", "Y16", hand).play("Y16@5,7")
    assert table.over
    assert table.totals == [0, points]
    assert table.ranks == ([2, 1] if points < 0 else [1, 2])


# --- Combinations -------------------------------------------------------------------------------

NESTED = ("B1@5,5 Y1@5,6", "B16 B2 R16", "draw B4 R2", "B9 Y4 R12")
"""``B16@5,7`` has 2 to 15 in its range; player_1 throws `draw` and draws `instaplay`."""


def test_instaplay_in_the_middle_of_throws_and_back():
    table = Table.at(*NESTED, pile="instaplay P1").play("B16@5,7 >draw")
    assert table.asks == "1 choose a cell for it"
    table.play("cell:5,8")  # with Y1: 2 to 5, a distance of 1
    assert table.asks == "2 throw"  # starting left of player_1
    assert table.options("throw") == "Y4"
    table.play(">Y4")
    assert table.asks == "0 throw"
    assert table.options("throw") == "R16 B2"  # a notes card; not `draw`, just received
    table.play(">B2")
    assert table.asks == "1 throw"  # at player_0 again
    assert table.options("throw") == "B4"  # neither B2, just received, nor R2 for its note
    table.play(">B4")
    assert table.asks == "2 throw"
    table.play(">B9")
    assert table.hand(0) == "R16 B4 B9 draw"
    assert table.hand(1) == "Y4 R2 B2"
    assert table.asks == "1 choose a card to play"


def test_instaplay_at_a_safe_song_is_played_before_the_throws():
    places = "Y1@9,2 R9@9,3 B1@5,2 R5@5,6"
    table = Table.at(places, "B16 R1", "wildcard_throw Y4", pile="instaplay P1").play("B16@5,7")
    assert table.asks == "0 choose a cell for it"
    table.play("cell:9,4")
    assert table.options("throw") == "Y4 wildcard_throw"
    table.play(">Y4 pass")
    assert table.asks == "1 throw"  # at the Safe Song
    assert table.options("throw") == "wildcard_throw"
    table.play(">wildcard_throw")
    assert table.hand(0) == "Y4 R1 wildcard_throw"
    assert table.pile == "P1"
    assert table.over


def test_effects_of_draws_wait_for_each_other():
    """`notes_match_penalty` draws `swap_map`, then `instaplay`, which waits for the swaps."""
    hands = ("Y3 R16 Y2", "notes_match_penalty R1 R3 P4")
    table = Table.at("Y1@5,4 R5@5,6", *hands, pile="swap_map instaplay P1")
    table.play("Y3@5,7 >notes_match_penalty")
    assert table.asks == f"1 {SWAP}"
    assert table.pile == "instaplay P1"
    table.play("card:R3 map:Y1 card:P4 map:R5")
    assert table.pile == "instaplay P1"
    table.play("card:swap_map map:Y3")
    assert table.pile == "P1"
    assert table.hand(1) == "Y1 Y3 R1 R5 instaplay"  # no yellow card can pair with `instaplay`
    assert table.asks == "1 choose a card to play"


def test_a_pair_stands_as_made_when_its_cards_are_swapped_away():
    """A card swapped in from the map does not count as received: it may be thrown."""
    places = "B1@5,5 Y1@5,6 B9@4,6"
    table = Table.at(places, "B16 R16", "draw B4 P16", pile="swap_map P1").play("B16@5,7 >draw")
    table.play("card:P16 map:B9 card:swap_map map:B1 card:B4 map:B16")
    assert table.asks == "1 throw"
    assert table.options("throw") == "B9"
    table.play(">B9")
    assert table.hand(0) == "R16 B9 draw"
    assert table.hand(1) == "B1 B16 P1"  # player_1 could not play, so it drew


def test_the_last_card_added_stays_the_last_one_when_it_is_swapped_away():
    hands = ("B3 R16 Y2", "notes_match_penalty R1 P4 P7")
    pile = "swap_map hand_match_penalty Y4 Y5"
    table = Table.at("B1@5,4 R5@5,6", *hands, pile=pile).play("B3@5,7 >notes_match_penalty")
    table.play("card:R1 map:B3 card:P4 map:B1 card:P7 map:R5")
    assert {"hand_match_penalty", "Y4"} <= set(table.hand(1).split())
    assert "hand_match_penalty" in table.known(1)


def test_the_pair_of_the_other_play_counts_again_after_the_one_in_between():
    """The outer pair's distance is 2, that of the inner play 1."""
    hands = ("B16 R16", "draw R3", "P4 R12")
    table = Table.at("B1@5,4 Y1@5,6", *hands, pile="instaplay P1").play("B16@5,7 >draw cell:5,8")
    assert table.asks == "0 throw"
    assert table.options("throw") == "R16"
    table.play("pass")
    assert table.asks == "2 throw"
    assert table.options("throw") == "P4"


def test_a_play_in_between_leaves_the_other_as_it_was():
    hands = ("B16 R16", "draw R3", "P4 R12")
    table = Table.at("B3@5,4 Y1@5,6", *hands, pile="instaplay P1").play("B16@5,7")
    names = ("player", "card", "partner", "cell", "partner_cell", "low", "high", "color", "safe")
    before = [int(table.state[name]) for name in names]
    table.play(">draw cell:5,8")
    assert table.state.nested
    assert table.state.outer.any()
    between = [int(table.state[name]) for name in names]
    assert all(one != other for one, other in zip(before[:-1], between[:-1], strict=True))
    while table.state.nested:
        table.play("pass")
    assert [int(table.state[name]) for name in names] == before
    assert not table.state.outer.any()


def test_another_play_is_not_forgotten_by_a_play_in_between():
    places = "P10@5,5 R5@5,6 Y1@9,2 R9@9,3"
    hands = ("play_again Y16 B1", "draw R16")
    table = Table.at(places, *hands, pile="instaplay P1", wildcard=True)
    table.play("play_again@5,7 >draw cell:9,4 pass")
    assert table.asks == "0 play again"
    assert "card:Y16" in table.legal


def test_a_draw_waits_for_a_whole_play_in_between():
    places = "Y9@8,1 B9@8,2 Y1@5,4 R5@5,6"
    hands = ("Y3 R16 Y2", "notes_match_penalty R1 P4")
    table = Table.at(places, *hands, pile="instaplay P7 P1").play("Y3@5,7 >notes_match_penalty")
    assert table.asks == "1 choose a cell for it"
    table.play("cell:8,3")
    assert table.asks == "0 throw"
    assert table.pile == "P7 P1"
    table.play("pass")
    assert table.pile == "P1"
    assert table.hand(1) == "R1 P4 P7"


def test_the_first_color_of_a_turn_holds_for_everybody_in_it():
    """Player_1 plays a second card in the turn of player_0, who began with blue."""
    places = "B1@5,5 R5@5,6 play_again@4,6 R16@3,6"
    hands = ("B16 R14", "draw Y16 B2 R1")
    table = Table.at(places, *hands, pile="instaplay P1", wildcard=True).play("B16@5,7 >draw")
    table.play("cell:6,6")
    assert table.asks == "1 play again"
    assert table.legal == ["card:Y16", "card:R1", "pass"]
