"""The cards of Fiddlefoo, and sets of cards.

A card is an index: 0 to 53 are the base cards, 54 to 74 the action cards of Talkytoot. A set of
cards is two 64-bit words; a card is bit ``card & 63`` of word ``card >> 6``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits
from kitchentable.core.kernels import kernel
from kitchentable.core.state import Bits

COLORS = ("yellow", "red", "blue", "purple")
COLOR_CODES = "YRBP"
YELLOW, RED, BLUE, PURPLE = range(4)
NUM_COLORS = len(COLORS)
HIGHEST = 16
PURPLE_NUMBERS = (1, 4, 7, 10, 13, 16)
NOTES_OF_NUMBER = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 3, 3, 3, 2, 2, 1, 1)
"""Music notes on a card, by the number on the card; number 0 does not exist."""
MOST_NOTES = max(NOTES_OF_NUMBER)

_BASE = [(color, number) for color in (YELLOW, RED, BLUE) for number in range(1, HIGHEST + 1)]
_BASE += [(PURPLE, number) for number in PURPLE_NUMBERS]

ACTION_CARDS = {
    "discard": (YELLOW, 11),
    "move": (PURPLE, 12),
    "play_again": (PURPLE, 3),
    "remove_cards": (RED, 2),
    "wildcard_pair": (RED, 9),
    "throw_other_colors": (RED, 10),
    "safety_rule_disable": (RED, 9),
    "range_limit": (BLUE, 7),
    "distance_limit": (RED, 12),
    "draw": (BLUE, 5),
    "notes_match_penalty": (YELLOW, 4),
    "notes_match_forbid": (PURPLE, 8),
    "wildcard_throw": (RED, 11),
    "cant_throw": (PURPLE, 4),
    "instaplay": (YELLOW, 6),
    "reveal_to_all": (YELLOW, 3),
    "swap_map": (BLUE, 16),
    "hand_match_penalty": (BLUE, 15),
    "hand_match_note_penalty": (PURPLE, 8),
    "score_double_worst": (PURPLE, 1),
    "score_minus_conditional": (YELLOW, 10),
}
"""Color and number of each action card, in index order."""

NUM_BASE = len(_BASE)
NUM_ACTIONS = len(ACTION_CARDS)
NUM_CARDS = NUM_BASE + NUM_ACTIONS
(
    DISCARD_CARD, MOVE_CARD, PLAY_AGAIN, REMOVE_CARDS, WILDCARD_PAIR, THROW_OTHER_COLORS,
    SAFETY_RULE_DISABLE, RANGE_LIMIT, DISTANCE_LIMIT, DRAW_CARD, NOTES_MATCH_PENALTY,
    NOTES_MATCH_FORBID, WILDCARD_THROW, CANT_THROW, INSTAPLAY, REVEAL_TO_ALL, SWAP_MAP_CARD,
    HAND_MATCH_PENALTY, HAND_MATCH_NOTE_PENALTY, SCORE_DOUBLE_WORST, SCORE_MINUS_CONDITIONAL,
) = range(NUM_BASE, NUM_CARDS)  # fmt: skip

CARD_NAMES = (*(f"{COLOR_CODES[color]}{number}" for color, number in _BASE), *ACTION_CARDS)
NO_CARD = -1

COLOR = np.array([color for color, _ in (*_BASE, *ACTION_CARDS.values())], np.int64)
NUMBER = np.array([number for _, number in (*_BASE, *ACTION_CARDS.values())], np.int64)
NOTES = np.array(NOTES_OF_NUMBER, np.int64)[NUMBER]

WORDS = 2
"""64-bit words in a set of cards. Modules that allocate scratch arrays of this size import it by
name, because numba does not take it as a constant otherwise."""


def set_of(cards: Any) -> Bits:
    """Return the set of cards with the indices ``cards``; uint64, shape (2,); not compiled."""
    bits = [0] * WORDS
    for card in cards:
        bits[int(card) >> 6] |= 1 << (int(card) & 63)
    return np.array(bits, np.uint64)


OF_COLOR = np.array([set_of(np.flatnonzero(color == COLOR)) for color in range(NUM_COLORS)])
"""The set of cards of each color; shape (4, 2)."""
OF_NOTES = np.array([set_of(np.flatnonzero(notes == NOTES)) for notes in range(HIGHEST)])
"""The set of cards with each number of notes, empty above 4; shape (16, 2)."""
BELOW = np.array([set_of(np.flatnonzero(number > NUMBER)) for number in range(HIGHEST + 2)])
"""The set of cards with a number lower than the index; shape (18, 2)."""

ONE = np.uint64(1)


@kernel
def bit(place: int) -> np.uint64:
    """Return a word with only bit ``place`` set."""
    return ONE << np.uint64(place)


@kernel
def has(cards: Bits, card: int) -> bool:
    """Return whether a card is in a set."""
    return bool((cards[card >> 6] >> np.uint64(card & 63)) & ONE)


@kernel
def add(cards: Bits, card: int) -> None:
    """Add a card to a set."""
    cards[card >> 6] |= bit(card & 63)


@kernel
def drop(cards: Bits, card: int) -> None:
    """Remove a card from a set."""
    cards[card >> 6] &= ~bit(card & 63)


@kernel
def count(cards: Bits) -> int:
    """Return the number of cards in a set."""
    return count_bits(cards[0]) + count_bits(cards[1])


@kernel
def is_empty(cards: Bits) -> bool:
    """Return whether a set is empty."""
    return bool((cards[0] | cards[1]) == 0)


@kernel
def clear(cards: Bits) -> None:
    """Remove all cards from a set."""
    cards[0] = 0
    cards[1] = 0


@kernel
def copy(cards: Bits, to: Bits) -> None:
    """Copy the set ``cards`` into the set ``to``."""
    to[0] = cards[0]
    to[1] = cards[1]
