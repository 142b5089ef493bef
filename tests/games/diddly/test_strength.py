"""The scripted players of Diddly are as strong as intended.

These tests need many games, so they run compiled only; other tests check the rules uncompiled and
with bounds checks.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import COMPILED

from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME
from kitchentable.players.scripted import ScriptedPlayer, play_out

LAYOUTS = (6, 8, 9)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled"),
]


def win_rate(name: str, other: str, deals: int, seats=(0, 1), **params) -> float:
    """Return a player's share of the decided games; every deal is played from each of the seats."""
    wins = decided = 0
    for seat in seats:
        batch = Batch(GAME, deals, seed=11, autoreset=False, **params)
        players = [ScriptedPlayer(GAME, one, batch.params, seed=3) for one in (name, other)]
        seating = np.full((deals, 2), 1)
        seating[:, seat] = 0
        paid = play_out(batch, players, seating)[:, seat]
        wins += (paid > 0).sum()
        decided += (paid != 0).sum()
        assert not batch.states.truncated.any()
    return wins / decided


@pytest.mark.parametrize("cards", LAYOUTS)
def test_expert_beats_greedy(cards):
    """It wins about four of five or more, so the bound is many standard deviations below."""
    assert win_rate("expert", "greedy", 150, cards=cards) > 0.65


@pytest.mark.parametrize("cards", LAYOUTS)
def test_greedy_beats_random(cards):
    assert win_rate("greedy", "random", 100, cards=cards) > 0.9


@pytest.mark.parametrize("cards", LAYOUTS)
def test_experts_do_not_wait_for_each_other_for_ever(cards):
    """Rounds between experts end by themselves, and neither seat has an advantage."""
    assert 0.3 < win_rate("expert", "expert", 100, seats=[0], cards=cards) < 0.7
