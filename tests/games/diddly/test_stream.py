"""The random stream as Diddly uses it: fair shuffles that depend on the seed alone."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from tests.games.diddly.duel import deck_of
from tests.games.diddly.play import COMPILED, games, words
from tests.games.diddly.reference import COPIES

from kitchentable.core.rng import advance, mix, next_below, pick_legal, seeds_for, shuffle
from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME

GOLDEN = "2 6 R P 6 10 4 1 6 9 5 3 3 3 P 10 2 3 10 7 6 7 4 2 8 4 8 D 8 7"


def stream(bits: int = 1) -> SimpleNamespace:
    return SimpleNamespace(seed=np.uint64(bits), rng=np.uint64(bits))


def first_deck(batch: Batch, i: int = 0) -> list[str]:
    """Return the deck of a game that has just been dealt, top first."""
    state = batch.states[i]
    seats, cards = int(state.num_players), int(state.cards)
    dealt = state.boards[:seats, :cards].T.ravel()
    return words([*dealt, *state.deck[: state.deck_size][::-1]])


def test_shuffle_puts_every_card_everywhere_about_as_often():
    runs, size = 4000, 8
    rng = stream(12345)
    counts = np.zeros((size, size), int)
    for _ in range(runs):
        cards = np.arange(size, dtype=np.int8)
        shuffle(rng, cards, 0, size)
        counts[cards, np.arange(size)] += 1
    assert (counts.sum(axis=0) == runs).all()
    spread = (runs / size * (1 - 1 / size)) ** 0.5
    assert abs(counts - runs / size).max() < 4.5 * spread


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


def test_first_cards_of_many_decks_are_fair():
    """Over many seeds and rounds, the top and the last card are of each kind equally often."""
    runs = 1200
    decks = [deck_of(seed, i % 3) for i, seed in enumerate(seeds_for(4, runs))]
    for place in (0, 1, 52, 103):
        counts = Counter(deck[place] for deck in decks)
        for kind, copies in COPIES.items():
            share = copies / 104
            assert abs(counts[kind] - runs * share) < 4.5 * (runs * share * (1 - share)) ** 0.5


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


# --- Deals ----------------------------------------------------------------------------------------


def test_first_deck_of_seed_0_is_the_same_for_ever():
    """A change of the stream changes every result: it requires new versions of the games."""
    deck = first_deck(Batch(GAME, 1, seed=0))
    assert " ".join(deck[:30]) == GOLDEN
    assert Counter(deck) == COPIES


def test_a_game_is_dealt_the_same_in_a_batch_of_any_size():
    small, large = (Batch(GAME, size, seed=11, num_players=3) for size in (2, 7))
    assert large.states[:2].tobytes() == small.states.tobytes()
    for _ in range(60):
        actions = small.sample_actions().copy()
        np.testing.assert_array_equal(large.sample_actions()[:2], actions)
        small.step(actions)
        large.step(np.concatenate([actions, [-1] * 5]))
        assert large.states[:2].tobytes() == small.states.tobytes()
        assert large.observations[:2].tobytes() == small.observations.tobytes()


def test_seeds_decide_the_deal():
    decks = {seed: first_deck(Batch(GAME, 1, seed=seed)) for seed in range(4)}
    assert len({tuple(deck) for deck in decks.values()}) == 4
    assert first_deck(Batch(GAME, 1, seed=2)) == decks[2]
    batch = Batch(GAME, 3, seed=0)
    assert len({tuple(first_deck(batch, i)) for i in range(3)}) == 3
    assert first_deck(Batch(GAME, 1)) != first_deck(Batch(GAME, 1))


def test_reseeding_repeats_the_game():
    batch = Batch(GAME, 2, seed=5)
    first = batch.states.tobytes()
    batch.reset()
    assert batch.states.tobytes() != first
    sequence = np.random.SeedSequence(5)
    for seed in (5, sequence, sequence):
        batch.seed(seed)
        batch.reset()
        assert batch.states.tobytes() == first


def test_deals_do_not_depend_on_how_earlier_rounds_were_played():
    deals = []
    for shift in range(4):
        batch = Batch(GAME, 2, seed=8, autoreset=False, rounds=4, num_players=2)
        rng = np.random.default_rng(shift)
        dealt = [[first_deck(batch, i)] for i in range(2)]
        while not all(state.terminated for state in batch.states):
            legal = [np.flatnonzero(mask) for mask in batch.masks]
            batch.step(np.array([rng.choice(a) if len(a) else -1 for a in legal]))
            for i, state in enumerate(batch.states):
                if state.hand_over and state.rounds_done < 4 and len(legal[i]):
                    dealt[i].append(words(state.deck[: state.deck_size]))
        deals.append(dealt)
    assert all(dealt == deals[0] for dealt in deals)
    assert len({str(deck) for dealt in deals[0] for deck in dealt}) == 8


def test_successive_games_are_dealt_anew():
    batch = Batch(GAME, 1, seed=1, rounds=1)
    decks = set()
    for _ in range(games(60)):
        decks.add(tuple(first_deck(batch)))
        batch.reset()
    assert len(decks) == games(60)


def test_rigged_cards_lie_on_top_and_the_rest_is_shuffled():
    batch = Batch(GAME, 1, seed=1)
    top = np.array([14, 14, 13, 12, 11, 10, 9, 0, 0, 0, 0, 0, 0, 0, 0, 7], np.int8)
    batch.reset(top=top)
    one = first_deck(batch)
    batch.reset(top=top)
    two = first_deck(batch)
    assert one[:16] == two[:16] == words(top)
    assert one[16:] != two[16:]
    assert Counter(one) == Counter(two) == COPIES


@pytest.mark.skipif(not COMPILED, reason="compares with the compiled stream")
def test_compiled_and_plain_streams_are_the_same():
    batch = Batch(GAME, 3, seed=21)
    assert [first_deck(batch, i) for i in range(3)] == [
        deck_of(state.seed, 0) for state in batch.states
    ]
