"""The random stream as Quiddler uses it: fair deals that depend on the seed alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.games.quiddler.laying import COPIES
from tests.games.quiddler.play import Table, deck_of, full_deck, held, names, numbers

from kitchentable.core.rng import seeds_for
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME

GOLDEN = "d k cl qu l t f a m s i e e e in t b e t n l o g e p e r er o v"


def first_deck(batch: Batch, i: int = 0) -> list[str]:
    """Return the rest of the deck of a game that has just been dealt, top first."""
    state = batch.states[i]
    return names([*state.pile[:1], *state.deck[: state.deck_size][::-1]])


def test_first_deck_of_seed_0_is_the_same_for_ever():
    """A change of the stream changes every result: it requires new versions of the games."""
    state = Batch(GAME, 1, seed=0).states[0]
    deck = deck_of(state.seed, 0)
    assert " ".join(deck[:30]) == GOLDEN
    assert sorted(deck) == sorted(full_deck())
    assert [held(state.hands[seat]) for seat in (0, 1)] == [
        tuple(sorted(deck[seat:6:2])) for seat in (0, 1)
    ]


@pytest.mark.skipif(not COMPILED, reason="compares with the compiled stream")
def test_compiled_and_plain_streams_are_the_same():
    batch = Batch(GAME, 3, seed=21)
    for i, state in enumerate(batch.states):
        assert first_deck(batch, i) == deck_of(state.seed, 0)[6:]


def test_first_cards_of_many_decks_are_fair():
    """Over many seeds and hands, a place in the deck has each kind of card equally often."""
    runs = 1200 if COMPILED else 300
    decks = [deck_of(seed, i % 3) for i, seed in enumerate(seeds_for(4, runs))]
    for place in (0, 1, 58, 117):
        counts = Counter(deck[place] for deck in decks)
        for kind, copies in COPIES.items():
            share = copies / 118
            assert abs(counts[kind] - runs * share) < 5 * (runs * share * (1 - share)) ** 0.5


def test_a_draw_pile_made_anew_is_shuffled_fairly():
    """The card that was drawn first may end up anywhere."""
    places = Counter()
    for seed in range(scaled(300)):
        table = Table("c a t", "o n e", then="k qu u")
        table.batch.seed(seed)
        table.batch.reset(top=numbers(["c", "o", "a", "n", "t", "e", "k", "qu", "u"]))
        table.put_deck_under_pile()
        table.state.rng = seeds_for(seed, 1)[0]
        table.play("draw")
        deck = names(table.state.deck[: table.state.deck_size])
        places[deck.index("qu") // 37 if "qu" in deck else 0] += 1
    assert not COMPILED or min(places[third] for third in range(3)) > 20


def test_seeds_decide_the_deal():
    decks = {seed: first_deck(Batch(GAME, 1, seed=seed)) for seed in range(4)}
    assert len({tuple(deck) for deck in decks.values()}) == 4
    assert first_deck(Batch(GAME, 1, seed=2)) == decks[2]
    batch = Batch(GAME, 3, seed=0)
    assert len({tuple(first_deck(batch, i)) for i in range(3)}) == 3


def test_successive_games_are_dealt_anew():
    batch = Batch(GAME, 1, seed=1)
    decks = set()
    for _ in range(scaled(60)):
        decks.add(tuple(first_deck(batch)))
        batch.reset()
    assert len(decks) == scaled(60)


def test_deals_do_not_depend_on_how_earlier_hands_were_played():
    deals = []
    for shift in range(3):
        batch = Batch(GAME, 2, seed=8, autoreset=False, hand_sizes=(3, 4, 5), meld="auto")
        rng = np.random.default_rng(shift)
        dealt = [[first_deck(batch, i)] for i in range(2)]
        while not batch.states.terminated.all():
            legal = [np.flatnonzero(mask) for mask in batch.masks]
            batch.step(np.array([rng.choice(a) if len(a) else -1 for a in legal]))
            for i, state in enumerate(batch.states):
                if state.hand_over and state.hands_done < 3 and len(legal[i]):
                    dealt[i].append(first_deck(batch, i))
        deals.append(dealt)
    assert all(dealt == deals[0] for dealt in deals)
    assert len({str(deck) for dealt in deals[0] for deck in dealt}) == 6


def test_rigged_cards_lie_on_top_and_the_rest_is_shuffled():
    batch = Batch(GAME, 1, seed=1)
    top = ["q", "q", "z", "z", "qu", "cl", "a", "a", "a", "e", "e", "th", "er"]
    rests = []
    for _ in range(2):
        batch.reset(top=numbers(top))
        state = batch.states[0]
        assert [held(hand) for hand in state.hands[:2]] == [("q", "qu", "z"), ("cl", "q", "z")]
        deck = first_deck(batch)
        assert deck[:7] == top[6:]
        rests.append(deck[7:])
        assert Counter(rests[-1]) + Counter(top) == COPIES
    assert rests[0] != rests[1]
