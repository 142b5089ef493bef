"""Policy-space response oracles: a population, each member a best response to a mixture of others.

The method is that of Lanctot et al., "A unified game-theoretic approach to multiagent
reinforcement learning" (2017). A population begins with a random policy. Again and again, the
payoffs between its members are measured, the meta-game in which each seat chooses one of them is
solved, and an oracle learns a best response to the solution, which joins the population. Of the
paper's meta-solvers this is the exact Nash equilibrium, by a linear program, with which the method
is the double oracle algorithm. The solution of the last meta-game is exported and played: at the
start of a game each seat draws its member (see `networks.mixture`).

The oracle is `ppo` at league tables: it learns one seat, drawn anew in each game, and each other
seat draws a member. All responses have equal shares of the run's decisions. Each share includes
those of the members in the other seats, and of the games that measure payoffs: these are played on
the same deals from every seat, always to the end.

What differs from the paper:

- All seats share one population, as observations are relative to the seat. So the meta-game is
  symmetric, and for two seats one linear program solves it exactly. With more seats it is the game
  of one seat against the same member in all others, made zero-sum by taking a member's payoff among
  copies of another one minus the reverse: its solution is a heuristic.
- A response starts from the weights of the last one.
- A single seat or a team has nobody to respond to. Then there is one response, which takes the
  whole run: it is what `ppo` learns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from scipy.optimize import linprog
from stable_baselines3.common.logger import Logger

from kitchentable import Batch, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.core.state import Floats
from kitchentable.players.scripted import play_out
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.ppo import PPO
from kitchentable_training.algorithms.settings import PPOSettings, PSROSettings
from kitchentable_training.networks.mixture import Mixture
from kitchentable_training.networks.network import build_network
from kitchentable_training.networks.policy import PolicyPlayer
from kitchentable_training.runs.settings import RunSettings
from kitchentable_training.runs.state import Tensors, under


class Member(PolicyPlayer):
    """A member of the population, which counts its decisions, except forced ones."""

    decisions = 0

    def act(self, batch: Any, games: Any) -> Any:
        """Choose an action in each of ``games``; see the base class."""
        self.decisions += int((batch.masks[games].sum(1) > 1).sum())
        return super().act(batch, games)


class Population(OpponentPool):
    """The members as the players in the other seats, drawn by the shares of the mixture."""

    mixture: Mixture
    members: list[Member]

    def player(self, number: int) -> Member:
        """Return a member."""
        return self.members[number]

    def label(self, number: int) -> str:
        """Return the name of a member for logs; all share one name."""
        del number
        return "population"

    def weights(self) -> Mapping[int, float]:
        """Return the share of each member."""
        return dict(enumerate(self.mixture.shares.tolist()))


class Oracle(PPO):
    """The learner of best responses.

    Attributes:
        left: the remaining share of the current response, from 1 to 0, for schedules.
    """

    left = 1.0

    @property
    def remaining(self) -> float:
        """The remaining share of the current response."""
        return self.left


class PSRO:
    """Policy-space response oracles; see the module.

    Attributes:
        network: the mixture of the population; members that have not been learned yet have no
            share.
        oracle: the learner of the current response.
        population: the players in the other seats.
        payoffs: the mean payoff of each member at a table where all others are copies of another
            one; float64, shape (members, members).
        joined: the number of members that have joined the population.
    """

    def __init__(self, settings: RunSettings, pool: OpponentPool) -> None:
        own = settings.training
        assert isinstance(own, PSROSettings)
        self.settings, self.own = settings, own
        game = find_game(settings.game)
        params = game.make_params(**settings.params)
        self._alone = params.num_players == 1 or game.is_team(params)
        self.responses = 1 if self._alone else own.responses
        torch.manual_seed(settings.seed)
        members = range(1 if self._alone else 1 + self.responses)
        networks = [build_network(game, params, settings.network) for _ in members]
        self.network = Mixture(networks).requires_grad_(requires_grad=False).to(pool.device)
        self.population = Population(settings.opponents, [], device=pool.device)
        self.population.mixture = self.network
        own_settings = own.model_dump(include=set(PPOSettings.model_fields))
        training = PPOSettings(**own_settings, league=0.0 if self._alone else 1.0)
        self.oracle = Oracle(settings.model_copy(update={"training": training}), self.population)
        self.network.members[0].load_state_dict(self.oracle.network.state_dict())
        self.inputs, self.seating = self.oracle.inputs, self.oracle.seating
        self.optimizer = self.oracle.optimizer
        self.population.members = [
            Member(
                network, self.inputs, f"member {i}", deterministic=False, seed=settings.seed + 1 + i
            )
            for i, network in enumerate(self.network.members)
        ]
        self.payoffs = np.zeros((len(members), len(members)))
        self.joined = 1
        self._begin = self._wave = 0
        """The steps before the current response, and the decisions of the last wave of games."""

    @property
    def steps(self) -> int:
        """The number of decisions of the oracle and of all members, in all games."""
        return self.oracle.steps + sum(member.decisions for member in self.population.members)

    def update(self, logger: Logger) -> None:
        """Play a rollout, learn from it, and let a response that is ready join the population."""
        end = self.settings.steps * self.joined // self.responses
        ready = end
        if not self._alone:
            ready -= max(int(self.own.payoff_share * (end - self._begin)), self._wave)
        self.oracle.left = max(0.0, (ready - self.steps) / max(1, ready - self._begin))
        self.oracle.update(logger)
        if self._alone:
            self.network.members[0].load_state_dict(self.oracle.network.state_dict())
        elif self.steps >= ready and self.joined <= self.responses:
            self._join(end, logger)

    # --- The population -------------------------------------------------------------------------

    def _join(self, end: int, logger: Logger) -> None:
        """Let the current response join, solve the meta-game, and begin the next response."""
        new, oracle = self.joined, self.oracle
        self.network.members[new].load_state_dict(oracle.network.state_dict())
        self._measure_payoffs(new, end)
        before = self.network.shares.cpu().numpy()
        logger.record("train/response_gain", float(self.payoffs[new] @ before))
        self.joined += 1
        shares = solve(self.payoffs[: self.joined, : self.joined])
        self.network.shares[: self.joined] = torch.from_numpy(shares)
        logger.record("train/population", self.joined)
        oracle.optimizer.state.clear()
        self._begin = self.steps

    def _measure_payoffs(self, new: int, end: int) -> None:
        """Measure the payoffs between a new member and all others, until the step ``end``.

        A wave plays some deals with each other member: one seat has the new member and the others
        have the other one, and the reverse, for each seat.
        """
        settings, seats = self.settings, self.oracle.games.num_players
        identity = np.eye(seats, dtype=np.intp)
        roles = np.unique(np.concatenate([identity, 1 - identity]), axis=0)  # 1: the new member
        players = self.population.members[: new + 1]
        seating = np.where(roles, new, np.arange(new)[:, None, None]).reshape(-1, seats)
        deals = max(1, settings.num_envs // len(seating))
        batch = Batch(
            self.oracle.games.game,
            deals * len(seating),
            seed=0,
            threads=settings.threads,
            autoreset=False,
            **settings.params,
        )
        waves: list[Floats] = []
        while not waves or self.steps < end:
            before = self.steps
            sequence = np.random.SeedSequence([settings.seed, 3, new, len(waves)])
            batch.deal(np.repeat(seeds_for(sequence, deals), len(seating)))
            payoffs = play_out(batch, players, np.tile(seating, (deals, 1)))
            waves.append(payoffs.reshape(deals, new, len(roles), seats).mean(axis=0))
            self._wave = self.steps - before
        mean = np.mean(waves, axis=0)  # by other member, seating and seat
        for table, alone in ((self.payoffs[new], 1), (self.payoffs[:, new], 0)):
            rows = (roles == alone).sum(axis=1) == 1
            table[:new] = mean[:, rows][:, roles[rows] == alone].mean(axis=1)

    # --- Checkpoints ----------------------------------------------------------------------------

    def export_own(self) -> tuple[Tensors, dict[str, Any]]:
        """Return tensors and JSON values from which `import_own` resumes with identical results."""
        tensors, plain = self.oracle.export_own()
        for name, tensor in self.oracle.network.state_dict().items():
            tensors[f"oracle/{name}"] = tensor
        for i, member in enumerate(self.population.members):
            tensors[f"members/{i}"] = member.generator.get_state()
        counts = {"joined": self.joined, "begin": self._begin, "wave": self._wave}
        decisions = [member.decisions for member in self.population.members]
        return tensors | {"payoffs": torch.from_numpy(self.payoffs)}, {
            **plain,
            **counts,
            "decisions": decisions,
        }

    def import_own(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Resume from what `export_own` returned."""
        self.oracle.network.load_state_dict(under(tensors, "oracle/"))
        self.oracle.import_own(tensors, plain)
        for i, member in enumerate(self.population.members):
            member.generator.set_state(tensors[f"members/{i}"])
            member.decisions = plain["decisions"][i]
        self.payoffs[:] = tensors["payoffs"].numpy()
        self.joined, self._begin, self._wave = (plain[key] for key in ("joined", "begin", "wave"))


def solve(payoffs: Floats) -> Floats:
    """Return the symmetric Nash equilibrium of a symmetric two-player zero-sum game.

    Args:
        payoffs: the payoff of each strategy against each other one; float64, shape (strategies,
            strategies). Only the difference from the reverse counts, so that it is zero-sum.

    Returns:
        The probability of each strategy; float64, shape (strategies,).
    """
    gains, size = payoffs - payoffs.T, len(payoffs)
    # Maximize what is won at least, the last variable, against any strategy of the opponent.
    solution = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=np.column_stack([-gains.T, np.ones(size)]),
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(size), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * size + [(None, None)],
    )
    shares = np.maximum(np.asarray(solution.x)[:size], 0.0)
    return np.asarray(shares / shares.sum())
