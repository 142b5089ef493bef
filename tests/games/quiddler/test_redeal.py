"""Redealing what a seat cannot know of Quiddler: nothing else changes, nothing leaks."""

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED, play_batch, scaled
from tests.contract.redeal_checks import (
    assert_fair,
    assert_hidden_cards_are_not_read,
    redealings,
    redealt,
)
from tests.games.quiddler.laying import COPIES, KINDS
from tests.games.quiddler.play import Table, assert_all_cards, few, held, names, plain, turn_of

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME

SHORT = few("at", "tea", "eat", "ate", "on", "no", "in", "ear", "are", "err", "inn", "thin", "one")
TABLES = [
    {"hand_sizes": (3, 9), "lexicon": SHORT, "max_turns": 30},
    {"hand_sizes": (5, 10), "num_players": 3, "challenges": True, "forbid_returning_discard": True},
    {"hand_sizes": (4, 10), "meld": "auto", "forbid_returning_discard": True},
    {"hand_sizes": (6, 8), "meld": "auto", "num_players": 8, "min_turns_before_out": 2},
]
needs_a_search = pytest.mark.skipif(not COMPILED, reason="uncompiled, a search takes half a minute")
HIDDEN = {"seed", "rng", "deck", "hands", "drawn_since"}
"""Fields of a record that a redeal may change."""
FOLLOWS = {"cards", "left", "ends", "next_kinds", "may_end", "worth", "worth_of_taking"}
FOLLOWS |= {"out_by_taking", "forbidden", "worth_of_hand"}
"""Fields that depend on the mover's hand, so they change too where that is hidden."""


def assert_valid(batch: Batch) -> None:
    """Check that every card is in one place, and that the masks follow from the redealt hands."""
    for state, mask in zip(map(plain, batch.states), batch.masks, strict=True):
        assert_all_cards(state)
        legal = turn_of(state, batch.params)
        if legal is not None:
            marked = [batch.action_names[a] for a in np.flatnonzero(mask)]
            assert sorted(marked) == sorted(legal)


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_redeal_leaves_what_a_seat_sees_and_makes_a_table_that_can_be(number):
    batch = Batch(GAME, scaled(8), seed=number, **TABLES[number])
    options = {"times": 12 if COMPILED else 6, "most": 4 * batch.num_players}
    rng = np.random.default_rng(number)
    for _, twin in redealings(batch, rng, hidden=HIDDEN, follows=FOLLOWS, **options):
        assert_valid(twin)


def test_redeal_reads_no_card_that_the_viewer_cannot_know_after_reshuffles():
    """A short deck, which is shuffled again every few turns."""
    copies = dict.fromkeys("aeio", 8) | dict.fromkeys("nt", 6)
    params = {"num_players": 3, "hand_sizes": (4,), "copies": copies, "max_turns": 200}
    batch = Batch(GAME, 16 if COMPILED else 2, seed=3, **params, lexicon=few("qzxzk"))
    for _ in play_batch(batch, 150):
        pass
    assert batch.states.reshuffled.all()
    assert assert_hidden_cards_are_not_read(batch, 3, times=3, most=50)
    rng = np.random.default_rng(3)
    for _, twin in redealings(batch, rng, times=3, most=5, hidden=HIDDEN, follows=FOLLOWS):
        assert_valid(twin)


# --- Positions set up by hand -------------------------------------------------------------------


def test_redeal_deals_every_unseen_card_anew_and_fairly():
    """Every hidden place gets every card that may be there about equally often."""
    table = Table("c a t s", "o n e r", then="k s u").play("take -c draw -o draw -s")
    runs = 2000 if COMPILED else 200
    twin = redealt(table.batch, [0] * runs, 3)
    # Player_1 holds four cards, none of them picked up.
    hidden = Counter(COPIES) - Counter([*table.pile, *held(table.state.hands[0])])
    assert_fair(Counter(card for deal in twin.states for card in held(deal.hands[1])), hidden)
    tops = names(twin.states.deck[:, int(table.state.deck_size) - 1])
    assert_fair(Counter(tops), hidden)
    assert len({deal.seed for deal in twin.states}) == runs


