"""Observations of Quiddler Solitaire."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.games.quiddler_solitaire.play import Table, positions, stacks_of

from kitchentable.core.state import slices
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES
from kitchentable.games.quiddler.solitaire import GAME

# --- Meaning ------------------------------------------------------------------------------------


def expected(state, mask) -> dict[str, list[float]]:
    """Return the expected observation, computed in plain Python."""
    stacks = stacks_of(state)
    seen = Counter(CARD_NAMES[kind] for kind in state.words[: state.used])
    seen += Counter(stack[-1] for stack in stacks if stack)
    tops = [stack[-1] if stack else None for stack in stacks]
    placed = state.placed[: state.num_placed].tolist()
    return {
        "open": [float(top == name) for top in tops for name in CARD_NAMES],
        "heights": [len(stack) / 6 for stack in stacks],
        "unseen": [1 - seen[name] / n for name, n in zip(CARD_NAMES, COPIES, strict=True)],
        "progress": [state.used / 48, state.num_words / 24],
        "word": [float(i < len(placed) and placed[i] == j) for i in range(8) for j in range(8)],
        "may_follow": [float(legal) for legal in mask],
        "wins": [0.0] * 9,
    }


def test_every_part_means_what_it_says():
    parts = slices(GAME.rules.observation_layout(GAME.make_params()))
    for batch in positions(10):
        for i, state in enumerate(batch.states):
            told = expected(state, batch.masks[i])
            assert list(parts) == list(told)
            if max(state.heights) <= 1:
                told["wins"] = batch.observations[i, parts["wins"]]  # has its own test
            for name, part in parts.items():
                seen = batch.observations[i, part]
                np.testing.assert_allclose(seen, told[name], atol=1e-6, err_msg=name)


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


@pytest.mark.parametrize("size", range(2, 7))
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
    params = GAME.make_params()
    parts = slices(GAME.rules.state_layout(params))
    size = sum(GAME.rules.observation_layout(params).values())
    for batch in positions(3):
        written = batch.observe_state()
        np.testing.assert_array_equal(written[:, :size], batch.observations)
        stacks = written[:, parts["stacks"]].reshape(-1, 8, 6)
        np.testing.assert_allclose(stacks * 31 - 1, batch.states.stacks, atol=1e-4)
