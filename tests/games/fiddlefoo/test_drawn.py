"""Examples of Fiddlefoo's expansion: cards that act when drawn or scored, and combinations."""

from __future__ import annotations

import pytest
from tests.games.fiddlefoo.play import Table

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
    assert table.env.scores.tolist() == [0, points]
    assert table.env.ranks.tolist() == ([2, 1] if points < 0 else [1, 2])


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
