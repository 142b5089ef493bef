"""Each rule of Diddly in a position set up by hand.

``(7)`` is a face-down card, ``[7]`` a face-down card that its owner has looked at.
"""

from __future__ import annotations

import pytest
from tests.games.diddly.play import OTHER, Table, playing, rig

# --- Set-up -------------------------------------------------------------------------------------


def test_cards_are_dealt_one_at_a_time_from_player_0():
    table = Table("1 2 3 4 5 6 7 8 9 10 D S H P R R P H", num_players=3)
    assert [table.board(seat) for seat in range(3)] == [
        "(1) (4) (7) (10) (H) (R)",
        "(2) (5) (8) (D) (P) (P)",
        "(3) (6) (9) (S) (R) (H)",
    ]
    assert table.pile == []


@pytest.mark.parametrize(("cards", "flips"), [(2, 1), (6, 2), (8, 2), (9, 3)])
def test_each_seat_flips_in_turn_then_the_first_discard_is_turned_over(cards, flips):
    board = ["1", "2", "3", "4", "5", "6", "7", "8", "9"][:cards]
    table = Table(rig(*[" ".join(board)] * 3, then="10 D"), num_players=3, cards=cards)
    for seat in range(3):
        for slot in range(flips):
            assert table.asks == f"{seat} flip"
            assert table.pile == []
            assert table.legal == [f"slot:{i}" for i in range(slot, cards)]
            table.play(f"{slot}")
    assert table.asks == "0 source"
    assert table.pile == ["10"]
    assert table.play("draw").state.held == 10


def test_set_up_abilities_come_in_the_order_flipped():
    table = Table(rig("P S 3 4 5 6", OTHER))
    assert table.play("1 0").asks == "0 swap first"
    assert table.play("pass").asks == "0 peek"
    assert table.play("5").asks == "1 flip"
    table = Table(rig("P S 3 4 5 6", OTHER))
    assert table.play("0 1").asks == "0 peek"
    assert table.play("2").asks == "0 swap first"
    assert table.play("1 2").asks == "1 flip"
    assert table.board(0) == "P [3] S (4) (5) (6)"


def test_set_up_abilities_of_nine_cards_and_two_of_a_kind():
    table = Table(rig("S P S 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9"), cards=9)
    assert table.play("0 1").asks == "0 flip"
    assert table.play("2").asks == "0 swap first"
    assert table.play("0 8").asks == "0 peek"
    assert table.board(0) == "(9) P S (4) (5) (6) (7) (8) S"
    assert table.play("0").asks == "0 swap first"
    assert table.play("0 3").asks == "1 flip"
    assert table.board(0) == "(4) P S [9] (5) (6) (7) (8) S"


def test_a_seat_uses_its_abilities_before_the_next_seat_flips():
    table = Table(rig("1 2 3 4 5 6", "P 2 3 4 5 6", "7 8 9 10 D S"), num_players=3)
    assert table.play("0 1 0 1").asks == "1 peek"
    assert table.play("5").asks == "2 flip"
    assert table.board(1) == "P 2 (3) (4) (5) [6]"


@pytest.mark.parametrize("kind", ["P", "S", "R", "H"])
def test_special_card_as_first_discard_does_nothing(kind):
    table = playing(then=f"{kind} 9")
    assert table.asks == "0 source"
    assert table.pile == [kind]
    assert table.legal == ["draw", "take"]


# --- A turn -------------------------------------------------------------------------------------


def test_a_turn_draws_places_face_up_and_discards():
    table = playing(then="9 10").play("draw")
    assert table.asks == "0 place"
    assert table.legal == [f"slot:{i}" for i in range(6)]
    assert table.pile == ["9"]
    table.play("3")
    assert table.board(0) == "1 2 (3) 10 (5) (6)"
    assert table.pile == ["9", "4"]
    assert table.asks == "1 source"


def test_a_turn_takes_the_top_discard():
    table = playing(then="9").play("take")
    assert table.pile == []
    table.play("0")
    assert table.board(0) == "9 2 (3) (4) (5) (6)"
    assert table.pile == ["1"]


@pytest.mark.parametrize("source", ["draw", "take"])
def test_obtained_peek_looks_at_a_face_down_card_before_it_is_placed(source):
    table = playing(then="P P").play(source)
    assert table.asks == "0 peek"
    assert table.legal == ["slot:2", "slot:3", "slot:4", "slot:5"]
    table.play("3")
    assert table.board(0) == "1 2 (3) [4] (5) (6)"
    assert table.asks == "0 place"
    table.play("3")
    assert table.board(0) == "1 2 (3) P (5) (6)"
    assert not table.state.peeked.any()


