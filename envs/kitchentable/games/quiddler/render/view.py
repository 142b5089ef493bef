"""What a person sees of a table of Quiddler: hands, words, and what may be done.

Whoever shows a table takes it from here: a hand is open only to who `knows` it, and of a word's
validity there is nothing but its verdict.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.state import NOBODY, BoolArray
from kitchentable.games.quiddler.cards import CARD_NAMES, LETTERS, NO_CARD, NUM_KINDS, VALUES
from kitchentable.games.quiddler.rules import legal_action_mask
from kitchentable.games.quiddler.state import (
    BY_ITSELF,
    MELD,
    OVER,
    REJECTED,
    Params,
    State,
    action_names,
)
from kitchentable.render import view as shared

View = shared.View[State, Params]

ALPHABETICAL = sorted(range(NUM_KINDS), key=CARD_NAMES.__getitem__)
"""Kinds in the order in which hands are shown."""


class Word(NamedTuple):
    """A word on the table; the last one may still be being spelled."""

    kinds: tuple[int, ...]
    verdict: int
    finished: bool = True

    @property
    def points(self) -> int:
        """Of its cards; they count against the seat if the word has been rejected."""
        points = sum(int(VALUES[kind]) for kind in self.kinds)
        return -points if self.verdict == REJECTED else points

    @property
    def letters(self) -> int:
        """More than its cards if one of them has two."""
        return sum(int(LETTERS[kind]) for kind in self.kinds)

    def __str__(self) -> str:
        """Write it with brackets around the letters that are one card."""
        names = (CARD_NAMES[kind] for kind in self.kinds)
        return "".join(name if len(name) == 1 else f"({name})" for name in names)


class Card(NamedTuple):
    """A card in a hand as a viewer sees it."""

    kind: int
    """`NO_CARD` if the viewer does not know it."""
    is_open: bool
    """Whether the viewer sees the hand."""
    picked_up: bool
    """Whether everybody has seen it come from the discard pile."""


def knows(viewer: int, player: int) -> bool:
    """Whether a viewer sees a seat's hand."""
    return viewer in (NOBODY, player)


def hand(state: State, viewer: int, player: int) -> list[Card]:
    """Return a seat's cards in the order of the alphabet, the unknown ones last."""
    cards, hidden = [], 0
    for kind in ALPHABETICAL:
        held, seen = int(state.hands[player, kind]), int(state.picked_up[player, kind])
        if knows(viewer, player):
            cards += [Card(kind, True, i < seen) for i in range(held)]
        else:
            cards += [Card(kind, False, True)] * seen
            hidden += held - seen
    return cards + [Card(NO_CARD, False, False)] * hidden


def words(state: State, player: int) -> list[Word]:
    """Return what a seat has laid in this hand, the word being spelled last."""
    ends = [int(end) for end in state.word_ends[player, : state.num_words[player]]]
    laid = [int(kind) for kind in state.laid[player, : state.num_laid[player]]]
    found = _cut(laid, ends, [int(verdict) for verdict in state.verdicts[player]])
    rest = tuple(laid[ends[-1] if ends else 0 :])
    return [*found, Word(rest, 0, finished=False)] if rest else found


def last_words(state: State, player: int) -> list[Word]:
    """Return what a seat had laid in the hand that finished last."""
    ends = [int(end) for end in state.last_word_ends[player, : state.last_num_words[player]]]
    laid = [int(kind) for kind in state.last_laid[player]]
    return _cut(laid, ends, [int(verdict) for verdict in state.last_verdicts[player]])


def _cut(laid: list[int], ends: list[int], verdicts: list[int]) -> list[Word]:
    starts = [0, *ends[:-1]]
    return [
        Word(tuple(laid[start:end]), verdict)
        for start, end, verdict in zip(starts, ends, verdicts, strict=False)
    ]


def choices(state: State, params: Params, viewer: int) -> BoolArray:
    """Return which actions are legal now; none to who does not know the hand that decides it."""
    mask = np.zeros(len(action_names(params)), np.bool_)
    if state.phase != OVER and knows(viewer, int(state.current_player)):
        legal_action_mask(state, mask)
    return mask


def legal_names(state: State, params: Params, viewer: int) -> list[str]:
    """Return the names of what is legal now, likewise."""
    mask = choices(state, params, viewer)
    return [name for name, legal in zip(action_names(params), mask, strict=True) if legal]


def worths(state: State, viewer: int, player: int) -> dict[int, int]:
    """Return what the words and the cards left are worth by the kind discarded.

    Only where words are laid by themselves, of the seat that discards, to who knows its hand.
    """
    acts = state.phase == MELD and player == state.current_player
    if state.meld != BY_ITSELF or not acts or not knows(viewer, player):
        return {}
    return {kind: int(state.worth[kind]) for kind in ALPHABETICAL if state.hands[player, kind]}
