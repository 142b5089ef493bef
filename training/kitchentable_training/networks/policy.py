"""Policies: how networks are built, and a trained network as a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from kitchentable import Game
from kitchentable.engine.games import as_seed
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.pass_by import InputsBesideRows
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.networks.trunk import TablePolicy

ILLEGAL = -1e8
"""The logit of illegal actions where gradients are needed; minus infinity would make them NaN."""


def policy_kwargs(network: NetworkSettings, game: Game, params: Any) -> dict[str, Any]:
    """Return the arguments of sb3-contrib's policy for a network."""
    layers = list(network.layers)
    inputs = NetworkInputs.of(network, game, params)
    replies = inputs.reply_sizes(network.reply_rounds)
    rows, length = inputs.action_rows
    kwargs: dict[str, Any] = {
        "net_arch": {"pi": layers, "vf": layers},
        "row_length": length + (replies.made if replies else 0),
        "action_units": network.action_units,
        "best_row": network.best_row,
        "value_of_actions": network.value_of_actions,
    }
    if rows:
        kwargs["features_extractor_class"] = InputsBesideRows
        kwargs["features_extractor_kwargs"] = {"rows": (rows, length), "replies": replies}
    return kwargs


def build_policy(
    game: Game, params: Any, network: NetworkSettings, kind: type[TablePolicy] = TablePolicy
) -> TablePolicy:
    """Return a network with random weights."""
    size = NetworkInputs.of(network, game, params).size
    return kind(
        spaces.Box(0.0, 1.0, (size,), np.float32),
        spaces.Discrete(len(game.rules.action_names(params))),
        lambda _: 0.0,
        **policy_kwargs(network, game, params),
    )


def weights_of(game: Game, params: Any, network: NetworkSettings) -> dict[str, torch.Tensor]:
    """Return a network's weights as tensors on the meta device, which take no memory."""
    meta = torch.device("meta")
    # stable-baselines3 moves layers to the policy's device, which is the CPU at first.
    kind = type("MetaPolicy", (TablePolicy,), {"device": meta})
    with meta:
        return dict(build_policy(game, params, network, kind).state_dict())


def logits_and_values(
    policy: MaskableActorCriticPolicy, seen: torch.Tensor, masks: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the outputs of a policy, with gradients.

    Args:
        policy: the network.
        seen: its inputs; float32, shape (batch, size).
        masks: legal actions; bool, shape (batch, num_actions).

    Returns:
        Logits, (batch, num_actions), `ILLEGAL` for illegal actions; and values, (batch,).
    """
    latent_policy, latent_value = policy.mlp_extractor(policy.extract_features(seen))
    logits: torch.Tensor = policy.action_net(latent_policy)
    return logits.masked_fill(~masks, ILLEGAL), policy.value_net(latent_value).flatten()


class PolicyPlayer:
    """A network as a player, with one forward pass for all its games."""

    def __init__(
        self,
        policy: TablePolicy,
        inputs: NetworkInputs,
        name: str,
        *,
        deterministic: bool = True,
        seed: int = 0,
        worths: bool = False,
    ) -> None:
        """Create a player.

        Args:
            policy: the network; it is neither copied nor moved.
            inputs: the inputs of the network.
            name: the name for tables and logs.
            deterministic: whether to play the most probable action instead of sampling.
            seed: the seed of the sampling.
            worths: whether the network's outputs are action values instead of logits, as trained
                by ``algorithm: dmc``.
        """
        self.policy = policy.eval()
        self.inputs = inputs
        self.name = name
        self.deterministic = deterministic
        self.worths = worths
        self.generator = torch.Generator(policy.device)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Seed the random choices.

        Raises:
            ValueError: the seed is not a whole number from 0 on.
        """
        self.generator.manual_seed(as_seed(seed) % 2**64)  # torch takes no larger ones

    def move_to(self, device: torch.device) -> None:
        """Move the network to a device, and seed its random choices again there."""
        self.policy.to(device)
        self.generator = torch.Generator(device).manual_seed(self.generator.initial_seed())

    def act(self, batch: Any, games: Any) -> Any:
        """Choose an action in each of ``games``.

        Args:
            batch: the tables: a `Batch`, or a `CudaBatch` on the network's device; for the latter
                the observation must be the only input.
            games: the indices of the games: an array, or a tensor on the device; shape (k,).

        Returns:
            Legal actions, int64, as an array or a tensor like ``games``.
        """
        observations, masks = batch.observations[games], batch.masks[games]
        logits = self._logits(self.inputs.tensor(observations, masks), torch.as_tensor(masks))
        if not self.deterministic:
            # The Gumbel trick: the argmax of logits plus Gumbel noise is a sample of the softmax.
            device = self.generator.device
            uniform = torch.rand(logits.shape, generator=self.generator, device=device)
            logits = logits - torch.log(-torch.log(uniform.clamp_(1e-12, 1 - 1e-7)))
        actions = logits.argmax(dim=1)
        return actions if isinstance(games, torch.Tensor) else actions.cpu().numpy()

    @torch.no_grad()
    def evaluate(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return probabilities and values of some decisions.

        Args:
            observations: of the seats to move; float32, shape (games, observation size).
            masks: their legal actions; bool, shape (games, num_actions).

        Returns:
            The probability of each action, float32, shape (games, num_actions); and the expected
            reward of the seat to move from its decision to the end of the episode, float64, shape
            (games,). Episode and reward are those that the network was trained with.
        """
        device = self.policy.device
        seen = self.inputs.tensor(observations, masks).to(device)
        legal = torch.as_tensor(masks, device=device)
        logits, values = logits_and_values(self.policy, seen, legal)
        return logits.softmax(dim=1).cpu().numpy(), values.cpu().numpy().astype(np.float64)

    def probabilities(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Return the probability of each action; see `evaluate`."""
        return self.evaluate(observations, masks)[0]

    def values(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return the expected reward of each decision; see `evaluate`."""
        return self.evaluate(observations, masks)[1]

    def logits(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> torch.Tensor:
        """Return masked logits on the CPU; those of illegal actions are minus infinity."""
        seen = self.inputs.tensor(observations, masks)
        return self._logits(seen, torch.as_tensor(masks)).cpu()

    @torch.no_grad()
    def _logits(self, seen: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        device = self.policy.device
        features = self.policy.pi_features_extractor(seen.to(device))
        latent = self.policy.mlp_extractor.forward_actor(features)
        logits: torch.Tensor = self.policy.action_net(latent)
        return logits.masked_fill_(~masks.to(device), -torch.inf)


def frozen_copy(
    weights: Mapping[str, torch.Tensor], game: Game, params: Any, network: NetworkSettings
) -> TablePolicy:
    """Return a new network with a copy of the weights, on the CPU and without gradients."""
    policy = build_policy(game, params, network)
    policy.load_state_dict({name: tensor.cpu().clone() for name, tensor in weights.items()})
    return policy.requires_grad_(requires_grad=False).eval()
