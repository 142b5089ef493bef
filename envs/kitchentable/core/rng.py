"""Random numbers whose state is part of the state record, so that a seed reproduces a game.

A record holds two numbers. ``seed`` identifies the game: it advances by one step whenever a game
starts, and otherwise only a redeal replaces it. ``rng`` is the stream in use; every hand starts a
new one from ``(seed, hand)``. So the deals of a game depend only on its seed, not on how it is
played, and an evaluation can deal the same decks to every seating (duplicate deals).

All arithmetic fits into 64 bits without overflow: compiled code would wrap silently, and numpy,
which runs the same lines uncompiled, would warn.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import count_bits, lowest_bit, read_eight
from kitchentable.core.kernels import kernel
from kitchentable.core.state import TableState

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ONE = np.uint64(1)
NOT_ZERO = np.uint64(0x9E3779B97F4A7C15)
# 32-bit constants of the rounds of `mix`: the first digits of the fractional part of pi, made odd.
ROUNDS = (
    np.uint64(0x243F6A89),
    np.uint64(0x85A308D3),
    np.uint64(0x13198A2F),
    np.uint64(0x03707345),
    np.uint64(0xA4093823),
    np.uint64(0x299F31D1),
)


class HasRng(Protocol):
    """A state record with a random stream."""

    seed: np.uint64
    rng: np.uint64


def seeds_for(seed: int | np.random.SeedSequence, num_games: int) -> NDArray[np.uint64]:
    """Return the seeds of ``num_games`` games, uint64; game ``i`` has the same in any batch."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    words = sequence.generate_state(num_games, np.uint64).astype(np.uint64)
    words[words == 0] = NOT_ZERO
    return words


@kernel
def advance(bits: np.uint64) -> np.uint64:
    """Return the next number of xorshift64 (Marsaglia 2003, 13-7-17), whose cycle omits only 0."""
    bits = np.uint64(bits)
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    return bits


@kernel
def mix(bits: np.uint64, salt: int) -> np.uint64:
    """Scramble a number with a small ``salt``: a Feistel network, one-to-one for every salt.

    Xorshift is linear, so streams that start from ``seed ^ hand`` would stay related forever; the
    multiplications break that relation.
    """
    left = np.uint64(bits) >> HALF
    right = (np.uint64(bits) & LOW) ^ np.uint64(salt)
    for constant in ROUNDS:
        product = (right ^ constant) * constant
        left, right = right, left ^ ((product >> np.uint64(15)) & LOW)
    mixed = (left << HALF) | right
    return mixed if mixed != np.uint64(0) else NOT_ZERO


@kernel
def start_game(state: TableState) -> None:
    """Begin a game: its seed follows from the one before, and nothing has ended."""
    state.seed = advance(state.seed)
    state.hand_over = state.terminated = state.truncated = False


@kernel
def start_stream(state: HasRng, hand: int) -> None:
    """Start the random stream of a hand of this game."""
    state.rng = mix(state.seed, hand)


@kernel
def below(bits: np.uint64, bound: int) -> np.uint64:
    """Map 64 random bits to a number in [0, bound); 0 < bound < 2**31.

    This multiplies the upper half of the bits by the bound, which needs no division. The relative
    error of a number's probability is less than bound / 2**32.
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
def shuffle_hidden(state: HasRng, cards: NDArray[np.int8], start: int, stop: int) -> None:
    """Shuffle ``cards[start:stop]`` in place, whatever order they were in.

    The new order depends only on the stream and on which cards they are. That is how a redeal
    shuffles cards whose order is hidden.
    """
    for i in range(start + 1, stop):
        card = cards[i]
        j = i
        while j > start and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
    shuffle(state, cards, start, stop)


ANY_LEGAL = -1
"""What a scripted player returns to have a legal action drawn, each with the same probability."""


@kernel
def settled(action: int, mask: NDArray[np.bool_], rng: NDArray[np.uint64]) -> int:
    """Return a scripted player's action, or for `ANY_LEGAL` the one that is drawn."""
    return pick_legal(mask, rng) if action == ANY_LEGAL else action


@kernel
def pick_legal(mask: NDArray[np.bool_], rng: NDArray[np.uint64]) -> int:
    """Return a random legal action, drawn from the stream in ``rng[0]``; -1 if there is none."""
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
        legal_here = count_bits(bits)
        if left < legal_here:
            for _ in range(left):
                bits &= bits - ONE
            return at + lowest_bit(bits) // 8
        left -= legal_here
    action = rest
    while left > 0 or not mask[action]:
        left -= mask[action]
        action += 1
    return int(action)
