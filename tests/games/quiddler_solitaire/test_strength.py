"""The scripted players of Quiddler Solitaire are as strong as intended.

These tests need many games, so they run compiled only; other tests check the rules uncompiled and
with bounds checks.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.conftest import COMPILED

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.players.scripted import ScriptedPlayer, play_out

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled"),
]


@cache
def won(name: str, count: int, seed: int = 1, **params) -> np.ndarray:
    batch = Batch(GAME, count, seed=seed, autoreset=False, **params)
    play_out(batch, [ScriptedPlayer(GAME, name, batch.params)], np.zeros((count, 1), np.int64))
    return batch.states.won.astype(float)


def interval(wins: np.ndarray) -> tuple[float, float]:
    """Return a 95 % confidence interval of the win rate."""
    spread = 1.96 * np.sqrt(wins.mean() * (1 - wins.mean()) / len(wins))
    return wins.mean() - spread, wins.mean() + spread


def test_each_player_beats_the_one_before():
    shares = [interval(won(name, 1500)) for name in ("random", "greedy", "quick")]
    assert shares[0][1] < shares[1][0]
    assert shares[1][1] < shares[2][0]


def test_rollout_beats_greedy():
    assert interval(won("rollout", 80))[0] > interval(won("greedy", 1500))[1]


def test_rollout_uses_many_cards_when_they_pay():
    batch = Batch(GAME, 30, seed=3, autoreset=False, reward="margin")
    seats = np.zeros((30, 1), np.int64)
    paid = play_out(batch, [ScriptedPlayer(GAME, "rollout", batch.params)], seats)
    np.testing.assert_allclose(paid[:, 0], batch.states.used / 48, atol=1e-6)
    assert paid.mean() > 0.9
