"""What a person sees of a table of Fiddlefoo: hands, the pair under discussion, possible choices.

Whoever shows a table takes it from here: a hand is open only to who `knows` it, and the cards that
may be played or thrown are told only to who knows the hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.state import NOBODY
from kitchentable.games.fiddlefoo.board import (
    fill_matches,
    find_pair,
    pair_cell,
    pair_distance,
    pair_range,
)
from kitchentable.games.fiddlefoo.cards import (
    CARD_NAMES,
    COLOR,
    COLOR_CODES,
    NO_CARD,
    NUM_BASE,
    NUM_CARDS,
    NUMBER,
    Bits,
    has,
)
from kitchentable.games.fiddlefoo.hands import penalty
from kitchentable.games.fiddlefoo.pairing import is_safe
from kitchentable.games.fiddlefoo.rules import legal_action_mask
from kitchentable.games.fiddlefoo.state import (
    AGAIN,
    BLOCKS,
    CARD,
    CELL,
    DISCARD,
    MOVE,
    MOVE_CELL,
    OVER,
    REMOVE,
    SIDE,
    SWAP_CARD,
    SWAP_MAP,
    THROW,
    Params,
    State,
    action_names,
    card_at,
)
from kitchentable.render import view as shared

View = shared.View[State, Params]

Cell = tuple[int, int]
"""Row and column in the window."""

BY_COLOR = sorted(range(NUM_CARDS), key=lambda card: (COLOR[card], NUMBER[card], card))
"""Cards in the order in which hands are shown."""
FROM_HAND = (CARD, AGAIN, THROW, DISCARD, SWAP_CARD)
"""Decisions about cards of a hand; what may be done in the others everybody can tell."""


def code(card: int) -> str:
    """Return color and number of a card, such as ``Y11``, also of an action card."""
    return f"{COLOR_CODES[COLOR[card]]}{NUMBER[card]}"


def named(card: int) -> str:
    """Return a card's name, with color and number if that does not tell them."""
    return CARD_NAMES[card] if card < NUM_BASE else f"{CARD_NAMES[card]} ({code(card)})"


def cards_of(bits: Bits) -> list[int]:
    """Return the cards of a set, by color and number."""
    words = [int(word) for word in bits]
    return [card for card in BY_COLOR if words[card >> 6] >> (card & 63) & 1]


def cell_at(place: int) -> Cell:
    """Return row and column of a cell of the record."""
    return divmod(place, SIDE)


# --- Cards --------------------------------------------------------------------------------------


class Held(NamedTuple):
    """A card in a hand as a viewer sees it."""

    card: int
    """`NO_CARD` if the viewer does not know it."""
    is_open: bool
    """Whether the viewer sees the hand."""
    known: bool
    """Whether everybody knows of it."""
    received: bool
    """Whether it was received in this turn."""


def knows(state: State, viewer: int, player: int) -> bool:
    """Whether a viewer sees a seat's hand; that of a finished game lies open."""
    return viewer in (NOBODY, player) or state.phase == OVER


def hand(state: State, viewer: int, player: int) -> list[Held]:
    """Return a seat's cards by color and number, the unknown ones last."""
    if state.phase == OVER:
        return [Held(card, True, False, False) for card in cards_of(state.last_hands[player])]
    cards, hidden = [], 0
    is_open = knows(state, viewer, player)
    for card in cards_of(state.hands[player]):
        known = has(state.known[player], card)
        if is_open or known:
            cards.append(Held(card, is_open, known, has(state.received, card)))
        else:
            hidden += 1
    return cards + [Held(NO_CARD, False, False, False)] * hidden


def cost(state: State, viewer: int, player: int) -> int | None:
    """Return the penalty of a seat's hand, as far as the viewer sees it; else None."""
    if state.cooperative or not knows(state, viewer, player):
        return None
    return int(penalty(state.last_hands[player] if state.phase == OVER else state.hands[player]))


