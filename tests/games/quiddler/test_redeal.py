"""Redealing what a seat cannot know of Quiddler: nothing else changes, nothing leaks."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.contract.redeal_checks import (
    assert_hidden_cards_are_not_read,
    played_to_the_end,
    redealings,
    redealt,
)
from tests.games.quiddler.laying import COPIES, KINDS
from tests.games.quiddler.play import (
    Table,
    assert_all_cards,
    deck_of,
    few,
    held,
    laid_words,
    names,
    plain,
    turn_of,
)
from tests.games.quiddler.test_observation import assert_seen

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME

SHORT = few("at", "tea", "eat", "ate", "on", "no", "in", "ear", "are", "err", "inn", "thin", "one")
TABLES = [
    {"hand_sizes": (4, 9)},
    {"hand_sizes": (3, 5), "lexicon": SHORT, "max_turns": 30},
    {"hand_sizes": (10,), "num_players": 3},
    {"hand_sizes": (5, 7), "num_players": 8, "forbid_returning_discard": True},
    {"hand_sizes": (5, 6), "num_players": 4, "challenges": True},
    {"hand_sizes": (10, 4), "challenges": True, "forbid_returning_discard": True},
    {"hand_sizes": (4, 10), "meld": "auto", "forbid_returning_discard": True},
    {"hand_sizes": (6, 8), "meld": "auto", "num_players": 5, "min_turns_before_out": 2},
]
HIDDEN = {"seed", "rng", "deck", "hands", "drawn_since"}
"""Fields of a record that a redeal may change."""
FOLLOWS = {"cards", "left", "ends", "next_kinds", "may_end", "worth", "worth_of_taking"}
FOLLOWS |= {"out_by_taking", "forbidden", "worth_of_hand"}
"""Fields that depend on the mover's hand, so they change too where that is hidden."""


def unseen(state, viewer: int) -> Counter[str]:
    """Return the cards whose place a viewer does not know."""
    cards = Counter(names(state.deck[: state.deck_size]))
    for seat in range(int(state.num_players)):
        if seat != viewer:
            cards += Counter(held(state.hands[seat])) - Counter(held(state.picked_up[seat]))
    return cards


def held_before(state, viewer: int) -> Counter[str]:
    """Return the cards that were hidden from a viewer in other hands at the last reshuffle."""
    cards = Counter()
    for seat in range(int(state.num_players)):
        if seat != viewer:
            hidden = Counter(held(state.hands[seat])) - Counter(held(state.picked_up[seat]))
            cards += hidden + Counter(held(state.left_since[seat]))
            cards -= Counter(held(state.drawn_since[seat]))
    return cards


def assert_redealt(old, new, viewer: int) -> None:
    """Check that only the seed and what the viewer cannot know have changed."""
    assert_all_cards(new)
    assert new.seed != old.seed
    assert unseen(new, viewer) == unseen(old, viewer)
    if old.reshuffled:
        assert held_before(new, viewer) == held_before(old, viewer)
    mover = int(old.current_player)
    may_change = HIDDEN | (FOLLOWS if mover != viewer else set())
    for name in set(GAME.rules.state_dtype.names or ()) - may_change:
        assert np.array_equal(getattr(new, name), getattr(old, name)), name
    assert new.deck_size == old.deck_size
    for seat in range(int(old.num_players)):
        assert sum(new.hands[seat]) == sum(old.hands[seat])
        assert sum(new.drawn_since[seat]) == sum(old.drawn_since[seat])
    if viewer != NOBODY:
        assert np.array_equal(new.hands[viewer], old.hands[viewer])
        assert np.array_equal(new.drawn_since[viewer], old.drawn_since[viewer])


def assert_right_masks(batch: Batch) -> None:
    """Check that the masks follow from the redealt hands."""
    assert (batch.masks.any(axis=1) == ~batch.states.terminated).all()
    for state, mask in zip(batch.states, batch.masks, strict=True):
        legal = turn_of(plain(state), batch.params)
        if legal is not None:
            marked = [batch.action_names[a] for a in np.flatnonzero(mask)]
            assert sorted(marked) == sorted(legal)


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_redeal_leaves_what_a_seat_sees_and_makes_a_table_that_can_be(number):
    params, rng = TABLES[number], np.random.default_rng(number)
    batch = Batch(GAME, scaled(8), seed=number, **params)
    times, most = 16 if COMPILED else 6, 4 * batch.num_players
    for seed, (viewers, twin) in enumerate(redealings(batch, rng, times=times, most=most)):
        for old, new, viewer in zip(batch.states, twin.states, viewers, strict=True):
            assert_redealt(plain(old), plain(new), int(viewer))
        assert_right_masks(twin)
        if seed % 8 == 0:
            assert_seen(twin)


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_a_table_dealt_anew_can_be_played_to_its_end(number):
    batch = Batch(GAME, scaled(40), seed=number, autoreset=False, **TABLES[number])
    for state in played_to_the_end(batch, number).states:
        assert_all_cards(plain(state))


