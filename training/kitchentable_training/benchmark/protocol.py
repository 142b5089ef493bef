"""The protocol of the benchmark: environments, budgets, seeds and deals. A change is a new version.

The score of a player in an environment is its mean payoff per game on a linear scale, on which the
player `random` has 0 and the reference player has 1. The reference player is the strongest fast
scripted player. Among rivals, the payoff is measured with the reference player in all other seats.
It counts points (the reward ``margin``), not wins: a player that is only somewhat better than
random play wins almost never against the reference player, so win rates would not show early
learning. For seats that cooperate or are alone, their own payoff counts.

In environments whose game tree is small enough, the distance from an equilibrium is measured too:
the exact exploitability divided by that of uniformly random play, so that 0 is an equilibrium and
1 is as exploitable as random play.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kitchentable import Game, find_game
from kitchentable.core.parameters import did_you_mean
from kitchentable.players.scripted import Player
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import measure
from kitchentable_training.exact.exploitability import exploitability
from kitchentable_training.exact.exploitability import measure as measure_exactly
from kitchentable_training.exact.tree import GameTree, game_tree
from kitchentable_training.players.by_name import make_player

PROTOCOL = "kitchentable-2"
BUDGETS = ("1M", "10M", "100M")
SHORT = 1_000_000
SEEDS = tuple(range(1, 11))
"""The seeds of short runs; longer ones have the first half (see `Budget.seeds`)."""


@dataclass(frozen=True)
class Environment:
    """An environment of the benchmark, as it is given to entries.

    Attributes:
        name: the name in results.
        game: the name of the game.
        params: the game's parameters.
        deals: the number of deals on which each player is measured, chosen so that it takes less
            than a minute of one core.
        random_payoff: the mean payoff of the player `random` on these deals, for the score.
        reference_payoff: the mean payoff of the reference player.
        reference: the name of the reference player.
        value: the points that the first seat wins at equilibrium; None for environments whose game
            tree is too large to be solved.
        uniform: the exploitability of uniformly random play, in points per game; None for these.
        is_large: whether the game tree takes minutes to build, so that exploitability is measured
            at the end only, not in learning curves.
    """

    name: str
    game: str
    params: Mapping[str, Any] = field(hash=False)
    deals: int
    random_payoff: float
    reference_payoff: float = 0.0
    reference: str = "expert"
    value: float | None = None
    uniform: float | None = None
    is_large: bool = False

    def load(self) -> tuple[Game, Any]:
        """Return the game and its parameters, made by ``make_params``."""
        game = find_game(self.game)
        return game, game.make_params(**self.params)

    def tree(self) -> GameTree:
        """Return the whole game tree of a small environment; see `exact.tree.game_tree`."""
        return game_tree(self.game, self.load()[1])

    def measure(self, player: Player) -> dict[str, Any]:
        """Measure a player on the benchmark's deals (`Deals.BENCHMARK`).

        Args:
            player: the player.

        Returns:
            Under ``"opponents"`` the results of `duplicate.measure` for `random` and the reference
            player; ``"score"`` and its 95% ``"score_interval"``; and where the game tree is known,
            the exact ``"exploitability"``, in points per game, and ``"distance"``, its share of
            that of uniformly random play. For a player that does not tell its probabilities these
            are estimates, with an ``"exploitability_error"``.
        """
        opponents = {name: self._play(player, name) for name in ("random", self.reference)}
        against = opponents[self.reference]
        result = {
            "opponents": opponents,
            "score": self.score(against["payoff"]),
            "score_interval": [self.score(end) for end in against["payoff_interval"]],
        }
        if self.uniform is not None:
            exactly, error = measure_exactly(self.tree(), player)
            result["exploitability"] = exactly.exploitability
            result["distance"] = exactly.exploitability / self.uniform
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
        return (payoff - self.random_payoff) / (self.reference_payoff - self.random_payoff)

    def references(self) -> dict[str, float]:
        """Measure both payoffs and, if the game tree is known, ``uniform``; by attribute."""
        figures = {
            key: round(self._play(make_player(name, *self.load()), self.reference)["payoff"], 4)
            for key, name in (("random_payoff", "random"), ("reference_payoff", self.reference))
        }
        if self.uniform is not None:
            tree = self.tree()
            figures["uniform"] = round(exploitability(tree, tree.uniform()).exploitability, 4)
        return figures


POINTS = {"reward": "margin"}
STANDARD = (
    Environment("diddly_2p", "diddly", POINTS | {"num_players": 2}, 1000, random_payoff=-10.2251),
    Environment("diddly_4p", "diddly", POINTS | {"num_players": 4}, 250, random_payoff=-10.1384),
    Environment(
        "quiddler_auto", "quiddler", POINTS | {"meld": "auto"}, 1000, random_payoff=-13.0213
    ),
    Environment(
        "quiddler_spell", "quiddler", POINTS | {"meld": "spell"}, 500, random_payoff=-22.4968
    ),
    Environment("fiddlefoo_2p", "fiddlefoo", POINTS, 2000, random_payoff=-0.827),
    Environment(
        "fiddlefoo_team", "fiddlefoo", POINTS | {"cooperative": True}, 1000, 0.0075, 0.8223
    ),
    Environment("addtoo_2p", "addtoo", POINTS, 500, random_payoff=-13.843),
    Environment(
        "solitaire", "quiddler_solitaire", {"reward": "win"}, 2000, 0.0185, 0.6295, "quick"
    ),
)
"""The games as people play them. The payoffs were measured by
``kitchentable benchmark --references``. In Solitaire the reference player is `quick`, as `rollout`,
the strongest one, plays whole games for every decision."""
ONE_HAND = POINTS | {"max_hands": 1, "target": 1}
ANCHORS = (
    Environment(
        "kuhn_poker", "kuhn_poker", POINTS, 20_000, -0.0206, 0.0, "cautious", -0.0556, 0.4583
    ),
    Environment(
        "leduc_poker", "leduc_poker", POINTS, 20_000, -0.1239, 0.0, "cautious", -0.0856, 2.3736
    ),
)
"""The games whose equilibria the literature knows, in chips. Both have only the scripted player
`cautious`, so it is the reference player."""
DIDDLY = POINTS | {"cards": 2, "rounds": 1, "turn_limit": 2}
QUIDDLER = POINTS | {
    "meld": "auto", "hand_sizes": [3], "max_turns": 1, "two_player_bonus": "none",
}  # fmt: skip
FIDDLEFOO = POINTS | {"map_size": 6}
SIBLINGS = (
    Environment(
        "diddly_small", "diddly", DIDDLY | {"copies": {"1": 3, "5": 3, "9": 3}},
        2000, random_payoff=-0.469, value=1.159, uniform=4.8891,
    ),
    Environment(
        "quiddler_small", "quiddler",
        QUIDDLER | {"copies": {"a": 5, "e": 1, "t": 5}, "lexicon": ["at", "eat", "tat", "tea"]},
        2000, random_payoff=-0.3142, value=0.597, uniform=3.3919,
    ),
    Environment(
        "fiddlefoo_small", "fiddlefoo",
        FIDDLEFOO | {
            "hand": 2,
            "copies": dict.fromkeys(("Y2", "Y6", "Y9", "Y13", "R1", "R5", "R8", "R12"), 1),
        },
        2000, random_payoff=-0.1978, value=0.791, uniform=2.6227,
    ),
    Environment(
        "addtoo_small", "addtoo",
        ONE_HAND | {
            "hand": 2, "diamonds": ["1-9", "3-5", "5-6", "5-7", "5-9", "6-10", "8-9"],
        },
        2000, random_payoff=-0.634, value=0.0, uniform=7.4413,
    ),
    Environment(
        "diddly_large", "diddly", DIDDLY | {"copies": {"1": 3, "5": 2, "9": 2, "D": 1, "S": 1}},
        2000, random_payoff=-0.4241, value=1.145, uniform=4.4945, is_large=True,
    ),
    Environment(
        "quiddler_large", "quiddler",
        QUIDDLER | {
            "copies": {"a": 4, "e": 3, "t": 3, "n": 1},
            "lexicon": [
                "at", "eat", "tat", "tea", "ate", "net", "ten", "tan", "ant", "neat", "teen",
            ],
        },
        2000, random_payoff=-0.4192, value=1.337, uniform=4.5718, is_large=True,
    ),
    Environment(
        "fiddlefoo_large", "fiddlefoo",
        FIDDLEFOO | {
            "hand": 3,
            "copies": dict.fromkeys(("Y2", "Y6", "Y9", "Y13", "R1", "R5", "R8", "R12", "R16"), 1),
        },
        2000, random_payoff=-0.2737, value=-0.66, uniform=4.6161, is_large=True,
    ),
    Environment(
        "addtoo_large", "addtoo",
        ONE_HAND | {
            "hand": 3, "diamonds": ["1-9", "3-5", "3-9", "5-6", "5-7", "5-9", "6-10", "8-9"],
        },
        2000, random_payoff=-1.3461, value=0.0, uniform=16.8491, is_large=True,
    ),
)  # fmt: skip
"""Small games with the same rules: one hand, few cards; about a million nodes, or tens of millions.
Their values at equilibrium were computed by ``python -m benchmarks exact``."""
ENVIRONMENTS = {environment.name: environment for environment in (*STANDARD, *ANCHORS, *SIBLINGS)}


def find_environment(name: str) -> Environment:
    """Return an environment by its name.

    Raises:
        ValueError: there is no such environment.
    """
    if name not in ENVIRONMENTS:
        close = (
            did_you_mean(name, list(ENVIRONMENTS)) or f"; {PROTOCOL} has {', '.join(ENVIRONMENTS)}"
        )
        raise ValueError(f"there is no environment {name!r}{close}")
    return ENVIRONMENTS[name]


class Budget(NamedTuple):
    """How much an entry may learn.

    Attributes:
        name: the budget as text: ``10M`` or ``5min``.
        limit: the number of decisions; None if only time is limited.
        minutes: the processor time in minutes; None if only decisions are limited.
    """

    name: str
    limit: int | None
    minutes: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Parse a budget.

        Raises:
            ValueError: the text is not a budget.
        """
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(k|M|min)?", text)
        amount, unit = (float(match[1]), match[2]) if match else (0.0, None)
        if unit == "min" and amount > 0:
            return cls(text, None, amount)
        decisions = round(amount * {None: 1, "k": 1_000, "M": 1_000_000}.get(unit, 0))
        if decisions < 1:
            raise ValueError(
                f"{text!r} is not a budget; write decisions as in 10M or 500k, or minutes of "
                "processor time as in 5min"
            )
        return cls(text, decisions)

    @property
    def decisions(self) -> int:
        """The number of decisions.

        Raises:
            ValueError: the budget is processor time.
        """
        if self.limit is None:
            raise ValueError(f"this entry needs a budget of decisions, as in 1M, not {self.name}")
        return self.limit

    @property
    def size(self) -> tuple[float, float]:
        """What budgets are ordered by."""
        return self.limit or 0, self.minutes or 0

    @property
    def seeds(self) -> tuple[int, ...]:
        """The protocol's seeds: all for a million decisions or less, half of them for more."""
        short = self.limit is not None and self.limit <= SHORT
        return SEEDS if short else SEEDS[: len(SEEDS) // 2]
