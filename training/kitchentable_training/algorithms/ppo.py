"""Self-play on the engine: one network learns from every decision of every seat.

If only one action is legal, it is played automatically, and its rewards are credited to the
previous decision. Only the first position of an episode counts as a decision in any case.

Observations are relative to the seat, so one network plays all seats. Games are played in a batch,
which writes observations directly into the rollout; no Python code runs per game. The algorithm is
proximal policy optimization (Schulman and others, 2017) with advantages by seat (see `returns`);
the seats of a team count as one. These options are off by default:

- The league: at a share of the tables, scripted, trained and past players fill all seats but one,
  and their decisions are not learned from.
- A magnet: the policy is regularised towards a slowly moving average of itself, which prevents
  cycles in self-play (Sokota and others, "A unified approach to reinforcement learning, quantal
  response equilibria, and two-player zero-sum games", 2023). ``ent_coef`` regularises towards the
  uniform policy, since the divergence from it is the negative entropy plus a constant.
- Lookahead: every legal action is tried, and the policy is trained towards the resulting values
  (see `lookahead`) instead of using advantages.
- A critic that sees the full state of the game, including hidden cards. It is used only for
  advantages (Yu and others, "The surprising effectiveness of PPO in cooperative multi-agent games",
  2022).
- Duplicate tables: a rollout begins with several copies of each table with the same deal, and a
  critic receives the payoffs of the other copies (Kool, van Hoof and Welling, "Buy 4 REINFORCE
  samples, get a baseline for free!", 2019). This cancels the luck of the deal.
- Layers in bfloat16 (Kalamkar and others, "A study of BFLOAT16 for deep learning training", 2019),
  including those of networks in the other seats, if the processor supports it; else in float32.

Several processes may learn together (see `processes`), each with a share of the games.

With ``device: cuda`` games and rollouts are on the GPU too: the same code works on the tensors of a
`CudaBatch`, and `arrays` contains the differences. If a network has inputs besides the observation,
games and rollouts stay on the CPU. The network then acts and learns on the GPU, and
`SelfPlay._network` transfers its inputs and outputs.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.logger import Logger
from torch import nn
from torch.nn import functional

from kitchentable.core.rng import seeds_for
from kitchentable.engine.loops import LEAVE
from kitchentable_training.algorithms.advantages import advantages
from kitchentable_training.algorithms.arrays import HostArrays
from kitchentable_training.algorithms.devices import arrays_on
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.lookahead import TEMPERATURE, Lookahead
from kitchentable_training.algorithms.ppo_loss import (
    NO_MAGNET,
    Decisions,
    LossParts,
    LossWeights,
    draw,
    loss_gradients,
    reference_loss,
)
from kitchentable_training.algorithms.seating import LEARNER, Seating
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.policy import ILLEGAL, build_policy
from kitchentable_training.networks.trunk import SharedTrunk, TablePolicy
from kitchentable_training.runs.processes import Processes
from kitchentable_training.runs.settings import RunSettings
from kitchentable_training.runs.state import Tensors, as_bytes, under

logger = logging.getLogger(__name__)

LUCK = 2
"""The number of inputs of a critic for the duplicate tables; see `SelfPlay._luck`."""
MAGNET_RATE = 0.01
"""The step size with which the magnet follows the policy after each update."""
EPSILON = 1e-5
"""The epsilon of Adam, as in stable-baselines3's PPO."""


class Rollout:
    """Observations, actions and rewards of some steps of a batch of games.

    The arrays share their memory with tensors, or are tensors on a GPU. The first axis is the step.
    Observations, masks, states, movers and values have one additional row: the decision with which
    the next rollout begins.
    """

    def __init__(
        self,
        arrays: HostArrays,
        batch: Any,
        steps: int,
        size: int,
        state_size: int,
        dtype: torch.dtype,
        *,
        magnet: bool,
    ) -> None:
        """Allocate the arrays for a batch.

        Args:
            arrays: the arrays of the batch.
            batch: the batch of games.
            steps: the number of steps of each game.
            size: the number of inputs of the network.
            state_size: the number of additional inputs of a critic.
            dtype: the dtype in which inputs are stored and layers multiply.
            magnet: whether there is a magnet.
        """
        shape = (steps, batch.num_envs)
        seats = (*shape, batch.num_players)
        num_actions = len(batch.action_names)
        zeros = partial(torch.zeros, device=arrays.device)
        self.seen = zeros(steps + 1, batch.num_envs, size, dtype=dtype)
        self.masks = zeros(steps + 1, batch.num_envs, num_actions, dtype=torch.bool)
        self.states = zeros(steps + 1, batch.num_envs, state_size, dtype=dtype)
        self.magnet = zeros(*shape, num_actions) if magnet else NO_MAGNET
        """The log probabilities of the magnet."""
        self.actions = zeros(shape, dtype=torch.int64)
        self.logs = zeros(shape)
        self.values = zeros(steps + 1, batch.num_envs)
        self.advantages = zeros(shape)
        self.movers = arrays.of(zeros(steps + 1, batch.num_envs, dtype=torch.int64))
        self.learned = arrays.of(zeros(shape, dtype=torch.bool))
        self.rewards = arrays.of(zeros(seats))
        self.ends = arrays.of(zeros(shape, dtype=torch.bool))
        self.truncated = arrays.of(zeros(shape, dtype=torch.bool))
        """Whether the game was truncated at the step."""


