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

from kitchentable import Batch, Game
from kitchentable.players import Actions, Games
from kitchentable_training.config import NetworkSettings
from kitchentable_training.networks import CardRelations, HintedPolicy, MapCells
from kitchentable_training.sight import Sight

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


def policy_kwargs(network: NetworkSettings, game: Game, params: Any) -> dict[str, Any]:
    """Return what sb3-contrib's policy wants to know of a network."""
    layers = list(network.layers)
    kwargs: dict[str, Any] = {
        "net_arch": {"pi": layers, "vf": layers},
        "activation_fn": ACTIVATIONS[network.activation],
    }
    sight = Sight(game, params, hints=network.hints)
    layout = sight.layout
    if network.hints:
        kwargs["shown"] = sight.num_hints
    if network.features == "cards":
        kinds = len(game.deck(params))
        kwargs["features_extractor_class"] = CardRelations
        kwargs["features_extractor_kwargs"] = {
            "layout": layout,
            "card_parts": {name: kinds for name in game.card_parts if name in layout},
        }
    if network.features == "maps":
        kwargs["features_extractor_class"] = MapCells
        kwargs["features_extractor_kwargs"] = {
            "layout": layout,
            "image_parts": dict(game.image_parts(params)),
        }
    return kwargs


def policy_class(network: NetworkSettings) -> type[MaskableActorCriticPolicy]:
    """Return the class of a network."""
    return HintedPolicy if network.hints else MaskableActorCriticPolicy


def build_policy(game: Game, params: Any, network: NetworkSettings) -> MaskableActorCriticPolicy:
    """Return a fresh network outside of any training run."""
    size = Sight(game, params, hints=network.hints).size
    return policy_class(network)(
        spaces.Box(0.0, 1.0, (size,), np.float32),
        spaces.Discrete(len(game.action_names(params))),
        lambda _: 0.0,
        **policy_kwargs(network, game, params),
    )


class PolicyPlayer:
    """A network as a player: one forward pass for all its games."""

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        sight: Sight,
        name: str,
        *,
        deterministic: bool = True,
        seed: int = 0,
    ) -> None:
        """Sit down to play.

        Args:
            policy: the network; it is used as it is, on the device where it lies.
            sight: what it is shown.
            name: for tables and logs.
            deterministic: the most probable action instead of a drawn one.
            seed: of the draws.
        """
        self.policy = policy.eval()
        self.sight = sight
        self.name = name
        self.deterministic = deterministic
        self.generator = torch.Generator()
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Begin its random choices anew."""
        self.generator.manual_seed(seed)

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games``."""
        logits = self.logits(batch.observations[games], batch.masks[games])
        if not self.deterministic:
            # The Gumbel trick: the largest of logits plus such noise is a draw from the softmax.
            uniform = torch.rand(logits.shape, generator=self.generator)
            logits = logits - torch.log(-torch.log(uniform.clamp_(1e-12, 1 - 1e-7)))
        actions: Actions = logits.argmax(dim=1).numpy()
        return actions

    def probabilities(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Return the probability of each action; shape (games, num_actions)."""
        chances: NDArray[np.float32] = self.logits(observations, masks).softmax(dim=1).numpy()
        return chances

    @torch.no_grad()
    def logits(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> torch.Tensor:
        """Return masked logits on the CPU; illegal actions have minus infinity."""
        seen = torch.as_tensor(self.sight(observations, masks), device=self.policy.device)
        features = self.policy.pi_features_extractor(seen)
        latent = self.policy.mlp_extractor.forward_actor(features)
        logits: torch.Tensor = self.policy.action_net(latent).cpu()
        return logits.masked_fill_(~torch.as_tensor(masks), -torch.inf)


def frozen_copy(
    weights: Mapping[str, torch.Tensor], game: Game, params: Any, network: NetworkSettings
) -> MaskableActorCriticPolicy:
    """Return a network of its own with the given weights, on the CPU."""
    policy = build_policy(game, params, network)
    policy.load_state_dict({name: tensor.cpu().clone() for name, tensor in weights.items()})
    return policy.requires_grad_(requires_grad=False).eval()
