"""Redealing Quiddler Solitaire: what the player cannot know is dealt again."""

from __future__ import annotations

from collections import Counter

import numpy as np
from tests.conftest import COMPILED
from tests.games.quiddler_solitaire.play import flat, positions, stacks_of

from kitchentable.core.state import slices
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES
from kitchentable.games.quiddler.solitaire import GAME


def redealt(batch: Batch, seed: int) -> Batch:
    other = Batch(GAME, batch.num_envs, autoreset=False)
    other.states[:] = batch.states
    other.redeal(np.zeros(batch.num_envs, np.int64), seed)
    return other


def test_a_redeal_changes_the_face_down_cards_alone():
    changed = 0
    for step, batch in enumerate(positions(10)):
        other = redealt(batch, step)
        np.testing.assert_array_equal(other.observations, batch.observations)
        np.testing.assert_array_equal(other.masks, batch.masks)
        for old, new in zip(batch.states, other.states, strict=True):
            assert new.seed != old.seed
            for name in set(GAME.rules.state_dtype.names) - {"seed", "rng", "stacks"}:
                assert np.array_equal(new[name], old[name]), name
            assert_whole(new)
            assert [s[-1:] for s in stacks_of(new)] == [s[-1:] for s in stacks_of(old)]
            changed += stacks_of(old) != stacks_of(new)
    assert changed > 100 * len(batch.states) / 10


def assert_whole(state) -> None:
    """Check that no kind has more cards than in the deck."""
    there = Counter(flat(stacks_of(state)))
    there += Counter(CARD_NAMES[kind] for kind in state.words[: state.used])
    assert sum(there.values()) == 48
    for name, copies in zip(CARD_NAMES, COPIES, strict=True):
        assert there[name] <= copies


def test_a_redeal_is_fair():
    """Every face-down place gets every unseen card about equally often."""
    runs = 3000 if COMPILED else 400
    batch = Batch(GAME, 1, seed=5)
    for _ in range(12):
        batch.step(batch.sample_actions())
    many = Batch(GAME, runs, autoreset=False)
    many.states[:] = batch.states[0]
    many.redeal(np.zeros(runs, np.int64), 3)
    part = slices(GAME.rules.observation_layout(batch.params))["unseen"]
    odds = batch.observations[0, part] * COPIES
    for stack in range(8):
        for level in range(batch.states[0].heights[stack] - 1):
            share = np.bincount(many.states.stacks[:, stack, level], minlength=31) / runs
            np.testing.assert_allclose(share, odds / odds.sum(), atol=0.07 if runs < 1000 else 0.03)
    assert len(set(many.states.seed.tolist())) == runs
