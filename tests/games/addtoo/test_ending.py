"""How hands and games of Add-Too end, how they score, and what they pay."""

from __future__ import annotations

import pytest
from tests.games.addtoo.play import Table
from tests.games.addtoo.test_play import ONE_HAND

from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME

OPEN = "1-2@0,0,0,0"


def result(table):
    """Return the scores of the hand that has just ended."""
    return list(map(int, table.state.last_scores[: table.state.num_players]))


# --- Ways a hand ends (booklet: rule 4, Bonus Plays) ----------------------------------------------


def test_hand_ends_when_a_seat_has_no_diamonds_left():
    """3-8 on blue 2 scores ten points and empties the hand; the others lose ten per diamond."""
    table = Table.at(OPEN, "3-8", "5-10 6-9 4-9", "1-10", **ONE_HAND).play("3-8@last:2,0")
    assert table.over
    assert table.points == [10, 0, 0]
    assert result(table) == table.totals == [10, -30, -10]
    assert list(table.layout)[-1] == "3-8"


CELL = "3-4@1,-1,0,0 4-5@2,0,0,0"
"""With 1-2 at 0,0,0,0 and 6-7 at 1,1,0,0, these surround the place 1,0,0,1."""
POCKET = "6-7@1,2,2,0 7-8@0,1,0,0"
"""Between these there is room for half a diamond, at the fourth side of 1,0,0,1."""
FAR = "3-10@-9,0,0,0 7-10@-10,1,0,0"
"""Allows a bonus play with 3-6."""


@pytest.mark.parametrize("sealed_ends_hand", [True, False])
@pytest.mark.parametrize("turned", [True, False])
def test_four_touched_sides_end_the_hand_after_an_ordinary_play_too(turned, sealed_ends_hand):
    """Only the side on 1-2 fits."""
    options = {"turned": turned, "sealed_ends_hand": sealed_ends_hand, **ONE_HAND}
    lying = f"{FAR} {CELL} 6-7@1,1,0,0 1-2@0,0,0,0"
    table = Table.at(lying, "3-8 6-8", "3-6 5-7", **options).play("3-8@last:2,0")
    assert table.layout["3-8"] == (1, 0, 0, 1)
    assert table.over
    assert result(table) == [10 - 10, -20]


def test_a_last_diamond_without_room_ends_the_hand_if_that_is_wanted():
    """One side is open, but nothing can lie there; a bonus play far away would be possible."""
    lying = f"{FAR} {CELL} {POCKET} 1-2@0,0,0,0"
    table = Table.at(lying, "3-8 6-8", "3-6 5-7", **ONE_HAND).play("3-8@last:2,0")
    assert table.over
    assert result(table) == [10 - 10, -20]
    table = Table.at(lying, "3-8 6-8", "3-6 5-7", sealed_ends_hand=False).play("3-8@last:2,0")
    assert not table.over
    assert table.asks == "1 choose a diamond"
    assert table.play("3-6").legal == ["on:3-10,0,0"]


@pytest.mark.parametrize("missing", POCKET.split())
def test_room_on_one_way_is_room_enough(missing):
    """Colors and numbers do not matter: nobody could play there, only 3-6 far away."""
    lying = f"{FAR} {CELL} {POCKET} 1-2@0,0,0,0".replace(f" {missing}", "")
    table = Table.at(lying, "3-8 6-8", "3-6 5-6").play("3-8@last:2,0")
    assert not table.state.hand_over
    assert table.tiles == "3-6"


def test_a_seat_that_laid_last_must_pass_too_before_the_hand_ends():
    """player_1 cannot play on 3-8, so player_0 lays the next diamond too."""
    blocked = "5-10 6-9 5-6 1-10 4-9"
    table = Table.at(OPEN, "3-8 3-10 6-8", blocked, **ONE_HAND).play("3-8@last:2,0")
    assert table.asks == "0 choose a diamond"
    assert table.state.passes == 1
    assert table.tiles == "3-10"
    table.play("3-10@last:0,0")
    assert table.state.passes < 2


def test_hand_ends_when_every_seat_in_a_row_has_passed():
    """Blue 8 and orange 3 are required; nobody holds 2, 3, 7 or 8 there, and the pile is empty."""
    table = Table.at(OPEN, "3-8 5-10 6-9", "5-6", "1-6 4-6", **ONE_HAND).play("3-8@last:2,0")
    assert table.over
    assert table.points[0] == 10
    assert result(table) == [10 - 20, -10, -20]


def test_passes_that_drew_do_not_end_the_hand_by_the_other_reading():
    """player_1 fills its hand with 3-10, which waits; player_0 passes, then 3-10 is played."""
    hands = "3-8 5-6 1-10", "5-10 6-9 4-9 4-6"
    late = Table.at(OPEN, *hands, pile="3-10", fifth_draw_plays=False, **ONE_HAND)
    late.play("3-8@last:2,0")
    assert late.asks == "1 choose a diamond"
    assert late.tiles == "3-10"
    assert late.state.passes == 1  # player_0's pass; player_1 passed before its draw
    at_once = Table.at(OPEN, *hands, pile="3-10", **ONE_HAND).play("3-8@last:2,0")
    assert at_once.tiles == "3-10"
    assert at_once.state.passes == 0


def test_passes_that_drew_count_by_the_first_reading():
    """player_1 draws 5-6, which cannot be played; then both have passed."""
    hands = "3-8 1-10", "5-10 6-9 4-9 4-6"
    for fifth in (True, False):
        table = Table.at(OPEN, *hands, pile="5-6", fifth_draw_plays=fifth, **ONE_HAND)
        table.play("3-8@last:2,0")
        assert table.over
        assert table.hand(1).split().count("5-6") == 1
        assert table.state.passes == 2


# --- Games (booklet: "Hands are played until ...") ----------------------------------------------


def test_game_ends_at_the_target():
    """Ten points reach the target exactly; with a target one higher the game goes on."""
    for target, over in ((10, True), (11, False)):
        table = Table.at(OPEN, "3-8", "5-10", target=target).play("3-8@last:2,0")
        assert table.state.hand_over
        assert table.totals == [10, -10]
        assert table.over == bool(table.state.terminated) == over
        assert not table.state.truncated


def test_any_seat_may_reach_the_target_and_a_tie_is_won_by_the_last_hand():
    """player_0 scores 10; player_1's points of earlier hands count too."""
    table = Table.at(OPEN, "3-8", "5-10", target=60)
    table.state.totals[1] = 70
    table.play("3-8@last:2,0")
    assert (table.totals, table.ranks, table.over) == ([10, 60], [2, 1], True)
    table = Table.at(OPEN, "3-8", "5-10", "6-9", target=10)
    table.state.totals[:3] = (0, 0, 20)
    table.play("3-8@last:2,0")
    assert (table.totals, table.paid) == ([10, -10, 10], [1, -0.5, -0.5])


@pytest.mark.parametrize(
    ("totals", "last", "ranks"),
    [
        ((205, 230, 220), (90, 10, 20), [3, 1, 2]),
        ((210, 210, 200), (30, 40, 200), [2, 1, 3]),
        ((210, 210, 210), (30, 30, 10), [1, 1, 3]),
    ],
)
def test_ranks_go_by_total_and_then_by_the_last_hand(totals, last, ranks):
    batch = Batch(GAME, 1, seed=1, num_players=3)
    state = batch.states[0]
    state.totals[:3], state.last_scores[:3] = totals, last
    assert batch.ranks(state).tolist() == ranks
