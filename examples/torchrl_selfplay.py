"""Self-play in Diddly with TorchRL's PPO loss: one network plays both seats.

    python examples/torchrl_selfplay.py

TorchRL's wrapper writes a row for every decision, with the rewards of all agents. An agent often
receives a reward in another agent's row. So first sum the rewards over all rows up to the end of
the game, and only then keep the rows in which an agent decided (`mask`).
"""

from __future__ import annotations

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import InteractionType, TensorDictModule
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

from kitchentable import diddly_v0, find_game
from kitchentable.players.function import FunctionPlayer
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.evaluate.duplicate import figures, play_duplicate

TABLE = {"num_players": 2, "rounds": 1, "reward": "margin"}
GAMES, EPOCHS, MINIBATCH = 16, 6, 64
SEEN = ("agents", "observation", "observation")
LOSSES = ("objective", "critic", "entropy")


def make_env(seed: int = 0, **options: object) -> PettingZooWrapper:
    """Make a table with all agents in one group: shapes are (rows, agents, ...)."""
    return PettingZooWrapper(
        diddly_v0.env(**{**TABLE, **options}),
        use_mask=True,
        categorical_actions=True,
        group_map=MarlGroupMapType.ALL_IN_ONE_GROUP,
        seed=seed,
    )


def decisions(game: TensorDict) -> TensorDict:
    """Return the decisions of a whole game, each with the rewards of its agent from there on.

    Args:
        game: a rollout up to the end; shape (rows,).
    """
    agents = game["agents"].clone()  # (rows, agents)
    agents["value_target"] = game["next", "agents", "reward"].flip(0).cumsum(0).flip(0)
    rows = agents[agents["mask"]]
    return TensorDict({"agents": rows}, rows.batch_size)


def make_actor(size: int, actions: int) -> ProbabilisticActor:
    """Return a policy over the legal actions."""
    return ProbabilisticActor(
        TensorDictModule(perceptron(size, actions), [SEEN], [("agents", "logits")]),
        in_keys={"logits": ("agents", "logits"), "mask": ("agents", "action_mask")},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
        default_interaction_type=InteractionType.RANDOM,
        return_log_prob=True,
        log_prob_key=("agents", "action_log_prob"),
    )


def perceptron(size: int, outputs: int) -> torch.nn.Module:
    """Return a network of one hidden layer."""
    return torch.nn.Sequential(
        torch.nn.Linear(size, 128), torch.nn.Tanh(), torch.nn.Linear(128, outputs)
    )


def train(count: int, seed: int = 0) -> ProbabilisticActor:
    """Learn from ``count`` decisions of both seats, in whole games; return the policy."""
    torch.manual_seed(seed)
    env = make_env(seed)
    size = env.observation_spec[SEEN].shape[-1]
    actor = make_actor(size, env.action_spec_unbatched["agents", "action"].n)
    critic = ValueOperator(perceptron(size, 1), [SEEN], [("agents", "state_value")])
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    loss.set_keys(
        sample_log_prob=("agents", "action_log_prob"),
        **{key: ("agents", key) for key in ("action", "value_target", "advantage")},
        value=("agents", "state_value"),
    )
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    while count > 0:
        with torch.no_grad():
            games = [env.rollout(10_000, actor) for _ in range(GAMES)]
            batch = torch.cat([decisions(game) for game in games])
            advantage = batch["agents", "value_target"] - critic(batch)["agents", "state_value"]
            batch["agents", "advantage"] = (advantage - advantage.mean()) / advantage.std()
        for _ in range(EPOCHS):
            for part in batch[torch.randperm(len(batch))].split(MINIBATCH):
                losses = loss(part)
                optimizer.zero_grad()
                sum(losses[f"loss_{name}"] for name in LOSSES).backward()
                optimizer.step()
        count -= len(batch)
    return actor


def win_rate(actor: ProbabilisticActor, deals: int = 500) -> float:
    """Return the win rate of its best actions against `random`, from both seats of each deal."""
    network = actor[0].module

    @torch.no_grad()
    def choose(observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        logits = network(torch.from_numpy(observations))
        return logits.masked_fill(~torch.from_numpy(masks), -torch.inf).argmax(1)

    game = find_game("diddly")
    params = game.make_params(**TABLE)
    learned, opponent = FunctionPlayer("torchrl", choose), ScriptedPlayer(game, "random")
    return figures(play_duplicate(learned, opponent, game, params, deals))["win_rate"]


if __name__ == "__main__":
    print(f"won {win_rate(train(5_000)):.0%} of the games against random")  # noqa: T201