# --- Positions set up by hand -------------------------------------------------------------------


def test_redeal_deals_every_unseen_card_anew_and_fairly():
    """Every hidden place gets every card that may be there about equally often."""
    table = Table("c a t s", "o n e r", then="k s u").play("take -c draw -o draw -s")
    state, runs = plain(table.state), 2000 if COMPILED else 200
    twin = redealt(table.batch, [0] * runs, 3)
    hidden = unseen(state, 0)
    seen = [*names(state.pile[: state.pile_size]), *held(state.hands[0])]
    assert hidden == Counter(COPIES) - Counter(seen)
    found = twin.states.hands[:, 1].astype(int).sum(axis=0)
    in_hand = int(sum(state.hands[1]))
    tops = Counter(names(twin.states.deck[:, int(state.deck_size) - 1]))
    for k, kind in enumerate(KINDS):
        share = hidden[kind] / hidden.total()
        wanted = runs * in_hand * share
        assert abs(found[k] - wanted) <= 5 * wanted**0.5
        assert abs(tops[kind] - runs * share) <= 5 * (runs * share) ** 0.5
    assert len({deal.seed for deal in twin.states}) == runs


def test_redeal_leaves_cards_picked_up_in_their_hands():
    table = Table("c a t s", "o n e r", then="q u").play("take -c take -o")
    for new in redealt(table.batch, [1] * 20, 5).states:
        assert "q" in held(new.hands[0])
    for new in redealt(table.batch, [0] * 20, 5).states:
        assert "c" in held(new.hands[1])
    table.play("draw -q")  # the card has left the hand
    hands = [held(new.hands[0]) for new in redealt(table.batch, [1] * 60, 5).states]
    assert len(set(hands)) > 30
    assert any("q" not in hand for hand in hands)


def test_redeal_for_somebody_who_sees_no_cards_deals_all_hidden_ones():
    table = Table("c a t s", "o n e r", then="q u").play("take -c take -o")
    hands = [
        (held(new.hands[0]), held(new.hands[1]))
        for new in redealt(table.batch, [NOBODY] * 30, 5).states
    ]
    assert len({mine for mine, _ in hands}) > 20
    assert len({other for _, other in hands}) > 20
    assert all("q" in mine and "c" in other for mine, other in hands)


def test_redeal_keeps_a_draw_pile_made_anew_apart():
    """Cards seen to go into it are in it or were drawn from it; others were in hands before."""
    table = Table("q z x s", "o n e r", "j v w y", then="k s u")
    table.put_deck_under_pile().play("draw -q draw -o draw -j")
    state = plain(table.state)
    assert state.reshuffled
    assert [sum(counts) for counts in state.drawn_since[:3]] == [1, 1, 1]
    since = set()
    for new in map(plain, redealt(table.batch, [0] * 60, 2).states):
        assert held_before(new, 0) == Counter("onerjvwy")
        since.add(held(new.drawn_since[1]))
        assert_redealt(state, new, 0)
    assert len(since) > 5
    hands = {held(new.hands[1]) for new in redealt(table.batch, [0] * 60, 2).states}
    assert len(hands) > 20


def test_a_card_drawn_since_the_reshuffle_goes_back_to_the_others_when_another_comes():
    """After a second reshuffle, cards drawn since the first one count as old."""
    table = Table("q z x s", "o n e r", then="k s u")
    table.put_deck_under_pile().play("draw -q draw -o")
    assert table.state.drawn_since[:2].sum() == 2
    table.put_deck_under_pile().play("draw")
    assert table.state.drawn_since[0].sum() == 1
    assert table.state.drawn_since[1].sum() == 0
    assert table.state.left_since.sum() == 0


def test_where_a_discarded_card_came_from_is_hidden():
    """player_1 discards an `e` that it held in one world and has just drawn in the other."""
    tops, worlds = [], []
    for hands, drawn in ((("e n o r", "t v w y"), "t"), (("t n o r", "e v w y"), "e")):
        table = Table("q z x s", *hands, then="k s u").put_deck_under_pile().play("draw -q")
        deck, top = table.state.deck, int(table.state.deck_size) - 1
        place = names(deck).index(drawn)
        deck[[place, top]] = deck[[top, place]]
        table.play("draw -e")
        states = redealt(table.batch, [0] * 400, 7).states
        worlds.append([plain(state) for state in states])
        tops.append({names(state.deck)[int(state.deck_size) - 1] for state in worlds[-1]})
        origins = [int(state.drawn_since[1][KINDS.index("e")]) for state in worlds[-1]]
        assert 0 < np.mean(origins) < 1
    assert tops[0] == tops[1]
    for here, there in zip(*worlds, strict=True):
        for name in ("hands", "drawn_since", "deck"):
            assert np.array_equal(getattr(here, name), getattr(there, name))


