"""Observations of Quiddler Solitaire."""

import numpy as np
import pytest
from tests.conftest import COMPILED, play_batch
from tests.games.quiddler_solitaire.play import Table

from kitchentable.core.state import slices
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler.solitaire import GAME


def winning(table: Table) -> list[float]:
    """Find by trying everything which actions can still use up all cards."""
    found = [0.0] * 9
    before = table.batch.states[0].copy()
    for action in np.flatnonzero(table.batch.masks[0]).tolist():
        table.batch.states[0] = before
        table.batch.look()
        table.batch.step(np.array([action]))
        found[action] = float(table.state.won or any(winning(table)))
    table.batch.states[0] = before
    table.batch.look()
    return found


@pytest.mark.parametrize("size", [2, 4, 6])
def test_what_can_still_win_shows_once_all_cards_are_open(size):
    wins = slices(GAME.rules.observation_layout(GAME.make_params()))["wins"]
    rng, seen = np.random.default_rng(size), set()
    for _ in range(15 if COMPILED else 3):
        cards = rng.choice(["a", "e", "t", "h", "er", "th", "i", "n", "in", "u", "qu"], size)
        table = Table(*cards)
        while not table.state.terminated:
            expected_wins = winning(table)
            assert table.batch.observations[0, wins].tolist() == expected_wins
            seen.add(any(expected_wins))
            table.batch.step(table.batch.sample_actions())
    assert False in seen or size == 2 or not COMPILED
    table = Table("a t", "t", "e", "a")
    assert not table.batch.observations[0, wins].any()


def test_the_full_state_has_the_stacks():
    batch = Batch(GAME, 3, seed=4)
    parts = slices(GAME.rules.full_layout(batch.params))
    for _ in play_batch(batch, 20):
        written = batch.observe_state()
        np.testing.assert_array_equal(written[:, : parts["stacks"].start], batch.observations)
        stacks = written[:, parts["stacks"]].reshape(-1, 8, 6)
        np.testing.assert_allclose(stacks * 31 - 1, batch.states.stacks, atol=1e-4)
