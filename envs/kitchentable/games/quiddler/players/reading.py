"""What a Quiddler player reads off an observation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import NOBODY, FloatArray, Ints
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import COPIES, MAX_HAND, NUM_KINDS
from kitchentable.games.quiddler.observation import LETTERS_SPAN, POINTS_SPAN
from kitchentable.games.quiddler.words.solver import MAX_HELD, MAX_WORDS


class Look(NamedTuple):
    """A table as the seat to act sees it; seats are counted from it, so it is seat 0."""

    seats: int
    phase: int
    size: int
    """Cards dealt to each seat in this hand."""
    last_turns: int
    """Last turns still to be finished, this one included; 0 before they begin."""
    hand: Ints
    """Own cards of each kind, those of the word being spelled included; shape (31,)."""
    unseen: Ints
    """Cards of each kind that may be in the draw pile or another's hand; shape (31,)."""
    top: int
    """The kind on top of the discard pile, or `NOBODY`."""
    picked_up: Ints
    """Cards of each kind that the next seat is known to hold; shape (31,)."""
    words: Ints
    """Words laid by each seat; shape (8,)."""
    longest: Ints
    """Letters of the longest of them; shape (8,)."""
    points: Ints
    """Points of them; shape (8,)."""
    turns: Ints
    """Turns begun by each seat in this hand; shape (8,)."""
    spelled: Ints
    """The word being spelled, as kinds in order; shape (11,)."""
    length: int
    """Its cards."""
    judged: int
    """Where the words that may be challenged begin in the observation."""


@allocating_kernel
def look_at(observation: FloatArray, variant: NDArray[np.int64]) -> Look:
    """Read an observation, part by part in the order of `observation.observation_layout`.

    Args:
        observation: what the seat to act sees.
        variant: the parameters, from `kitchentable.games.quiddler.state.variant`.
    """
    seats = int(variant[s.V_PLAYERS])
    hand, unseen = np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS, np.int64)
    picked_up = np.zeros(NUM_KINDS, np.int64)
    words, longest = np.zeros(s.MAX_PLAYERS, np.int64), np.zeros(s.MAX_PLAYERS, np.int64)
    points, turns = np.zeros(s.MAX_PLAYERS, np.int64), np.zeros(s.MAX_PLAYERS, np.int64)
    spelled = np.zeros(MAX_HELD, np.int64)
    at = s.OVER + seats
    _read_cards(observation, at, COPIES, hand)
    _read_cards(observation, at + NUM_KINDS, COPIES, unseen)
    _read_cards(observation, at + 5 * NUM_KINDS, COPIES, picked_up)
    top = one_hot(observation, at + 3 * NUM_KINDS, NUM_KINDS)
    at += (4 + seats) * NUM_KINDS + 1 + seats
    for seat in range(seats):
        words[seat] = read(observation, at + 3 * seat, MAX_WORDS)
        longest[seat] = read(observation, at + 3 * seat + 1, LETTERS_SPAN)
        points[seat] = read(observation, at + 3 * seat + 2, POINTS_SPAN)
        turns[seat] = read(observation, at + 3 * seats + seat, variant[s.V_MAX_TURNS] + 1)
    at += 6 * seats  # who began, and who is out, do not matter
    last_turns, size = read(observation, at, seats), read(observation, at + 3, MAX_HAND)
    at += 4 + 2 * seats - 1
    length = 0
    if variant[s.V_MELD] != s.BY_ITSELF:
        length = read_kinds(observation, at, variant[s.V_LARGEST], spelled)
        for i in range(length):
            hand[spelled[i]] += 1
    judged = (
        at + variant[s.V_LARGEST] * NUM_KINDS + 2 * seats if variant[s.V_CHALLENGES] else NOBODY
    )
    return Look(
        seats, one_hot(observation, 0, s.OVER), size, last_turns, hand, unseen, top, picked_up,
        words, longest, points, turns, spelled, length, judged,
    )  # fmt: skip


@kernel
def read(observation: FloatArray, at: int, span: int) -> int:
    """Return a whole number that is stored as a share of ``span``."""
    return int(float(observation[at]) * span + 0.5)


@subroutine
def one_hot(observation: FloatArray, at: int, size: int) -> int:
    """Return which of ``size`` places from ``at`` on is marked, or `NOBODY`."""
    for i in range(size):
        if observation[at + i] > 0.0:
            return i
    return NOBODY


@subroutine
def _read_cards(observation: FloatArray, at: int, copies: Ints, cards: Ints) -> None:
    for kind in range(NUM_KINDS):
        cards[kind] = read(observation, at + kind, copies[kind])


@subroutine
def read_kinds(observation: FloatArray, at: int, most: int, kinds: Ints) -> int:
    """Write the kinds that are stored one-hot one after another; return how many there are."""
    for i in range(most):
        kind = one_hot(observation, at + i * NUM_KINDS, NUM_KINDS)
        if kind == NOBODY:
            return i
        kinds[i] = kind
    return int(most)
