"""How hands and games of Add-Too end, how they score, and what they pay."""

import pytest
from tests.games.addtoo.play import Table
from tests.games.addtoo.test_play import ONE_HAND

from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME

OPEN = "1-2@0,0,0,0"


# --- Ways a hand ends (booklet: rule 4, Bonus Plays) ----------------------------------------------


def test_hand_ends_when_a_seat_has_no_diamonds_left():
    """3-8 on blue 2 scores ten points and empties the hand; the others lose ten per diamond."""
    Table.at(OPEN, "3-8", "5-10 6-9 4-9", "1-10", **ONE_HAND).follow(
        "3-8@last:2,0 -> over = True; points = 10 0 0; totals = 10 -30 -10"
    )


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
    table = Table.at(lying, "3-8 6-8", "3-6 5-7", **options)
    table.follow("3-8@last:2,0 -> over = True; totals = 0 -20")
    assert table.layout["3-8"] == (1, 0, 0, 1)


def test_a_last_diamond_without_room_ends_the_hand_if_that_is_wanted():
    """One side is open, but nothing can lie there; a bonus play far away would be possible."""
    lying = f"{FAR} {CELL} {POCKET} 1-2@0,0,0,0"
    Table.at(lying, "3-8 6-8", "3-6 5-7", **ONE_HAND).follow(
        "3-8@last:2,0 -> over = True; totals = 0 -20"
    )
    Table.at(lying, "3-8 6-8", "3-6 5-7", sealed_ends_hand=False).follow(
        "3-8@last:2,0 -> over = False; asks = 1 choose a diamond", "3-6 -> legal = on:3-10,0,0"
    )


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
    Table.at(OPEN, "3-8 3-10 6-8", blocked, **ONE_HAND).follow(
        "3-8@last:2,0 -> asks = 0 choose a diamond; passes = 1; tiles = 3-10",
        "3-10@last:0,0 -> passes = 0",
    )


def test_hand_ends_when_every_seat_in_a_row_has_passed():
    """Blue 8 and orange 3 are required; nobody holds 2, 3, 7 or 8 there, and the pile is empty."""
    Table.at(OPEN, "3-8 5-10 6-9", "5-6", "1-6 4-6", **ONE_HAND).follow(
        "3-8@last:2,0 -> over = True; points = 10 0 0; totals = -10 -10 -20"
    )


def test_passes_that_drew_do_not_end_the_hand_by_the_other_reading():
    """player_1 fills its hand with 3-10, which waits; player_0 passes, then 3-10 is played.

    Only player_0's pass is counted; player_1 passed before its draw.
    """
    hands = "3-8 5-6 1-10", "5-10 6-9 4-9 4-6"
    Table.at(OPEN, *hands, pile="3-10", fifth_draw_plays=False, **ONE_HAND).follow(
        "3-8@last:2,0 -> asks = 1 choose a diamond; tiles = 3-10; passes = 1"
    )
    Table.at(OPEN, *hands, pile="3-10", **ONE_HAND).follow(
        "3-8@last:2,0 -> tiles = 3-10; passes = 0"
    )


def test_passes_that_drew_count_by_the_first_reading():
    """player_1 draws 5-6, which cannot be played; then both have passed."""
    hands = "3-8 1-10", "5-10 6-9 4-9 4-6"
    for fifth in (True, False):
        Table.at(OPEN, *hands, pile="5-6", fifth_draw_plays=fifth, **ONE_HAND).follow(
            "3-8@last:2,0 -> over = True; hand 1 has 5-6; passes = 2"
        )


# --- Games (booklet: "Hands are played until ...") ----------------------------------------------


def test_game_ends_at_the_target():
    """Ten points reach the target exactly; with a target one higher the game goes on."""
    for target, over in ((10, True), (11, False)):
        table = Table.at(OPEN, "3-8", "5-10", target=target).play("3-8@last:2,0")
        assert table.state.hand_over
        assert table.totals == [10, -10]
        assert table.over == bool(table.state.terminated) == over
        assert not table.state.truncated


def test_any_seat_may_reach_the_target():
    """player_0 scores 10; player_1's points of earlier hands count too."""
    table = Table.at(OPEN, "3-8", "5-10", target=60)
    table.state.totals[1] = 70
    table.play("3-8@last:2,0")
    assert (table.totals, table.ranks, table.over) == ([10, 60], [2, 1], True)


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
    assert batch.game.ranks(state).tolist() == ranks
