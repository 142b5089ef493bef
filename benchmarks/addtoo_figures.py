"""Published figures of Add-Too, simulated on this engine.

Play is random, with the same probability for every legal play, with two to four seats. Each figure
has a 95% interval over hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import find_game
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo.state import AT_LAST, MAX_PLAYERS, MAX_TARGET, NUM_TILES

PUBLISHED: dict[int, dict[str, float]] = {
    2: {"plays": 11.7, "legal plays": 5.3, "turns that draw": 0.19, "hand score": 36},
    3: {"plays": 15.6, "legal plays": 5.4, "turns that draw": 0.18, "hand score": 31},
    4: {"plays": 19.0, "legal plays": 5.5, "turns that draw": 0.16, "hand score": 27},
}
"""By seats: plays per hand; legal plays per such turn; share of all turns; points per seat."""
PUBLISHED_ENDS = (0.94, 0.96)
"""The range of the share of hands that end with an empty hand."""
PUBLISHED_MOST = 32
"""The maximum number of legal plays in one turn."""
HANDS = 4_000

Counts = NDArray[np.int64]
Row = dict[str, tuple[float, float]]


def measure(hands: int = HANDS, seed: int = 0) -> dict[str, Any]:
    """Return every figure and half the width of its 95% interval, and the published ones, by seats.

    Args:
        hands: the number of hands for each number of seats.
        seed: the seed of deals and play.
    """
    for_all = {"ends with an empty hand": PUBLISHED_ENDS, "most legal plays": PUBLISHED_MOST}
    return {
        "hands": hands,
        "rows": {seats: _figures(_Simulation(seats, hands, seed).play()) for seats in PUBLISHED},
        "published": {seats: row | for_all for seats, row in PUBLISHED.items()},
    }


def _figures(counts: dict[str, Counts]) -> Row:
    ones = np.ones_like(counts["plays"])
    return {
        "plays": _ratio(counts["plays"], ones),
        "legal plays": _ratio(counts["legal"], counts["choices"]),
        "turns that draw": _ratio(counts["draws"], counts["turns"]),
        "hand score": _ratio(counts["scores"], counts["seats"]),
        "ends with an empty hand": _ratio(counts["out"], ones),
        "most legal plays": (float(counts["most"].max()), 0.0),
    }


def _ratio(above: Counts, below: Counts) -> tuple[float, float]:
    """Return a ratio of sums over hands and half its 95% interval; hands are independent."""
    ratio = above.sum() / below.sum()
    spread = np.sqrt(((above - ratio * below) ** 2).sum()) / below.sum()
    return float(ratio), float(1.96 * spread)


class _Simulation:
    """Hands that are played in parallel to their ends, and the counts of each."""

    def __init__(self, seats: int, hands: int, seed: int) -> None:
        self.batch = Batch(
            find_game("addtoo"), hands, seed=seed, autoreset=False,
            num_players=seats, max_hands=1, target=MAX_TARGET,
        )  # fmt: skip
        self.rng = np.random.default_rng(seed)
        names = ("plays", "legal", "choices", "turns", "draws", "most")
        self.counts = {name: np.zeros(hands, np.int64) for name in names}

    def play(self) -> dict[str, Counts]:
        """Play all hands to their ends."""
        batch, states = self.batch, self.batch.states
        while batch.masks.any():
            ways = _ways(states) * batch.masks[:, :NUM_TILES]
            choosing = ways.any(axis=1) & (states.num_laid > 0)
            self._count_choice(ways.sum(axis=1) * choosing)
            # A diamond in proportion to its ways, then any way, so all plays are equally likely.
            weights = np.where(choosing[:, None], ways, batch.masks[:, :NUM_TILES])
            tiles, places = self._pick(weights), AT_LAST + self._pick(batch.masks[:, AT_LAST:])
            actions = np.where(weights.any(axis=1), tiles, places)
            self._step(np.where(batch.masks.any(axis=1), actions, -1))
        scores = states.last_scores[:, : batch.num_players].sum(axis=1, dtype=np.int64)
        out = (states.hands[:, : batch.num_players] == 0).any(axis=1).astype(np.int64)
        seats = np.full_like(out, batch.num_players)
        return self.counts | {"scores": scores, "out": out, "seats": seats}

    def _count_choice(self, legal: Counts) -> None:
        self.counts["legal"] += legal
        self.counts["choices"] += legal > 0
        self.counts["most"] = np.maximum(self.counts["most"], legal)

    def _step(self, actions: Counts) -> None:
        """Play actions, and count the turns up to the next decision."""
        batch, states = self.batch, self.batch.states
        laid, sizes = states.num_laid.astype(np.int64), np.bitwise_count(states.hands)
        movers = batch.current_player.copy()
        batch.step(actions)
        laying = states.num_laid > laid
        remaining = sizes.astype(np.int64)
        remaining[laying, movers[laying]] -= 1
        drew = np.bitwise_count(states.hands).astype(np.int64) > remaining
        passed = (states.current_player - movers - 1) % batch.num_players
        all_passed = states.passes == batch.num_players
        ended = states.terminated | states.truncated
        passed = np.where(ended, np.where(all_passed, batch.num_players, 0), passed)
        self.counts["plays"] += laying
        self.counts["turns"] += laying * (1 + passed)
        self.counts["draws"] += laying * drew[:, :MAX_PLAYERS].sum(axis=1)

    def _pick(self, weights: NDArray[Any]) -> Counts:
        """Sample an index of each row, in proportion to the weights."""
        upto = np.cumsum(weights, axis=1, dtype=np.float64)
        below = upto <= self.rng.random(len(upto))[:, None] * upto[:, -1:]
        return np.asarray(below.sum(axis=1), np.int64)


def _ways(states: Any) -> Counts:
    """Return the number of ways in which each diamond could be laid; shape (hands, 45)."""
    ids, counts = np.arange(NUM_TILES, dtype=np.uint64), np.zeros((len(states), NUM_TILES), int)
    for tiles in (*states.last_tiles.T, *states.spot_tiles.T[: int(states.num_spots.max())]):
        counts += ((tiles[:, None] >> ids) & np.uint64(1)).astype(np.int64)
    return counts
