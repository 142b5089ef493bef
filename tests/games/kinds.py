"""Helpers for games with a deck of kinds of cards, of which some are in a discard pile."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from tests.games import table
from tests.games.duel import shuffled


class Kinds:
    """The kinds of cards of a game, which the engine numbers from 0."""

    def __init__(self, copies: Mapping[str, int]) -> None:
        """Number the kinds of the real deck, given by the number of copies of each."""
        self.copies, self.all = copies, list(copies)

    def numbers(self, names: Iterable[str]) -> NDArray[np.int8]:
        """Return the engine's ids of cards."""
        return np.array([self.all.index(name) for name in names], np.int8)

    def names(self, cards: Iterable[Any]) -> list[str]:
        """Return the names of cards from the engine's ids."""
        ids = cards.tolist() if isinstance(cards, np.ndarray) else cards
        return [self.all[card] for card in ids]

    def full_deck(self, copies: Any = None) -> list[str]:
        """Return all cards of the real deck, or of one with the parameter ``copies``."""
        counts = self.copies if copies is None else Counter(dict(copies))
        return [kind for kind in self.all for _ in range(counts[kind])]

    def deck_of(self, seed: Any, number: int, copies: Any = None) -> list[str]:
        """Return the deck of a hand, top first; it depends on the game's seed alone."""
        return self.names(shuffled(seed, number, self.numbers(self.full_deck(copies))))

    def whole_deck(self, state: Any) -> Counter[str]:
        """Return the number of cards of each kind in a game's deck."""
        return Counter(dict(zip(self.all, map(int, state.copies), strict=True)))

    def shares(self, cards: Iterable[str]) -> list[float]:
        """Return the number of cards of each kind as a fraction of all its copies."""
        counts = Counter(cards)
        return [counts[kind] / self.copies[kind] for kind in self.all]


class Table(table.Table):
    """A table with a draw pile and a discard pile."""

    kinds: ClassVar[Kinds]

    def __init__(self, *hands: str, then: str = "", **params: Any) -> None:
        """Deal a game.

        Args:
            hands: the cards of each seat, player_0 first; they set the number of seats.
            then: the first discard and the cards to be drawn.
            params: parameters of the game.
        """
        seats = {"num_players": len(hands)} if hands else {}
        super().__init__(table.rig(*hands, then=then), **seats | params)

    @property
    def pile(self) -> list[str]:
        """The discard pile, top last."""
        return self.kinds.names(self.state.pile[: self.state.pile_size])

    def put_deck_under_pile(self, *keep: str) -> Self:
        """Put the deck under the discard pile, as if it had been played.

        Args:
            keep: cards that stay in the deck, top first.
        """
        state = self.state
        cards = self.kinds.names(state.deck[: state.deck_size])
        for card in keep:
            cards.remove(card)
        pile = self.kinds.numbers([*cards, *self.pile])
        state.pile[: len(pile)] = pile
        np.add.at(state.pile_counts, self.kinds.numbers(cards), 1)
        state.deck[:] = -1
        state.deck[: len(keep)] = self.kinds.numbers(keep[::-1])
        state.pile_size, state.deck_size = len(pile), len(keep)
        self.batch.look()
        return self
