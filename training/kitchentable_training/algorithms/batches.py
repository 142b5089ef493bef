"""Batches of games whose arrays are torch tensors, on the CPU or on a GPU.

Learning is written once, on tensors. Those of a `TensorBatch` on the CPU share their memory with
the arrays of a `Batch`; `gpu.GpuBatch` is the same on a `CudaBatch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable_training.algorithms.game_loops import GameLoop
from kitchentable_training.networks.inputs import Inputs, NetworkInputs


class TensorBatch:
    """A `Batch` as tensors that share its memory.

    Attributes:
        device: the device of the tensors.
        batch: the batch itself, for players.
        game: the game.
        params: its parameters.
        num_envs: the number of games.
        num_players: the number of seats of each game.
        is_team: whether all seats share their rewards.
    """

    device = torch.device("cpu")

    def __init__(self, batch: Any) -> None:
        self.batch = batch
        self.game, self.params = batch.game, batch.params
        self.num_envs, self.num_players = batch.num_envs, batch.num_players
        self.is_team = batch.is_team

    def _tensor(self, array: Any) -> torch.Tensor:
        return torch.as_tensor(array)

    def _array(self, tensor: torch.Tensor) -> Any:
        return tensor.numpy()

    def from_host(self, array: NDArray[Any]) -> torch.Tensor:
        """Return an array as a tensor on the device; on the CPU it shares the memory."""
        return torch.from_numpy(array).to(self.device)

    @property
    def observations(self) -> torch.Tensor:
        """What the seats to act observe; float32, shape (games, size)."""
        return self._tensor(self.batch.observations)

    @property
    def masks(self) -> torch.Tensor:
        """Their legal actions; bool, shape (games, num_actions)."""
        return self._tensor(self.batch.masks)

    @property
    def current_player(self) -> torch.Tensor:
        """The seats to act; integers, shape (games,)."""
        return self._tensor(self.batch.current_player)

    @property
    def rewards(self) -> torch.Tensor:
        """What the last step paid; float32, shape (games, seats)."""
        return self._tensor(self.batch.rewards)

    @property
    def dones(self) -> torch.Tensor:
        """Whether the last step ended a game; bool, shape (games,)."""
        return self._tensor(self.batch.dones)

    @property
    def hand_over(self) -> torch.Tensor:
        """Whether it ended a hand; bool, shape (games,)."""
        return self._tensor(self.batch.states["hand_over"])

    @property
    def records(self) -> torch.Tensor:
        """The bytes of all records, which may be written; uint8, shape (games, bytes)."""
        return self._tensor(self.batch.records.view(np.uint8)).view(self.num_envs, -1)

    def step(
        self, actions: torch.Tensor, into: tuple[torch.Tensor, torch.Tensor] | None = None
    ) -> None:
        """Play actions, and write observations and masks ``into`` these tensors from now on."""
        places = into and (self._array(into[0]), self._array(into[1]))
        self.batch.step(self._array(actions), into=places)

    def look(self) -> None:
        """Compute observations and masks after the records have been written."""
        self.batch.look()

    def forced_actions(self) -> torch.Tensor:
        """Return the only legal action of each game, or `LEAVE`; int64, shape (games,)."""
        return self._tensor(self.batch.forced_actions())

    def observe_state(self) -> torch.Tensor:
        """Return the full state of each game; float32, shape (games, size)."""
        return self._tensor(self.batch.observe_state())

    def empty(self, inputs: NetworkInputs) -> Any:
        """Return arrays for the inputs of all games, see `NetworkInputs.empty`."""
        return inputs.empty(self.num_envs)

    def shown(self, inputs: NetworkInputs, which: torch.Tensor | slice, out: Any) -> Inputs:
        """Return the inputs of the seats to act in some games, or for a slice in all games."""
        games = None if isinstance(which, slice) else self._array(which)
        return inputs.tensors(self.batch, games, out)

    def ask(self, player: Any, games: torch.Tensor) -> torch.Tensor:
        """Return a player's actions in some games; int64, shape (k,)."""
        return self._tensor(player.act(self.batch, self._array(games)))

    def run(self, loop: GameLoop, *arguments: Any) -> None:
        """Run a loop over the games on tensors and numbers."""
        loop(
            *(
                argument.numpy() if isinstance(argument, torch.Tensor) else argument
                for argument in arguments
            )
        )

    def compile_players(self, players: Sequence[Any]) -> None:
        """Check that scripted players can be compiled for the device."""

    def check(self) -> None:
        """Report errors that the batch could not raise at once."""
