"""How a game of Fiddlefoo ends, matches of several games, and rewards."""

from __future__ import annotations

import numpy as np
from tests.games.fiddlefoo.play import Table

PAIR = "Y3@5,5 R5@5,6"
"""``Y16@5,7`` makes a pair of distance 1 with 4 to 15 in its range."""


THREE = (PAIR, "Y16 B1 R1", "Y5", "Y6 Y7")
"""Three seats; player_1 may throw its last card, and player_0 could continue with R1."""


def results(table: Table) -> tuple[list[int], list[int]]:
    """Return scores and ranks."""
    return table.env.scores.tolist(), table.env.ranks.tolist()


def paid(table: Table) -> list[float]:
    """Return the payments for the last action."""
    return paid_by(table.env)


def paid_by(env) -> list[float]:
    """Return the same for an environment."""
    return [env.rewards[agent] for agent in env.possible_agents]


# --- Ending a game ------------------------------------------------------------------------------


def test_the_last_card_played_ends_the_game():
    table = Table.at(PAIR, "Y16", "R3 P7").play("Y16@5,7")
    assert table.over
    assert results(table) == ([0, 5], [1, 2])
    assert paid(table) == [1, -1]


def test_a_card_thrown_at_an_empty_hand_lets_the_game_go_on():
    table = Table.at(PAIR, "Y16", "Y5 R3").play("Y16@5,7 >Y5")
    assert not table.over
    assert table.hand(0) == "Y5"
    assert table.asks == "1 choose a card to play"


def test_whoever_throws_the_last_card_away_ends_the_game_too():
    """The game ends after the turn: the other seats throw first."""
    table = Table.at(*THREE).play("Y16@5,7 >Y5")
    assert not table.over
    assert table.asks == "2 throw"
    table.play(">Y6 pass")
    assert table.over
    assert results(table) == ([1 + 1 + 3 + 3, 0, 3], [3, 1, 2])
    np.testing.assert_allclose(paid(table), [-0.5, 1, -0.5])


# --- Seats that cannot play ---------------------------------------------------------------------


def test_a_seat_that_cannot_play_draws_one_without_a_decision():
    table = Table.at(PAIR, "Y16 R1", "P4 P13", pile="P7 B2").play("Y16@5,7")
    assert table.asks == "0 choose a card to play"
    assert table.hand(1) == "P4 P7 P13"
    assert table.known(1) == ""
    assert table.pile == "B2"
    assert table.env.transcript[-1] == ("player_0", "cell:5,7")


def test_the_game_ends_where_nobody_can_play_and_the_pile_is_empty():
    table = Table.at(PAIR, "Y16 P1", "P4 P13", pile="P7").play("Y16@5,7")
    assert table.over
    assert table.hand(1) == "P4 P7 P13"
    assert results(table) == ([1, 7], [1, 2])


def test_every_seat_must_be_stuck():
    table = Table.at(PAIR, "Y16 P7", "P4 P13", "R1 P10").play("Y16@5,7 pass")
    assert table.asks == "2 choose a card to play"
    table.play("R1@5,4")
    assert table.over
    assert results(table) == ([3, 4, 3], [1, 3, 1])


def test_equal_penalties_share_the_win():
    table = Table.at(PAIR, "Y16 P4", "P13").play("Y16@5,7")
    assert table.over
    assert results(table) == ([2, 2], [1, 1])
    assert paid(table) == [0, 0]
    table = Table.at(PAIR, "Y16 P4", "P13", "P7").play("Y16@5,7")
    assert results(table) == ([2, 2, 3], [1, 1, 3])
    np.testing.assert_allclose(paid(table), [0.25, 0.25, -0.5])


# --- Several games ------------------------------------------------------------------------------
