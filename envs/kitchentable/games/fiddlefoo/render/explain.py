"""Explanations of actions: in general, and of legal actions in the current state."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kitchentable.core.bits import count_bits
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import find_cells
from kitchentable.games.fiddlefoo.effects import PENALTY_DRAWS
from kitchentable.games.fiddlefoo.render.action_cards import in_full
from kitchentable.games.fiddlefoo.render.view import View, cell_at, prospect
from kitchentable.games.fiddlefoo.state import State
from kitchentable.render.phrases import count

ACTION_HELP = {
    "card": "choose {} from the hand, to play it or as an effect asks",
    "cell": "put the chosen card in row and column {}",
    "throw": "throw {} at the seat that made the pair: it goes into that hand, open",
    "pass": "throw nothing (more), or do nothing (more) by an effect",
    "pile": "put {} on the pile of its color, instead of throwing it",
    "map": "choose {} on the map, as an effect asks",
}
ACTION_WORDS = {
    "card": "Choose {}",
    "cell": lambda _, cell: "Row {}, column {}".format(*cell.split(",")),
    "throw": "Throw {}",
    "pile": "Put {} on its pile",
    "map": "Choose {} on the map",
}


def explain(view: View, action_name: str) -> str:
    """Return what a legal action would do now: the pair it makes, or why a card may be thrown."""
    kind, _, what = action_name.partition(":")
    if kind == "pass":
        return _passing(view)
    if kind == "cell":
        row, column = what.split(",")
        return _laying(view.state, s.SIDE * int(row) + int(column))
    return _OF_CARDS[kind](view, c.CARD_NAMES.index(what))


# --- Cards of the hand ----------------------------------------------------------------------------


def _choosing(view: View, card: int) -> str:
    state = view.state
    worth = _worth(card)
    if state.phase == s.DISCARD:
        return f"take {worth} out of the game"
    if state.phase == s.SWAP_CARD:
        return f"swap {worth} for a card on the map"
    legal = np.zeros(s.BLOCKS, np.uint64)
    find_cells(state, card, legal)
    cells = sum(int(count_bits(block)) for block in legal)
    also = "also play" if state.phase == s.AGAIN else "play"
    return f"{also} {worth}: {count(cells, 'possible cell')}"


def _worth(card: int) -> str:
    return f"{in_full(card)} ({count(int(c.NOTES[card]), 'note')})"


def _throwing(view: View, card: int) -> str:
    state, to = view.state, view.who(view.state.player).inside
    return f"give {to} {in_full(card)}: {_why(state, card)}{_after(state, card)}"


def _putting(view: View, card: int) -> str:
    """Return the explanation of putting a card on its pile, with the pile's new notes."""
    state = view.state
    color = int(c.COLOR[card])
    notes = int(state.pile_notes[color]) + int(c.NOTES[card])
    full = f"{notes} of {s.FULL_PILE} notes{', too many' * (notes > s.FULL_PILE)}"
    return f"put {in_full(card)} on the {c.COLORS[color]} pile: {full}{_after(state, card)}"


def _why(state: State, card: int) -> str:
    """Return the reason why a card may be thrown at the counted pair."""
    if card == c.WILDCARD_THROW:
        return "it fits any pair"
    if not c.has(state.fits_range, card):
        return f"{count(int(c.NOTES[card]), 'note')}, the same as the distance"
    low, high = int(state.low) + 1, int(state.high) - 1
    if low == high:
        return f"{low} is the only number in range"
    return f"{c.NUMBER[card]} is in the range {low} to {high}"


def _after(state: State, card: int) -> str:
    """Return what follows after a card is thrown or put on its pile; usually empty."""
    by_notes = not c.has(state.fits_range, card)
    draws = int(card == c.DRAW_CARD)
    if card == c.NOTES_MATCH_PENALTY and by_notes:
        draws = PENALTY_DRAWS
    draws = min(draws, int(state.deck_size))
    return f"{'; nothing else is thrown' * by_notes}{f', then draw {draws}' if draws else ''}"


# --- The map --------------------------------------------------------------------------------------


def _laying(state: State, place: int) -> str:
    """Return the pair that the chosen card would make in a cell, or that it is moved there."""
    card, where = int(state.chosen), _at(place)
    if state.phase == s.MOVE_CELL:
        return f"move {in_full(card)} to {where}"
    made = prospect(state, place)
    song = ", Safe Song" if made.safe else ""
    size = f"range {made.span}, distance {made.distance}{song}"
    return f"{where}: pair with {in_full(made.cards[1])}, {size}"


def _taking(view: View, card: int) -> str:
    """Return what choosing a map card does."""
    state = view.state
    where = _at(int(state.places[card]))
    if state.phase == s.MOVE:
        return f"move {in_full(card)} from {where}"
    if state.phase == s.REMOVE:
        return f"take {in_full(card)} in {where} out of the game"
    worth = _worth(card)
    return f"take {worth} from {where} for {in_full(int(state.chosen))}"


def _at(place: int) -> str:
    row, column = cell_at(place)
    return f"row {row}, column {column}"


# --- Passing --------------------------------------------------------------------------------------


def _passing(view: View) -> str:
    state = view.state
    if state.phase == s.THROW:
        what = "nothing" if state.thrown == s.NOTHING else "nothing more"
        return f"throw {what} at {view.who(state.player).inside}"
    if state.phase == s.REMOVE:
        what = "cards" if state.removals == s.MOST_REMOVALS else "more cards"
        return f"take no {what} off the map"
    return {
        s.DISCARD: "keep all cards of the hand",
        s.MOVE: "move no card",
    }.get(int(state.phase), "play no other card")


_OF_CARDS: dict[str, Callable[[View, int], str]] = {
    "card": _choosing,
    "throw": _throwing,
    "pile": _putting,
    "map": _taking,
}
