"""The scripted players of Diddly make the obvious move."""

import pytest
from tests.games.diddly.play import Table, playing

THINKERS = ("greedy", "expert")


def let_play(name: str, table: Table) -> str:
    """Play a player's decision and return it."""
    action = table.ask(name)
    table.play(action)
    return action


@pytest.mark.parametrize("name", THINKERS)
def test_they_take_a_discard_that_matches(name):
    table = playing("9 1 2 3 4 5", "6 7 8 1 2 3", then="9")
    assert let_play(name, table) == "take"
    assert let_play(name, table) == "slot:3"


@pytest.mark.parametrize("name", THINKERS)
def test_they_swap_two_columns_into_matches(name):
    table = playing("7 5 10 5 7 2", "6 7 8 1 2 3", then="9 S")
    table.state.face_up[0, 3:5] = 1
    table.play("draw")
    let_play(name, table)
    let_play(name, table)
    assert table.board(0) in {"5 5 (10) 5 5 (2)", "5 7 (10) 5 7 (2)", "7 5 (10) 7 5 (2)"}


@pytest.mark.parametrize(("mate", "best"), [("8", "8"), ("7", "D")])
@pytest.mark.parametrize("name", THINKERS)
def test_they_recycle_a_match_or_else_a_zero_in_their_last_turn(name, mate, best):
    table = playing(f"R 8 1 {mate} 2 3", "9 D 1 2 3 4", then="10 9 9")
    table.play("draw 1 draw 1")
    table.state.face_up[:2, :] = 1
    table.state.closer = 1
    table.state.pile[:3] = table.state.pile[[1, 2, 0]]  # the 10 becomes the top
    assert table.pile == ["8", "D", "10"]
    assert let_play(name, table) == f"recycle:{best}"
    assert let_play(name, table) == "slot:0"


@pytest.mark.parametrize(
    ("other", "other_up", "closes"), [("10 9 8 P R 6", 4, True), ("1 D D 1 D 3", 5, False)]
)
def test_the_expert_closes_when_ahead(other, other_up, closes):
    """Player_0 has two matches, an 8 and a face-down card, and draws a 2."""
    table = playing("7 9 8 7 9 5", other, then="10 2")
    table.state.face_up[0, :5] = 1
    table.state.face_up[1, :other_up] = 1
    assert (table.play("draw").ask("expert") == "slot:5") == closes


def test_the_expert_does_not_hand_over_a_match():
    """Each seat has one turn left; a D saves one point more on the 9 than on the 8."""
    for waits_for, discard in (("9", "slot:1"), ("7", "slot:0")):
        hands = "9 8 D 2 3 D", f"{waits_for} 1 D 10 2 D", "5 6 7 5 6 7"
        table = Table(*hands, then="10 D").play("0 1 0 1 0 1")
        table.state.face_up[:3, :] = 1
        table.state.closer = 2
        table.play("draw")
        assert table.ask("expert") == discard
        assert table.ask("greedy") == "slot:0"
