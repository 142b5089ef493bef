"""What a viewer may see of a table of Quiddler: hands, words, and the worth of discards.

Everything that shows a table gets them from here. Only viewers who know a hand are shown it, and
only its verdict tells whether a word is valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kitchentable.games.quiddler.cards import CARD_NAMES, LETTERS, NO_CARD, NUM_KINDS, VALUES
from kitchentable.games.quiddler.piles import sees_hand
from kitchentable.games.quiddler.state import (
    BONUS_LONGEST,
    BONUS_MOST,
    BONUSES,
    BY_ITSELF,
    MELD,
    REJECTED,
    UNCHALLENGED,
    Params,
    State,
)
from kitchentable.render import view as shared

View = shared.View[State, Params]

ALPHABETICAL = sorted(range(NUM_KINDS), key=CARD_NAMES.__getitem__)
"""Kinds in the order of the alphabet, in which hands are shown."""


def points(kinds: Sequence[int]) -> int:
    """Return the total points of some cards."""
    return sum(int(VALUES[kind]) for kind in kinds)


def written(kinds: Sequence[int]) -> str:
    """Return a word with brackets around the letters that share a card: ``(qu)it``."""
    names = (CARD_NAMES[kind] for kind in kinds)
    return "".join(name if len(name) == 1 else f"({name})" for name in names)


def written_plainly(kinds: Sequence[int]) -> str:
    """Return a word without showing which letters share a card: ``quit``."""
    return "".join(CARD_NAMES[kind] for kind in kinds)


class Word(NamedTuple):
    """A word on the table, finished or still being spelled."""

    kinds: tuple[int, ...]
    verdict: int = UNCHALLENGED
    finished: bool = True

    @property
    def points(self) -> int:
        """Points of its cards, negative if the word has been rejected."""
        return -points(self.kinds) if self.verdict == REJECTED else points(self.kinds)

    @property
    def letters(self) -> int:
        """Number of letters; some cards have two."""
        return sum(int(LETTERS[kind]) for kind in self.kinds)

    def __str__(self) -> str:
        """Return the word as `written` does."""
        return written(self.kinds)


class Card(NamedTuple):
    """A card in a hand as a viewer sees it."""

    kind: int
    """`NO_CARD` if the viewer does not know it."""
    is_open: bool
    """Whether the viewer sees the hand."""
    picked_up: bool
    """Whether everybody saw it taken from the discard pile."""


def knows(view: View, player: int) -> bool:
    """Whether the viewer sees a seat's hand."""
    return sees_hand(view.viewer, player)


def hand(view: View, player: int) -> list[Card]:
    """Return a seat's cards in alphabetical order, the unknown ones last."""
    hands, picked_up = view.state.hands[player].tolist(), view.state.picked_up[player].tolist()
    cards, hidden = [], 0
    for kind in ALPHABETICAL:
        held, seen = hands[kind], picked_up[kind]
        if knows(view, player):
            cards += [Card(kind, True, i < seen) for i in range(held)]
        else:
            cards += [Card(kind, False, True)] * seen
            hidden += held - seen
    return cards + [Card(NO_CARD, False, False)] * hidden


def given_bonuses(params: Params) -> list[int]:
    """Return the bonuses that are given at a table: `BONUS_LONGEST`, `BONUS_MOST` or both."""
    has_both = params.num_players > 2
    both = (BONUS_LONGEST, BONUS_MOST)
    return [one for one in both if has_both or BONUSES[one] == params.two_player_bonus]


def top_discard(state: State) -> str:
    """Return the name of the card on top of the discard pile."""
    top: str = CARD_NAMES[state.pile[state.pile_size - 1]]
    return top


def words(state: State, player: int) -> list[Word]:
    """Return a seat's words in this hand, the word being spelled last."""
    ends = [int(end) for end in state.word_ends[player, : state.num_words[player]]]
    laid = [int(kind) for kind in state.laid[player, : state.num_laid[player]]]
    finished = _cut(laid, ends, [int(verdict) for verdict in state.verdicts[player]])
    rest = tuple(laid[ends[-1] if ends else 0 :])
    return [*finished, Word(rest, finished=False)] if rest else finished


def last_words(state: State, player: int) -> list[Word]:
    """Return a seat's words in the last finished hand."""
    ends = [int(end) for end in state.last_word_ends[player, : state.last_num_words[player]]]
    laid = [int(kind) for kind in state.last_laid[player]]
    return _cut(laid, ends, [int(verdict) for verdict in state.last_verdicts[player]])


def _cut(laid: list[int], ends: list[int], verdicts: list[int]) -> list[Word]:
    starts = [0, *ends[:-1]]
    return [
        Word(tuple(laid[start:end]), verdict)
        for start, end, verdict in zip(starts, ends, verdicts, strict=False)
    ]


def worths(view: View, player: int) -> dict[int, int]:
    """Return the points of the best arrangement by discarded kind.

    Empty except with ``meld="auto"``, for the seat that discards, if the viewer knows its hand.
    """
    state = view.state
    acts = state.phase == MELD and player == state.current_player
    if state.meld != BY_ITSELF or not acts or not knows(view, player):
        return {}
    return {kind: int(state.worth[kind]) for kind in ALPHABETICAL if state.hands[player, kind]}
