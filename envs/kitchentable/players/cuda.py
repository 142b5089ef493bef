"""Scripted players on a GPU."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor

from kitchentable.core.copying import Copied
from kitchentable.core.game import Game
from kitchentable.core.rng import seeds_for
from kitchentable.engine.cuda.batch import CudaBatch
from kitchentable.engine.cuda.compiling import MOST_THREADS, Launch, bind
from kitchentable.engine.cuda.kernels import choosing
from kitchentable.engine.cuda.memory import DEVICE, blank, for_kernels, taken
from kitchentable.engine.games import as_seed
from kitchentable.engine.loops import LOOK
from kitchentable.players.scripted import check_scripted


class CudaPlayer(Copied):
    """A scripted player of a game, for the tables of a `CudaBatch`.

    With the same seed it makes the same choices as `ScriptedPlayer`, unless exponentials and
    logarithms, whose last digit may differ on a GPU, decide between two actions.
    """

    streams: Tensor
    """Random streams, one for each game of the largest batch so far; uint64."""
    _derived: ClassVar[tuple[str, ...]] = ("_launch", "_known")

    def __init__(self, game: Game, name: str, *, seed: int = 0) -> None:
        """Create the player.

        Args:
            game: the game.
            name: the player's name in ``game.players.scripted``.
            seed: the seed of its random choices.

        Raises:
            ValueError: the game has no such player, or the seed is invalid.
        """
        check_scripted(game, name)
        self.game, self.name = game, name
        self.seed(seed)
        self._derive()

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles are made from."""
        return super().__getstate__() | {"streams": self.streams.view(torch.int64)}

    def _derive(self) -> None:
        """Let `_bound` find the compiled kernel, and view streams as what they are.

        Torch pickles no tensors of uint64.
        """
        self._launch: Launch | None = None
        self._known = blank(self.game, MOST_THREADS)
        self.streams = self.streams.view(torch.uint64)

    def seed(self, seed: int) -> None:
        """Restart the random choices like `ScriptedPlayer.seed`."""
        self._seed = as_seed(seed)
        self.streams = torch.empty(0, dtype=torch.uint64, device=DEVICE)

    def compile_for(self, batch: CudaBatch) -> None:
        """Compile the kernel that `act` launches at these tables.

        Raises:
            CompileError: numba cannot compile the player for a GPU.
        """
        self._bound(self._arguments(batch, batch.current_player, batch.current_player))

    def act(self, batch: CudaBatch, games: Tensor) -> Tensor:
        """Choose an action in each of ``games`` for the seat to act.

        Args:
            batch: the tables.
            games: indices into the batch, not checked; int64, shape (k,), on the device.

        Returns:
            Legal actions; int64, shape (k,). If the device memory was not enough to find one, an
            action that the batch refuses.

        Raises:
            CompileError: numba cannot compile the player for a GPU.
        """
        actions = torch.full_like(games, LOOK)
        arguments = self._arguments(batch, games, actions)
        self._bound(arguments)(len(games), *arguments)
        return actions

    def _arguments(self, batch: CudaBatch, games: Tensor, actions: Tensor) -> tuple[Any, ...]:
        if len(self.streams) < batch.num_envs:
            self.streams = torch.from_numpy(seeds_for(self._seed, batch.num_envs)).to(DEVICE)
        return (
            taken(batch.states),
            for_kernels(batch.masks),
            taken(self._known),
            for_kernels(self.streams),
            for_kernels(games),
            for_kernels(actions),
            batch.tables,
        )

    def _bound(self, arguments: tuple[Any, ...]) -> Launch:
        """Return the launch function; one suffices, as all tables of a game have the same types."""
        if self._launch is None:
            function, allocates = choosing(self.game, self.name), self.name != "random"
            own: dict[str, Any] = {"game": self.game, "name": self.name, "allocates": allocates}
            self._launch = bind(function, *arguments, **own)
        return self._launch
