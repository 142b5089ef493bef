"""Observations of Diddly: each part means what it should, and hidden cards are not revealed."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.contract.redeal_checks import redealings, redealt
from tests.games.diddly.duel import deck_of
from tests.games.diddly.play import (
    SEATS,
    SHORTENED,
    Table,
    assert_all_cards,
    games,
    plain,
    rig,
    shares,
    whole_deck,
    words,
)
from tests.games.diddly.reference import KINDS

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.state import PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable

PARTS = [
    "phase",
    "to_act",
    "cards",
    "face_up",
    "peeked",
    "unseen",
    "discards",
    "top_discard",
    "held",
    "source",
    "swap_slot",
    "abilities",
    "flips_left",
    "draw_pile",
    "starter",
    "closer",
    "turns",
    "hands_done",
    "totals",
    "lead",
    "hand_scores",
    "deck_kinds",
]


# --- Meaning --------------------------------------------------------------------------------------


def one_hot(size: int, *places: int) -> list[float]:
    return [float(i in places) for i in range(size)]


def card(kind: int, *, shown: bool = True) -> list[float]:
    return one_hot(len(KINDS), int(kind)) if shown and kind >= 0 else [0.0] * len(KINDS)


def flat(lists: Iterable[list[float]]) -> list[float]:
    return list(chain.from_iterable(lists))


def expected(state, viewer: int) -> dict[str, list[float]]:
    """Return the expected observation of a record, computed in plain Python."""
    seats, cards = int(state.num_players), int(state.cards)
    order = [(viewer + i) % seats for i in range(seats)]
    places = [(seat, slot) for seat in order for slot in range(cards)]
    up = {place: bool(state.face_up[place]) for place in places}
    known = {p: up[p] or (p[0] == viewer and bool(state.peeked[p])) for p in places}
    pile, deck = words(state.pile[: state.pile_size]), words(state.deck[: state.deck_size])
    seen = Counter(pile) + Counter(words(state.boards[p] for p in places if known[p]))
    seen += Counter(words([state.held] if state.held >= 0 else []))
    over = bool(state.terminated or state.truncated)
    waiting = words(state.abilities[: state.num_abilities])
    points = [state.round_scores[seat, : state.rounds_done].tolist() for seat in order]
    totals = [sum(p) for p in points]
    rounds, left = int(state.rounds), int(state.rounds) - int(state.rounds_done)
    return {
        "phase": [0.0] * 6 if over else one_hot(6, state.phase),
        "to_act": [0.0] * seats if over else one_hot(seats, order.index(state.current_player)),
        "cards": flat(card(state.boards[p], shown=known[p]) for p in places),
        "face_up": [float(up[p]) for p in places],
        "peeked": [float(bool(state.peeked[p]) and not up[p]) for p in places],
        "unseen": shares(whole_deck(state) - seen),
        "discards": shares(Counter(pile)),
        "top_discard": card(state.pile[state.pile_size - 1] if pile else -1),
        "held": card(state.held),
        "source": one_hot(4, state.source)[1:],
        "swap_slot": one_hot(cards, state.swap_slot),
        "abilities": one_hot(6, *(2 * i + "PS".index(kind) for i, kind in enumerate(waiting))),
        "flips_left": [state.flips_left / 3 if state.phase == PHASES.index("flip") else 0.0],
        "draw_pile": [state.deck_size / 104],
        "starter": one_hot(seats, order.index((state.dealer + 1) % seats)),
        "closer": one_hot(seats, *(i for i, seat in enumerate(order) if seat == state.closer)),
        "turns": [state.turns[seat] / state.turn_limit for seat in order],
        "hands_done": [1 - left / rounds, float(left == 1)],
        "totals": [total / (10 * cards * rounds) for total in totals],
        "lead": [0.5 + max(-40, min(40, total - totals[0])) / 80 for total in totals[1:]],
        "hand_scores": flat([x / (10 * cards) for x in p] + [0.0] * left for p in points),
        "deck_kinds": shares(Counter(deck if state.reshuffled else [])),
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
            parts = expected(plain(state), viewer)
            assert list(layout) == list(parts) == PARTS
            if abs(observation - np.array(flat(parts.values()))).max() > 1e-6:
                for name, (start, end) in zip(layout, pairwise(ends), strict=True):
                    assert observation[start:end].tolist() == pytest.approx(parts[name]), name
                pytest.fail("parts have other lengths than the layout says")
        movers = batch.states.current_player == viewer
        np.testing.assert_array_equal(batch.observations[movers], seen[movers])


@pytest.mark.parametrize(("cards", "seats"), SEATS)
def test_every_part_for_every_viewer(cards, seats):
    see_all(num_players=seats, cards=cards, rounds=2, turn_limit=40)


@pytest.mark.parametrize("params", SHORTENED)
def test_every_part_of_a_shortened_deck(params):
    see_all(**params)


def see_all(**params):
    """Play a few random games and check the observations at intervals."""
    seats = params.get("num_players", 2)
    batch = Batch(GAME, games(12) // seats + 1, seed=6, autoreset=False, **params)
    rng = np.random.default_rng(seats)
    assert_seen(batch)
    while not all(state.terminated or state.truncated for state in batch.states):
        batch.step(batch.sample_actions())
        if rng.random() < 0.3 / seats:
            assert_seen(batch)
    assert_seen(batch)


def test_every_part_in_every_set_up_decision():
    table = Table(rig("P S S 4 5 6 7 8 9", "S P R 4 5 6 7 8 9"), cards=9)
    asked = []
    for action in ["0", "1", "2", "8", "3", "0", "pass", "1", "0", "2", "4", "1", "5"]:
        asked.append(table.asks)
        assert_seen(table.batch)
        table.play(action)
    assert_seen(table.batch)
    assert {ask.partition(" ")[2] for ask in asked} == {
        "flip", "peek", "swap first", "swap second"
    }  # fmt: skip


def test_every_part_once_the_deck_is_made_anew():
    table = peeked_table().empty_deck()
    for action in ["draw", "0", "draw", "1"]:
        table.play(action)
        assert table.state.reshuffled
        assert_seen(table.batch)


def test_leads_of_forty_points_and_more_look_alike():
    table = Table(num_players=4, rounds=3)
    table.state.rounds_done = 2
    table.state.round_scores[:4, 0] = [20, 59, 60, 60]
    table.state.round_scores[:4, 1] = [0, 0, 0, 50]
    table.state.totals[:4] = table.state.round_scores[:4, :2].sum(axis=1)
    table.batch.look()
    assert_seen(table.batch)


# --- What is visible ------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "seats"), [(6, 2), (8, 3), (9, 4)])
def test_every_action_shows_to_every_seat(cards, seats):
    batch = Batch(GAME, games(12), seed=2, num_players=seats, cards=cards, rounds=2)
    viewers = [np.full(batch.num_envs, viewer) for viewer in range(seats)]
    before = [batch.observe(viewer) for viewer in viewers]
    for _ in range(80):
        batch.step(batch.sample_actions())
        after = [batch.observe(viewer) for viewer in viewers]
        for old, new in zip(before, after, strict=True):
            assert (old != new).any(axis=1).all()
        before = after


def change_turned_up(state):
    state.face_up[1, 4] = 1


def change_own_peek(state):
    state.boards[0, 2] = 9 - state.boards[0, 2]


def change_open_card(state):
    state.boards[1, 0] = 9


def change_pile_top(state):
    state.pile[[0, 1]] = state.pile[[1, 0]]


def change_closer(state):
    state.closer = 1


def change_turns(state):
    state.turns[1] += 1


def change_dealer(state):
    state.dealer = 0


def change_last_round(state):
    state.rounds_done = 1


def change_mover(state):
    state.current_player = 1


def change_deck_size(state):
    state.deck_size -= 1


CHANGES = [
    change_turned_up, change_own_peek, change_open_card, change_pile_top, change_closer,
    change_turns, change_dealer, change_last_round, change_mover, change_deck_size,
]  # fmt: skip


def peeked_table() -> Table:
    """Return a table where player_0, to act, has peeked at its slot 2, player_1 at its slot 5."""
    return Table(rig("P 2 3 4 5 6", "P 5 4 3 2 1", then="9 D")).play("0 1 2 0 1 5 draw 1 take 1")


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_seat_may_know_shows(change):
    table = peeked_table()
    viewer = np.zeros(1, np.int64)
    before = table.batch.observe(viewer)
    change(table.state)
    assert (table.batch.observe(viewer) != before).any()


# --- What is hidden: redeal -----------------------------------------------------------------------


def unknown(state, viewer: int) -> list[tuple[int, int]]:
    return [
        (seat, slot)
        for seat in range(state.num_players)
        for slot in range(state.cards)
        if not state.face_up[seat, slot] and not (seat == viewer and state.peeked[seat, slot])
    ]


def reshuffled_table() -> Table:
    """Hide the same cards as in `peeked_table`; the deck has been reshuffled and drawn from."""
    return peeked_table().empty_deck().play("draw 0")


@pytest.mark.parametrize(("cards", "seats"), [(6, 2), (6, 8), (8, 3), (9, 4)])
def test_redeal_leaves_what_a_seat_sees(cards, seats):
    batch = Batch(GAME, games(24), seed=cards, num_players=seats, cards=cards, turn_limit=60)
    rng = np.random.default_rng(1)
    for viewers, twin in redealings(batch, rng, times=25, most=3 * seats):
        np.testing.assert_array_equal(twin.masks, batch.masks)
        for old, new, viewer in zip(batch.states, twin.states, viewers, strict=True):
            assert_redealt(plain(old), plain(new), int(viewer))


def assert_redealt(old, new, viewer: int) -> None:
    """Check that only the seed and what the viewer cannot know have changed."""
    assert_all_cards(new)
    assert new.seed != old.seed
    hidden = unknown(old, viewer)
    for seat, slot in np.ndindex(int(old.num_players), int(old.cards)):
        if (seat, slot) not in hidden:
            assert new.boards[seat, slot] == old.boards[seat, slot]
    for name in set(GAME.rules.state_dtype.names or ()) - {"seed", "rng", "deck", "boards"}:
        assert np.array_equal(getattr(new, name), getattr(old, name)), name


@pytest.mark.parametrize("make_table", [peeked_table, reshuffled_table])
def test_redeal_deals_all_that_is_unknown_anew_and_fairly(make_table):
    """Every unknown place gets every card that may be there about equally often.

    At first that is any unknown card; after a reshuffle the cards of the deck stay in the deck.
    """
    table = make_table()
    state, size, runs = table.state, int(table.state.deck_size), games(1800)
    states = redealt(table.batch, [0, 1] * runs, 4).states
    assert len(set(states.seed.tolist())) == 2 * runs
    for viewer in (0, 1):
        new, hidden = states[viewer::2], unknown(state, viewer)
        assert len(hidden) == 7
        decks = [new.deck[:, i] for i in (0, size // 2, size - 1)]
        boards = [new.boards[:, seat, slot] for seat, slot in hidden]
        in_deck = Counter(words(state.deck[:size]))
        on_boards = Counter(words(state.boards[place] for place in hidden))
        if state.reshuffled:
            assert_fair(decks, in_deck)
            assert_fair(boards, on_boards)
        else:
            assert_fair(decks + boards, in_deck + on_boards)


def assert_fair(places: list[Iterable[int]], cards: Counter[str]) -> None:
    """Check that over many games each of these cards appears in each place about equally often."""
    for place in places:
        found = Counter(words(place))
        for kind in KINDS:
            share, runs = cards[kind] / cards.total(), found.total()
            assert abs(found[kind] - runs * share) <= 5 * (runs * share * (1 - share)) ** 0.5


def test_redeal_keeps_a_known_deck_apart_from_the_boards():
    """Cards that went publicly into the deck stay there; those hidden on boards stay on boards."""
    table = reshuffled_table()
    old = plain(table.state)
    assert old.reshuffled
    for viewer in (0, 1, NOBODY):
        twins = redealt(table.batch, [viewer] * 4, 4)
        for new in map(plain, twins.states):
            assert_redealt(old, new, viewer)
            boards = [words(s.boards[place] for place in unknown(old, viewer)) for s in (old, new)]
            decks = [words(s.deck[: s.deck_size]) for s in (old, new)]
            assert Counter(boards[0]) == Counter(boards[1])
            assert Counter(decks[0]) == Counter(decks[1])
            assert decks[0] != decks[1]
            assert boards[0] != boards[1]
        if viewer != NOBODY:
            seen = [
                batch.observe(np.full(batch.num_envs, viewer)) for batch in (table.batch, twins)
            ]
            assert (seen[0] == seen[1]).all()


def test_redeal_is_decided_by_its_seed():
    table = peeked_table()
    first, again, other = (redealt(table.batch, [0], seed).states[0] for seed in (5, 5, 6))
    assert first.tobytes() == again.tobytes()
    assert first.boards.tolist() != other.boards.tolist()
    assert first.deck.tolist() != other.deck.tolist()
    assert first.seed != other.seed


def test_redeal_gives_other_later_rounds():
    """A searching player cannot learn from the seed what the next round deals."""
    old = peeked_table()
    new = redealt(old.batch, [0, 0], 5)
    decks = {str(deck_of(seed, 1)) for seed in (old.state.seed, *new.states.seed)}
    assert len(decks) == 3


# --- The full state -------------------------------------------------------------------------------


def test_full_state_shows_all_cards_and_the_deck_in_order():
    table = peeked_table()
    layout = GAME.rules.state_layout(table.batch.params)
    out = table.batch.observe_state()[0]
    ends = dict(zip(layout, pairwise(np.cumsum([0, *layout.values()])), strict=True))
    parts = {name: out[start:end] for name, (start, end) in ends.items()}
    boards = parts["player_0_cards"].reshape(2, 6, 15)
    np.testing.assert_array_equal(boards.argmax(axis=2), table.state.boards[:2, :6])
    np.testing.assert_array_equal(boards.sum(axis=2), 1)
    deck = parts["deck_order"] * 15 - 1
    size = int(table.state.deck_size)
    np.testing.assert_allclose(deck[:size], table.state.deck[:size][::-1], atol=1e-5)
    np.testing.assert_array_equal(deck[size:], -1)
    assert 0 <= out.min() <= out.max() <= 1
    private = {"player_0_cards", "player_0_unseen", "deck_order"}
    for name, values in expected(table.state, 0).items():
        if f"player_0_{name}" not in private:
            np.testing.assert_allclose(parts[f"player_0_{name}"], values, atol=1e-6, err_msg=name)
