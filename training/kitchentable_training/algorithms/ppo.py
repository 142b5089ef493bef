"""Proximal policy optimization by self-play: one network learns from the decisions of all seats.

Observations are relative to the seat, so one network plays all seats. Games are played in a batch,
which writes observations directly into the rollout; no Python code runs per game. The algorithm is
that of Schulman et al. ("Proximal policy optimization algorithms", 2017) with advantages by
seat (see `advantages`); the seats of a team count as one.

If only one action is legal, it is played automatically, and its rewards are credited to the
previous decision. Only the first position of an episode counts as a decision in any case.

At a share of the tables, the league, other players fill all seats but one, and only the decisions
of that seat are learned from (see `seating`). What only some runs use is in files of its own:
`magnet`, `lookahead`, `critic` and `shaping` (see `options`).

With ``network.tables`` one network plays at several tables of a game. Each has a learner of its
own, with equally many games; they share the weights and the optimizer, and take turns.

Several processes may learn together, each with a share of the games (see `processes`). With
``device: cuda`` games and rollouts are on the GPU too, except with options that play games of their
own (`lookahead`, `shaping`), where only the network is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger
from torch import nn

from kitchentable.core.rng import seeds_for
from kitchentable.engine.loops import LEAVE
from kitchentable_training.algorithms.advantages import advantages
from kitchentable_training.algorithms.critic import Critic
from kitchentable_training.algorithms.devices import deal_batch
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.lookahead import Lookahead
from kitchentable_training.algorithms.magnet import Magnet
from kitchentable_training.algorithms.options import Option
from kitchentable_training.algorithms.ppo_loss import LossWeights, backward, draw
from kitchentable_training.algorithms.rollout import Minibatch, Rollout
from kitchentable_training.algorithms.seating import LEARNER, Seating
from kitchentable_training.algorithms.settings import PPOSettings
from kitchentable_training.algorithms.shaping import Shaping
from kitchentable_training.networks.inputs import (
    FLAT,
    MASK,
    Inputs,
    NetworkInputs,
    moved,
    with_views,
)
from kitchentable_training.networks.network import build_network
from kitchentable_training.precision import multiplies_bfloat16
from kitchentable_training.runs.processes import Processes
from kitchentable_training.runs.settings import RunSettings
from kitchentable_training.runs.state import Tensors, under

EPSILON = 1e-5
"""The epsilon of Adam, as in stable-baselines3's PPO."""


