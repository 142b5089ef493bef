"""Redealing what a seat cannot know of Fiddlefoo: nothing else changes, nothing leaks."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.contract.redeal_checks import played_to_the_end, redealings, redealt
from tests.games.fiddlefoo.cards import Map, color
from tests.games.fiddlefoo.duel import deck_of
from tests.games.fiddlefoo.play import (
    NAMES,
    Table,
    assert_all_cards,
    members,
    on_map,
    pile_of,
    plain,
)

from kitchentable import Batch
from kitchentable.core.state import NOBODY
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo.state import PHASES

TABLES = [
    {},
    {"num_players": 6},
    {"num_players": 3, "wildcard": True},
    {"num_players": 4, "cooperative": True},
    {"talkytoot": "all"},
    {"num_players": 3, "talkytoot": "all", "cooperative": True},
    {"num_players": 4, "talkytoot": "all", "wildcard": True, "map_size": 8, "games": 2},
    {"num_players": 6, "talkytoot": ("draw", "instaplay", "notes_match_penalty", "cant_throw")},
]
HIDDEN = {"seed", "rng", "deck", "hands"}
"""Fields of a record that a redeal may change."""
FOLLOWS = {"playable"}
"""Fields that depend on the mover's hand: they change where that is hidden, and are empty where no
card is being chosen."""


def unseen(state, viewer: int) -> set[str]:
    """Return the cards whose place a viewer does not know."""
    cards = set(pile_of(state))
    for seat in range(int(state.num_players)):
        if seat != viewer:
            cards |= set(members(state.hands[seat])) - set(members(state.known[seat]))
    return cards


def assert_redealt(old, new, viewer: int) -> None:
    """Check that only the seed and what the viewer cannot know have changed."""
    assert_all_cards(new)
    assert new.seed != old.seed
    assert unseen(new, viewer) == unseen(old, viewer)
    chooses = PHASES[old.phase] in {"card", "again"} and old.current_player == viewer
    may_change = HIDDEN | (set() if chooses else FOLLOWS)
    for name in set(GAME.rules.state_dtype.names or ()) - may_change:
        assert np.array_equal(getattr(new, name), getattr(old, name)), name
    for seat in range(int(old.num_players)):
        assert len(members(new.hands[seat])) == len(members(old.hands[seat]))
    if viewer != NOBODY:
        assert np.array_equal(new.hands[viewer], old.hands[viewer])


def wanted(state) -> set[str] | None:
    """Return the actions that the mover's cards make legal; None where they do not matter."""
    phase, hand = PHASES[state.phase], members(state.hands[state.current_player])
    if phase == "throw":
        fits = set(members(state.fits_range))
        if not state.thrown:
            fits |= set(members(state.fits_notes))
        fits -= set(members(state.received))
        if len(hand) <= 3:
            fits.discard("cant_throw")
        return {f"throw:{card}" for card in hand if card in fits}
    if phase in ("choose a card to play", "play again"):
        cells = Map(on_map(state))
        cells.size, cells.wildcard = state.map_size, state.wildcard
        barred = "YRBP"[state.turn_color] if phase == "play again" else ""
        return {f"card:{card}" for card in hand if color(card) != barred and cells.cells(card)}
    return None


def assert_right_masks(batch: Batch) -> None:
    """Check that the masks follow from the redealt hands."""
    assert (batch.masks.any(axis=1) == ~batch.states.terminated).all()
    for state, mask in zip(batch.states, batch.masks, strict=True):
        legal = None if state.terminated else wanted(plain(state))
        if legal is not None:
            marked = {batch.action_names[a] for a in np.flatnonzero(mask)}
            assert {name for name in marked if name.startswith(("throw:", "card:"))} == legal
            assert legal


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_redeal_leaves_what_a_seat_sees_and_makes_a_table_that_can_be(number):
    params, rng = TABLES[number], np.random.default_rng(number)
    batch = Batch(GAME, scaled(16), seed=number, **params)
    most = 6 * batch.num_players
    for viewers, twin in redealings(batch, rng, times=10, most=most):
        for old, new, viewer in zip(batch.states, twin.states, viewers, strict=True):
            assert_redealt(plain(old), plain(new), int(viewer))
        assert_right_masks(twin)


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_a_table_dealt_anew_can_be_played_to_its_end(number):
    batch = Batch(GAME, scaled(40), seed=number, autoreset=False, **TABLES[number])
    for state in played_to_the_end(batch, number).states:
        assert_all_cards(plain(state))


# --- Positions set up by hand -------------------------------------------------------------------

YELLOW = "Y3@5,5 R5@5,6"


def many(table: Table, viewer: int, runs: int, seed: int = 3) -> Batch:
    """Return many copies of a table, redealt for a viewer."""
    return redealt(table.env._batch, [viewer] * runs, seed)


