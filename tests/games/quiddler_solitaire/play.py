"""Helpers of the Quiddler Solitaire tests: a table in words."""

from tests.games import table
from tests.games.quiddler.play import numbers

from kitchentable.games.quiddler import Lexicon
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.solitaire import GAME, rules

_WORDS = "at eat tea teat ate quit it in inn thin he err era her ear"
WORDS = Lexicon.from_words(_WORDS.split(" "))
NO_WORD = [*"bcdfgjkl"]
"""Open cards that spell no word."""


class Table(table.Table):
    """A table with given stacks: names of cards from the bottom to the open one."""

    game = GAME

    def __init__(self, *stacks: str, lexicon: Lexicon = WORDS, **params) -> None:
        super().__init__(lexicon=lexicon, **params)
        self.state.stacks[:] = -1
        self.state.heights[:] = 0
        for i, names in enumerate(stacks):
            cards = names.split()
            self.state.stacks[i, : len(cards)] = numbers(cards)
            self.state.heights[i] = len(cards)
        self.state.used = 48 - sum(len(names.split()) for names in stacks)
        self.state.terminated = self.state.won = self.state.hand_over = False
        rules._begin_word(self.state)
        rules.look_ahead(self.state, *self.batch.tables)
        self.batch.look()

    @property
    def stacks(self) -> list[str]:
        return [" ".join(names) for names in stacks_of(self.state)]

    def names_of(self, action: str) -> list[str]:
        """Return the name of placing the card of a stack, given by its number."""
        return [f"place:{action}" if action.isdigit() else action]


def full(*stacks: str) -> list[str]:
    """Return the stacks filled up to eight with single cards that spell no word."""
    return [*stacks, *NO_WORD[: 8 - len(stacks)]]


def stacks_of(state) -> list[list[str]]:
    pairs = zip(state.stacks, state.heights, strict=True)
    return [[CARD_NAMES[kind] for kind in stack[:height]] for stack, height in pairs]
