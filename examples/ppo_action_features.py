"""PPO in plain torch on action features: one small network rates every legal action by its row.

Nothing of the training package is used. `make_batch(..., action_features=True)` describes the
legal actions in ``batch.rows``, and ``batch.row_actions`` says whose rows they are. The
logit of an action comes from its row and from a summary of the observation; one network plays all
seats. A game of several hands is learned hand by hand with the reward ``margin``.

    python examples/ppo_action_features.py [game] [updates]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from kitchentable import Batch, make_batch
from kitchentable.players.scripted import ScriptedPlayer

GAMES, STEPS, EPOCHS, PARTS, UNITS = 128, 64, 3, 8, 64
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 0.99, 0.95, 0.2, 0.01, 1e-3


class Rater(nn.Module):
    """Gives a logit to every row, and a value to the observation."""

    def __init__(self, batch: Any) -> None:
        super().__init__()
        self.see = nn.Sequential(nn.Linear(batch.observation_size, UNITS), nn.ReLU())
        self.rate = nn.Sequential(
            nn.Linear(UNITS + batch.rows.shape[2], UNITS), nn.ReLU(), nn.Linear(UNITS, 1)
        )
        self.value = nn.Linear(UNITS, 1)

    def forward(self, seen: Tensor, rows: Tensor, used: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of rows, minus infinity for unused ones, and values."""
        hidden = self.see(seen)
        beside = hidden[:, None].expand(-1, rows.shape[1], -1)
        logits = self.rate(torch.cat([beside, rows], dim=2))[:, :, 0]
        return logits.masked_fill(~used, -1e9), self.value(hidden)[:, 0]


def shown(batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Return copies of what the seats to act are shown."""
    arrays = batch.observations, batch.rows, batch.row_actions
    seen, rows, actions = (torch.from_numpy(np.array(array)) for array in arrays)
    return seen, rows, actions >= 0


def advantages(rewards: Tensor, ends: Tensor, movers: Tensor, values: Tensor) -> Tensor:
    """Return generalized advantage estimates, each along the decisions of one seat of a game."""
    games = torch.arange(GAMES)
    estimates = torch.zeros(STEPS, GAMES)
    paid, following, trace = (torch.zeros_like(rewards[0]) for _ in range(3))
    known = torch.zeros_like(rewards[0], dtype=torch.bool)
    for t in reversed(range(STEPS)):
        over = ends[t][:, None]
        paid, known = torch.where(over, 0.0, paid) + rewards[t], known | over
        following, trace = torch.where(over, 0.0, following), torch.where(over, 0.0, trace)
        seat = games, movers[t]
        delta = paid[seat] + GAMMA * following[seat] - values[t]
        estimates[t] = torch.where(known[seat], delta + GAMMA * LAMBDA * trace[seat], 0.0)
        paid[seat], following[seat], trace[seat] = 0.0, values[t], estimates[t]
        known[seat] = True  # from now on the next decision of this seat is in the rollout
    return estimates


def train(game: str, updates: int, **params: Any) -> Rater:
    """Learn by self-play."""
    torch.manual_seed(1)
    batch = make_batch(game, GAMES, seed=1, action_features=True, **params)
    network = Rater(batch)
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    for _ in range(updates):
        steps: list[tuple[Any, ...]] = []
        with torch.no_grad():
            for _ in range(STEPS):
                seen = shown(batch)
                logits, values = network(*seen)
                rows = logits.softmax(dim=1).multinomial(1)[:, 0]
                logs = logits.log_softmax(dim=1)[torch.arange(GAMES), rows]
                movers = torch.from_numpy(batch.current_player.copy())
                batch.step(batch.row_actions[np.arange(GAMES), rows.numpy()])
                ends = torch.from_numpy(batch.dones | batch.states["hand_over"])
                rewards = torch.from_numpy(batch.rewards.copy())
                steps.append((*seen, rows, logs, values, movers, rewards, ends))
        *inputs, rows, logs, values, movers, rewards, ends = map(
            torch.stack, zip(*steps, strict=True)
        )
        gains = advantages(rewards, ends, movers, values)
        targets = (gains + values).flatten()
        flat = [tensor.flatten(0, 1) for tensor in (*inputs, rows, logs, gains)]
        for _ in range(EPOCHS):
            for part in torch.randperm(len(targets)).chunk(PARTS):
                *minibatch_inputs, chosen, before, gain = (tensor[part] for tensor in flat)
                logits, new_values = network(*minibatch_inputs)
                chances = logits.log_softmax(dim=1)
                ratio = (chances[torch.arange(len(part)), chosen] - before).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
                policy_loss = -torch.minimum(ratio * gain, clipped * gain).mean()
                entropy = -(chances.exp() * chances).sum(dim=1).mean()
                value_loss = (new_values - targets[part]).square().mean()
                optimizer.zero_grad()
                (policy_loss + 0.5 * value_loss - ENTROPY * entropy).backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
    return network


@torch.no_grad()
def margin(network: Rater, game: str, opponent: str, hands: int = 2000, **params: Any) -> float:
    """Return the mean reward per game of seat 0, the network's, against a scripted player."""
    batch = make_batch(game, 256, seed=2, action_features=True, **params)
    other, total, games = ScriptedPlayer(batch.game, opponent, seed=1), 0.0, 0
    while games < hands:
        best = network(*shown(batch))[0].argmax(dim=1).numpy()
        actions = batch.row_actions[np.arange(256), best]
        opponent_games = np.flatnonzero(batch.current_player > 0)
        actions[opponent_games] = other.act(batch, opponent_games)
        batch.step(actions)
        total, games = total + float(batch.rewards[:, 0].sum()), games + int(batch.dones.sum())
    return total / games


if __name__ == "__main__":
    name, count = (*sys.argv[1:], "diddly", "200")[:1][0], int((*sys.argv[2:], "200")[0])
    table: dict[str, Any] = {"reward": "margin"} | ({"rounds": 1} if name == "diddly" else {})
    learned = train(name, count, **table)
    for scripted in ("random", "greedy"):
        won = margin(learned, name, scripted, **table)
        print(f"{won:+.3f} against {scripted}")  # noqa: T201
