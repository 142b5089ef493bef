"""Redealing what a seat of Diddly cannot know; duels compare observations and full states."""

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.contract.redeal_checks import assert_fair, redealings, redealt
from tests.games.diddly.play import Table, assert_all_cards, plain, words

from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME


def peeked_table() -> Table:
    """Return a table where player_0, to act, has peeked at its slot 2, player_1 at its slot 5."""
    return Table("P 2 3 4 5 6", "P 5 4 3 2 1", then="9 D").play("0 1 2 0 1 5 draw 1 take 1")


def reshuffled_table() -> Table:
    """Hide the same cards as in `peeked_table`; the deck has been reshuffled and drawn from."""
    return peeked_table().put_deck_under_pile().play("draw 0")


def unknown(state, viewer: int) -> list[tuple[int, int]]:
    """Return the places of the cards that a viewer does not know, as seats and slots."""
    return [
        (seat, slot)
        for seat, slot in np.ndindex(int(state.num_players), int(state.cards))
        if not state.face_up[seat, slot] and not (seat == viewer and state.peeked[seat, slot])
    ]


@pytest.mark.parametrize(("cards", "seats"), [(6, 8), (9, 4)])
def test_redeal_leaves_known_cards_where_they_are_and_loses_none(cards, seats):
    batch = Batch(GAME, scaled(24), seed=cards, num_players=seats, cards=cards, turn_limit=60)
    options = {"times": 8, "most": 3 * seats, "hidden": {"seed", "rng", "deck", "boards"}}
    for viewers, twin in redealings(batch, np.random.default_rng(1), **options):
        np.testing.assert_array_equal(twin.masks, batch.masks)
        for old, new, viewer in zip(batch.states, twin.states, viewers, strict=True):
            assert_all_cards(plain(new))
            known = np.ones_like(old.boards, bool)
            for place in unknown(old, int(viewer)):
                known[place] = False
            assert np.array_equal(new.boards[known], old.boards[known])


@pytest.mark.parametrize("make_table", [peeked_table, reshuffled_table])
def test_redeal_deals_all_that_is_unknown_anew_and_fairly(make_table):
    """Every unknown place gets every card that may be there about equally often.

    At first that is any unknown card; after a reshuffle the cards of the deck stay in the deck.
    """
    table = make_table()
    state, size, runs = table.state, int(table.state.deck_size), 1000 if COMPILED else 150
    states = redealt(table.batch, [0, 1] * runs, 4).states
    for viewer in (0, 1):
        new, hidden = states[viewer::2], unknown(state, viewer)
        assert len(hidden) == 7
        decks = [Counter(words(new.deck[:, i])) for i in (0, size // 2, size - 1)]
        boards = [Counter(words(new.boards[:, seat, slot])) for seat, slot in hidden]
        in_deck = Counter(words(state.deck[:size]))
        on_boards = Counter(words(state.boards[place] for place in hidden))
        for places, cards in ((decks, in_deck), (boards, on_boards)):
            for found in places:
                assert_fair(found, cards if state.reshuffled else in_deck + on_boards)
