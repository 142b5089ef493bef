"""A trained network as a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from kitchentable import Batch, Game
from kitchentable.engine.games import as_seed
from kitchentable.players.scripted import Games
from kitchentable_training.networks.inputs import MASK, NetworkInputs, moved
from kitchentable_training.networks.mixture import Mixture
from kitchentable_training.networks.network import ILLEGAL, build_network
from kitchentable_training.networks.settings import NetworkSettings

CPU = torch.device("cpu")


def weights_of(
    game: Game, params: Any, network: NetworkSettings, members: int = 0
) -> dict[str, torch.Tensor]:
    """Return the names, shapes and dtypes of a network's weights, as tensors.

    Those of the project's network are on the meta device, where they take no memory. It is a
    mixture of networks if there are ``members``.
    """
    with torch.device("cpu" if network.module else "meta"):
        return dict(_build(game, params, network, members).state_dict())


def _build(game: Game, params: Any, network: NetworkSettings, members: int) -> nn.Module:
    """Return a network, or a mixture of several, with random weights."""
    if not members:
        return build_network(game, params, network)
    return Mixture([build_network(game, params, network) for _ in range(members)])


class PolicyPlayer:
    """A network as a player, with one forward pass for all its games."""

    def __init__(
        self,
        network: nn.Module,
        inputs: NetworkInputs,
        name: str,
        *,
        deterministic: bool = True,
        seed: int = 0,
        gives_action_values: bool = False,
    ) -> None:
        """Create a player.

        Args:
            network: the network; it is neither copied nor moved.
            inputs: what it is shown.
            name: the name for tables and logs.
            deterministic: whether to play the most probable action instead of sampling.
            seed: the seed of the sampling.
            gives_action_values: whether the network's outputs are action values instead of logits,
                as trained by ``algorithm: dmc``.
        """
        self.network = network.eval()
        self.inputs = inputs
        self.name = name
        self.deterministic = deterministic
        self.gives_action_values = gives_action_values
        self.generator = torch.Generator(self.device)
        self.seed(seed)

    @property
    def device(self) -> torch.device:
        """The device of the network."""
        return next(self.network.parameters()).device

    def seed(self, seed: int) -> None:
        """Seed the random choices.

        Raises:
            ValueError: the seed is not a whole number from 0 on.
        """
        self.generator.manual_seed(as_seed(seed) % 2**64)  # torch takes no larger ones

    def move_to(self, device: torch.device) -> None:
        """Move the network to a device, and seed its random choices again there."""
        self.network.to(device)
        self.generator = torch.Generator(device).manual_seed(self.generator.initial_seed())

    def act(self, batch: Any, games: Any) -> Any:
        """Choose an action in each of ``games``.

        Args:
            batch: the tables: a `Batch`, or a `CudaBatch` on the network's device.
            games: the indices of the games: an array, or a tensor on the device; shape (k,).

        Returns:
            Legal actions, int64, as an array or a tensor like ``games``.
        """
        logits, _ = self._outputs(batch, games)
        if not self.deterministic:
            # The Gumbel trick: the argmax of logits plus Gumbel noise is a sample of the softmax.
            device = self.generator.device
            uniform = torch.rand(logits.shape, generator=self.generator, device=device)
            logits = logits - torch.log(-torch.log(uniform.clamp_(1e-12, 1 - 1e-7)))
        actions = logits.argmax(dim=1)
        return actions if isinstance(games, torch.Tensor) else actions.cpu().numpy()

    def evaluate(
        self, batch: Batch, games: Games
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return probabilities and values of the decisions in some games.

        Args:
            batch: the tables.
            games: indices into the batch; shape (k,).

        Returns:
            The probability of each action, float32, shape (k, num_actions); and the expected reward
            of the seat to move from its decision to the end of the episode, float64, shape (k,).
            Episode and reward are those that the network was trained with.
        """
        logits, values = self._outputs(batch, games)
        chances = logits.clamp(min=ILLEGAL).softmax(dim=1)  # not NaN if nothing is legal
        return chances.cpu().numpy(), values.cpu().numpy().astype(np.float64)

    def probabilities(self, batch: Batch, games: Games) -> NDArray[np.float32]:
        """Return the probability of each action; see `evaluate`."""
        return self.evaluate(batch, games)[0]

    def values(self, batch: Batch, games: Games) -> NDArray[np.float64]:
        """Return the expected reward of each decision; see `evaluate`."""
        return self.evaluate(batch, games)[1]

    def logits(self, batch: Batch, games: Games) -> torch.Tensor:
        """Return masked logits on the CPU; those of illegal actions are minus infinity."""
        return self._outputs(batch, games)[0].cpu()

    @torch.no_grad()
    def _outputs(self, batch: Any, games: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return masked logits and values on the network's device."""
        return self._outputs_of(self.network, batch, games)

    def _outputs_of(
        self, network: nn.Module, batch: Any, games: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        inputs = moved(self.inputs.tensors(batch, games), self.device)
        logits, values = network(inputs)
        return logits.float().masked_fill(~inputs[MASK], -torch.inf), values.float()


class MixturePlayer(PolicyPlayer):
    """A mixture of networks as a player, which draws one of them for each seat of a game."""

    network: Mixture

    @property
    def members(self) -> list[PolicyPlayer]:
        """The networks as players of their own."""
        options: dict[str, Any] = {
            "deterministic": self.deterministic,
            "gives_action_values": self.gives_action_values,
        }
        return [
            PolicyPlayer(network, self.inputs, self.name, **options)
            for network in self.network.members
        ]

    @property
    def shares(self) -> list[float]:
        """The probability of each of them."""
        shares: list[float] = self.network.shares.tolist()
        return shares

    @torch.no_grad()
    def _outputs(self, batch: Any, games: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the members of the seats to act return; see the base class."""
        games = np.asarray(games)
        drawn = self.network.draw(batch, games)
        logits = torch.empty(len(games), self.inputs.num_actions, device=self.device)
        values = torch.empty(len(games), device=self.device)
        for member in np.unique(drawn).tolist():
            which = np.flatnonzero(drawn == member)
            network = self.network.members[member]
            logits[which], values[which] = self._outputs_of(network, batch, games[which])
        return logits, values


def frozen_player(
    weights: Mapping[str, torch.Tensor],
    game: Game,
    params: Any,
    network: NetworkSettings,
    name: str,
    *,
    members: int = 0,
    device: torch.device = CPU,
    **more: Any,
) -> PolicyPlayer:
    """Return a player with a copy of the weights of a network, which does not learn.

    Args:
        weights: the weights.
        game: the game.
        params: its parameters, made by ``game.make_params``.
        network: the settings of the network.
        name: the name for tables and logs.
        members: the number of members, if it is a mixture of networks; else 0.
        device: the device of the copy.
        more: further arguments of `PolicyPlayer`.
    """
    frozen = _build(game, params, network, members)
    frozen.load_state_dict(weights)
    frozen.requires_grad_(requires_grad=False).to(device)
    kind = MixturePlayer if members else PolicyPlayer
    return kind(frozen, NetworkInputs(game, params, network), name, **more)
