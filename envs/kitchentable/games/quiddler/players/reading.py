"""What a Quiddler player reads from an observation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.reading import one_hot, read_number
from kitchentable.core.state import NOBODY, FloatArray, Ints
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import COPIES, MAX_HAND, NUM_KINDS
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.words.solver import MAX_HELD, MAX_WORDS


class Look(NamedTuple):
    """The table as the seat to act sees it; seats are numbered from that seat, which is 0."""

    seats: int
    phase: int
    size: int
    """Cards dealt to each seat in this hand."""
    last_turns: int
    """Number of last turns left, including this one; 0 before they begin."""
    hand: Ints
    """Own cards of each kind, including those of the word being spelled; shape (31,)."""
    unseen: Ints
    """Cards of each kind in the draw pile or hidden in other hands; shape (31,)."""
    top: int
    """The kind on top of the discard pile, or `NOBODY`."""
    words: Ints
    """Number of words laid by each seat; shape (8,)."""
    longest: Ints
    """Letters in the longest word of each seat; shape (8,)."""
    turns: Ints
    """Turns begun by each seat in this hand; shape (8,)."""
    spelled: Ints
    """The word being spelled, as kinds in order; shape (11,)."""
    length: int
    """Number of cards in the word being spelled."""
    judged: int
    """The index in the observation of the words that may be challenged, or `NOBODY`."""


@allocating_kernel
def look_at(observation: FloatArray, variant: s.State) -> Look:
    """Read an observation, part by part in the order of `observation.observation_layout`.

    Args:
        observation: observation of the seat to act.
        variant: a record with the parameters.
    """
    seats, largest = int(variant.num_players), int(variant.largest_hand)
    most_turns = int(variant.max_turns)
    hand, unseen = np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS, np.int64)
    words, longest = np.zeros(s.MAX_PLAYERS, np.int64), np.zeros(s.MAX_PLAYERS, np.int64)
    turns, spelled = np.zeros(s.MAX_PLAYERS, np.int64), np.zeros(MAX_HELD, np.int64)
    at = s.OVER + seats
    _read_cards(observation, at, COPIES, hand)
    _read_cards(observation, at + NUM_KINDS, COPIES, unseen)
    top = one_hot(observation, at + 3 * NUM_KINDS, NUM_KINDS)
    at += (4 + seats) * NUM_KINDS + 1 + seats
    for seat in range(seats):
        words[seat] = read_number(observation, at + 3 * seat, MAX_WORDS)
        longest[seat] = read_number(observation, at + 3 * seat + 1, LETTERS_SPAN)
        turns[seat] = read_number(observation, at + 3 * seats + seat, most_turns + 1)
    at += 6 * seats  # skips ``starter`` and ``out``, too
    last_turns = read_number(observation, at, seats)
    size = read_number(observation, at + 3, MAX_HAND)
    at += 4 + 2 * seats - 1
    length = 0
    if variant.meld != s.BY_ITSELF:
        length = read_kinds(observation, at, largest, spelled)
        for i in range(length):
            hand[spelled[i]] += 1
    judged = at + largest * NUM_KINDS + 2 * seats if variant.challenges else NOBODY
    return Look(
        seats, one_hot(observation, 0, s.OVER), size, last_turns, hand, unseen, top,
        words, longest, turns, spelled, length, judged,
    )  # fmt: skip


@subroutine
def _read_cards(observation: FloatArray, at: int, copies: Ints, cards: Ints) -> None:
    for kind in range(NUM_KINDS):
        cards[kind] = read_number(observation, at + kind, copies[kind])


@subroutine
def read_kinds(observation: FloatArray, at: int, most: int, kinds: Ints) -> int:
    """Write the kinds of up to ``most`` consecutive one-hot cards; return how many there are."""
    for i in range(most):
        kind = one_hot(observation, at + i * NUM_KINDS, NUM_KINDS)
        if kind == NOBODY:
            return i
        kinds[i] = kind
    return int(most)
