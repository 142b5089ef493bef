"""Table games with hidden information as PettingZoo environments, with a compiled engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.registration import enter
from kitchentable.adapters.seat import SeatEnv
from kitchentable.core.game import Game
from kitchentable.core.parameters import one_line_repr
from kitchentable.core.registry import all_games, find_game, register, shipped_versions
from kitchentable.engine.batch import Batch
from kitchentable.engine.cuda import check_usable

if TYPE_CHECKING:
    from kitchentable.engine.cuda.batch import CudaBatch

__all__ = [
    "Batch",
    "Game",
    "SeatEnv",
    "TableEnv",
    "all_games",
    "find_game",
    "make_batch",
    "register",
]
__version__ = "1.0.0"


@overload
def make_batch(
    game: str,
    num_envs: int,
    *,
    seed: SupportsIndex | None = None,
    threads: int = 1,
    device: Literal["cpu"] = "cpu",
    action_features: bool = False,
    **params: Any,
) -> Batch: ...
@overload
def make_batch(
    game: str,
    num_envs: int,
    *,
    seed: SupportsIndex | None = None,
    device: Literal["cuda"],
    action_features: bool = False,
    **params: Any,
) -> CudaBatch: ...
def make_batch(
    game: str,
    num_envs: int,
    *,
    seed: SupportsIndex | None = None,
    threads: int = 1,
    device: str = "cpu",
    action_features: bool = False,
    **params: Any,
) -> Batch | CudaBatch:
    """Return a batch of games that are played together and restart automatically.

    Args:
        game: the game's name.
        num_envs: the number of games, at least 1.
        seed: the seed of all games; game ``i`` is the same in a batch of any size, on any device.
        threads: the number of CPU threads; used for batches of some hundred games or more. After
            that, a process that this one forks cannot use several threads (see `Batch`).
        device: ``"cpu"``, or ``"cuda"`` for the current GPU of torch.
        action_features: whether to describe the legal actions in every step, in ``rows`` and
            ``row_actions`` of the batch.
        params: the game's parameters, see its page.

    Raises:
        NotImplementedError: ``action_features`` of a game that has none.
        ValueError: an argument is invalid, or there is no GPU; the message says what is possible.
        ImportError: a package for the GPU is missing; the message says how to install it.
    """
    if device == "cpu":
        return Batch(
            find_game(game),
            num_envs,
            seed=seed,
            threads=threads,
            action_features=action_features,
            **params,
        )
    if device != "cuda":
        raise ValueError(f"device={one_line_repr(device)} is not possible; choose 'cpu' or 'cuda'")
    if threads != 1:
        raise ValueError(f"threads={one_line_repr(threads)} is not possible on a GPU; leave it out")
    check_usable()
    from kitchentable.engine.cuda.batch import CudaBatch  # noqa: PLC0415 - it imports torch

    return CudaBatch(
        find_game(game), num_envs, seed=seed, action_features=action_features, **params
    )


for _name, _version in shipped_versions().items():
    enter(_name, _version)
