"""How a game of Fiddlefoo ends, matches of several games, and rewards."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import random_moves
from tests.games.fiddlefoo.cards import notes, penalty
from tests.games.fiddlefoo.play import Table, members

from kitchentable import fiddlefoo_v0

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


def test_final_infos_say_how_it_went():
    table = Table.at(*THREE).play("Y16@5,7 >Y5 >Y6 pass")
    infos = table.env.infos
    assert [infos[agent]["score"] for agent in table.env.possible_agents] == [8, 0, 3]
    assert [infos[agent]["hand_scores"] for agent in infos] == [[8], [0], [3]]
    assert [infos[agent]["is_winner"] for agent in infos] == [False, True, False]


def test_margin_pays_the_difference_to_the_others_tens():
    table = Table.at(*THREE, reward="margin").play("Y16@5,7 >Y5 >Y6 pass")
    np.testing.assert_allclose(paid(table), [(1.5 - 8) / 10, 5.5 / 10, (4 - 3) / 10], atol=1e-6)


@pytest.mark.parametrize("one", ["Y1", "R2", "B3", "P4", "Y5", "R6", "B7", "Y8", "R9", "P10", "B11",
                                 "R12", "P13", "R14", "B15", "P16"])  # fmt: skip
def test_a_hand_costs_its_notes(one):
    table = Table.at("Y3@5,2 R5@5,6", "Y16", f"{one} P1").play("Y16@5,7")
    assert table.over
    assert table.env.scores.tolist() == [0, notes(one) + (one != "P1")]


# --- Seats that cannot play ---------------------------------------------------------------------


def test_a_seat_that_cannot_play_draws_one_without_a_decision():
    table = Table.at(PAIR, "Y16 R1", "P4 P13", pile="P7 B2").play("Y16@5,7")
    assert table.asks == "0 choose a card to play"
    assert table.hand(1) == "P4 P7 P13"
    assert table.known(1) == ""
    assert table.pile == "B2"
    assert table.env.transcript[-1] == ("player_0", "cell:5,7")


def test_the_card_drawn_is_not_played_in_that_turn():
    table = Table.at(PAIR, "Y16 R1", "P4 P13", pile="R16 B2").play("Y16@5,7")
    assert table.asks == "0 choose a card to play"
    assert table.hand(1) == "R16 P4 P13"


def test_with_an_empty_pile_the_turn_only_passes():
    table = Table.at(PAIR, "Y16 R1", "P4 P13").play("Y16@5,7")
    assert table.asks == "0 choose a card to play"
    assert table.hand(1) == "P4 P13"


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


def test_who_drew_the_last_card_may_still_play_it():
    table = Table.at(PAIR, "Y16 P1", "P4 P13", pile="R16").play("Y16@5,7")
    assert table.asks == "1 choose a card to play"
    assert table.legal == ["card:R16"]


def test_equal_penalties_share_the_win():
    table = Table.at(PAIR, "Y16 P4", "P13").play("Y16@5,7")
    assert table.over
    assert results(table) == ([2, 2], [1, 1])
    assert paid(table) == [0, 0]
    table = Table.at(PAIR, "Y16 P4", "P13", "P7").play("Y16@5,7")
    assert results(table) == ([2, 2, 3], [1, 1, 3])
    np.testing.assert_allclose(paid(table), [0.25, 0.25, -0.5])


# --- Several games ------------------------------------------------------------------------------


def penalties(env, seat):
    """Return the penalties of the finished games."""
    return env.game.hand_scores(env._batch.states[0], seat)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_penalties_add_up_over_games_and_the_start_passes_on(seats, reward):
    env = fiddlefoo_v0.raw_env(num_players=seats, games=4, reward=reward)
    env.reset(seed=seats)
    rng, starters = np.random.default_rng(1), [int(env._batch.states[0].starter)]
    total, ends = np.zeros(seats), 0
    for _ in random_moves(env, rng):
        state = env._batch.states[0]
        if state.hand_over:
            ends += 1
            starters.append(int(state.starter))
            costs = [penalty(members(state.last_hands[seat])) for seat in range(seats)]
            assert [penalties(env, seat)[-1] for seat in range(seats)] == costs
        total += paid_by(env)
    total += paid_by(env)
    assert starters == [0, 1 % seats, 2 % seats, 3 % seats]
    assert ends == 3
    scores = [penalties(env, seat) for seat in range(seats)]
    assert [len(games) for games in scores] == [4] * seats
    assert env.scores.tolist() == [sum(games) for games in scores]
    others = (sum(env.scores) - env.scores) / (seats - 1)
    if reward == "margin":
        np.testing.assert_allclose(total, (others - env.scores) / 10, atol=1e-5)
    best = min(env.scores)
    assert [rank == 1 for rank in env.ranks] == [score == best for score in env.scores]
    assert abs(total.sum()) < 1e-5


def test_a_new_game_is_dealt_whole_and_knows_nothing_of_the_last_one():
    table = Table.at(PAIR, "Y16", "R3 P7", games=2).play("Y16@5,7")
    state = table.state
    assert state.hand_over
    assert not table.over
    assert state.starter == 1
    assert [len(table.hand(seat).split()) for seat in range(2)] == [8, 8]
    assert len(table.map) == 4
    assert table.out == ""
    assert table.known(0) == table.known(1) == ""
    assert paid(table) == [0, 0]
    assert [members(hand) for hand in state.last_hands[:2]] == [[], ["R3", "P7"]]