class PPO:
    """The learner; see the module.

    Attributes:
        games: the batch of games.
        seating: the players of each game.
        own: the settings of the algorithm.
        inputs: what the network is shown.
        network: the network that is saved and played.
        acting: the network that plays the rollouts and is trained: the same one, except in some
            subclasses.
        device: its device.
        options: what only some runs use.
        rollout: the decisions of the last rollout.
        optimizer: the optimizer of all networks that learn.
        steps: the number of decisions learned from so far, in all processes and at all tables.
        other_tables: the learners at the other tables of the settings.
    """

    def __init__(self, settings: RunSettings, pool: OpponentPool, first: PPO | None = None) -> None:
        """Deal the games and create the network.

        Args:
            settings: the settings of the run, for one or several tables.
            pool: the players of the league.
            first: the learner at the first table, whose weights and optimizer this one shares.
        """
        settings, *others = settings.by_table() if first is None else [settings]
        self.settings, self.steps = settings, 0
        # Deep Monte Carlo has none of the options that only PPO has: they are off.
        own_settings = settings.training.model_dump(include=set(PPOSettings.model_fields))
        self.own = PPOSettings(**own_settings)
        torch.manual_seed(settings.seed)
        self.processes = Processes()
        own_games = self.processes.share(settings.num_envs, self._group)
        self.games = deal_batch(settings, own_games)
        self.games.compile_players(pool.scripted)
        league = np.arange(settings.num_envs) < round(self.own.league * settings.num_envs)
        rank = self.processes.rank
        self.seating = Seating(self.games, pool, settings.seed, league[own_games], rank)
        self.device = pool.device
        game, params = self.games.game, self.games.params
        self.inputs = NetworkInputs(game, params, settings.network)
        self.network = build_network(game, params, settings.network).to(self.device)
        if first is not None:
            share_weights(first.network, self.network)
        self.acting = self.network
        self._bfloat16 = self.own.bfloat16 and multiplies_bfloat16(
            self.device, warn=rank == 0 and first is None
        )
        dtype = torch.bfloat16 if self._bfloat16 else torch.float32
        self.rollout = Rollout(self.inputs, self.games, self.own.n_steps, dtype)
        self._engine_writes = self.inputs.is_observation and not self._bfloat16
        """Whether the engine writes the network's inputs directly into the rollout."""
        self._shown = self.games.empty(self.inputs)
        self.options = self.make_options()
        own_parameters = [
            parameter
            for option in self.options
            if option.network is not None and option.learns
            for parameter in option.network.parameters()
        ]
        self._parameters = [*self.network.parameters(), *own_parameters]
        self.optimizer: torch.optim.Optimizer = (
            torch.optim.Adam(self._parameters, lr=0.0, eps=EPSILON, fused=True)
            if first is None
            else first.optimizer
        )
        if first is not None and own_parameters:
            self.optimizer.add_param_group({"params": own_parameters})
        streams = seeds_for(np.random.SeedSequence([settings.seed, 2]), settings.num_envs)
        self._streams = self.games.from_host(streams[own_games].copy())
        self._shuffle = torch.Generator(self.games.device).manual_seed(settings.seed)
        self.seating.begin()
        self.look()
        nobody = OpponentPool(settings.opponents, [], device=pool.device)
        self.other_tables = [PPO(other, nobody, self) for other in others]

    def make_options(self) -> list[Option]:
        """Return the options that the settings ask for; subclasses may have more."""
        own = self.own
        enabled: dict[Callable[[PPO], Option], Any] = {
            Shaping: own.shaping,
            Critic: own.full_state_critic or own.duplicates,
            Lookahead: own.lookahead,
            Magnet: own.magnet_coef and not own.lookahead,
        }
        return [make(self) for make, is_enabled in enabled.items() if is_enabled]

    @property
    def _group(self) -> int:
        """The number of consecutive games that stay in one process."""
        return 1 + self.own.duplicates

    @property
    def remaining(self) -> float:
        """The remaining share of the run, from 1 to 0, for schedules."""
        return max(0.0, 1.0 - self.steps / self.settings.steps)

    def update(self, logger: Logger) -> None:
        """Play a rollout at every table, learn from it and log figures."""
        for learner in self.other_tables:
            learner.steps = self.steps
            learner.update(logger)
            learner.seating.results.clear()  # payoffs and figures are those of the first table
            self.seating.finished += learner.seating.finished
            learner.seating.finished = 0
        self.collect()
        self.estimate_advantages()
        ppo, remaining = self.own, self.remaining
        for group in self.optimizer.param_groups:
            group["lr"] = on_a_line(ppo.learning_rate, ppo.final_learning_rate, remaining)
        figures = self.learn()
        learned = int(self.processes.total(self.rollout.learned.sum()))
        self.steps += learned + sum(learner.steps - self.steps for learner in self.other_tables)
        for name, value in figures.items():
            logger.record(f"train/{name}", value)
        logger.record("train/learning_rate", self.optimizer.param_groups[0]["lr"])

    # --- Rollouts -------------------------------------------------------------------------------

    @torch.no_grad()
    def collect(self) -> None:
        """Play all games for the steps of a rollout."""
        # Also of the other seats. The learner's weights are converted once, not at each step.
        with self.precision():
            for option in self.options:
                option.begin_rollout(self)
            self.rollout.begin()
            steps = len(self.rollout.actions)
            for step in range(steps):
                self.act(step)
                self._play(step)
            self._observe(steps)
            self._evaluate_step(steps, slice(None))
            self.games.check()
            for option in self.options:
                option.end_rollout(self)

    def act(self, step: int) -> None:
        """Choose an action in every game."""
        rollout = self.rollout
        self._observe(step)
        movers = self.seating.movers()
        rollout.learned[step] = movers == LEARNER
        # Only the learner's games are evaluated. A slice of all games avoids a copy.
        learner_games = rollout.learned[step].nonzero()[:, 0] if self.own.league else slice(None)
        logits = self._evaluate_step(step, learner_games)
        for option in self.options:
            logits = option.logits(self, step, logits)
        self._draw(step, logits)
        self.seating.ask_others(movers, rollout.actions[step])

    def _draw(self, step: int, logits: torch.Tensor) -> None:
        """Draw the learner's action in every game, and note its log probability."""
        rollout = self.rollout
        arguments = (logits, rollout.inputs.masks[step], self._streams)
        self.games.run(draw, *arguments, rollout.actions[step], rollout.log_probs[step])

    def _observe(self, step: int) -> None:
        """Take note of the games before the decisions of a step."""
        self.rollout.movers[step] = self.games.current_player
        for option in self.options:
            option.observe(self, step)

    def _evaluate_step(self, step: int, which: Any) -> torch.Tensor:
        """Return logits, zero in games not in ``which``, and write values into the rollout."""
        rollout, recorded = self.rollout, self.rollout.inputs
        masks = recorded.masks[step, which]
        if self._engine_writes:
            flat = {FLAT: recorded.flat[step, which], MASK: masks}
            inputs: Inputs = with_views(flat, self.inputs.flat_sizes)
        else:
            seen = self.games.shown(self.inputs, which, self._shown)
            inputs = recorded.write(step, which, seen)
        logits = torch.zeros_like(recorded.masks[step], dtype=torch.float32)
        if len(masks):
            logits[which], rollout.values[step, which] = self.evaluate(self.acting, inputs)
        return logits

    def evaluate(self, network: nn.Module, inputs: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values in float32, on the device of the games."""
        with self.precision():
            logits, values = network(moved(inputs, self.device))
        device = self.games.device
        return logits.float().to(device), values.float().to(device)

    def precision(self) -> torch.autocast:
        """Return the context in which networks are called."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self._bfloat16)

    def _play(self, step: int) -> None:
        """Play the actions of a step, and then forced ones up to the next decisions."""
        games, rollout = self.games, self.rollout
        recorded = rollout.inputs
        into = recorded.flat[step + 1] if self._engine_writes else games.observations
        games.step(rollout.actions[step], into=(into, recorded.masks[step + 1]))
        self._credit(step)
        while True:
            forced = games.forced_actions()
            # Rewards after the end of an episode are the next one's.
            forced[rollout.ends[step]] = LEAVE
            if not (forced != LEAVE).any():
                break
            games.step(forced)
            self._credit(step)

    def _credit(self, step: int) -> None:
        """Add the results of the last step of the games to a step of the rollout."""
        games, rollout = self.games, self.rollout
        rollout.rewards[step] += games.rewards
        rollout.ends[step] |= games.dones
        if self.settings.episode == "hand":
            rollout.ends[step] |= games.hand_over
        self.seating.take_pay()
        self.seating.seat_anew()

    def look(self) -> None:
        """Look at the games again, with whose decisions the next rollout begins."""
        self.games.look()
        self.rollout.inputs.masks[-1] = self.games.masks
        if self._engine_writes:
            self.rollout.inputs.flat[-1] = self.games.observations

    # --- Learning -------------------------------------------------------------------------------

    def estimate_advantages(self) -> None:
        """Estimate the advantages of the rollout's decisions."""
        rollout, ppo = self.rollout, self.own
        self.games.run(
            advantages,
            *(rollout.rewards, rollout.ends, self._movers(slice(None))),
            *(rollout.learned, rollout.values),
            *(np.float32(ppo.gamma), np.float32(ppo.gae_lambda)),
            rollout.advantages,
        )

    def _movers(self, steps: Any) -> torch.Tensor:
        """Return the seats that decided at a step, or at a slice of steps; 0 for a whole team.

        A team shares its rewards, so its decisions are treated as those of one seat: the value at
        the next seat's decision says more about a decision than the own one a round later.
        """
        movers = self.rollout.movers[steps]
        return movers * 0 if self.games.is_team else movers

    def learn(self) -> dict[str, float]:
        """Train on the rollout for ``n_epochs`` epochs; return the means of the figures."""
        figures: list[dict[str, Any]] = []
        for epoch in range(self.own.n_epochs):
            self.begin_epoch(epoch)
            for rows in self._minibatches():
                figures.append(self._add_gradients(rows))
                self.processes.add_gradients(self._parameters)
                nn.utils.clip_grad_norm_(self._parameters, self.own.max_grad_norm)
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=True)
        return self._means(figures)

    def begin_epoch(self, epoch: int) -> None:
        """Prepare an epoch; for subclasses that estimate again with the new policy."""

    def _minibatches(self) -> Sequence[torch.Tensor]:
        """Return the decisions learned from in random order, as indices, in about equal parts.

        The indices count the decisions of all processes by step and then by game.
        """
        shuffled = partial(torch.randperm, generator=self._shuffle, device=self.games.device)
        if self.own.league:
            learned = self.processes.of_all_games(self.rollout.learned)
            decisions = learned.flatten().nonzero()[:, 0]
            order = decisions[shuffled(len(decisions))]
        else:
            order = shuffled(len(self.rollout.actions) * self.settings.num_envs)
        if not len(order):  # the learner had no decision at a league table
            return []
        return order.tensor_split(max(1, len(order) // self.own.batch_size))

    def _add_gradients(self, all_rows: torch.Tensor) -> dict[str, Any]:
        """Add the gradients of this process's part of a minibatch; return figures for the log."""
        rows = self.processes.rows_of(all_rows, self.settings.num_envs, self._group)
        share = len(rows) / len(all_rows)
        minibatch = self._minibatch(rows)
        if not share:
            return {}
        logits, values = self.evaluate(self.acting, minibatch.inputs)
        if share < 1:  # weight the means over this part by its share of the minibatch
            for output in (logits, values):
                output.register_hook(partial(torch.mul, other=share))  # type: ignore[no-untyped-call]
        terms = [option.loss(self, minibatch) for option in self.options]
        figures = self.backward(logits, values, minibatch)
        for term in terms:
            if term is not None:
                (share * term).backward()  # type: ignore[no-untyped-call]
        return figures

    def _minibatch(self, rows: torch.Tensor) -> Minibatch:
        rollout = self.rollout
        actions, log_probs, values, advantages = (
            tensor.flatten()[rows]
            for tensor in (rollout.actions, rollout.log_probs, rollout.values, rollout.advantages)
        )
        returns = values + advantages
        if self.own.normalize_advantage:
            advantages = self.processes.normalized(advantages)
        inputs, reference = rollout.inputs.take(rows), rollout.reference.flatten(0, 1)[rows]
        return Minibatch(rows, inputs, actions, log_probs, advantages, returns, reference)

    def backward(
        self, logits: torch.Tensor, values: torch.Tensor, minibatch: Minibatch
    ) -> dict[str, Any]:
        """Add the gradients of the loss; return its parts."""
        return backward(logits, values, minibatch, self.loss_weights)

    @property
    def loss_weights(self) -> LossWeights:
        """The current weights of the terms of the loss."""
        ppo = self.own
        return LossWeights(
            clip_range=ppo.clip_range,
            entropy=on_a_line(ppo.ent_coef, ppo.final_ent_coef, self.remaining),
            value=ppo.vf_coef,
            reference=self.own.magnet_coef,
        )

    def _means(self, figures: Sequence[Mapping[str, Any]]) -> dict[str, float]:
        """Return the mean of each figure over the minibatches of all processes."""
        own_figures = [
            {name: float(value) for name, value in entry.items()} for entry in figures if entry
        ]
        all_figures = [entry for part in self.processes.gather(own_figures) for entry in part]
        names = all_figures[0] if all_figures else ()
        return {name: float(np.mean([entry[name] for entry in all_figures])) for name in names}

    # --- Checkpoints ----------------------------------------------------------------------------

    def export_own(self) -> tuple[Tensors, dict[str, Any]]:
        """Return tensors and JSON values from which `import_own` resumes with identical results."""
        tensors = {
            "streams": self._streams.view(torch.int64),
            "shuffle": self._shuffle.get_state(),
        }
        for name, network in self._other_networks():
            for key, value in network.state_dict().items():
                tensors[f"{name}/{key}"] = value
        plain: dict[str, Any] = {"steps": self.steps}
        for number, learner in enumerate(self.other_tables, 1):
            own_tensors, own_plain = learner.export_own()
            seated_tensors, seated = learner.seating.export_state()
            for name, tensor in (own_tensors | seated_tensors).items():
                tensors[f"table_{number}/{name}"] = tensor
            plain[f"table_{number}"] = own_plain | seated
        return tensors, plain

    def import_own(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Resume from what `export_own` returned."""
        self._streams.view(torch.int64).copy_(tensors["streams"])
        self._shuffle.set_state(tensors["shuffle"])
        for name, network in self._other_networks():
            network.load_state_dict(under(tensors, f"{name}/"))
        for number, learner in enumerate(self.other_tables, 1):
            own_tensors, own_plain = under(tensors, f"table_{number}/"), plain[f"table_{number}"]
            learner.seating.import_state(own_tensors, own_plain)
            learner.import_own(own_tensors, own_plain)
        self.steps = plain["steps"]
        self.look()

    def _other_networks(self) -> list[tuple[str, nn.Module]]:
        """Return the networks of options, with their names in checkpoints."""
        networks = [(type(option).__name__.lower(), option.network) for option in self.options]
        return [(name, network) for name, network in networks if network is not None]


def share_weights(source: nn.Module, target: nn.Module) -> None:
    """Make the parameters of a network those of another one of the same form."""
    for path, parameter in source.named_parameters():
        module, _, name = path.rpartition(".")
        setattr(target.get_submodule(module), name, parameter)


def on_a_line(start: float, end: float | None, remaining: float) -> float:
    """Interpolate linearly between two values by the remaining share of a run, from 1 to 0."""
    return start if end is None else end + remaining * (start - end)
