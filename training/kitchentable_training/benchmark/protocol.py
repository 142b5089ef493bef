"""The protocol of the benchmark: tables, budgets, seeds and deals. A change is a new version.

The score of a player at a table is its mean payoff per game on a linear scale, on which the player
`random` has 0 and the reference player has 1. The reference player is the strongest fast scripted
player. Among rivals, the payoff is measured with the reference player in all other seats. It counts
points (the reward ``margin``), not wins: a player that is only somewhat better than random play
wins almost never against the reference player, so win rates would not show early learning. For
seats that cooperate or are alone, their own payoff counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from kitchentable import Game, find_game
from kitchentable.players.scripted import Player
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import measure
from kitchentable_training.exact.exploitability import measure as measure_exactly
from kitchentable_training.exact.tree import GameTree
from kitchentable_training.players.by_name import make_player
from kitchentable_training.settings import did_you_mean

PROTOCOL = "kitchentable-1"
SEEDS = (1, 2, 3, 4, 5)
BUDGETS = ("1M", "10M", "100M")


@dataclass(frozen=True)
class Table:
    """A table of the benchmark, as it is given to entries.

    Attributes:
        name: the name in results.
        game: the name of the game.
        params: the game's parameters.
        deals: the number of deals on which each player is measured, chosen so that it takes less
            than a minute of one core.
        random: the mean payoff of the player `random` on these deals, for the score.
        expert: the mean payoff of the reference player.
        reference: the name of the reference player.
        value: the points that the first seat wins at equilibrium, for small tables; None for
            tables whose game tree is too large.
    """

    name: str
    game: str
    params: Mapping[str, Any] = field(hash=False)
    deals: int
    random: float
    expert: float = 0.0
    reference: str = "expert"
    value: float | None = None

    def load(self) -> tuple[Game, Any]:
        """Return the game and its parameters, made by ``make_params``."""
        game = find_game(self.game)
        return game, game.make_params(**self.params)

    def tree(self) -> GameTree:
        """Return the whole game tree of a small table, built once per process."""
        return _tree(self)

    def measure(self, player: Player) -> dict[str, Any]:
        """Measure a player on the benchmark's deals (`Deals.BENCHMARK`).

        Args:
            player: the player.

        Returns:
            Under ``"opponents"`` the results of `duplicate.measure` for `random`, `greedy` and the
            reference player; ``"score"`` and its 95 % ``"score_interval"``; and at a small table
            the exact ``"exploitability"``, in points per game. For a player that does not tell its
            probabilities it is an estimate, with its ``"exploitability_error"``.
        """
        found = {name: self._play(player, name) for name in ("random", "greedy", self.reference)}
        against = found[self.reference]
        result = {
            "opponents": found,
            "score": self.score(against["payoff"]),
            "score_interval": [self.score(end) for end in against["payoff_interval"]],
        }
        if self.value is not None:
            exactly, error = measure_exactly(self.tree(), player)
            result["exploitability"] = exactly.exploitability
            if error > 0.0:
                result["exploitability_error"] = error
        return result

    def _play(self, player: Player, name: str) -> dict[str, Any]:
        """Return the result of `duplicate.measure` for a scripted player on the deals."""
        game, params = self.load()
        opponent = make_player(name, game, params, seed=2)
        against = [opponent], game, params, self.deals
        results = measure(player, *against, seed=Deals.BENCHMARK, player_seed=1)
        return dict(results["opponents"][name])

    def score(self, payoff: float) -> float:
        """Return the score of a payoff: 0 for `random`, 1 for the reference player."""
        return (payoff - self.random) / (self.expert - self.random)

    def references(self) -> tuple[float, float]:
        """Measure the payoffs of `random` and of the reference player, for these attributes."""
        random, expert = (
            self._play(make_player(name, *self.load()), self.reference)["payoff"]
            for name in ("random", self.reference)
        )
        return round(random, 4), round(expert, 4)


POINTS = {"reward": "margin"}
STANDARD = (
    Table("diddly_2p", "diddly", POINTS | {"num_players": 2}, 1000, random=-10.2251),
    Table("diddly_4p", "diddly", POINTS | {"num_players": 4}, 250, random=-10.1384),
    Table("quiddler_auto", "quiddler", POINTS | {"meld": "auto"}, 1000, random=-13.0213),
    Table("quiddler_spell", "quiddler", POINTS | {"meld": "spell"}, 500, random=-22.4968),
    Table("fiddlefoo_2p", "fiddlefoo", POINTS, 2000, random=-0.827),
    Table("fiddlefoo_team", "fiddlefoo", POINTS | {"cooperative": True}, 1000, 0.0075, 0.8223),
    Table("addtoo_2p", "addtoo", POINTS, 500, random=-13.843),
    Table("solitaire", "quiddler_solitaire", {"reward": "win"}, 2000, 0.0185, 0.6295, "quick"),
)
"""The games as people play them. The payoffs ``random`` and ``expert`` were measured by
``kitchentable benchmark --references``. In Solitaire the reference player is `quick`, as `rollout`,
the strongest one, plays whole games for every decision."""
ONE_HAND = POINTS | {"max_hands": 1, "target": 1}
SIBLINGS = (
    Table(
        "diddly_small", "diddly",
        POINTS | {"cards": 2, "rounds": 1, "turn_limit": 2, "copies": {"1": 3, "5": 3, "9": 3}},
        2000, random=-0.469, value=1.159,
    ),
    Table(
        "quiddler_small", "quiddler",
        POINTS | {
            "meld": "auto", "hand_sizes": [3], "max_turns": 1, "two_player_bonus": "none",
            "copies": {"a": 5, "e": 1, "t": 5}, "lexicon": ["at", "eat", "tat", "tea"],
        },
        2000, random=-0.3142, value=0.596,
    ),
    Table(
        "addtoo_small", "addtoo",
        ONE_HAND | {
            "hand": 2, "diamonds": ["1-9", "3-5", "5-6", "5-7", "5-9", "6-10", "8-9"],
        },
        2000, random=-0.634, value=0.0,
    ),
)  # fmt: skip
"""Small games with the same rules: one hand, few cards. Their values at equilibrium were computed
by ``python -m benchmarks exact``."""
TABLES = {table.name: table for table in (*STANDARD, *SIBLINGS)}


@cache
def _tree(table: Table) -> GameTree:
    return GameTree(*table.load())


def find_table(name: str) -> Table:
    """Return a table by its name.

    Raises:
        ValueError: there is no such table.
    """
    if name not in TABLES:
        close = did_you_mean(name, list(TABLES)) or f"; {PROTOCOL} has {', '.join(TABLES)}"
        raise ValueError(f"there is no table {name!r}{close}")
    return TABLES[name]


class Budget(NamedTuple):
    """How much an entry may learn.

    Attributes:
        name: the budget as text: ``10M``.
        decisions: the number of decisions.
    """

    name: str
    decisions: int

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Parse a budget.

        Raises:
            ValueError: the text is not a budget.
        """
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(k|M)?", text)
        unit = {"k": 1_000, "M": 1_000_000}
        decisions = int(float(found[1]) * unit.get(found[2], 1)) if found else 0
        if decisions < 1:
            raise ValueError(f"{text!r} is not a budget; write decisions as in 10M or 500k")
        return cls(text, decisions)
