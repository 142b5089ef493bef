"""Observations of Quiddler: each part means what it should, and hidden cards are not revealed."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.games.quiddler.laying import COPIES, KINDS, layable, letters, most_points, value, without
from tests.games.quiddler.play import (
    Table,
    dictionary,
    few,
    held,
    laid_words,
    names,
    plain,
    turn_of,
    whole_deck,
)

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME

if TYPE_CHECKING:
    from collections.abc import Iterable

VALID, INVALID = 1, 2


# --- Meaning --------------------------------------------------------------------------------------


def one_hot(size: int, *places: int) -> list[float]:
    return [float(i in places) for i in range(size)]


def flat(lists: Iterable[Iterable[float]]) -> list[float]:
    return list(chain.from_iterable(lists))


def shares(cards: Iterable[str]) -> list[float]:
    """Return the count of each kind as a fraction of all its copies."""
    counts = Counter(cards)
    return [counts[kind] / COPIES[kind] for kind in KINDS]


def row(cards: list[str], size: int) -> list[float]:
    """Return cards in order, each one-hot, in a row of ``size`` places."""
    marks = [one_hot(31, KINDS.index(card)) for card in cards]
    return flat([*marks, *([0.0] * 31 for _ in range(size - len(cards)))])


def expected(state, viewer: int, params) -> dict[str, list[float]]:
    """Return the expected observation of a record, computed in plain Python."""
    seats, over = int(state.num_players), bool(state.terminated)
    order = [(viewer + i) % seats for i in range(seats)]
    hands = {seat: held(state.hands[seat]) for seat in order}
    words = {seat: laid_words(state, seat) for seat in order}
    spelled = [c for seat in order for c in names(state.laid[seat][: state.num_laid[seat]])]
    done = {seat: words[seat][: state.num_words[seat]] for seat in order}
    good = {
        seat: [w for w, v in zip(done[seat], state.verdicts[seat], strict=False) if v != INVALID]
        for seat in order
    }
    points = {s: 2 * value(flat(good[s])) - value(flat(done[s])) for s in order}
    shown = {seat: held(state.picked_up[seat]) for seat in order[1:]}
    pile = names(state.pile[: state.pile_size])
    seen = [*hands[viewer], *pile, *spelled, *flat(shown.values())]
    finished, sizes = int(state.hands_done), params.hand_sizes
    totals = [state.totals[seat] for seat in order]
    where = order.index(state.current_player)
    parts = {
        "phase": [0.0] * 3 if over else one_hot(3, state.phase),
        "to_act": [0.0] * seats if over else one_hot(seats, where),
        "hand": shares(hands[viewer]),
        "unseen": shares((whole_deck(state) - Counter(seen)).elements()),
        "discards": shares(pile),
        "top_discard": one_hot(31, KINDS.index(pile[-1])) if pile else [0.0] * 31,
        "recycled": shares(held(state.recycled)),
        "picked_up": flat(shares(cards) for cards in shown.values()),
        "draw_pile": [state.deck_size / 118],
        "hand_sizes": [0.0 if over else len(hands[seat]) / 11 for seat in order],
        "words": flat(
            [len(good[s]) / 5, max(map(letters, good[s]), default=0) / 20, max(0, points[s]) / 150]
            for s in order
        ),
        "turns": [state.turns[seat] / (params.max_turns + 1) for seat in order],
        "starter": one_hot(seats, order.index((state.dealer + 1) % seats)),
        "out": one_hot(seats, *(order.index(s) for s in order if s == state.out)),
        "last_turns": [state.last_turns / seats],
        "hands_done": [
            finished / len(sizes),
            float(finished == len(sizes) - 1),
            0.0 if over else sizes[finished] / 10,
        ],
        "totals": [total / (150 * len(sizes)) for total in totals],
        "lead": [0.5 + max(-60, min(60, totals[0] - total)) / 120 for total in totals[1:]],
    }
    if params.meld == "auto":
        return parts | expected_worth(state, viewer, params)
    longest = max(sizes)
    unfinished = words[state.current_player][state.num_words[state.current_player] :]
    parts["word"] = row(unfinished[0] if unfinished and not over else [], longest)
    return parts | (expected_challenge(state, order, done, longest) if params.challenges else {})


def expected_worth(state, viewer: int, params) -> dict[str, list[float]]:
    """Return the expected parts about the worth of the hand; only the seat to act has them."""
    parts = {"worth": [0.0] * 31, "out_without": [0.0] * 31, "best": [0.0], "taking": [0.0, 0.0]}
    hand, words = held(state.hands[viewer]), dictionary(params.lexicon)
    if viewer == state.current_player and state.phase == 1:
        worth = {kind: most_points(words, without(hand, kind)) for kind in set(hand)}
        best = max(worth.values())
        for kind, points in worth.items():
            k = KINDS.index(kind)
            parts["worth"][k] = max(0, 1 - (best - points) / 50)
            parts["out_without"][k] = float(without(hand, kind) in layable(words, hand))
        parts["best"] = [0.5 + best / 300]
    if viewer == state.current_player and state.phase == 0:
        top = names(state.pile[: state.pile_size])[-1]
        more = tuple(sorted((*hand, top)))
        barred = {top} if params.forbid_returning_discard and top not in hand else set()
        kept = [without(more, kind) for kind in set(more) - barred]
        now = most_points(words, hand)
        gain = max(most_points(words, cards) for cards in kept) - now
        parts["best"] = [0.5 + now / 300]
        out = any(cards in layable(words, cards) for cards in kept)
        parts["taking"] = [max(0, min(50, gain)) / 50, float(out)]
    return parts


def expected_challenge(state, order, done, longest: int) -> dict[str, list[float]]:
    seats = len(order)
    accused = [seat for seat in order if seat == state.accused]
    words = done[accused[0]] if accused else []
    cards = [card for word in words for card in word]
    starts = [sum(map(len, words[:i])) for i in range(len(words))]
    verdicts = state.verdicts[accused[0]][: len(words)] if accused else []
    return {
        "lost": [min(150, state.lost[seat]) / 150 for seat in order],
        "accused": one_hot(seats, *map(order.index, accused)),
        "accused_words": row(cards, longest),
        "word_starts": one_hot(longest, *starts),
        "verdicts": one_hot(10, *(2 * i + v - VALID for i, v in enumerate(verdicts) if v)),
    }


def assert_seen(batch: Batch) -> None:
    """Check the observations of every viewer in every game of a batch, part by part."""
    layout = GAME.rules.observation_layout(batch.params)
    ends = np.cumsum([0, *layout.values()])
    for viewer in range(batch.num_players):
        seen = batch.observe(np.full(batch.num_envs, viewer))
        assert seen.dtype == np.float32
        assert 0 <= seen.min() <= seen.max() <= 1
        for state, observation in zip(batch.states, seen, strict=True):
            parts = expected(plain(state), viewer, batch.params)
            assert list(layout) == list(parts)
            for (name, told), (start, end) in zip(parts.items(), pairwise(ends), strict=True):
                np.testing.assert_allclose(observation[start:end], told, atol=1e-6, err_msg=name)
        movers = batch.states.current_player == viewer
        np.testing.assert_array_equal(batch.observations[movers], seen[movers])


@pytest.mark.parametrize("number", range(len(GAME.rules.variants)))
def test_every_part_for_every_viewer_in_every_variant(number):
    params = dict(GAME.rules.variants[number])
    batch = Batch(GAME, scaled(20) // 10 + 1, seed=number, autoreset=False, **params)
    rng = np.random.default_rng(number)
    assert_seen(batch)
    for _ in range(600 if COMPILED else 40):
        batch.step(batch.sample_actions())
        if batch.states.terminated.all():
            break
        if rng.random() < (0.4 if COMPILED else 0.2) / batch.num_players:
            assert_seen(batch)
    assert_seen(batch)


def test_every_part_in_a_challenge():
    table = Table(
        "c a t o n", "x x y y z", "i n s e t", then="k s u", challenges=True, hand_sizes=(5, 3),
        lexicon=few("cat", "on"),
    )  # fmt: skip
    for action in ["draw", "c-a-t.", "+o", "+n", "word", "discard:s", "challenge:0", "challenge:1"]:
        table.play(action)
        assert_seen(table.batch)
    table.play("draw x-y. x-y. -z challenge:1 challenge:0")
    assert_seen(table.batch)


@pytest.mark.parametrize("meld", ["spell", "auto"])
def test_every_part_once_the_draw_pile_is_made_anew(meld):
    table = Table("c a t", "o n e", then="k s", meld=meld, hand_sizes=(3, 4))
    table.put_deck_under_pile()
    for action in ["draw", "discard:c", "draw", "discard:o", "take", "discard:a", "draw"]:
        table.play(action)
        assert table.state.reshuffled
        assert table.state.recycled.sum() == 111
        assert_seen(table.batch)


def test_leads_of_sixty_points_and_more_look_alike():
    table = Table("c a t", "o n e", "x y z", "q q u", then="k", hand_sizes=(3, 4))
    table.state.totals[:4] = [100, 159, 160, 230]
    table.batch.look()
    assert_seen(table.batch)


@pytest.mark.parametrize(("forbid", "out"), [(False, 1.0), (True, 0.0)])
def test_a_card_that_must_be_kept_does_not_help_to_go_out(forbid, out):
    """All of `c a t` can be laid, but the card taken would have to be discarded."""
    table = Table(
        "c a t",
        "o n e",
        then="k s",
        meld="auto",
        lexicon=few("cat"),
        forbid_returning_discard=forbid,
    )
    assert_seen(table.batch)
    assert table.batch.observations[0, -1] == out


# --- What is visible, and what is hidden --------------------------------------------------------


@pytest.mark.parametrize("params", [{}, {"meld": "auto"}, {"num_players": 4, "challenges": True}])
def test_every_action_shows_to_every_seat(params):
    batch = Batch(GAME, scaled(40), seed=2, hand_sizes=(5, 6), **params)
    viewers = [np.full(batch.num_envs, viewer) for viewer in range(batch.num_players)]
    before = [batch.observe(viewer) for viewer in viewers]
    for _ in range(60):
        batch.step(batch.sample_actions())
        after = [batch.observe(viewer) for viewer in viewers]
        for old, new in zip(before, after, strict=True):
            assert (old != new).any(axis=1).all()
        before = after


@pytest.mark.parametrize("params", [{}, {"meld": "auto"}, {"challenges": True}])
def test_what_others_hold_and_what_comes_next_does_not_show(params):
    """Two tables with the same past for player_0 differ in all hidden cards."""
    one = Table("c a t", "o n e", "t o e", then="k s u b f", **params)
    two = Table("c a t", "i n s", "er m a", then="k s z y x", **params)
    for table in (one, two):
        table.play("draw discard:s")
    seen = [table.batch.observe(np.zeros(1, np.int64)) for table in (one, two)]
    np.testing.assert_array_equal(*seen)
    others = [table.batch.observe(np.ones(1, np.int64)) for table in (one, two)]
    assert (others[0] != others[1]).any()


def test_whether_a_word_is_valid_shows_only_when_it_is_challenged():
    tables = [
        Table(
            "c a t o n", "x x y y z", "i n s e t", then="k s", challenges=True, lexicon=few(*words)
        )
        for words in (("cat", "on"), ("cat", "zz"), ("at", "on"))
    ]
    for action in ["draw", "c-a-t.", "o-n.", "-s", "pass", "challenge:0"]:
        for table in tables:
            table.play(action)
        for seat in range(3):
            viewer = np.full(1, seat)
            seen = [table.batch.observe(viewer) for table in tables]
            np.testing.assert_array_equal(seen[0], seen[1])
            assert (seen[0] != seen[2]).any() == (action == "challenge:0")
        masks = [table.batch.masks for table in tables]
        np.testing.assert_array_equal(masks[0], masks[1])
        np.testing.assert_array_equal(masks[0], masks[2])
    assert len(laid_words(plain(tables[0].state), 0)) == 2


def test_a_card_picked_up_is_known_until_it_is_gone():
    table = Table("c a t", "a n e", then="a s a k", lexicon=few("zoo"))

    def shown(seat: int, viewer: int) -> str:
        start = list(GAME.rules.observation_layout(table.batch.params)).index("picked_up")
        at = sum(list(GAME.rules.observation_layout(table.batch.params).values())[:start])
        assert seat != viewer
        seen = table.batch.observe(np.full(1, viewer))[0, at : at + 31]
        return " ".join(held(np.rint(seen * list(COPIES.values()))))

    assert shown(0, 1) == ""
    table.play("take")
    assert shown(0, 1) == "a"
    table.play("discard:c draw discard:n")  # player_1 has drawn `s`, which is not visible
    assert shown(0, 1) == "a"
    assert shown(1, 0) == ""
    table.play("draw discard:a")  # one of its three; two of them were never seen
    assert shown(0, 1) == ""
    assert table.hand(0) == "a a t"
    table.play("take discard:a")
    assert shown(1, 0) == ""
    table.play("take discard:t take discard:e")
    assert shown(0, 1) == "a"
    assert shown(1, 0) == "t"


def test_full_state_shows_all_hands_validity_and_the_deck_in_order():
    table = Table(
        "c a t", "x x y", then="k s b", challenges=True, lexicon=few("at"), hand_sizes=(3, 10)
    )
    table.play("draw +a +t +c word -s pass draw x-y. -x")
    layout = GAME.rules.state_layout(table.batch.params)
    out = table.batch.observe_state()[0]
    ends = dict(zip(layout, pairwise(np.cumsum([0, *layout.values()])), strict=True))
    parts = {name: out[start:end] for name, (start, end) in ends.items()}
    assert len(out) == sum(layout.values())
    hands = parts["hands"].reshape(2, 31) * list(COPIES.values())
    assert [held(np.rint(hand)) for hand in hands] == [(), ("b",)]
    assert not parts["valid_words"].any()
    size = int(table.state.deck_size)
    order = np.rint(parts["deck_order"] * 31).astype(int) - 1
    assert names(order[:size]) == names(table.state.deck[:size][::-1])
    assert (order[size:] == -1).all()
    seen = table.batch.observe(np.zeros(1, np.int64))[0]
    np.testing.assert_array_equal(out[: len(seen)], seen)


def test_full_state_tells_valid_words():
    table = Table("c a t o n", "x x y y z", then="k s b", challenges=True, lexicon=few("on"))
    table.play("draw c-a-t. o-n. -s")
    places = list(GAME.rules.state_layout(table.batch.params).items())
    at = sum(size for _, size in places[: [name for name, _ in places].index("valid_words")])
    assert table.batch.observe_state()[0, at : at + 10].tolist() == one_hot(10, 1)


def test_the_reference_turn_of_a_record_is_what_the_mask_says():
    """`turn_of`, on which the tests of `redeal` rely, agrees with the masks of random play."""
    batch = Batch(GAME, scaled(60), seed=4, hand_sizes=(4, 7), forbid_returning_discard=True)
    seen = 0
    for _ in range(40):
        batch.step(batch.sample_actions())
        for state, mask in zip(batch.states, batch.masks, strict=True):
            legal = turn_of(plain(state), batch.params)
            if legal is not None:
                marked = [batch.action_names[a] for a in np.flatnonzero(mask)]
                assert sorted(legal) == sorted(marked)
                seen += 1
    assert seen > batch.num_envs
