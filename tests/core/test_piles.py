"""Decks and discard piles."""

from types import SimpleNamespace

import numpy as np

from kitchentable.core.piles import stack, take_top


def test_the_cards_on_top_are_dealt_in_their_order_and_the_others_in_any() -> None:
    dealt = set()
    for rng in np.random.default_rng(1).integers(2**63, size=20, dtype=np.uint64):
        deck = np.array([0, 0, 1, 2, 3, 4], np.int8)
        state = SimpleNamespace(seed=rng, rng=rng, deck=deck, deck_size=0)
        stack(state, len(deck), np.array([3, 0], np.int8))
        cards = [take_top(state) for _ in range(state.deck_size)]
        assert cards[:2] == [3, 0]
        assert sorted(cards[2:]) == [0, 1, 2, 4]
        dealt.add(tuple(cards))
    assert len(dealt) > 10
