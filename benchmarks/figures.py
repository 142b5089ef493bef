"""Published figures of Fiddlefoo: the designer's own simulation, repeated on this engine.

Play is random, and every seat throws each possible card with probability 0.9, with two to four
seats and a window of eight cells. By mistake, the published figures count the active seat among
those that throw at it; so each figure is given without and with that seat's throws.
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
"""Turns per game; share of all turns; cards per turn with any; share of all turns."""
SEATS = (2, 3, 4)
GAMES = 4_000
THROWN = 0.9
WINDOW = 8

Bools = NDArray[np.bool_]


def measure(games: int = GAMES, seed: int = 0) -> dict[str, Any]:
    """Return the figures by number of seats and of all games together, and the published ones.

    Args:
        games: the number of games for each number of seats.
        seed: the seed of deals and play.
    """
    counts = {f"{seats} seats": _Simulation(seats, games, seed).play() for seats in SEATS}
    together = {
        name: sum(seat_counts[name] for seat_counts in counts.values())
        for name in counts["2 seats"]
    }
    rows = {
        name: _figures(seat_counts)
        for name, seat_counts in (*counts.items(), ("2 to 4 seats", together))
    }
    return {"games": games, "probability": THROWN, "rows": rows, "published": PUBLISHED}


def _figures(counts: dict[str, int]) -> dict[str, float]:
    turns = counts["turns"]
    return {
        "turns": turns / counts["games"],
        "turns with cards given": counts["gifts"] / turns,
        "cards given": counts["cards"] / counts["gifts"],
        "safe songs": counts["songs"] / turns,
        "turns with cards given, as published": counts["gifts with own"] / turns,
        "cards given, as published": counts["cards with own"] / counts["gifts with own"],
    }


class _Simulation:
    """Games that are played in parallel to their ends, and their counts."""

    def __init__(self, seats: int, games: int, seed: int) -> None:
        game = find_game("fiddlefoo")
        self.batch = Batch(
            game, games, seed=seed, autoreset=False, num_players=seats, map_size=WINDOW
        )
        self.rng = np.random.default_rng(seed)
        self.declined = np.zeros((games, NUM_BASE), np.bool_)
        self.given = np.zeros(games, np.int64)
        """The number of cards thrown in the current turn."""
        self.own = np.zeros(games, np.int64)
        """The number of cards that the active seat itself would have thrown."""
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
            # A seat that cannot play draws a card; apart from that only Safe Songs draw one.
            drawn = piles - states.deck_size
            self.counts["turns"] += int((added + drawn - songs).sum())
            going &= ~(states.terminated | states.truncated)
        self._count_turn(np.ones(batch.num_envs, np.bool_))
        return self.counts

    def _count_turn(self, over: Bools) -> None:
        """Count the cards of the turns that have ended."""
        for name, cards in (("", self.given), (" with own", self.given + self.own)):
            self.counts["gifts" + name] += int((cards[over] > 0).sum())
            self.counts["cards" + name] += int(cards[over].sum())
        self.given[over] = 0
        self.own[over] = 0
        self.declined[over] = False

    def _choose(self) -> NDArray[np.int64]:
        """Choose at random; each card that may be thrown is thrown with probability `THROWN`."""
        states, masks = self.batch.states, self.batch.masks
        at_throw, at_pass = int(states.at_throw[0]), int(states.at_pass[0])
        possible = masks[:, at_throw:at_pass] & ~self.declined
        chosen = possible & (self.rng.random(possible.shape) < THROWN)
        self.declined |= possible & ~chosen
        throws = np.where(chosen.any(axis=1), at_throw + self._pick(chosen), at_pass)
        return np.where(states.phase == THROW, throws, self._pick(masks))

    def _pick(self, masks: Bools) -> NDArray[np.int64]:
        """Sample one of the marked indices of each row."""
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
