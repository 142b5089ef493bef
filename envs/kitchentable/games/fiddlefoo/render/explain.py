"""What each action that may be chosen now means at this very table, in a few words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kitchentable.core.bits import count_bits
from kitchentable.games.fiddlefoo.board import (
    fill_matches,
    find_cells,
    find_pair,
    pair_cell,
    pair_distance,
    pair_range,
)
from kitchentable.games.fiddlefoo.cards import (
    CARD_NAMES,
    COLOR,
    COLORS,
    DRAW_CARD,
    NOTES,
    NOTES_MATCH_PENALTY,
    NUMBER,
    WILDCARD_THROW,
    has,
)
from kitchentable.games.fiddlefoo.pairing import is_safe
from kitchentable.games.fiddlefoo.render.effects import in_full
from kitchentable.games.fiddlefoo.render.view import View, cell_at
from kitchentable.games.fiddlefoo.state import (
    AGAIN,
    BLOCKS,
    DISCARD,
    FULL_PILE,
    MOST_REMOVALS,
    MOVE,
    MOVE_CELL,
    NOTHING,
    REMOVE,
    SIDE,
    SWAP_CARD,
    THROW,
    State,
)


def explain(view: View, action_name: str) -> str:
    """Say what a legal action would do now: which pair it makes, why a card may be thrown."""
    state = view.state
    kind, _, what = action_name.partition(":")
    if kind == "pass":
        return _passing(state)
    if kind == "cell":
        row, column = what.split(",")
        return _laying(state, SIDE * int(row) + int(column))
    return _OF_CARDS[kind](state, CARD_NAMES.index(what))


# --- Cards of the hand ----------------------------------------------------------------------------


def _choosing(state: State, card: int) -> str:
    worth = f"{in_full(card)} ({_noted(int(NOTES[card]))})"
    if state.phase == DISCARD:
        return f"take {worth} out of the game"
    if state.phase == SWAP_CARD:
        return f"swap {worth} for a card on the map"
    legal = np.zeros(BLOCKS, np.uint64)
    find_cells(state, card, legal)
    cells = sum(int(count_bits(block)) for block in legal)
    also = "also play" if state.phase == AGAIN else "play"
    return f"{also} {worth}: {cells} possible cell{'s' * (cells != 1)}"


def _throwing(state: State, card: int) -> str:
    return f"give player_{state.player} {in_full(card)}: {_why(state, card)}{_after(state, card)}"


def _putting(state: State, card: int) -> str:
    """Say how full the pile of a card's color would be."""
    color = int(COLOR[card])
    notes = int(state.pile_notes[color]) + int(NOTES[card])
    full = f"{notes} of {FULL_PILE} notes{', too many' * (notes > FULL_PILE)}"
    return f"put {in_full(card)} on the {COLORS[color]} pile: {full}{_after(state, card)}"


def _why(state: State, card: int) -> str:
    """Say why a card may be thrown at the pair under discussion."""
    if card == WILDCARD_THROW:
        return "it fits any pair"
    if not has(state.fits_range, card):
        return f"{_noted(int(NOTES[card]))} for distance {state.distance}"
    low, high = int(state.low) + 1, int(state.high) - 1
    if low == high:
        return f"{low} is the only number in range"
    return f"{NUMBER[card]} is in the range {low} to {high}"


def _after(state: State, card: int) -> str:
    """Say what throwing a card, or putting it on its pile, leads to; mostly nothing."""
    by_notes = not has(state.fits_range, card)
    draws = 1 if card == DRAW_CARD else 2 if card == NOTES_MATCH_PENALTY and by_notes else 0
    draws = min(draws, int(state.deck_size))
    return f"{', the only throw' * by_notes}{f', then draw {draws}' if draws else ''}"


# --- The map --------------------------------------------------------------------------------------


def _laying(state: State, place: int) -> str:
    """Say what pair the chosen card would make in a cell, or that it is moved there."""
    card, where = int(state.chosen), _at(place)
    if state.phase == MOVE_CELL:
        return f"move {in_full(card)} to {where}"
    matches = np.zeros(BLOCKS, np.uint64)
    fill_matches(state, card, matches)
    best = find_pair(state, card, place, matches)
    partner, distance = int(state.cells[pair_cell(best)]), int(pair_distance(best))
    song = ", Safe Song" if is_safe(card, partner, distance) else ""
    size = f"range {pair_range(best)}, distance {distance}{song}"
    return f"{where}: pair with {in_full(partner)}, {size}"


def _taking(state: State, card: int) -> str:
    """Say what is done with a map card."""
    where = _at(int(state.places[card]))
    if state.phase == MOVE:
        return f"move {in_full(card)} from {where}"
    if state.phase == REMOVE:
        return f"take {in_full(card)} in {where} out of the game"
    worth = f"{in_full(card)} ({_noted(int(NOTES[card]))})"
    return f"take {worth} from {where} for {in_full(int(state.chosen))}"


def _at(place: int) -> str:
    row, column = cell_at(place)
    return f"row {row}, column {column}"


# --- Passing --------------------------------------------------------------------------------------


def _passing(state: State) -> str:
    if state.phase == THROW:
        what = "nothing" if state.thrown == NOTHING else "nothing more"
        return f"throw {what} at player_{state.player}"
    if state.phase == REMOVE:
        what = "cards" if state.removals == MOST_REMOVALS else "more cards"
        return f"take no {what} off the map"
    return {
        DISCARD: "keep all cards of the hand",
        MOVE: "move no card",
    }.get(int(state.phase), "play no other card")


def _noted(notes: int) -> str:
    return f"{notes} note{'s' * (notes != 1)}"


_OF_CARDS: dict[str, Callable[[State, int], str]] = {
    "card": _choosing,
    "throw": _throwing,
    "pile": _putting,
    "map": _taking,
}