def map_cards(state: State) -> dict[Cell, int]:
    """Return the cards on the map by cell."""
    cells = state.cells.tolist()
    return {cell_at(place): card for place, card in enumerate(cells) if card != NO_CARD}


# --- Pairs --------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A pair as it was made, or would be; whatever became of its cards."""

    cards: tuple[int, int]
    """The card added and its partner."""
    cells: tuple[Cell, Cell]
    span: int
    """Numbers in range."""
    distance: int
    safe: bool


def pair(state: State) -> Pair | None:
    """Return the pair under discussion, if there is one."""
    if state.card == NO_CARD or state.phase == OVER:
        return None
    cells = (cell_at(int(state.cell)), cell_at(int(state.partner_cell)))
    span = max(int(state.high) - int(state.low) - 1, 0)
    cards = (int(state.card), int(state.partner))
    return Pair(cards, cells, span, int(state.distance), bool(state.safe))


def prospects(state: State) -> dict[Cell, Pair]:
    """Return the pair that the chosen card would make on each cell where it may be added."""
    if state.phase != CELL:
        return {}
    card = int(state.chosen)
    matches = np.zeros(BLOCKS, np.uint64)
    fill_matches(state, card, matches)
    found = {}
    for place in legal_places(state):
        best = find_pair(state, card, place, matches)
        partner, distance = int(state.cells[pair_cell(best)]), pair_distance(best)
        cells = (cell_at(place), cell_at(pair_cell(best)))
        safe = is_safe(card, partner, distance)
        found[cells[0]] = Pair((card, partner), cells, pair_range(best), distance, safe)
    return found


def legal_places(state: State) -> list[int]:
    """Return the cells where the chosen card may go, as numbers of the record."""
    if state.phase not in (CELL, MOVE_CELL):
        return []
    words = [int(word) for word in state.legal]
    return [64 * i + n for i, word in enumerate(words) for n in range(64) if word >> n & 1]


# --- Choices ------------------------------------------------------------------------------------


class Choices(NamedTuple):
    """What the seat to act may do now, as far as the viewer can tell."""

    hand: frozenset[int] = frozenset()
    """Cards of its hand to choose or to throw."""
    piles: frozenset[int] = frozenset()
    """Cards of its hand that may go on their pile."""
    on_map: frozenset[int] = frozenset()
    cells: frozenset[Cell] = frozenset()
    clicks: bool = False
    """Whether the viewer may make them: is the seat to act, or sees all."""
    throws: bool = False
    """Whether cards of the hand are thrown, rather than chosen."""

    def with_card(self, card: int) -> list[str]:
        """Return the names of what may be done with a card of the hand."""
        kind = "throw" if self.throws else "card"
        name = CARD_NAMES[card]
        both = {f"{kind}:{name}": card in self.hand, f"pile:{name}": card in self.piles}
        return [action for action, may in both.items() if may]


def choices(state: State, params: Params, viewer: int) -> Choices:
    """Return what may be done now; nothing to who does not know the hand that decides it."""
    own = state.phase in FROM_HAND
    if state.phase == OVER or (own and not knows(state, viewer, int(state.current_player))):
        return Choices()
    mask = np.zeros(len(action_names(params)), np.bool_)
    legal_action_mask(state, mask)

    def cards(start: int) -> frozenset[int]:
        chosen = np.flatnonzero(mask[start : start + int(state.num_cards)])
        return frozenset(card_at(state, int(index)) for index in chosen)

    return Choices(
        cards(state.at_throw if state.phase == THROW else 0) if own else frozenset(),
        cards(state.at_pile) if state.cooperative and state.phase == THROW else frozenset(),
        cards(state.at_map) if state.phase in (MOVE, REMOVE, SWAP_MAP) else frozenset(),
        frozenset(cell_at(place) for place in legal_places(state)),
        viewer in (NOBODY, int(state.current_player)),
        state.phase == THROW,
    )
