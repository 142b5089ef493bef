"""Neural fictitious self-play: the average of best responses is learned, and played.

The method is that of Heinrich and Silver, "Deep reinforcement learning from self-play in
imperfect-information games" (2016). The best response is a deep Q-network: it plays
epsilon-greedily, and learns from a circular buffer of the newest decisions with a target network.
The average policy learns to do what the best response has done so far, from a reservoir: a uniform
sample of all its decisions. At the beginning of an episode each seat draws which of both it plays:
the best response with the anticipatory probability eta, else the average policy. So the best
response learns against, about, the average of all seats, and in two-player zero-sum games the
average approaches a Nash equilibrium. The average policy is exported and played.

What differs from the paper:

- All seats share the two networks and the two buffers, as observations are relative to the seat.
- Thousands of games are played at once, on the rollouts of `ppo`; between two of them there are as
  many minibatches as ``replays`` asks for.
- Adam is the optimizer instead of plain stochastic gradient descent, gradients are clipped, and the
  learning rate and epsilon decrease linearly during the run.
- Both buffers are smaller by default.
- The value that the average policy's network returns is not learned.

A transition goes from a seat's decision to its next one, with what it is paid until then; a team
counts as one seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from kitchentable.core.kernels import kernel
from kitchentable_training.algorithms.buffers import Buffer, Reservoir
from kitchentable_training.algorithms.dmc import epsilon_greedy
from kitchentable_training.algorithms.game_loops import GameLoop
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.ppo import EPSILON, PPO, on_a_line
from kitchentable_training.algorithms.settings import NFSPSettings
from kitchentable_training.networks.inputs import MASK
from kitchentable_training.networks.network import ILLEGAL, build_network
from kitchentable_training.runs.settings import RunSettings
from kitchentable_training.runs.state import Tensors, under

UNKNOWN = -1
"""The next decision where it has not been made, or where there is no decision."""


@kernel
def link_in(
    i: int, row: int, rewards: Any, ends: Any, movers: Any, start: Any, latest: Any, due: Any,  # noqa: ARG001
    paid: Any, following: Any,
) -> None:  # fmt: skip
    """Link the decisions of game ``i``; see `link`."""
    steps, games, seats = rewards.shape
    for t in range(steps):
        at = start + t
        following[at, i] = UNKNOWN
        for seat in range(seats):
            if latest[seat, i] == at:  # it is so long ago that its place is needed again
                latest[seat, i] = UNKNOWN
        mover = movers[t, i]
        before = latest[mover, i]
        if before != UNKNOWN:
            paid[before, i] = due[mover, i]
            following[before, i] = at * games + i
        latest[mover, i], due[mover, i] = at, 0.0
        for seat in range(seats):
            due[seat, i] += rewards[t, i, seat]
            if ends[t, i]:
                before = latest[seat, i]
                if before != UNKNOWN:
                    paid[before, i] = due[seat, i]
                    following[before, i] = before * games + i
                latest[seat, i] = UNKNOWN


link = GameLoop(link_in)
"""Link each decision in a circular buffer of steps with the next decision of its seat.

Args:
    rewards: the rewards of each new step by seat; float32, shape (steps, games, seats).
    ends: whether a new step ended an episode; bool, shape (steps, games).
    movers: the seats that decided; int64, shape (steps or more, games).
    start: the place of the first new step in the buffer.
    latest: each seat's latest step in the episode, or `UNKNOWN`; changed; int64, (seats, games).
    due: what the seat was paid since then; changed; float32, (seats, games).
    paid: output: what a seat was paid until its next decision; float32, (buffered steps, games).
    following: output: its place, counted by step and then by game; the own place if the episode
        ended before; `UNKNOWN` if it has not been made; int64, (buffered steps, games).
