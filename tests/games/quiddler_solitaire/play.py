"""Helpers of the Quiddler Solitaire tests: a table in words."""

from __future__ import annotations

from itertools import chain

import numpy as np

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import Lexicon
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.solitaire import GAME, rules
from kitchentable.render.view import View

_WORDS = "at eat tea teat ate quit it in inn thin he err era her ear"
WORDS = Lexicon.from_words(_WORDS.split(" "))
NO_WORD = [*"bcdfgjkl"]
"""Open cards that spell no word."""


def numbers(names) -> list[int]:
    return [CARD_NAMES.index(name) for name in names]


class Table:
    """One game with given stacks: names of cards from the bottom to the open one."""

    def __init__(self, *stacks: str, lexicon: Lexicon = WORDS, **params) -> None:
        self.batch = Batch(GAME, 1, seed=1, autoreset=False, lexicon=lexicon, **params)
        self.state = self.batch.states[0]
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

    @property
    def legal(self) -> list[str]:
        return [self.batch.action_names[i] for i in np.flatnonzero(self.batch.masks[0])]

    def view(self, viewer: int) -> View:
        """Return a viewer's view of the table."""
        return View(GAME, self.state, self.batch.params, viewer)

    def play(self, actions: str) -> Table:
        """Place cards by the numbers of their stacks, or end the ``word``."""
        for name in actions.split():
            action = self.batch.action_names.index(name if name == "word" else f"place:{name}")
            self.batch.step(np.array([action]))
        return self


def full(*stacks: str) -> list[str]:
    """Return the stacks filled up to eight with single cards that spell no word."""
    return [*stacks, *NO_WORD[: 8 - len(stacks)]]


def flat(lists: list[list[str]]) -> list[str]:
    return list(chain.from_iterable(lists))


def stacks_of(state) -> list[list[str]]:
    pairs = zip(state.stacks, state.heights, strict=True)
    return [[CARD_NAMES[kind] for kind in stack[:height]] for stack, height in pairs]
