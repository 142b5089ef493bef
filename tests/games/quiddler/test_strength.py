"""The scripted players of Quiddler are as strong as intended.

These tests need many games, so they run compiled only; other tests check the rules uncompiled and
with bounds checks.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import COMPILED

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME
from kitchentable.players.scripted import ScriptedPlayer, play_out

MELDS = ("spell", "auto")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled"),
]


def win_rate(name: str, other: str, deals: int, **params) -> tuple[float, float]:
    """Return a player's share of the decided games, and its standard error.

    Every deal is played from both seats and counts once in the error.
    """
    rates = np.zeros((2, deals))
    for seat in range(2):
        batch = Batch(GAME, deals, seed=11, autoreset=False, **params)
        players = [ScriptedPlayer(GAME, one, batch.params, seed=3) for one in (name, other)]
        seating = np.full((deals, 2), 1)
        seating[:, seat] = 0
        rates[seat] = np.sign(play_out(batch, players, seating)[:, seat]) / 2 + 0.5
    by_deal = rates.mean(axis=0)
    return float(by_deal.mean()), float(by_deal.std() / np.sqrt(deals))


@pytest.mark.parametrize("meld", MELDS)
def test_expert_beats_greedy(meld):
    rate, error = win_rate("expert", "greedy", 300, meld=meld)
    assert rate - 3 * error > 0.65


@pytest.mark.parametrize("meld", MELDS)
def test_greedy_beats_random(meld):
    rate, error = win_rate("greedy", "random", 100, meld=meld)
    assert rate - 3 * error > 0.85