def test_redeal_deals_every_unseen_card_anew_and_fairly():
    """Every hidden place gets every hidden card about equally often; the mover is the viewer."""
    table = Table.at(YELLOW, "Y16 R1", "P4 P13 Y5 B2", "B9 R3", pile="R16 P1 Y2")
    runs = 2000 if COMPILED else 200
    twin = many(table, 0, runs)
    hidden = unseen(plain(table.state), 0)
    assert hidden == {"P4", "P13", "Y5", "B2", "B9", "R3", "R16", "P1", "Y2"}
    hands = [Counter(c for s in twin.states for c in members(s.hands[i])) for i in (1, 2)]
    for place in range(3):
        deck = Counter(NAMES[card] for card in twin.states.deck[:, place])
        assert all(abs(deck[c] - runs / 9) < 5 * (runs / 9) ** 0.5 for c in hidden)
    for counts, size in zip(hands, (4, 2), strict=True):
        fair = runs * size / 9
        assert set(counts) == hidden
        assert all(abs(counts[card] - fair) < 5 * fair**0.5 for card in hidden)
    assert len({deal.seed for deal in twin.states}) == runs


def test_known_cards_stay_in_their_hands():
    table = Table.at(YELLOW, "Y16 R1 B4", "Y5 Y6 R3 P1", pile="R16 P4 Y2").play("Y16@5,7 >Y5 >Y6")
    assert table.known(0) == "Y5 Y6"
    for new in many(table, 1, 20).states:
        assert {"Y5", "Y6"} <= set(members(new.hands[0]))
        assert len(members(new.hands[0])) == 4
    for viewer in (1, NOBODY):
        assert len({tuple(members(new.hands[0])) for new in many(table, viewer, 60).states}) > 3


def test_a_seat_that_is_asked_to_throw_can_throw_something():
    table = Table.at(YELLOW, "Y16 R3", "Y5 R4 P7", pile="P4 P10 B8 B9 R8 R9 R10 P13")
    table.play("Y16@5,7")
    twin = many(table, 0, 200 if COMPILED else 40)
    assert_right_masks(twin)
    for new in twin.states:
        assert "Y5" in members(new.hands[1])  # the only card that fits
    assert len({tuple(members(new.hands[1])) for new in twin.states}) > 5


def test_after_a_range_card_another_one_is_held():
    """The seat is asked again, so it cannot hold notes cards alone."""
    table = Table.at(YELLOW, "Y16 R3", "Y5 Y6 R4 P7", pile="R1 B1 P1 B16 R16 Y7 P4")
    table.play("Y16@5,7 >Y5")
    twin = many(table, 0, 200 if COMPILED else 40)
    assert_right_masks(twin)
    held = [set(members(new.hands[1])) & {"Y6", "Y7"} for new in twin.states]
    assert all(held)
    assert {"Y6"} in held
    assert {"Y7"} in held


def test_a_seat_that_is_asked_to_play_can_play():
    table = Table.at(YELLOW, "Y16 R3 P10", "R1 P4 P7", pile="P1 P13 P16 B8 B9")
    table.play("Y16@5,7 pass")
    assert table.asks == "1 choose a card to play"
    twin = many(table, 0, 100 if COMPILED else 30)
    assert_right_masks(twin)
    assert all("R1" in members(new.hands[1]) for new in twin.states)


def test_cant_throw_is_no_card_to_throw_for_a_small_hand():
    """It has three cards, so the one that fits must be another."""
    table = Table.at("P1@5,5 R5@5,6", "P16 B8", "P7 R3 R4", pile="cant_throw B9 B10 Y8 Y9")
    table.play("P16@5,7")
    twin = many(table, 0, 100 if COMPILED else 30)
    assert_right_masks(twin)
    assert any("cant_throw" in members(new.hands[1]) for new in twin.states)


def test_the_chosen_card_stays_where_it_is():
    table = Table.at(YELLOW, "Y16 R3 P10", "R1 P4 P7", pile="P1 P13 P16 Y8").play("card:Y16")
    for new in many(table, 1, 30).states:
        assert "Y16" in members(new.hands[0])


def test_redeal_is_decided_by_its_seed():
    table = Table.at(YELLOW, "Y16 R3 P10", "R1 P4 P7", pile="P1 P13 P16 Y8 B9 B10 B11 B12")
    first, again, other = (many(table, 0, 1, seed).states[0] for seed in (5, 5, 6))
    assert first.tobytes() == again.tobytes()
    assert first.deck.tolist() != other.deck.tolist()
    assert first.seed != other.seed


def test_redeal_gives_other_later_games():
    """A searching player cannot learn from the seed what the next game deals."""
    table = Table.at(YELLOW, "Y16 R3 P10", "R1 P4 P7", pile="P1 P13 P16", games=2)
    states = [table.state, *many(table, 0, 2).states]
    assert len({str(deck_of(plain(state), 1)) for state in states}) == 3
