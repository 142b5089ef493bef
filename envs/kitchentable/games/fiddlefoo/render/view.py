"""What a viewer may see of a Fiddlefoo table: hands, the counted pair, and legal choices.

All renderings take this information from here. Only a viewer who may see a hand gets its cards, and
which of them may be played or thrown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from kitchentable.core.state import Bits
from kitchentable.games.fiddlefoo import board, hands, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render import view as shared

View = shared.View[State, Params]

Cell = tuple[int, int]
"""Row and column in the window, counted from 0."""

BY_COLOR = sorted(range(c.NUM_CARDS), key=lambda card: (c.COLOR[card], c.NUMBER[card], card))
"""All cards in the order in which hands are displayed."""
FROM_HAND = (s.CARD, s.AGAIN, s.THROW, s.DISCARD, s.SWAP_CARD)
"""Decisions about hand cards; the legal actions of all other decisions are public."""


def code(card: int) -> str:
    """Return color and number of a card or action card, such as ``Y11``."""
    return f"{c.COLOR_CODES[c.COLOR[card]]}{c.NUMBER[card]}"


def named(card: int) -> str:
    """Return the name of a card; that of an action card with color and number."""
    return c.CARD_NAMES[card] if card < c.NUM_BASE else f"{c.CARD_NAMES[card]} ({code(card)})"


def cards_of(bits: Bits) -> list[int]:
    """Return the cards of a set, sorted by color and number."""
    words = [int(word) for word in bits]
    return [card for card in BY_COLOR if words[card >> 6] >> (card & 63) & 1]


def cell_at(place: int) -> Cell:
    """Return the row and column of a cell in the record."""
    return divmod(place, s.SIDE)


def possible(view: View) -> Mapping[str, int]:
    """Return the legal actions; none if they depend on a hand that the viewer may not see."""
    own = view.state.phase in FROM_HAND
    return {} if own and not knows(view, int(view.state.current_player)) else view.legal


# --- Cards --------------------------------------------------------------------------------------


class Held(NamedTuple):
    """A card in a hand as a viewer sees it."""

    card: int
    """`NO_CARD` if the viewer does not know it."""
    is_open: bool
    """Whether the viewer may see the whole hand."""
    known: bool
    """Whether all seats know of it."""
    received: bool
    """Whether it was received in this turn."""


def knows(view: View, player: int) -> bool:
    """Return whether the viewer may see a seat's hand; at the end all hands are open."""
    return hands.sees_hand(view.viewer, player) or view.is_over


def hand(view: View, player: int) -> list[Held]:
    """Return a seat's cards sorted by color and number, unknown cards last."""
    state = view.state
    if view.is_over:
        return [Held(card, True, False, False) for card in cards_of(state.last_hands[player])]
    cards, hidden = [], 0
    is_open = knows(view, player)
    for card in cards_of(state.hands[player]):
        known = c.has(state.known[player], card)
        if is_open or known:
            cards.append(Held(card, is_open, known, c.has(state.received, card)))
        else:
            hidden += 1
    return cards + [Held(c.NO_CARD, False, False, False)] * hidden


def cost(view: View, player: int) -> int | None:
    """Return the penalty of a seat's hand; None in a team, or if the viewer may not see it."""
    state = view.state
    if state.cooperative or not knows(view, player):
        return None
    return int(hands.penalty((state.last_hands if view.is_over else state.hands)[player]))


def map_cards(state: State) -> dict[Cell, int]:
    """Return the cards on the map by cell."""
    cells = state.cells.tolist()
    return {cell_at(place): card for place, card in enumerate(cells) if card != c.NO_CARD}


def piles(state: State) -> list[list[int]]:
    """Return the cards on the pile of each color, the top card last."""
    cards = cards_of(state.on_piles)
    return [[card for card in cards if c.COLOR[card] == color] for color in range(c.NUM_COLORS)]


# --- Pairs --------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A pair at the time it is made, even if its cards have moved since."""

    cards: tuple[int, int]
    """The card added and its partner."""
    cells: tuple[Cell, Cell]
    span: int
    """Number of whole numbers in range."""
    distance: int
    safe: bool


def pair(state: State) -> Pair | None:
    """Return the counted pair, or None if there is none."""
    if state.card == c.NO_CARD or state.phase == s.OVER:
        return None
    cells = (cell_at(int(state.cell)), cell_at(int(state.partner_cell)))
    span = max(int(state.high) - int(state.low) - 1, 0)
    cards = (int(state.card), int(state.partner))
    return Pair(cards, cells, span, int(state.distance), bool(state.safe))


def prospect(state: State, place: int) -> Pair:
    """Return the pair that the chosen card would make in a legal cell."""
    card = int(state.chosen)
    matches = np.zeros(s.BLOCKS, np.uint64)
    board.fill_matches(state, card, matches)
    made = pairing.pair_at(state, card, place, matches)
    cells = (cell_at(place), cell_at(int(state.places[made.partner])))
    span = max(int(made.high) - int(made.low) - 1, 0)
    return Pair((card, made.partner), cells, span, made.distance, made.safe)


def prospects(state: State) -> dict[Cell, Pair]:
    """Return the pair that the chosen card would make in each legal cell; else empty."""
    if state.phase != s.CELL:
        return {}
    words = [int(word) for word in state.legal]
    places = [64 * i + n for i, word in enumerate(words) for n in range(64) if word >> n & 1]
    return {cell_at(place): prospect(state, place) for place in places}
