"""What the player of Quiddler Solitaire sees, and what it does not: the face-down cards."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.games.quiddler_solitaire.test_rules import COMPILED, NO_WORD, Table, flat, stacks_of

from kitchentable import Batch
from kitchentable.core.state import NOBODY, slices
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.games.quiddler.solitaire.render.parts import FACES
from kitchentable.render.picture import Text
from kitchentable.render.view import View


def positions(count: int, seed: int = 4):
    """Play some games at random, and give their batch before every step."""
    batch = Batch(GAME, count if COMPILED else 2, seed=seed, autoreset=False)
    while not batch.states.terminated.all():
        yield batch
        batch.step(np.where(batch.masks.any(axis=1), batch.sample_actions(), -1))
    yield batch


# --- Meaning ------------------------------------------------------------------------------------


def expected(state, mask) -> dict[str, list[float]]:
    """Say in plain Python what the player sees."""
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
                told["wins"] = batch.observations[i, parts["wins"]]  # has a test of its own
            for name, part in parts.items():
                seen = batch.observations[i, part]
                np.testing.assert_allclose(seen, told[name], atol=1e-6, err_msg=name)


def winning(table: Table) -> list[float]:
    """Try everything out: which actions can still use up all cards."""
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


# --- What does not show -------------------------------------------------------------------------


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
    """Check that no kind is there more often than in the deck."""
    there = Counter(flat(stacks_of(state)))
    there += Counter(CARD_NAMES[kind] for kind in state.words[: state.used])
    assert sum(there.values()) == 48
    for name, copies in zip(CARD_NAMES, COPIES, strict=True):
        assert there[name] <= copies


def test_a_redeal_is_fair():
    """Every face-down place gets every unseen card about as often."""
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


# --- Drawing ------------------------------------------------------------------------------------


def test_hidden_cards_are_not_drawn():
    params = GAME.make_params()
    differ = 0
    for step, batch in enumerate(positions(2)):
        other = redealt(batch, step)
        for old, new in zip(batch.states, other.states, strict=True):
            assert View(GAME, old, params, 0).text() == View(GAME, new, params, 0).text()
            assert (
                View(GAME, old, params, 0).draw().shapes == View(GAME, new, params, 0).draw().shapes
            )
            same = stacks_of(old) == stacks_of(new)
            assert same == (
                View(GAME, old, params, NOBODY).text() == View(GAME, new, params, NOBODY).text()
            )
            texts = [View(GAME, state, params, NOBODY).draw().texts for state in (old, new)]
            assert same == (texts[0] == texts[1])
            differ += not same
    assert differ


def test_texts_fit_and_shapes_lie_inside():
    params = GAME.make_params()
    for batch in positions(2):
        for viewer in (0, NOBODY):
            text = View(GAME, batch.states[0], params, viewer).text()
            assert max(map(len, text.splitlines())) <= 80
            assert text.isascii()
            picture = View(GAME, batch.states[0], params, viewer).draw()
            for shape in picture.shapes:
                left, top, right, bottom = shape.bounds
                assert 0 <= left <= right <= picture.width
                assert 0 <= top <= bottom <= picture.height
            boxes = [shape.bounds for shape in picture.shapes if isinstance(shape, Text)]
            assert not [
                (a, b)
                for i, a in enumerate(boxes)
                for b in boxes[:i]
                if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
            ]


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ("", "player_0 begins a word"),
        ("0", "player_0 adds a card"),
        ("0 1", "player_0 adds a card or ends the word"),
        ("0 1 2", "player_0 ends the word"),
        ("0 1 2 word", "player_0 has lost: no word can be made"),
    ],
)
def test_what_is_to_be_done_is_told(actions, sentence):
    table = Table("i", "n", "n", *NO_WORD[:3], "qu h").play(actions)
    text = View(GAME, table.state, table.batch.params, 0).text()
    assert f"\n{sentence}.\n" in text
    assert sentence in View(GAME, table.state, table.batch.params, 0).draw().texts


def test_the_words_and_the_winner_are_told():
    table = Table("qu", "i", "t", "th", "in").play("0 1 2 word 3")
    assert "Being spelled: (th)\n" in View(GAME, table.state, table.batch.params, 0).text()
    assert "(th): 9 points" in _texts(table)
    table.play("4 word")
    assert "(qu)it, (th)(in)." in View(GAME, table.state, table.batch.params, 0).text()
    assert {"(th)(in)", "48 of 48 cards used"} <= set(_texts(table))
    assert [text for text in _texts(table) if text.endswith("(qu)it")]
    assert "player_0 wins: all cards are used" in _texts(table)


def _texts(table: Table) -> list[str]:
    return View(GAME, table.state, table.batch.params, 0).draw().texts


def test_cards_are_told_apart_by_their_label():
    assert tuple(face.label for face in FACES) == CARD_NAMES