"""


class NFSP(PPO):
    """Neural fictitious self-play; see the module.

    Attributes:
        network: the average policy.
        best: the best response: its outputs are action values.
        target: its target network.
        replay: the newest decisions of all seats, a circular buffer of rollouts.
        reservoir: a sample of the decisions of the best response.
    """

    def __init__(self, settings: RunSettings, pool: OpponentPool) -> None:
        super().__init__(settings, pool)
        own = settings.training
        assert isinstance(own, NFSPSettings)
        self.nfsp = own
        games, device, steps = self.games, self.games.device, own.n_steps
        network = settings.network
        if network.action_features and network.module is None:
            network = network.model_copy(update={"best_row": True})  # of values, not of a policy
        self.best, self.target = (
            build_network(games.game, games.params, network).to(self.device) for _ in range(2)
        )
        self.target.load_state_dict(self.best.state_dict())
        parameter_lists = [list(module.parameters()) for module in (self.best, self.network)]
        groups = [{"params": parameters} for parameters in parameter_lists]
        self.optimizer = torch.optim.Adam(groups, lr=own.learning_rate, eps=EPSILON, fused=True)
        replay_steps = own.replay_size // (games.num_envs * steps) * steps
        self.replay = Buffer(self.inputs, replay_steps * games.num_envs, device)
        self.reservoir = Reservoir(self.inputs, own.reservoir_size, device)
        self._updates = self._at = 0
        """The number of minibatches so far, and the step of the buffer to be written next."""
        by_seat, by_step = (games.num_players, games.num_envs), (replay_steps, games.num_envs)
        self._memory = {
            "latest": torch.full(by_seat, UNKNOWN),
            "due": torch.zeros(by_seat),
            "paid": torch.zeros(by_step),
            "following": torch.full(by_step, UNKNOWN),
            "responds": self._draw_policies(games.num_envs),
        }
        self._responded = torch.zeros_like(self.rollout.learned)

    # --- Rollouts -------------------------------------------------------------------------------

    @property
    def epsilon(self) -> float:
        """The current probability that the best response draws a random action."""
        return on_a_line(self.nfsp.epsilon, self.nfsp.final_epsilon, self.remaining)

    def _draw_policies(self, games: int) -> torch.Tensor:
        """Draw which seats play the best response in new episodes; bool, shape (games, seats)."""
        uniform = torch.rand(games, self.games.num_players, generator=self._shuffle)
        return uniform < self.nfsp.anticipatory

    def _observe(self, step: int) -> None:
        super()._observe(step)
        if step:
            over = self.rollout.ends[step - 1].nonzero()[:, 0]
            self._memory["responds"][over] = self._draw_policies(len(over))

    def _evaluate_step(self, step: int, which: Any) -> torch.Tensor:
        """Return the logits of the average policy, or of the best response in its games."""
        if step == len(self.rollout.actions):
            return torch.empty(0)  # nobody reads what is expected after the rollout
        logits = super()._evaluate_step(step, which)
        responds = self._memory["responds"].gather(1, self._movers(step)[:, None])[:, 0]
        self._responded[step] = responds
        games = responds.nonzero()[:, 0]
        if len(games):
            inputs = self.rollout.inputs.take(games + step * self.games.num_envs)
            action_values, _ = self.evaluate(self.best, inputs)
            logits[games] = epsilon_greedy(action_values, inputs[MASK], self.epsilon)[1]
        return logits

    def estimate_advantages(self) -> None:
        """Write the rollout into the buffers instead, from which both networks learn."""
        rollout, memory, games = self.rollout, self._memory, self.games.num_envs
        decisions = torch.arange(rollout.actions.numel())
        actions = rollout.actions.flatten()
        inputs = rollout.inputs.take(decisions)
        self.replay.write(decisions + self._at * games, inputs, actions)
        self.games.run(
            link,
            *(rollout.rewards, rollout.ends, self._movers(slice(None))),
            *(self._at, memory["latest"], memory["due"], memory["paid"], memory["following"]),
        )
        self._at = (self._at + len(rollout.actions)) % len(memory["paid"])
        responses = self._responded.flatten().nonzero()[:, 0]
        kept, slots = self.reservoir.offer(len(responses), self._shuffle)
        kept = responses[kept]
        self.reservoir.write(slots, rollout.inputs.take(kept), actions[kept])

    # --- Learning -------------------------------------------------------------------------------

    def learn(self) -> dict[str, float]:
        """Train both networks on minibatches of the buffers; return the means of the losses."""
        own = self.nfsp
        _, average = self.optimizer.param_groups
        average["lr"] *= own.average_learning_rate / own.learning_rate
        known = (self._memory["following"].flatten() != UNKNOWN).nonzero()[:, 0]
        history: list[Mapping[str, Any]] = []
        for _ in range(max(1, round(own.replays * self.rollout.actions.numel() / own.batch_size))):
            losses = {}
            if len(known):
                losses["action_value_loss"] = self._loss_of_best(known[self._draws(len(known))])
            if self.reservoir.size:
                losses["average_policy_loss"] = self._loss_of_average()
            if losses:
                torch.autograd.backward(list(losses.values()))
            for group in self.optimizer.param_groups:
                nn.utils.clip_grad_norm_(group["params"], own.max_grad_norm)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            self._updates += 1
            if self._updates % own.target_every == 0:
                self.target.load_state_dict(self.best.state_dict())
            history.append({name: loss.detach() for name, loss in losses.items()})
        return {**self._means(history), "epsilon": self.epsilon}

    def _draws(self, count: int) -> torch.Tensor:
        """Draw a minibatch of numbers below ``count``."""
        return torch.randint(count, (self.nfsp.batch_size,), generator=self._shuffle)

    def _loss_of_best(self, slots: torch.Tensor) -> torch.Tensor:
        """Return the squared error of the action values of some decisions."""
        paid, following = (self._memory[name].flatten()[slots] for name in ("paid", "following"))
        with torch.no_grad():
            # Where the episode ended, the decision itself stands for the next one.
            inputs = self.replay.take(following)
            action_values, _ = self.evaluate(self.target, inputs)
            best = action_values.masked_fill(~inputs[MASK], ILLEGAL).amax(dim=1)
            targets = paid + self.nfsp.gamma * best * (following != slots)
        action_values, _ = self.evaluate(self.best, self.replay.take(slots))
        played = action_values.gather(1, self.replay.actions[slots][:, None])[:, 0]
        return functional.mse_loss(played, targets)

    def _loss_of_average(self) -> torch.Tensor:
        """Return the cross entropy of the average policy and what the best response did."""
        slots = self._draws(self.reservoir.size)
        inputs = self.reservoir.take(slots)
        logits, _ = self.evaluate(self.network, inputs)
        logits = logits.masked_fill(~inputs[MASK], ILLEGAL)
        return functional.cross_entropy(logits, self.reservoir.actions[slots])

    # --- Checkpoints ----------------------------------------------------------------------------

    def _other_networks(self) -> list[tuple[str, nn.Module]]:
        return [*super()._other_networks(), ("best", self.best), ("target", self.target)]

    def export_own(self) -> tuple[Tensors, dict[str, Any]]:
        """Return tensors and JSON values from which `import_own` resumes with identical results."""
        tensors, plain = super().export_own()
        groups = {
            "memory": self._memory,
            **{name: buffer.export() for name, buffer in self._buffers()},
        }
        for name, group in groups.items():
            tensors |= {f"{name}/{key}": tensor for key, tensor in group.items()}
        counts = {"updates": self._updates, "at": self._at, "seen": self.reservoir.seen}
        return tensors, plain | counts

    def import_own(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Resume from what `export_own` returned."""
        super().import_own(tensors, plain)
        for name, tensor in under(tensors, "memory/").items():
            self._memory[name].copy_(tensor)
        for name, buffer in self._buffers():
            buffer.restore(under(tensors, f"{name}/"))
        self._updates, self._at = plain["updates"], plain["at"]
        self.reservoir.seen = plain["seen"]

    def _buffers(self) -> list[tuple[str, Buffer]]:
        return [("replay", self.replay), ("reservoir", self.reservoir)]
