"""Redealing what a seat cannot know of Fiddlefoo: nothing else changes, nothing leaks."""

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.contract.redeal_checks import assert_fair, redealings, redealt
from tests.games.fiddlefoo.cards import Map, color
from tests.games.fiddlefoo.play import Table, assert_all_cards, members, names, on_map, plain

from kitchentable import Batch
from kitchentable.games.fiddlefoo import GAME, VARIANTS, redeal
from kitchentable.games.fiddlefoo.state import PHASES

HIDDEN = {"seed", "rng", "deck", "hands", "playable"}
"""Fields of a record that a redeal may change; what is playable follows from the mover's hand."""


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


def assert_valid(batch: Batch) -> None:
    """Check that every card is in one place, and that the masks follow from the redealt hands."""
    for state, mask in zip(map(plain, batch.states), batch.masks, strict=True):
        assert_all_cards(state)
        legal = None if state.terminated else wanted(state)
        if legal is not None:
            marked = {batch.action_names[a] for a in np.flatnonzero(mask)}
            assert {name for name in marked if name.startswith(("throw:", "card:"))} == legal
            assert legal


@pytest.mark.parametrize("number", [2, 5, 6])
def test_redeal_leaves_what_a_seat_sees_and_makes_a_table_that_can_be(number):
    batch, rng = Batch(GAME, scaled(16), seed=number, **VARIANTS[number]), np.random.default_rng(7)
    most = 6 * batch.num_players
    for _, twin in redealings(batch, rng, times=6, most=most, hidden=HIDDEN):
        assert_valid(twin)


# --- Positions set up by hand -------------------------------------------------------------------

YELLOW = "Y3@5,5 R5@5,6"


def many(table: Table, runs: int) -> Batch:
    """Return many copies of a table, redealt for player_0."""
    return redealt(table.batch, [0] * runs, seed=3)


def test_redeal_deals_every_unseen_card_anew_and_fairly():
    """Every hidden place gets every hidden card about equally often; the mover is the viewer."""
    table = Table.at(YELLOW, "Y16 R1", "P4 P13 Y5 B2", "B9 R3", pile="R16 P1 Y2")
    runs = 1000 if COMPILED else 200
    states = many(table, runs).states
    hidden = {"P4", "P13", "Y5", "B2", "B9", "R3", "R16", "P1", "Y2"}
    found = [Counter(names(states.deck[:, place])) for place in range(3)]
    found += [Counter(c for state in states for c in members(state.hands[i])) for i in (1, 2)]
    for counts in found:
        assert set(counts) == hidden
        assert_fair(counts, Counter(hidden))
    assert len({deal.seed for deal in states}) == runs


def test_after_a_range_card_another_one_is_held():
    """The seat is asked again, so it cannot hold notes cards alone."""
    table = Table.at(YELLOW, "Y16 R3", "Y5 Y6 R4 P7", pile="R1 B1 P1 B16 R16 Y7 P4")
    table.play("Y16@5,7 >Y5")
    twin = many(table, 100 if COMPILED else 40)
    assert_valid(twin)
    held = [set(members(new.hands[1])) & {"Y6", "Y7"} for new in twin.states]
    assert all(held)
    assert {"Y6"} in held
    assert {"Y7"} in held


@pytest.mark.skipif(COMPILED, reason="the number of tries is compiled in")
def test_a_seat_keeps_its_hand_after_the_last_try(monkeypatch):
    monkeypatch.setattr(redeal, "MOST_TRIES", 0)
    table = Table.at(YELLOW, "Y16 R3", "Y5 R4 P7", pile="P4 P10 B8 B9 R8 R9 R10 P13")
    table.play("Y16@5,7")
    for new in many(table, 20).states:
        assert members(new.hands[1]) == members(table.state.hands[1])


def test_cant_throw_is_no_card_to_throw_for_a_small_hand():
    """It has three cards, so the one that fits must be another."""
    table = Table.at("P1@5,5 R5@5,6", "P16 B8", "P7 R3 R4", pile="cant_throw B9 B10 Y8 Y9")
    table.play("P16@5,7")
    twin = many(table, 100 if COMPILED else 30)
    assert_valid(twin)
    assert any("cant_throw" in members(new.hands[1]) for new in twin.states)


def test_a_seat_that_is_asked_to_play_can_play_with_more_than_one_hand():
    table = Table.at(YELLOW, "Y16 R3 P10", "R1 P4 P7", pile="P1 P13 P16 B8 B9")
    table.follow("Y16@5,7 pass -> asks = 1 choose a card to play")
    hands = {frozenset(members(new.hands[1])) for new in many(table, 30).states}
    assert len(hands) > 1
    assert all("R1" in hand for hand in hands)
