"""What Quiddler Solitaire shows of how to win, and redealing what the player cannot know."""

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.contract.redeal_checks import assert_fair, redealings, redealt
from tests.games.duel import flat
from tests.games.quiddler.laying import COPIES, KINDS
from tests.games.quiddler_solitaire.play import Table, stacks_of

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
    unseen = np.rint(batch.observations[0, part] * list(COPIES.values())).astype(int).tolist()
    cards = Counter(dict(zip(KINDS, unseen, strict=True)))
    for stack in range(8):
        for level in range(batch.states[0].heights[stack] - 1):
            found = twin.states.stacks[:, stack, level]
            assert_fair(Counter(KINDS[kind] for kind in found), cards)
    assert len(set(twin.states.seed.tolist())) == runs