class SelfPlay:
    """The self-play learner; see the module."""

    def __init__(self, settings: RunSettings, pool: OpponentPool) -> None:
        """Deal the games and create the network.

        Args:
            settings: the settings of the run, with the group ``selfplay``.
            pool: the players of the league.

        Raises:
            ImportError: a package that a GPU needs is missing.
            ValueError: there is no GPU, or a player of the league cannot play on it.
        """
        self.settings, self.own = settings, settings.selfplay
        torch.manual_seed(settings.seed)
        self.processes = Processes()
        self._group = 1 + self.own.duplicates
        mine = self.processes.share(settings.num_envs, self._group)
        self.arrays = arrays_on(settings.games_device)
        self.batch = self.arrays.make_batch(settings, mine)
        self.arrays.compile_players(self.batch, pool)
        self.device = pool.device
        """The device of the networks."""
        self.inputs = NetworkInputs.of(settings.network, self.batch.game, self.batch.params)
        self.policy = build_policy(self.batch.game, self.batch.params, settings.network)
        self.policy.to(self.device)
        league = np.arange(settings.num_envs) < round(self.own.league * settings.num_envs)
        self.seating = Seating(self.batch, pool, settings.seed, league[mine], self.processes.rank)
        self.steps = 0
        """The number of decisions learned from so far, in all processes."""
        streams = seeds_for(np.random.SeedSequence([settings.seed, 2]), settings.num_envs)
        self._streams = self.arrays.of_host(streams[mine].copy())
        self._shuffle = torch.Generator(self.arrays.device).manual_seed(settings.seed)
        state_size = self.batch.observe_state().shape[1] if self.own.full_state_critic else 0
        state_size += LUCK * (self.own.duplicates > 0)
        self.critic = self._make_critic(state_size) if state_size else None
        self.lookahead = self._make_lookahead() if self.own.lookahead else None
        moves = self.own.magnet_coef and not self.lookahead
        self.magnet = copy.deepcopy(self.policy) if moves else None
        self._parameters = [*self.policy.parameters()]
        if self.critic is not None:
            self._parameters += self.critic.parameters()
        self.optimizer = torch.optim.Adam(self._parameters, lr=0.0, eps=EPSILON, fused=True)
        self.seating.begin()
        sizes = (self.inputs.size, state_size)
        self._bfloat16 = self.own.bfloat16 and self._multiplies_bfloat16()
        dtype = torch.bfloat16 if self._bfloat16 else torch.float32
        steps, magnet = settings.ppo.n_steps, self.own.magnet_coef > 0
        self._rollout = Rollout(self.arrays, self.batch, steps, *sizes, dtype, magnet=magnet)
        self._minibatch = torch.empty(0, self.inputs.size, device=self.arrays.device, dtype=dtype)
        self._shown = torch.zeros(self.batch.num_envs, self.inputs.size, device=self.arrays.device)
        self._engine_writes = self.inputs.is_observation and dtype == torch.float32
        """Whether the engine writes the network's inputs directly into the rollout."""
        self._look()

    @property
    def _size_before_rows(self) -> int:
        """The number of inputs of the network before the action features."""
        return self.inputs.size - self.inputs.num_row_numbers

    def _make_critic(self, state_size: int) -> nn.Module:
        layers = list(self.settings.network.layers)
        trunk = SharedTrunk(self._size_before_rows + state_size, layers)
        return nn.Sequential(trunk.layers, nn.Linear(layers[-1], 1)).to(self.device)

    def _make_lookahead(self) -> Lookahead:
        by_hand = self.settings.episode == "hand"
        seed = self.settings.seed + self.processes.rank
        return Lookahead(self.batch, self.own.lookahead, by_hand=by_hand, seed=seed)

    def _look(self) -> None:
        """Write observations and masks into the last row of the rollout, where the next begins."""
        self.batch.look()
        tensor = self.arrays.tensor
        self._rollout.masks[-1] = tensor(self.batch.masks)
        if self._engine_writes:
            self._rollout.seen[-1] = tensor(self.batch.observations)

    @property
    def remaining(self) -> float:
        """The remaining share of the run, from 1 to 0, for schedules."""
        return max(0.0, 1.0 - self.steps / self.settings.steps)

    def begin(self) -> None:
        """Start the magnet with the weights of the policy."""
        if self.magnet is not None:
            self.magnet.load_state_dict(self.policy.state_dict())

    def update(self, logger: Logger) -> None:
        """Play a rollout, learn from it and log figures."""
        self._play()
        self.arrays.check(self.batch)
        self._estimate()
        remaining = self.remaining
        for group in self.optimizer.param_groups:
            ppo = self.settings.ppo
            group["lr"] = on_a_line(ppo.learning_rate, ppo.final_learning_rate, remaining)
        figures = self._learn(self._loss_weights(remaining))
        learned = self.arrays.tensor(self._rollout.learned)
        self.steps += int(self.processes.total(learned.sum()))
        for name, value in figures.items():
            logger.record(f"train/{name}", value)
        logger.record("train/learning_rate", self.optimizer.param_groups[0]["lr"])

    # --- Playing --------------------------------------------------------------------------------

    def _potential(self) -> Any:
        """Return the potential of the team of each game, (games, 1), or 0 without shaping."""
        potential = self.batch.game.players.team_potential if self.own.shaping else None
        return potential(self.batch.states)[:, None] if potential else 0.0

    @torch.no_grad()
    def _play(self) -> None:
        """Play all games for the steps of a rollout."""
        batch, rollout, of = self.batch, self._rollout, self.arrays.of
        if self.own.duplicates:
            self._copy_tables()
        rollout.seen[0], rollout.masks[0] = rollout.seen[-1], rollout.masks[-1]
        rollout.rewards[:], rollout.ends[:], rollout.truncated[:] = 0.0, False, False
        potential = self._potential()
        for t in range(len(rollout.actions)):
            self._decide(t)
            seen = of(rollout.seen[t + 1]) if self._engine_writes else batch.observations
            batch.step(of(rollout.actions[t]), into=(seen, of(rollout.masks[t + 1])))
            potential = self._take_down(t, potential)
            while (actions := self._forced(t)) is not None:
                batch.step(actions)
                potential = self._take_down(t, potential)
        self._note_decision(-1)
        self._ask(-1, slice(None))
        if self.critic is not None:
            self._criticise_all()

    def _take_down(self, t: int, potential: Any) -> Any:
        """Add the results of the batch's last step to step ``t``; return the potential after it.

        Args:
            t: the step.
            potential: the potential before it.
        """
        batch, rollout = self.batch, self._rollout
        after = self._potential()
        rollout.rewards[t] += batch.rewards + after * ~batch.dones[:, None] - potential
        rollout.ends[t] |= batch.dones
        if self.settings.episode == "hand":
            rollout.ends[t] |= batch.states["hand_over"]
        rollout.truncated[t] |= batch.dones & batch.final_states["truncated"]
        self.seating.take_pay()
        self.seating.seat_anew()
        return after

    def _forced(self, t: int) -> Any:
        """Return the forced actions before the next decisions, or None if there are none.

        Games whose episode ended in step ``t`` have none: later rewards are the next episode's.
        """
        actions = self.batch.forced_actions()
        actions[self._rollout.ends[t]] = LEAVE
        return actions if (actions != LEAVE).any() else None

    def _copy_tables(self) -> None:
        """Copy the first table of each group, with its deck, to the other tables of the group."""
        records = self.arrays.tensor(self.arrays.records(self.batch))
        payoffs = self.arrays.tensor(self.seating.payoffs)
        for one in (records.view(self.batch.num_envs, -1), payoffs):
            one[:] = one[:: self._group].repeat_interleave(self._group, dim=0)
        self._look()

    def _decide(self, t: int) -> None:
        """Choose an action in every game at step ``t``."""
        rollout = self._rollout
        self._note_decision(t)
        movers = self.seating.movers()
        rollout.learned[t] = movers == LEARNER
        # Only the learner's games are evaluated. A slice of all games avoids a copy.
        mine = self.arrays.where(rollout.learned[t]) if self.own.league else slice(None)
        logits = self._ask(t, mine)
        if self.lookahead is not None:
            worths = self.lookahead.worths(self.steps + t, self._expect)
            logits = worths / TEMPERATURE
            rollout.magnet[t] = logits.masked_fill(~rollout.masks[t], ILLEGAL).log_softmax(dim=1)
        self._choose(t, logits)
        with self._precision():
            self.seating.ask_others(movers, self.arrays.of(rollout.actions[t]))

    def _ask(self, t: int, games: Any) -> torch.Tensor:
        """Return logits, zero in games not in ``games``, and write values into the rollout."""
        rollout = self._rollout
        seen, logits = self._show(t, games), torch.zeros_like(rollout.masks[t], dtype=torch.float32)
        if len(seen):
            logits[games], rollout.values[t, games] = self._network(self.policy, seen)
        return logits

    def _expect(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> torch.Tensor:
        """Return the network's values of some decisions; float32, shape (batch,)."""
        shown = self.inputs.tensor(observations, masks).to(self._rollout.seen.dtype)
        return self._network(self.policy, shown)[1]

    def _note_decision(self, t: int) -> None:
        """Write the seat to move in every game and, for a critic that sees it, the full state."""
        self._rollout.movers[t] = self.batch.current_player
        if self.own.full_state_critic:
            state = self.arrays.tensor(self.batch.observe_state())
            self._rollout.states[t, :, : state.shape[1]] = state

    def _show(self, t: int, games: Any) -> torch.Tensor:
        """Return the network's inputs in some games, and make sure that the rollout has them."""
        row = self._rollout.seen[t]
        if self._engine_writes:
            return row[games]
        observations, masks = self.batch.observations[games], self.batch.masks[games]
        shown = self.inputs.tensor(observations, masks, self._shown[: len(observations)])
        seen = shown.to(row.dtype)
        row[games] = seen
        return seen

    def _choose(self, t: int, logits: torch.Tensor) -> None:
        """Write the learner's action at step ``t`` in every game."""
        rollout = self._rollout
        shown = (logits, rollout.masks[t], self._streams)
        self.arrays.run(draw, *shown, rollout.actions[t], rollout.logs[t])

    def _network(
        self, policy: TablePolicy, seen: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (batch, num_actions) and values (batch,) in float32, on `arrays.device`."""
        with self._precision():
            features = policy.features_extractor(seen.to(self.device))
            latent_policy, latent_value = policy.mlp_extractor(features)
            logits = policy.action_net(latent_policy)
            values = policy.value_net(latent_value)
        here = self.arrays.device
        return logits.float().to(here), values.float().flatten().to(here)

    def _criticise_all(self) -> None:
        """Replace the values of the rollout by those of the critic."""
        rollout = self._rollout
        if self.own.duplicates:
            rollout.states[:, :, -LUCK:] = self._luck()
        for seen, states, values in zip(rollout.seen, rollout.states, rollout.values, strict=True):
            values[:] = self._criticise(seen, states)

    def _luck(self) -> torch.Tensor:
        """Return what the current episode pays the seat to move at the other duplicate tables.

        These are the mean over the tables where the episode has ended, since the start of the
        rollout, and whether there are any. They exclude the own table, so advantages stay unbiased.

        Returns:
            Shape (steps + 1, games, `LUCK`).
        """
        tensor, rollout = self.arrays.tensor, self._rollout
        rewards, ends, movers = map(tensor, (rollout.rewards, rollout.ends, rollout.movers))
        steps, games, seats = rewards.shape
        before = functional.pad(ends.long().cumsum(0), (0, 0, 1, 0))
        episodes = int(before.max()) + 1
        place = before + episodes * torch.arange(games, device=before.device)
        ended = (ends & ~tensor(rollout.truncated)).flatten().float()
        over = rewards.new_zeros(games * episodes).index_add(0, place[:-1].flatten(), ended)
        paid = rewards.new_zeros(games * episodes, seats)
        paid.index_add_(0, place[:-1].flatten(), rewards.flatten(0, 1))
        both = torch.cat([paid * over[:, None], over[:, None]], dim=1)
        groups = both.view(-1, self._group, episodes, seats + 1)
        others = (groups.sum(dim=1, keepdim=True) - groups).view(-1, seats + 1)[place.flatten()]
        count = others[:, -1]
        mean = others.gather(1, movers.flatten()[:, None])[:, 0] / count.clamp(min=1)
        return torch.stack([mean, count.clamp(max=1)], dim=1).view(steps + 1, games, LUCK)

    def _criticise(self, seen: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        """Return the critic's values; float32, shape (batch,)."""
        assert self.critic is not None
        with self._precision():
            before_rows = seen[:, : self._size_before_rows]
            seen = torch.cat([before_rows, states], dim=1).to(self.device)
            values: torch.Tensor = self.critic(seen)
        return values.float().flatten().to(self.arrays.device)

    def _precision(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self._bfloat16)

    def _multiplies_bfloat16(self) -> bool:
        """Return whether the device has bfloat16 instructions; emulation is six times slower."""
        if self.device.type == "cuda":
            has = torch.cuda.is_bf16_supported(including_emulation=False)
        else:
            has = (
                torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
                and torch.ops.mkldnn._is_mkldnn_bf16_supported()  # noqa: SLF001
            )
        if has:
            return True
        if self.processes.rank == 0:
            logger.warning("this device has no bfloat16: learning in float32 instead")
        return False

    # --- Learning -------------------------------------------------------------------------------

    def _estimate(self) -> None:
        rollout, ppo = self._rollout, self.settings.ppo
        factors = np.float32(ppo.gamma), np.float32(ppo.gae_lambda)
        ends = (rollout.ends, rollout.truncated)
        # A team shares its rewards, so its decisions are treated as those of one seat: the value at
        # the next seat's decision says more about a decision than the own one a round later.
        movers = rollout.movers * 0 if self.batch.is_team else rollout.movers
        decided = (movers, rollout.learned, rollout.values)
        given = (rollout.rewards, *ends, *decided, *factors)
        self.arrays.run(advantages, *given, rollout.advantages)

    def _loss_weights(self, remaining: float) -> LossWeights:
        ppo = self.settings.ppo
        return LossWeights(
            clip_range=ppo.clip_range,
            entropy=on_a_line(ppo.ent_coef, ppo.final_ent_coef, remaining),
            value=ppo.vf_coef,
            magnet=self.own.magnet_coef,
        )

    def _learn(self, weights: LossWeights) -> dict[str, float]:
        """Train on the rollout for ``n_epochs`` epochs; return the means of the figures."""
        found: list[dict[str, Any]] = []
        self._ask_magnet()
        for _ in range(self.settings.ppo.n_epochs):
            for rows in self._minibatches():
                found.append(self._go_back(rows, weights))
                self._descend()
        if self.magnet is not None:
            self._move_magnet()
        return self._means(found)

    def _means(self, found: Sequence[Mapping[str, Any]]) -> dict[str, float]:
        """Return the mean of each figure over the minibatches of all processes."""
        mine = [{name: float(value) for name, value in one.items()} for one in found if one]
        everyone = [one for part in self.processes.gather(mine) for one in part]
        names = everyone[0] if everyone else ()
        return {name: float(np.mean([one[name] for one in everyone])) for name in names}

    def _minibatches(self) -> list[torch.Tensor]:
        """Return the decisions learned from in random order, as indices, in about equal parts.

        The indices count the decisions of all processes by step and then by game.
        """
        shuffled = partial(torch.randperm, generator=self._shuffle, device=self.arrays.device)
        if self.own.league:
            learned = self.processes.of_all_games(self.arrays.tensor(self._rollout.learned))
            those = learned.flatten().nonzero()[:, 0]
            order = those[shuffled(len(those))]
        else:
            order = shuffled(len(self._rollout.actions) * self.settings.num_envs)
        if not len(order):  # the learner had no decision at a league table
            return []
        parts = max(1, len(order) // self.settings.ppo.batch_size)
        return list(order.tensor_split(parts))

    def _go_back(self, everyones: torch.Tensor, weights: LossWeights) -> dict[str, Any]:
        """Add the gradients of this process's part of a minibatch; return figures for the log."""
        rollout = self._rollout
        rows = self.processes.rows_of(everyones, self.settings.num_envs, self._group)
        share = len(rows) / len(everyones)
        if len(self._minibatch) < len(rows):
            self._minibatch = self._minibatch.new_empty(len(rows), self.inputs.size)
        seen = self._minibatch[: len(rows)]  # reused: it is large, and new memory is slow
        torch.index_select(rollout.seen.flatten(0, 1), 0, rows, out=seen)
        masks = rollout.masks.flatten(0, 1).index_select(0, rows)
        actions, logs, values, gains = (
            one.flatten()[rows]
            for one in (rollout.actions, rollout.logs, rollout.values, rollout.advantages)
        )
        returns = values + gains
        if self.lookahead is not None:
            gains = torch.zeros_like(gains)
        elif self.own.normalize_advantage:
            gains = self.processes.normalized(gains)
        if not share:
            return {}
        logits, values = self._network(self.policy, seen)
        if share < 1:  # weight the means over this part by its share of the minibatch
            for one in (logits, values):
                one.register_hook(partial(torch.mul, other=share))  # type: ignore[no-untyped-call]
        magnet = rollout.magnet
        if self.own.magnet_coef:
            magnet = magnet.flatten(0, 1).index_select(0, rows)
        decisions = Decisions(masks, actions, logs, gains, returns, magnet)
        figures = self._backward(logits, values, decisions, weights)
        if self.critic is not None:
            states = rollout.states.flatten(0, 1).index_select(0, rows)
            error = functional.mse_loss(self._criticise(seen, states), returns)
            torch.autograd.backward(share * weights.value * error)
        return figures

    def _backward(
        self,
        logits: torch.Tensor,
        values: torch.Tensor,
        decisions: Decisions,
        weights: LossWeights,
    ) -> dict[str, Any]:
        """Add the gradients of the loss; return its parts."""
        if logits.device.type == "cpu":
            slopes, value_slopes, parts = loss_gradients(logits, values, decisions, weights)
            torch.autograd.backward([logits, values], [slopes, value_slopes])
        else:
            loss, means = reference_loss(logits, values, decisions, weights)
            torch.autograd.backward(loss)
            parts = LossParts(*means)
        return {
            "policy_gradient_loss": parts.policy,
            "value_loss": parts.value,
            "entropy_loss": -parts.entropy,
            "approx_kl": parts.approx_kl,
            "clip_fraction": parts.clip_fraction,
            "magnet_kl": parts.magnet,
        }

    def _descend(self) -> None:
        """Take an optimizer step with the gradient of a minibatch."""
        self.processes.add_gradients(self._parameters)
        nn.utils.clip_grad_norm_(self._parameters, self.settings.ppo.max_grad_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    @torch.no_grad()
    def _ask_magnet(self) -> None:
        """Write the log probabilities of the magnet into the rollout."""
        if self.magnet is None:
            return
        rollout = self._rollout
        for seen, masks, logs in zip(rollout.seen, rollout.masks, rollout.magnet, strict=False):
            logits, _ = self._network(self.magnet, seen)
            logs[:] = logits.masked_fill(~masks, ILLEGAL).log_softmax(dim=1)

    @torch.no_grad()
    def _move_magnet(self) -> None:
        assert self.magnet is not None
        for mine, theirs in zip(self.magnet.parameters(), self.policy.parameters(), strict=True):
            mine.lerp_(theirs, MAGNET_RATE)

    # --- Checkpoints ----------------------------------------------------------------------------

    def export_own(self) -> tuple[Tensors, dict[str, Any]]:
        """Return tensors and JSON values from which `import_own` resumes with identical results."""
        tensors = {
            "streams": as_bytes(self.arrays.to_host(self._streams)),
            "shuffle": self._shuffle.get_state(),
        }
        for name, network in self._other_networks().items():
            for key, value in network.state_dict().items():
                tensors[f"{name}/{key}"] = value
        return tensors, {"steps": self.steps}

    def import_own(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Resume from what `export_own` returned."""
        streams = tensors["streams"].numpy().view(np.uint64).copy()
        self._streams = self.arrays.of_host(streams)
        self._shuffle.set_state(tensors["shuffle"])
        for name, network in self._other_networks().items():
            network.load_state_dict(under(tensors, f"{name}/"))
        self.steps = plain["steps"]
        self._look()

    def _other_networks(self) -> dict[str, nn.Module]:
        """Return the networks other than the policy, by name."""
        networks = {"critic": self.critic, "magnet": self.magnet}
        return {name: one for name, one in networks.items() if one is not None}


def on_a_line(start: float, end: float | None, remaining: float) -> float:
    """Interpolate linearly between two values by the remaining share of a run, from 1 to 0."""
    return start if end is None else end + remaining * (start - end)
