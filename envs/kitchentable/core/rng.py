"""Random numbers that live inside the state record, so that a game replays from its seed.

A record carries two numbers. ``seed`` names the game: it moves on by one step when a game starts
and is touched by nothing else. ``rng`` is the stream in use; every hand starts a fresh one from
``(seed, hand)``. So the deals of a game depend on its seed alone and not on how it is played, which
lets an evaluation deal every deck once to each seating (duplicate deals).

All arithmetic fits into 64 bits without overflow, because the same lines run compiled, where
overflow wraps silently, and uncompiled, where numpy complains about it.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import count_bits, lowest_bit, read_eight
from kitchentable.core.kernels import kernel

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ONE = np.uint64(1)
NOT_ZERO = np.uint64(0x9E3779B97F4A7C15)
# Odd 32-bit constants of the rounds of `mix` (the first digits of the fractional part of pi).
ROUNDS = (
    np.uint64(0x243F6A89),
    np.uint64(0x85A308D3),
    np.uint64(0x13198A2F),
    np.uint64(0x03707345),
    np.uint64(0xA4093823),
    np.uint64(0x299F31D1),
)


class HasRng(Protocol):
    """Any state record with a random stream."""

    seed: np.uint64
    rng: np.uint64


def seeds_for(seed: int | np.random.SeedSequence, num_games: int) -> NDArray[np.uint64]:
    """Return the seeds of ``num_games`` games; game ``i`` gets the same one in any batch."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    words = sequence.generate_state(num_games, np.uint64).astype(np.uint64)
    words[words == 0] = NOT_ZERO
    return words


@kernel
def advance(bits: np.uint64) -> np.uint64:
    """One step of xorshift64 (Marsaglia 2003, 13-7-17): visits every number but 0."""
    bits = np.uint64(bits)
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    return bits


@kernel
def mix(bits: np.uint64, salt: int) -> np.uint64:
    """Scramble a number with a small one: a Feistel network, hence one to one for every salt.

    Xorshift is linear, so streams started from ``seed ^ hand`` would stay related forever; the
    products here break that.
    """
    left = np.uint64(bits) >> HALF
    right = (np.uint64(bits) & LOW) ^ np.uint64(salt)
    for constant in ROUNDS:
        product = (right ^ constant) * constant
        left, right = right, left ^ ((product >> np.uint64(15)) & LOW)
    mixed = (left << HALF) | right
    return mixed if mixed != np.uint64(0) else NOT_ZERO


@kernel
def start_stream(state: HasRng, hand: int) -> None:
    """Begin the random stream of a hand of this game."""
    state.rng = mix(state.seed, hand)


@kernel
def below(bits: np.uint64, bound: int) -> np.uint64:
    """Return the number in [0, bound) that random bits stand for; 0 < bound < 2**31.

    The upper half of the bits times the bound: no division. A number is off its fair share by
    less than bound / 2**32.
    """
    return ((np.uint64(bits) >> HALF) * np.uint64(bound)) >> HALF


@kernel
def next_below(state: HasRng, bound: int) -> int:
    """Return a number in [0, bound) and advance the stream; 0 < bound < 2**31."""
    state.rng = advance(state.rng)
    return int(below(state.rng, bound))


@kernel
def shuffle(state: HasRng, cards: NDArray[np.int8], start: int, stop: int) -> None:
    """Shuffle ``cards[start:stop]`` in place (Fisher-Yates)."""
    for i in range(stop - 1, start, -1):
        j = start + next_below(state, i + 1 - start)
        swap = cards[i]
        cards[i] = cards[j]
        cards[j] = swap


@kernel
def pick_legal(mask: NDArray[np.bool_], rng: NDArray[np.uint64]) -> int:
    """Return a random legal action by the stream in ``rng[0]``; -1 if there is none."""
    size = mask.shape[0]
    rest = size - size % 8
    legal = 0
    for at in range(0, rest, 8):
        legal += count_bits(read_eight(mask, at))
    for action in range(rest, size):
        legal += mask[action]
    if legal == 0:
        return -1
    rng[0] = advance(rng[0])
    left = np.int64(below(rng[0], legal))
    for at in range(0, rest, 8):
        bits = read_eight(mask, at)
        here = count_bits(bits)
        if left < here:
            for _ in range(left):
                bits &= bits - ONE
            return at + lowest_bit(bits) // 8
        left -= here
    action = rest
    while left > 0 or not mask[action]:
        left -= mask[action]
        action += 1
    return int(action)
