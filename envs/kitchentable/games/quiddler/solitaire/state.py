"""The actions, the parameters and the state record of Quiddler Solitaire."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.parameters import TableParams, check_range
from kitchentable.core.state import TableState
from kitchentable.games.quiddler.state import plain_lexicon
from kitchentable.games.quiddler.words.lexicon import Lexicon, read_lexicon

NUM_STACKS = 8
STACK_SIZE = 6
NUM_DEALT = NUM_STACKS * STACK_SIZE
MAX_WORDS = NUM_DEALT // 2

PLACE = 0  # + stack
WORD = PLACE + NUM_STACKS
NUM_ACTIONS = WORD + 1


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """Parameters of a game of Quiddler Solitaire.

    Raises:
        ValueError: a value is not possible; the message says what is.
    """

    num_players: int = 1
    """Always 1."""
    lexicon: str | os.PathLike[str] | Lexicon | Sequence[str] = "scowl60"
    """``"scowl60"``, ``"scowl35"``, a path to a word list, a `Lexicon`, or a list of words."""

    def __post_init__(self) -> None:
        check_range("quiddler_solitaire", "num_players", self.num_players, 1, 1)
        object.__setattr__(self, "lexicon", read_lexicon(self.lexicon))

    def plain(self) -> dict[str, Any]:
        """Return the parameters as JSON values; for a custom word list see `plain_lexicon`."""
        return self.as_dict() | {"lexicon": plain_lexicon(self.lexicon)}


class State(TableState):
    """The complete state of one game."""

    # The table.
    stacks: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS, STACK_SIZE)]
    """Kinds by stack, the lowest card first. The card at ``heights - 1`` is open, those below are
    face down. Includes the cards of the word being spelled."""
    heights: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS,)]
    """Number of cards in each stack, including the open one."""
    used: Annotated[int, np.int8]
    """Number of cards in the words made."""
    words: Annotated[NDArray[np.int8], np.int8, (NUM_DEALT,)]
    """Kinds of the words made, word after word."""
    word_ends: Annotated[NDArray[np.int8], np.int8, (MAX_WORDS,)]
    """The index in ``words`` after the last card of each word."""
    num_words: Annotated[int, np.int8]
    won: Annotated[bool, np.bool_]
    # The word being spelled.
    placed: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS,)]
    """The stacks of its cards in order, then -1."""
    num_placed: Annotated[int, np.int8]
    node: Annotated[int, np.int32]
    """The node of the word graph that it has reached."""
    left: Annotated[int, np.int16]
    """The set of stacks whose open cards are not in it: bit i is stack i."""
    next_kinds: Annotated[int, np.uint32]
    """The set of kinds that may follow: bit k is kind k."""
    may_end: Annotated[bool, np.bool_]
    """Whether it is a word already."""
    winning_kinds: Annotated[int, np.uint32]
    """Once all cards are open: those of ``next_kinds`` after which all can be used up."""
    wins_by_ending: Annotated[bool, np.bool_]
    """Once all cards are open: whether all can be used up if the word ends here."""


class HasStacks(Protocol):
    """A record with stacks: a table, or what the player knows of it."""

    stacks: NDArray[np.int8]
    heights: NDArray[np.int8]


UNRECORDED = ("lexicon",)


def action_names(params: Params) -> tuple[str, ...]:
    """Return the name of each action."""
    del params
    return (*(f"place:{i}" for i in range(NUM_STACKS)), "word")
