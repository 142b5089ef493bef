"""What Quiddler Solitaire is played with: actions, parameters, and the record of a game."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.parameters import TableParams, check_choice, check_range
from kitchentable.core.rewards import REWARDS
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
        ValueError: a value is impossible; says what is possible.
    """

    num_players: int = 1
    """Always 1."""
    lexicon: str | os.PathLike[str] | Lexicon | Sequence[str] = "scowl60"
    """``"scowl60"``, ``"scowl35"``, a path to a word list, a `Lexicon`, or a list of words."""

    def __post_init__(self) -> None:
        check_range("quiddler_solitaire", "num_players", self.num_players, 1, 1)
        check_choice("quiddler_solitaire", "reward", self.reward, REWARDS)
        object.__setattr__(self, "lexicon", read_lexicon(self.lexicon))

    def plain(self) -> dict[str, Any]:
        """Return the parameters as JSON has them: an own word list by its words."""
        return self.as_dict() | {"lexicon": plain_lexicon(self.lexicon)}


class State(TableState):
    """Everything there is to know about one game."""

    # The table.
    stacks: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS, STACK_SIZE)]
    """Kinds by stack, the lowest card first; the last of ``heights`` lies open, the others face
    down. Cards of the word being spelled still lie here."""
    heights: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS,)]
    """Cards in each stack, the open one included."""
    used: Annotated[int, np.int8]
    """Cards in the words made."""
    words: Annotated[NDArray[np.int8], np.int8, (NUM_DEALT,)]
    """Their kinds, word after word."""
    word_ends: Annotated[NDArray[np.int8], np.int8, (MAX_WORDS,)]
    """Where each word ends in ``words``."""
    num_words: Annotated[int, np.int8]
    won: Annotated[bool, np.bool_]
    # The word being spelled.
    placed: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS,)]
    """The stacks whose cards spell it, in order; -1 after the last."""
    num_placed: Annotated[int, np.int8]
    node: Annotated[int, np.int32]
    """Where it has led to in the graph of words."""
    left: Annotated[int, np.int16]
    """The stacks whose open cards are not in it: bit i is stack i."""
    next_kinds: Annotated[int, np.uint32]
    """The kinds that may follow: bit k is kind k."""
    may_end: Annotated[bool, np.bool_]
    """Whether it is a word."""
    winning_kinds: Annotated[int, np.uint32]
    """Once all cards are open: of these, the kinds with which all cards can still be used."""
    wins_by_ending: Annotated[bool, np.bool_]
    """Likewise: whether they can if the word ends here."""


def action_names(params: Params) -> tuple[str, ...]:
    """Name each action."""
    del params
    return (*(f"place:{i}" for i in range(NUM_STACKS)), "word")