def test_a_card_may_be_looked_at_twice():
    table = playing(then="P 10 P").play("take 2 0 draw 0 draw")
    assert table.legal == ["slot:2", "slot:3", "slot:4", "slot:5"]
    assert table.play("2").board(0) == "P 2 [3] (4) (5) (6)"


def test_swap_moves_cards_with_facing_and_knowledge():
    table = playing(then="P 10 S").play("take 2 0 draw 0 draw")
    assert table.board(0) == "P 2 [3] (4) (5) (6)"
    assert table.asks == "0 swap first"
    assert table.legal == ["pass", *(f"slot:{i}" for i in range(6))]
    assert table.play("2").asks == "0 swap second"
    assert table.legal == ["slot:0", "slot:1", "slot:3", "slot:4", "slot:5"]
    table.play("0")
    assert table.board(0) == "[3] 2 P (4) (5) (6)"
    assert table.asks == "0 place"
    table.play("5")
    assert table.board(0) == "[3] 2 P (4) (5) S"


def test_swap_may_be_declined_only_before_the_first_slot():
    table = playing(then="S 9").play("take pass")
    assert table.asks == "0 place"
    assert table.play("2").board(0) == "1 2 S (4) (5) (6)"
    table = playing(then="S 9").play("take 4")
    assert "pass" not in table.legal


def test_the_replaced_card_does_nothing():
    table = Table(rig("1 2 P S 5 6", OTHER, then="9 9 9 9")).play("0 1 0 1")
    assert table.play("draw 2").asks == "1 source"
    assert table.pile[-1] == "P"
    assert table.play("draw 0 draw 3").asks == "1 source"
    assert table.pile[-1] == "S"


# --- Recycle ------------------------------------------------------------------------------------


def recycling(mine: str = "R 2 3 4 5 6", then: str = "9 10") -> Table:
    return playing(mine=mine, then=then)


def test_recycle_needs_to_lie_face_up():
    assert recycling().legal == ["draw", "take", "recycle:9"]
    assert recycling("1 2 3 4 5 R").legal == ["draw", "take"]


def test_recycling_replaces_a_face_up_recycle_only():
    table = Table(rig("R 2 R 4 5 R", OTHER, then="9 9")).play("0 2 0 1").play("recycle:9")
    assert table.asks == "0 place"
    assert table.legal == ["slot:0", "slot:2"]
    table.play("2")
    assert table.board(0) == "R (2) 9 (4) (5) (R)"
    assert table.pile == ["R"]
    assert table.asks == "1 source"


def test_recycling_gets_any_kind_of_the_pile_and_its_topmost_copy():
    table = recycling(then="9 10 9 D 7").play("draw 1 draw 0 draw 1 draw 0")
    assert table.pile == ["9", "2", "6", "10", "9"]
    assert table.legal == ["draw", "take", "recycle:2", "recycle:6", "recycle:9", "recycle:10"]
    table.play("recycle:9")
    assert table.pile == ["9", "2", "6", "10"]
    assert table.play("0").pile == ["9", "2", "6", "10", "R"]
    assert table.board(0) == "9 D (3) (4) (5) (6)"


def test_recycled_recycle_takes_the_place_of_another():
    table = recycling(then="R 10").play("recycle:R")
    assert table.legal == ["slot:0"]
    assert table.play("0").pile == ["R"]
    assert table.board(0) == "R 2 (3) (4) (5) (6)"


def test_peek_is_skipped_when_nothing_lies_face_down():
    table = playing(then="P 9")
    table.state.face_up[0, :6] = 1
    assert table.play("take").asks == "0 place"


def test_recycled_peek_looks_before_the_recycle_is_replaced():
    table = recycling(then="P 10").play("recycle:P")
    assert table.asks == "0 peek"
    assert table.play("4").board(0) == "R 2 (3) (4) [5] (6)"
    assert table.legal == ["slot:0"]


def test_recycled_swap_is_used_before_the_recycle_is_replaced():
    table = recycling(then="S 10").play("recycle:S")
    assert table.asks == "0 swap first"
    assert table.play("0 5").board(0) == "(6) 2 (3) (4) (5) R"
    assert table.legal == ["slot:5"]
    assert table.play("5").board(0) == "(6) 2 (3) (4) (5) S"
