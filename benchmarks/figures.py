"""Fiddlefoo's published figures: the designer's own simulation, played on this engine.

Random legal play in which everybody throws each possible card with probability 0.9, with two to
four seats and a window of eight cells. The published figures count the active seat among those who
throw at it, by mistake; so each figure is given without and with what that seat would have thrown.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import find_game
from kitchentable.engine.batch import Batch
from kitchentable.games.fiddlefoo.cards import NUM_BASE
from kitchentable.games.fiddlefoo.state import THROW

PUBLISHED = {"turns": 18.5, "turns with cards given": 0.92, "cards given": 2.8, "safe songs": 0.05}
"""A game; of all turns; in a turn in which any are given; of all turns."""
SEATS = (2, 3, 4)
GAMES = 4_000
THROWN = 0.9
WINDOW = 8

Bools = NDArray[np.bool_]


def measure(games: int = GAMES, seed: int = 0) -> dict[str, Any]:
    """Return the figures by number of seats, of all games together, and as published.

    Args:
        games: played with each number of seats.
        seed: of deals and play.
    """
    counts = {f"{seats} seats": _Simulation(seats, games, seed).play() for seats in SEATS}
    together = {name: sum(found[name] for found in counts.values()) for name in counts["2 seats"]}
    rows = {name: _figures(found) for name, found in (*counts.items(), ("2-4 seats", together))}
    return {"games": games, "probability": THROWN, "rows": rows, "published": PUBLISHED}


def _figures(found: dict[str, int]) -> dict[str, float]:
    turns = found["turns"]
    return {
        "turns": turns / found["games"],
        "turns with cards given": found["gifts"] / turns,
        "cards given": found["cards"] / found["gifts"],
        "safe songs": found["songs"] / turns,
        "turns with cards given, as published": found["gifts with own"] / turns,
        "cards given, as published": found["cards with own"] / found["gifts with own"],
    }


class _Simulation:
    """Games played side by side to their ends, and what is counted in them."""

    def __init__(self, seats: int, games: int, seed: int) -> None:
        game = find_game("fiddlefoo")
        self.batch = Batch(
            game, games, seed=seed, autoreset=False, num_players=seats, map_size=WINDOW
        )
        self.rng = np.random.default_rng(seed)
        self.declined = np.zeros((games, NUM_BASE), np.bool_)
        self.given = np.zeros(games, np.int64)
        """Cards thrown in the running turn."""
        self.own = np.zeros(games, np.int64)
        """Cards that the active seat itself would have thrown."""
        names = ("turns", "gifts", "cards", "songs", "gifts with own", "cards with own")
        self.counts = dict.fromkeys(names, 0) | {"games": games}

    def play(self) -> dict[str, int]:
        """Play all games to their ends."""
        batch, states = self.batch, self.batch.states
        at_throw, at_pass = int(states.at_throw[0]), int(states.at_pass[0])
        going = np.ones(batch.num_envs, np.bool_)
        while going.any():
            actions = np.where(going, self._choose(), -1)
            movers, piles = batch.current_player.copy(), states.deck_size.astype(np.int64)
            batch.step(actions)
            added = (actions >= NUM_BASE) & (actions < at_throw)
            self.given += (actions >= at_throw) & (actions < at_pass)
            self._count_turn(added)
            songs = added & states.safe
            self.own[added] = self._own_cards(movers)[added]
            self.counts["songs"] += int(songs.sum())
            # Whoever cannot play draws a card; only Safe Songs draw one besides.
            drawn = piles - states.deck_size
            self.counts["turns"] += int((added + drawn - songs).sum())
            going &= ~(states.terminated | states.truncated)
        self._count_turn(np.ones(batch.num_envs, np.bool_))
        return self.counts

    def _count_turn(self, over: Bools) -> None:
        """Count the cards of the turns that have come to an end."""
        for name, cards in (("", self.given), (" with own", self.given + self.own)):
            self.counts["gifts" + name] += int((cards[over] > 0).sum())
            self.counts["cards" + name] += int(cards[over].sum())
        self.given[over] = 0
        self.own[over] = 0
        self.declined[over] = False

    def _choose(self) -> NDArray[np.int64]:
        """Choose at random; of the cards that may be thrown, each with its probability."""
        states, masks = self.batch.states, self.batch.masks
        at_throw, at_pass = int(states.at_throw[0]), int(states.at_pass[0])
        possible = masks[:, at_throw:at_pass] & ~self.declined
        wanted = possible & (self.rng.random(possible.shape) < THROWN)
        self.declined |= possible & ~wanted
        throws = np.where(wanted.any(axis=1), at_throw + self._pick(wanted), at_pass)
        return np.where(states.phase == THROW, throws, self._pick(masks))

    def _pick(self, masks: Bools) -> NDArray[np.int64]:
        """Pick one of the marked places of each row at random."""
        return np.argmax(self.rng.random(masks.shape) * masks, axis=1)

    def _own_cards(self, movers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many cards the active seats themselves would throw at their pairs."""
        states = self.batch.states
        hands = states.hands[np.arange(self.batch.num_envs), movers, 0]
        in_range = np.bitwise_count(hands & states.fits_range[:, 0])
        by_notes = np.bitwise_count(hands & states.fits_notes[:, 0])
        cards = self.rng.binomial(in_range, THROWN)
        return np.where(
            cards > 0, cards, self.rng.random(len(cards)) < 1 - (1 - THROWN) ** by_notes
        )
