"""Examples of Fiddlefoo's expansion cards: what happens when they are paired or thrown."""

from __future__ import annotations

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


def test_wildcard_pair_takes_on_the_color_of_the_other_card():
    table = Table.at("Y3@5,5 B5@5,6", "wildcard_pair Y16", "Y5 Y8 R5 R6 B6 P7")
    assert table.cells("wildcard_pair") == {"5,4", "5,7"}
    table.play("wildcard_pair@5,7")
    assert table.options("throw") == "Y5 Y8"
    table = Table.at("wildcard_pair@5,5 B5@5,6", "Y3 Y16", "Y5 Y8 R5 R6 B6 P7").play("Y3@5,7")
    assert table.options("throw") == "Y5 Y8"


def test_wildcard_pair_stays_red_beside_red():
    table = Table.at("Y3@5,5 R5@5,6", "wildcard_pair Y16", "Y5")
    assert table.cells("wildcard_pair") == {"5,4"}  # by R5, over Y3


def test_throw_other_colors_lets_all_colors_in_the_range_be_thrown():
    for places, card in (("R1@5,5 Y5@5,6", "throw_other_colors"),
                         ("throw_other_colors@5,5 Y5@5,6", "R1")):  # fmt: skip
        table = Table.at(places, f"{card} R16", "B4 P7 Y3 R2 Y10 R12 notes_match_forbid")
        table.play(f"{card}@5,7")
        assert table.options("throw") == "Y3 R2 B4 P7"


def test_safety_rule_disable_makes_no_safe_song():
    for one, other in (("R1", "safety_rule_disable"), ("safety_rule_disable", "R1")):
        table = Table.at(f"{one}@5,2 Y5@5,6", f"{other} R16", "Y8 R5 Y2", pile="B1")
        table.play(f"{other}@5,7")
        assert table.asks == "1 throw"
        assert table.options("throw") == "Y8 R5"  # by four notes, or in the range
        assert table.hand(0) == "R16"
        assert table.pile == "B1"


def test_range_limit_wants_four_numbers_in_the_range():
    def goes(other, card):
        return "5,7" in Table.at(f"{other}@5,5 Y5@5,6", f"{card} Y16 Y4", "R1").cells(card)

    assert not goes("B3", "range_limit")
    assert goes("B2", "range_limit")
    assert not goes("range_limit", "B11")
    assert goes("range_limit", "B12")
    assert goes("B3", "B7")


def test_the_pair_that_counts_is_found_before_the_limit():
    table = Table.at("range_limit@5,5 Y5@5,6 B9@3,7", "B11 Y16 Y4", "R1")
    assert "5,7" not in table.cells("B11")  # the second-best pair does not count
    table = Table.at("range_limit@5,5 Y5@5,6 B16@3,7", "B11 Y16 Y4", "R1")
    assert "5,7" in table.cells("B11")  # the pair with B16 counts


def test_distance_limit_allows_a_distance_of_two():
    def goes(other, card, column):
        places = f"{other}@5,{column} Y5@5,6 Y4@8,8 B4@8,9"
        return "5,7" in Table.at(places, f"{card} Y16", "P1").cells(card)

    for one, two in (("R1", "distance_limit"), ("distance_limit", "R1")):
        assert goes(one, two, 5)
        assert goes(one, two, 4)
        assert not goes(one, two, 3)
    assert goes("R1", "R12", 3)


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


def test_notes_match_forbid_cannot_be_thrown_for_being_in_the_range():
    table = Table.at("P1@5,5 R5@5,6", "P16 R1", "notes_match_forbid P7").play("P16@5,7")
    assert table.options("throw") == "P7"
    places = "R1@5,2 Y5@5,6"
    table = Table.at(places, "safety_rule_disable R16", "notes_match_forbid P7")
    assert table.play("safety_rule_disable@5,7").options("throw") == "notes_match_forbid"


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


def test_cant_throw_stays_with_three_or_fewer_cards():
    for hand, fits in (("cant_throw P7 R3", "P7"), ("cant_throw P7 R3 R4", "P7 cant_throw")):
        table = Table.at("P1@5,5 R5@5,6", "P16 B8", hand).play("P16@5,7")
        assert table.options("throw") == fits
