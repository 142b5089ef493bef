"""The random stream: fair shuffles and picks that depend on the seed alone."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from kitchentable.core.rng import (
    ANY_LEGAL,
    advance,
    mix,
    next_below,
    pick_legal,
    seeds_for,
    settled,
    shuffle,
)


def stream(bits: int = 1) -> SimpleNamespace:
    return SimpleNamespace(seed=np.uint64(bits), rng=np.uint64(bits))


def test_shuffle_reaches_all_orders_about_as_often():
    runs, orders = 4800, Counter()
    rng = stream(99)
    for _ in range(runs):
        cards = np.arange(4, dtype=np.int8)
        shuffle(rng, cards, 0, 4)
        orders[tuple(cards)] += 1
    assert len(orders) == 24
    assert all(abs(count - 200) < 4.5 * 200**0.5 for count in orders.values())


def test_shuffle_leaves_the_cards_beyond_alone():
    cards = np.arange(10, dtype=np.int8)
    shuffle(stream(3), cards, 0, 6)
    assert sorted(cards[:6]) == list(range(6))
    assert cards[:6].tolist() != list(range(6))
    assert cards[6:].tolist() == [6, 7, 8, 9]


@pytest.mark.parametrize("bound", [1, 2, 7, 104])
def test_next_below_stays_below_and_reaches_all(bound):
    rng = stream(7)
    drawn = [next_below(rng, bound) for _ in range(20 * bound)]
    assert set(drawn) == set(range(bound))


def test_mix_is_one_to_one_for_every_salt_and_never_zero():
    inputs = [np.uint64(bits) for bits in (*range(300), *(2**k for k in range(9, 64)), 2**64 - 1)]
    for salt in (0, 1, 2, 99):
        mixed = {int(mix(bits, salt)) for bits in inputs}
        assert len(mixed) == len(inputs)
        assert 0 not in mixed


def test_mix_spreads_a_change_of_one_bit():
    for k in range(0, 64, 7):
        changed = int(mix(np.uint64(2**40 + 5), 3)) ^ int(mix(np.uint64((2**40 + 5) ^ 2**k), 3))
        assert 16 <= changed.bit_count() <= 48


def test_advance_is_xorshift():
    """This is Marsaglia's xorshift generator with shifts 13, 7, 17, computed in Python integers."""
    bits = 1
    for _ in range(50):
        expected = bits ^ (bits << 13) % 2**64
        expected ^= expected >> 7
        expected ^= (expected << 17) % 2**64
        bits = int(advance(np.uint64(bits)))
        assert bits == expected


def test_seeds_are_never_zero_and_differ():
    seeds = seeds_for(0, 1000)
    assert len(set(seeds.tolist())) == 1000
    assert seeds.all()


def test_pick_legal_picks_every_legal_action_about_as_often():
    mask = np.array([0, 1, 1, 0, 1, 0], bool)
    rng = np.array([5], np.uint64)
    counts = Counter(int(pick_legal(mask, rng)) for _ in range(3000))
    assert set(counts) == {1, 2, 4}
    assert all(abs(count - 1000) < 120 for count in counts.values())
    assert pick_legal(np.zeros(4, bool), rng) == -1
    assert settled(0, mask, rng) == 0, "a choice stays"
    assert {settled(ANY_LEGAL, mask, rng) for _ in range(50)} == {1, 2, 4}


@pytest.mark.parametrize("size", [1, 7, 8, 9, 40, 253])
def test_pick_legal_counts_through_the_legal_actions(size):
    """The index among the legal actions is the stream's upper half times their number, >> 32."""
    draws = np.random.default_rng(size)
    for _ in range(50):
        mask = draws.random(size) < draws.random()
        mask[draws.integers(size)] = True
        rng = np.array([draws.integers(1, 2**63)], np.uint64)
        legal = np.flatnonzero(mask)
        number = (int(advance(rng[0])) >> 32) * len(legal) >> 32
        assert pick_legal(mask, rng) == legal[number]
