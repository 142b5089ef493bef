"""Networks that play: how they are built, and a trained one as a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from kitchentable import Game
from kitchentable_training.networks.features import FEATURES
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.networks.trunk import TablePolicy

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}
ILLEGAL = -1e8
"""The logit of an illegal action where gradients are taken; minus infinity would make them NaN."""


def policy_kwargs(network: NetworkSettings, game: Game, params: Any) -> dict[str, Any]:
    """Return what sb3-contrib's policy wants to know of a network."""
    layers = list(network.layers)
    inputs = NetworkInputs.of(network, game, params)
    replies = inputs.reply_sizes(network.reply_rounds, network.reply_units)
    rows, length = inputs.action_rows
    kwargs: dict[str, Any] = {
        "net_arch": {"pi": layers, "vf": layers},
        "activation_fn": ACTIVATIONS[network.activation],
        "shared": network.shared,
        "row_length": length + (replies.made if replies else 0),
        "action_units": network.action_units,
        "best_row": network.best_row,
        "value_of_actions": network.value_of_actions,
    }
    return kwargs | FEATURES[network.features].policy_kwargs(game, params, (rows, length), replies)


def build_policy(
    game: Game, params: Any, network: NetworkSettings, kind: type[TablePolicy] = TablePolicy
) -> TablePolicy:
    """Return a fresh network outside of any training run."""
    size = NetworkInputs.of(network, game, params).size
    return kind(
        spaces.Box(0.0, 1.0, (size,), np.float32),
        spaces.Discrete(len(game.rules.action_names(params))),
        lambda _: 0.0,
        **policy_kwargs(network, game, params),
    )


def weights_of(game: Game, params: Any, network: NetworkSettings) -> dict[str, torch.Tensor]:
    """Return names, shapes and types of a network's weights; the tensors take no memory."""
    meta = torch.device("meta")
    # stable-baselines3 moves layers to the network's device, and takes it to be the CPU at first.
    kind = type("MetaPolicy", (TablePolicy,), {"device": meta})
    with meta:
        return dict(build_policy(game, params, network, kind).state_dict())


def logits_and_values(
    policy: MaskableActorCriticPolicy, seen: torch.Tensor, masks: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what a policy thinks, to learn from.

    Args:
        policy: the network.
        seen: what it is shown; (batch, size).
        masks: legal actions, bool; (batch, num_actions).

    Returns:
        Logits, so low that they cannot be drawn where an action is illegal, (batch, num_actions);
        and values, (batch,).
    """
    latent_policy, latent_value = policy.mlp_extractor(policy.extract_features(seen))
    logits: torch.Tensor = policy.action_net(latent_policy)
    return logits.masked_fill(~masks, ILLEGAL), policy.value_net(latent_value).flatten()


class PolicyPlayer:
    """A network as a player: one forward pass for all its games."""

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
        """Sit down to play.

        Args:
            policy: the network; it is used as it is, on the device where it lies.
            inputs: what it is shown.
            name: for tables and logs.
            deterministic: the most probable action instead of a drawn one.
            seed: of the draws.
            worths: whether the network says what actions are worth instead of how likely they are,
                as ``algorithm: dmc`` learns it.
        """
        self.policy = policy.eval()
        self.inputs = inputs
        self.name = name
        self.deterministic = deterministic
        self.worths = worths
        self.generator = torch.Generator(policy.device)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Begin its random choices anew."""
        self.generator.manual_seed(seed)

    def move_to(self, device: torch.device) -> None:
        """Move the network to a device; its random choices begin anew there."""
        self.policy.to(device)
        self.generator = torch.Generator(device).manual_seed(self.generator.initial_seed())

    def act(self, batch: Any, games: Any) -> Any:
        """Choose an action in each of ``games``.

        Args:
            batch: the tables: a `Batch`, or a `CudaBatch` on the device of the network, which must
                be shown the observation alone.
            games: where to act: an array, or a tensor on the device; shape (k,).

        Returns:
            Legal actions, in what the games are given in.
        """
        observations, masks = batch.observations[games], batch.masks[games]
        logits = self._logits(self.inputs.tensor(observations, masks), torch.as_tensor(masks))
        if not self.deterministic:
            # The Gumbel trick: the largest of logits plus such noise is a draw from the softmax.
            device = self.generator.device
            uniform = torch.rand(logits.shape, generator=self.generator, device=device)
            logits = logits - torch.log(-torch.log(uniform.clamp_(1e-12, 1 - 1e-7)))
        actions = logits.argmax(dim=1)
        return actions if isinstance(games, torch.Tensor) else actions.cpu().numpy()

    @torch.no_grad()
    def evaluate(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return what the network thinks of some decisions.

        Args:
            observations: of the seats to act; shape (games, observation size).
            masks: their legal actions; shape (games, num_actions).

        Returns:
            The probability of each action, shape (games, num_actions); and what it expects to be
            paid to the seat to act, from its decision to the end of the episode that it was trained
            on, in that run's reward, shape (games,).
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
        """Return what the network expects to be paid; see `evaluate`."""
        return self.evaluate(observations, masks)[1]

    def logits(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> torch.Tensor:
        """Return masked logits on the CPU; illegal actions have minus infinity."""
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
    """Return a network of its own with the given weights, on the CPU."""
    policy = build_policy(game, params, network)
    policy.load_state_dict({name: tensor.cpu().clone() for name, tensor in weights.items()})
    return policy.requires_grad_(requires_grad=False).eval()
