"""The scripted players of Add-Too are as strong as intended.

These tests need many games, so they run compiled only; other tests check the rules uncompiled and
with bounds checks.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import COMPILED

from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.players.scripted import ScriptedPlayer, play_out

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled"),
]


def win_share(name: str, other: str, deals: int, **params) -> tuple[float, float]:
    """Return the share of wins of a player among others, and its standard error.

    Every deal is played from each seat and counts once in the error. Shared wins are left out.
    """
    seats = params.get("num_players", 2)
    won, decided = np.zeros((seats, deals)), np.zeros((seats, deals))
    for seat in range(seats):
        batch = Batch(GAME, deals, seed=11, autoreset=False, **params)
        players = [ScriptedPlayer(GAME, one, batch.params, seed=3) for one in (name, other)]
        seating = np.full((deals, seats), 1)
        seating[:, seat] = 0
        play_out(batch, players, seating)
        first = batch.standings()[1] == 1
        decided[seat] = first.sum(axis=1) == 1
        won[seat] = first[:, seat] * decided[seat]
    rate = won.sum() / decided.sum()
    spread = (won - rate * decided).mean(axis=0).std() / decided.mean()
    return float(rate), float(spread / np.sqrt(deals))


VARIANTS = [
    {},
    {"turned": False, "strict_colors": True, "fifth_draw_plays": False, "sealed_ends_hand": False},
]


@pytest.mark.parametrize("params", VARIANTS, ids=["default", "other"])
def test_expert_beats_greedy(params):
    """The bound is four of five decided games; in the default game it wins over nine of ten."""
    rate, error = win_share("expert", "greedy", 300, **params)
    assert rate - 3 * error > 0.8


@pytest.mark.parametrize("params", VARIANTS, ids=["default", "other"])
def test_greedy_beats_random(params):
    """Another simulation of the default game measured 75 %."""
    rate, error = win_share("greedy", "random", 500, **params)
    assert rate - 3 * error > 0.6
    if not params:
        assert rate == pytest.approx(0.75, abs=0.03 + 3 * error)


@pytest.mark.parametrize("seats", [3, 4, 6])
@pytest.mark.parametrize(("name", "other"), [("expert", "greedy"), ("greedy", "random")])
def test_each_beats_the_next_at_larger_tables(name, other, seats):
    rate, error = win_share(name, other, 200, num_players=seats)
    assert rate - 3 * error > 1.2 / seats