@pytest.mark.parametrize("seats", [3, 4, 8])
def test_redeal_reads_no_card_that_the_viewer_cannot_know_after_reshuffles(seats):
    """A short deck, which is shuffled again every few turns."""
    copies = dict.fromkeys("aeio", 8) | dict.fromkeys("nt", 6)
    params = {"num_players": seats, "hand_sizes": (4,), "copies": copies, "max_turns": 200}
    batch = Batch(GAME, scaled(40), seed=seats, **params, lexicon=few("qzxzk"))
    assert assert_hidden_cards_are_not_read(batch, seats, times=8 if COMPILED else 3, most=60)
    assert batch.states.reshuffled.any()


@pytest.mark.parametrize("challenges", [False, True])
def test_a_half_spelled_word_can_always_be_finished(challenges):
    words = few("quiz", "at", "on", "thin", "zoo") if not challenges else few("at")
    table = Table(
        "q u i z a t", "o n e r s s", then="k s u", lexicon=words, challenges=challenges
    ).play("draw")
    for action in ["+q", "+u", "+i"]:
        table.play(action)
        twin = redealt(table.batch, [1] * (40 if COMPILED else 1), 1)
        assert_right_masks(twin)
        for new in twin.states:
            assert laid_words(plain(new), 0) == laid_words(plain(table.state), 0)
            assert "z" in held(new.hands[0]) or challenges
        assert_right_masks(redealt(table.batch, [0] * 3, 1))


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
        assert_right_masks(twin)
        index = twin.action_names.index("discard:e")
        for new, mask in zip(twin.states, twin.masks, strict=True):
            assert mask[index] == (held(new.hands[0]).count("e") > 1)
            returnable.add((hand, bool(mask[index])))
    assert len(returnable) == 4


def test_a_copy_laid_in_this_turn_was_another_copy_of_the_card_taken():
    params = {"forbid_returning_discard": True, "lexicon": few("cat", "eat")}
    table = Table("c a t", "e a t", then="k e", **params).play("draw c-a-t. -e take e-a-t.")
    assert table.legal == ["discard:e"]
    twin = redealt(table.batch, [0] * 80, 3)
    assert_right_masks(twin)
    assert any(twin.masks[:, twin.action_names.index("discard:e")])


@pytest.mark.parametrize("seats", [2, 8])
def test_redeal_after_five_words_changes_nothing_else(seats):
    """All words that a hand has room for are laid, and the mover is about to discard."""
    hands = ["a t a t a t o n o n", "q z x z k k j v w y", "s s s s l l l l d d"]
    hands = [*hands, "e e e e e e e e e e", "i i i i i i i i u u", "r r r r r r u u u u"]
    hands = [*hands, "g g g g d d y y y n", "m m p p b b c c f f"]
    table = Table(*hands[-seats:-1], hands[0], then="h h w th", hand_sizes=(10, 3))
    start = seats - 1  # the last seat has the words
    for _ in range(start):
        table.play("draw").play(next(n for n in table.legal if n.startswith("discard")))
    table.play("draw a-t. a-t. a-t. o-n. o-n.")
    old = plain(table.state)
    assert old.num_words[start] == 5
    for viewer in range(start):
        twin = redealt(table.batch, [viewer] * 4, 2)
        for new in map(plain, twin.states):
            assert_redealt(old, new, viewer)
        assert_right_masks(twin)


def test_redeal_is_decided_by_its_seed():
    table = Table("c a t s", "o n e r", then="k s u").play("draw")
    first, again, other = (redealt(table.batch, [0], seed).states[0] for seed in (5, 5, 6))
    assert first.tobytes() == again.tobytes()
    assert first.deck.tolist() != other.deck.tolist()
    assert first.seed != other.seed


def test_redeal_gives_other_later_hands():
    """A searching player cannot learn from the seed what the next hand deals."""
    old = Table("c a t s", "o n e r", then="k s u")
    new = redealt(old.batch, [0, 0], 5)
    decks = {str(deck_of(seed, 1)) for seed in (old.state.seed, *new.states.seed)}
    assert len(decks) == 3
