"""Redealing Quiddler Solitaire: what the player cannot know is dealt again."""

from collections import Counter

import numpy as np
from tests.conftest import COMPILED
from tests.contract.redeal_checks import redealings, redealt
from tests.games.duel import flat
from tests.games.quiddler.laying import COPIES, KINDS
from tests.games.quiddler_solitaire.play import stacks_of

from kitchentable.core.state import slices
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler.solitaire import GAME


def test_a_redeal_changes_the_face_down_cards_alone():
    batch, rng = Batch(GAME, 10 if COMPILED else 2, seed=4), np.random.default_rng(4)
    changed = 0
    for _, twin in redealings(batch, rng, times=20, most=6, hidden={"seed", "rng", "stacks"}):
        for old, new in zip(batch.states, twin.states, strict=True):
            there = Counter(flat(stacks_of(new)))
            there += Counter(KINDS[kind] for kind in new.words[: new.used])
            assert there.total() == 48
            assert all(count <= COPIES[name] for name, count in there.items())
            changed += stacks_of(old) != stacks_of(new)
    assert changed > 10 * batch.num_envs


def test_a_redeal_is_fair():
    """Every face-down place gets every unseen card about equally often."""
    runs = 3000 if COMPILED else 400
    batch = Batch(GAME, 1, seed=5)
    for _ in range(12):
        batch.step(batch.sample_actions())
    twin = redealt(batch, [0] * runs, 3)
    part = slices(GAME.rules.observation_layout(batch.params))["unseen"]
    odds = batch.observations[0, part] * list(COPIES.values())
    for stack in range(8):
        for level in range(batch.states[0].heights[stack] - 1):
            share = np.bincount(twin.states.stacks[:, stack, level], minlength=31) / runs
            np.testing.assert_allclose(share, odds / odds.sum(), atol=0.07 if runs < 1000 else 0.03)
    assert len(set(twin.states.seed.tolist())) == runs