def test_where_a_discarded_card_came_from_is_hidden():
    """player_1 discards an `e` that it held in one world and has just drawn in the other."""
    worlds = []
    for hands, drawn in ((("e n o r", "t v w y"), "t"), (("t n o r", "e v w y"), "e")):
        table = Table("q z x s", *hands, then="k s u").put_deck_under_pile().play("draw -q")
        deck, top = table.state.deck, int(table.state.deck_size) - 1
        place = names(deck).index(drawn)
        deck[[place, top]] = deck[[top, place]]
        table.play("draw -e")
        worlds.append([plain(state) for state in redealt(table.batch, [0] * scaled(400), 7).states])
        origins = [int(state.drawn_since[1][KINDS.index("e")]) for state in worlds[-1]]
        assert 0 < np.mean(origins) < 1
    for here, there in zip(*worlds, strict=True):
        for name in ("hands", "drawn_since", "deck"):
            assert np.array_equal(getattr(here, name), getattr(there, name))


@needs_a_search
@pytest.mark.parametrize("challenges", [False, True])
def test_a_half_spelled_word_can_always_be_finished(challenges):
    words = few("at") if challenges else few("quiz", "at", "on", "thin", "zoo")
    table = Table(
        "q u i z a t", "o n e r s s", then="k s u", lexicon=words, challenges=challenges
    ).play("draw")
    for action in ["+q", "+u", "+i"]:
        twin = redealt(table.play(action).batch, [1] * 40, 1)
        assert_valid(twin)
        assert challenges or all("z" in held(new.hands[0]) for new in twin.states)


@needs_a_search
def test_where_a_word_needs_the_very_last_cards_the_hand_is_kept():
    """Both `z` are in the hand, and only they can end the word: no other deal is possible."""
    words = few("qzxzk")
    table = Table("q z x z k", "o n e r s", then="k s u", lexicon=words).play("draw +q")
    new = redealt(table.batch, [1], 1).states[0]
    assert not Counter("kxzz") - Counter(held(new.hands[0]))


@pytest.mark.parametrize("meld", ["spell", "auto"])
def test_what_must_not_be_returned_follows_the_hand(meld):
    """The other seats do not know whether the mover holds another copy of the card taken."""
    params = {"forbid_returning_discard": True, "meld": meld, "lexicon": few("zoo")}
    returnable = set()
    for hand in ("e a t s", "n a t s"):
        table = Table(hand, "o n i r", then="e s u", **params).play("take")
        twin = redealt(table.batch, [1] * (200 if COMPILED else 40), 3)
        assert_valid(twin)
        returnable |= {(hand, bool(m[twin.action_names.index("discard:e")])) for m in twin.masks}
    assert len(returnable) == 4


def test_a_meld_of_as_many_words_as_there_can_be_is_kept():
    table = Table("a a a a a t t t t t", "o n i r e s d l b c", then="k s u", lexicon=few("at"))
    table.play("draw a-t. a-t. a-t. a-t. a-t.")
    twin = redealt(table.batch, [1] * 4, 3)
    assert_valid(twin)
    assert (twin.states.num_words[:, 0] == 5).all()
    assert twin.masks.sum(axis=1).tolist() == [1] * 4


def test_a_copy_laid_in_this_turn_was_another_copy_of_the_card_taken():
    params = {"forbid_returning_discard": True, "lexicon": few("cat", "eat")}
    table = Table("c a t", "e a t", then="k e", **params).play("draw c-a-t. -e take e-a-t.")
    assert table.legal == ["discard:e"]
    twin = redealt(table.batch, [0] * 80, 3)
    assert_valid(twin)
    assert any(twin.masks[:, twin.action_names.index("discard:e")])
