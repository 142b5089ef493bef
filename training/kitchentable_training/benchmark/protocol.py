"""The protocol of the benchmark: tables, budgets, seeds and held deals. A change is a new version.

The score of a player at a table is what the table pays it a game, on a straight line on which the
player `random` is 0 and the reference player, the strongest scripted one that is fast, is 1. Among
rivals, the payoff is that against the reference player in all other seats: points (the reward
``margin``), not wins, because whoever is only somewhat better than random play wins next to nothing
against it, and a rate that stays at 0 says nothing about early learning. Seats that cooperate, or
are alone, have the payoff that they get themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from kitchentable import Game, find_game
from kitchentable.core.rewards import POINTS_PER_UNIT
from kitchentable.players.scripted import Player
from kitchentable_training.evaluate.duplicate import measure
from kitchentable_training.exact.exploitability import exploitability
from kitchentable_training.exact.tree import GameTree
from kitchentable_training.players.by_name import make_player
from kitchentable_training.settings import did_you_mean

PROTOCOL = "kitchentable-1"
SEEDS = (1, 2, 3, 4, 5)
BUDGETS = ("1M", "10M", "100M")
HELD_SEED = 20_261_122
"""Of the deals that players are measured on; neither training nor evaluations on the way use it."""


@dataclass(frozen=True)
class Table:
    """A table of the benchmark, as entries are given it.

    Attributes:
        name: in results.
        game: the name of the game.
        params: the game's parameters.
        deals: held deals that each player is measured on; so many that it takes less than a minute
            of one core.
        random: what the player `random` is paid a game on these deals, as a score is made of it.
        expert: what the reference player is paid.
        reference: the name of that player.
        value: points that the first seat wins at equilibrium, of small tables alone, which can be
            walked whole.
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
        """Return the game, and its parameters as it makes them."""
        game = find_game(self.game)
        return game, game.make_params(**self.params)

    def tree(self) -> GameTree:
        """Return the whole tree of a small table; it is walked once in a process."""
        return _tree(self)

    def measure(self, player: Player) -> dict[str, Any]:
        """Measure a player on the held deals.

        Args:
            player: who.

        Returns:
            Under ``"opponents"`` what `duplicate.measure` found against (or beside) `random`,
            `greedy` and the reference player; ``"score"`` and its 95 % ``"score_interval"``; and at
            a small table ``"exploitability"``, exact, in points a game.
        """
        found = {name: self._play(player, name) for name in ("random", "greedy", self.reference)}
        against = found[self.reference]
        result = {
            "opponents": found,
            "score": self.score(against["payoff"]),
            "score_interval": [self.score(end) for end in against["payoff_interval"]],
        }
        if self.value is not None:
            found_exactly = exploitability(self.tree(), self.tree().policy(player))
            result["exploitability"] = POINTS_PER_UNIT * found_exactly.exploitability
        return result

    def _play(self, player: Player, name: str) -> dict[str, Any]:
        """Return what `duplicate.measure` finds against a scripted player on the held deals."""
        game, params = self.load()
        opponent = make_player(name, game, params, seed=2)
        against = [opponent], game, params, self.deals
        results = measure(player, *against, seed=HELD_SEED, player_seed=1)
        return dict(results["opponents"][name])

    def score(self, payoff: float) -> float:
        """Return a payoff as a score: 0 is `random`, 1 the reference player."""
        return (payoff - self.random) / (self.expert - self.random)

    def references(self) -> tuple[float, float]:
        """Measure what `random` and the reference player are paid; the fields are such figures."""
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
"""The games as people play them. What ``random`` and ``expert`` are paid was measured by
``kitchentable benchmark --references``. In Solitaire the reference player is `quick`, as `rollout`,
the strongest one, plays whole games out for every decision."""
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
"""Small games by the same rules: one hand, few cards. What they are worth at equilibrium was found
by ``python -m benchmarks exact``."""
TABLES = {table.name: table for table in (*STANDARD, *SIBLINGS)}


@cache
def _tree(table: Table) -> GameTree:
    return GameTree(*table.load())


def find_table(name: str) -> Table:
    """Return the table of that name.

    Raises:
        ValueError: there is none; says which there are.
    """
    if name not in TABLES:
        close = did_you_mean(name, list(TABLES)) or f"; {PROTOCOL} has {', '.join(TABLES)}"
        raise ValueError(f"there is no table {name!r}{close}")
    return TABLES[name]


@dataclass(frozen=True)
class Budget:
    """How much an entry may learn from: decisions, or minutes of one core's processor time.

    Attributes:
        name: as it is written: ``10M``, ``5min``.
        decisions: or None.
        minutes: or None.
    """

    name: str
    decisions: int | None = None
    minutes: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read a budget.

        Raises:
            ValueError: it is none; says how one is written.
        """
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(k|M|min)?", text)
        amount = float(found[1]) if found else 0.0
        if found and found[2] == "min" and amount > 0:
            return cls(text, minutes=amount)
        decisions = int(amount * {"k": 1_000, "M": 1_000_000}.get(found[2], 1)) if found else 0
        if decisions < 1 or (found and found[2] == "min"):
            raise ValueError(
                f"{text!r} is not a budget; write decisions as in 10M or 500k, or minutes of one "
                "core as in 5min"
            )
        return cls(text, decisions=decisions)

    def spent(self, decisions: int, processor_seconds: float) -> float:
        """Return the share that is spent, 1 when all is, for schedules and loops.

        Args:
            decisions: learned from so far.
            processor_seconds: taken so far.
        """
        if self.decisions is not None:
            return decisions / self.decisions
        assert self.minutes is not None
        return processor_seconds / (60 * self.minutes)

    @property
    def order(self) -> tuple[bool, float]:
        """What budgets are sorted by: decisions before minutes, small ones first."""
        return self.minutes is not None, self.decisions or self.minutes or math.inf
