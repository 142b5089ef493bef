"""Checkpoints: folders with safetensors weights and a JSON card. Nothing is pickled.

A folder holds ``weights.safetensors`` (the policy), ``card.json`` (its description) and, in a
training run, ``state.safetensors`` (everything needed to resume bit-identically). It is written
under a temporary name and then moved into place, so a killed run leaves no partial checkpoint.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
from pydantic import BaseModel, Field, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load, save

from kitchentable import Game, find_game
from kitchentable_training import files
from kitchentable_training.networks import policy
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.settings import Outputs, errors_in

FORMAT = "kitchentable checkpoint 1"
PACKAGES = ("kitchentable", "numpy", "numba", "torch", "stable_baselines3", "sb3_contrib")
LARGEST, LARGEST_HEADER = 8 * 1024**3, 1024**2
"""Maximum sizes of a tensor file and of its header, in bytes; larger files are not read."""


class CheckpointError(ValueError):
    """A checkpoint is missing, damaged, or does not fit its use."""


class MisfitError(CheckpointError):
    """A checkpoint was made for another game, variant or network.

    Attributes:
        why: what it needs, a sentence without its subject.
    """

    def __init__(self, why: str) -> None:
        super().__init__(f"the checkpoint {why}")
        self.why = why


class DamagedCheckpointError(CheckpointError):
    """A checkpoint lacks a file, or the content of one is invalid, and will be so every time."""


def make_card(
    game: Game,
    params: Any,
    network: NetworkSettings,
    *,
    outputs: Outputs = "logits",
    value_until: str | None = None,
    members: int = 0,
    **more: Any,
) -> dict[str, Any]:
    """Return the card of a network.

    Args:
        game: the game that it plays.
        params: the game's parameters.
        network: the settings of the network.
        outputs: what its outputs are.
        value_until: what its value predicts: what is paid until the end of the ``"game"`` or the
            ``"hand"``; None if neither, or if it is unknown.
        members: the number of members of a mixture of such networks; 0: it is one network.
        more: further fields.
    """
    inputs = NetworkInputs(game, params, network)
    return {
        "format": FORMAT,
        "game": game.name,
        "game_version": game.version,
        "params": params.plain(),
        "info": dict(game.rules.info(params)),
        "observation": inputs.layout,
        "action_features": list(inputs.feature_names),
        "actions": list(game.rules.action_names(params)),
        "network": network.model_dump(),
        "outputs": outputs,
        "value_until": value_until,
        **({"members": members} if members else {}),
        "versions": versions(),
        **more,
    }


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results depend on."""
    return {"python": platform.python_version()} | {
        name: importlib.metadata.version(name) for name in PACKAGES
    }


def write_checkpoint(
    folder: Path,
    card: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor],
    state: Mapping[str, torch.Tensor] | None = None,
) -> None:
    """Write a checkpoint folder atomically; an existing folder of that name is replaced.

    All files are read again before the folder is moved into place.

    Args:
        folder: path of the checkpoint.
        card: the card from `make_card`, with any additional fields.
        weights: tensors of the policy.
        state: tensors of the training run, if it can be resumed from this checkpoint.

    Raises:
        ValueError: the checkpoint could not be read again, for example because a number on the card
            or a weight is not finite; then nothing has changed.
    """
    contents = {files.WEIGHTS: save(_apart(weights))}
    if state is not None:
        contents[files.STATE] = save(_apart(state))
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
    contents[files.CARD] = files.as_json(folder / files.CARD, {**card, "sha256": digests}).encode()
    with files.written_aside(folder) as aside:
        aside.mkdir()
        for name, data in contents.items():
            with (aside / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        _read_again(aside, folder, weights, state)


def _read_again(
    aside: Path,
    folder: Path,
    weights: Mapping[str, torch.Tensor],
    state: Mapping[str, torch.Tensor] | None,
) -> None:
    """Check that a checkpoint can be read before it becomes ``folder``."""
    try:
        read_tensors(aside, files.WEIGHTS, weights)
        if state is not None:
            read_tensors(aside, files.STATE)
    except CheckpointError as error:
        why = str(error).replace(str(aside), str(folder))
        raise CheckpointError(f"not written, as it could not be read again: {why}") from None


def _apart(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return copies, because safetensors rejects tensors that share memory, as a policy's may."""
    return {name: tensor.detach().cpu().clone().contiguous() for name, tensor in tensors.items()}


class Card(BaseModel):
    """The validated fields of a card; all others are informative, or for the training run."""

    game: str
    game_version: int
    params: dict[str, Any]
    info: dict[str, Any]
    observation: dict[str, int]
    action_features: list[str]
    actions: list[str]
    network: NetworkSettings
    outputs: Outputs
    value_until: Literal["game", "hand"] | None = None
    members: Annotated[int, Field(ge=0, le=1000)] = 0
    settings: dict[str, Any] = {}
    sha256: dict[str, str]


def read_card(folder: str | Path) -> dict[str, Any]:
    """Return the card of a checkpoint.

    Raises:
        CheckpointError: the folder is not a checkpoint of this version, or cannot be read.
        DamagedCheckpointError: it has no card, or the card is damaged.
    """
    path = Path(folder) / files.CARD
    if not path.is_file():
        raise DamagedCheckpointError(f"{folder} is not a checkpoint: it has no {files.CARD}")
    try:
        card = files.read_json(path)
    except files.DamagedError as error:
        raise DamagedCheckpointError(str(error)) from None
    except ValueError as error:
        raise CheckpointError(str(error)) from None
    if card.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a card of {FORMAT!r}")
    try:
        Card.model_validate(card, strict=True)
    except ValidationError as error:
        why = next(errors_in(error, Card))
        raise DamagedCheckpointError(f"{path} is damaged: {why}") from None
    return card


def weights_checksum(folder: str | Path) -> str:
    """Return the checksum of a checkpoint's weights, which tells apart players of one name."""
    return str(read_card(folder)["sha256"][files.WEIGHTS])


def why_no_search(card: Mapping[str, Any]) -> str:
    """Return why a tree search cannot use a checkpoint's policy and value, or "" if it can."""
    if card["outputs"] == "action_values":
        return "its network learned values and no policy, which a tree search needs"
    if card.get("value_until") is None:
        return (
            "a tree search needs a value of what is paid until the end of the game or the hand, "
            "and value_until on its card is null"
        )
    return ""


def why_no_start(card: Mapping[str, Any], outputs: Outputs) -> str:
    """Return why a network with such outputs cannot start as a checkpoint, or "" if it can."""
    if card.get("members"):
        return "it is a mixture of networks"
    if card["outputs"] != outputs:
        return f"it was trained for {card['outputs']}, and here {outputs} are learned"
    return ""


def read_tensors(
    folder: str | Path, name: str, wanted: Mapping[str, torch.Tensor] | None = None
) -> dict[str, torch.Tensor]:
    """Read a tensor file of a checkpoint and check it against the checksum on the card.

    Args:
        folder: the checkpoint.
        name: name of the file.
        wanted: tensors with the required names, shapes and dtypes; the values read must then be
            finite. None accepts anything.

    Raises:
        CheckpointError: the file cannot be read, or holds other tensors; names both sides.
        DamagedCheckpointError: the file is missing or damaged.
    """
    path = Path(folder) / name
    card = read_card(folder)
    most = LARGEST
    if wanted is not None:
        most = min(most, LARGEST_HEADER + sum(tensor.nbytes for tensor in wanted.values()))
    if not path.is_file():
        raise DamagedCheckpointError(f"cannot read {path}: it is not a file")
    try:
        data = files.read_bytes(path, most)
    except ValueError as error:
        raise CheckpointError(str(error)) from None
    if hashlib.sha256(data).hexdigest() != card["sha256"].get(name):
        raise DamagedCheckpointError(
            f"{path} is damaged: its checksum differs from the one on the card"
        )
    try:
        tensors = load(data)
    except (SafetensorError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise DamagedCheckpointError(f"{path} is damaged: {error}") from None
    if wanted is not None:
        _check_tensors(tensors, wanted, path)
    return tensors


def _check_tensors(
    actual: Mapping[str, torch.Tensor], expected: Mapping[str, torch.Tensor], path: Path
) -> None:
    for name in sorted(actual.keys() | expected.keys()):
        there, here = (_form(tensors.get(name)) for tensors in (actual, expected))
        if there != here:
            raise CheckpointError(f"{path} is of another network: {name} is {there}, not {here}")
        if not actual[name].isfinite().all():
            raise DamagedCheckpointError(
                f"{path} is damaged: {name} has numbers that are not finite"
            )


def _form(tensor: torch.Tensor | None) -> str:
    return "nothing" if tensor is None else f"{tensor.dtype} {list(tensor.shape)}"


def check_card(card: Mapping[str, Any], game: Game, params: Any) -> None:
    """Check that a checkpoint was made for this game and these parameters, except the reward.

    Raises:
        MisfitError: it was not; the message names the difference, with both values.
    """
    if card["game"] != game.name:
        raise MisfitError(f"plays {card['game']}; this table is {game.name}")
    network = NetworkSettings.model_validate(card["network"])
    try:
        network.check(game)
        inputs = NetworkInputs(game, params, network)
    except ValueError as error:
        raise MisfitError(f"has a network that is impossible here: {error}") from None
    here = {
        "game_version": game.version,
        "variant": _variant(params.plain()),
        "info": dict(game.rules.info(params)),
        "observation": inputs.layout,
        "action_features": list(inputs.feature_names),
        "actions": list(game.rules.action_names(params)),
    }
    if network.tables:
        here = {name: here[name] for name in ("game_version", "info", "action_features")}
        try:
            _ = inputs.weights_read
        except ValueError as error:
            raise MisfitError(f"was made for other tables: {error}") from None
    # Parameters added to the game later have their defaults, which change nothing.
    since = game.make_params().plain()
    there = {**card, "variant": _variant(since | card["params"])}
    for key, expected in here.items():
        if there[key] != expected:
            where, card_value, table_value = _difference(key, there[key], expected)
            raise MisfitError(f"needs {where}={card_value}; this table has {where}={table_value}")


def _difference(key: str, card_value: Any, table_value: Any) -> tuple[str, Any, Any]:
    """Return the name and both values of a difference: of a mapping or a list, of the first one."""
    if isinstance(table_value, dict):
        names, prefix = (
            dict.fromkeys([*table_value, *card_value]),
            f"{key}." * (key == "observation"),
        )
        pairs = ((prefix + name, card_value.get(name), table_value.get(name)) for name in names)
    elif isinstance(table_value, list):
        entries = enumerate(zip_longest(card_value, table_value))
        pairs = ((f"{key}[{place}]", *pair) for place, pair in entries)
    else:
        return key, card_value, table_value
    return next(difference for difference in pairs if difference[1] != difference[2])


def _variant(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name != "reward"}


def load_player(
    folder: str | Path,
    game: Game | None = None,
    params: Any = None,
    *,
    deterministic: bool = True,
    seed: int = 0,
) -> policy.PolicyPlayer:
    """Return the trained player in a checkpoint.

    Args:
        folder: the checkpoint.
        game: the game to play; None for the game and parameters that it was trained for.
        params: the game's parameters, made by ``game.make_params``; ignored without ``game``.
        deterministic: whether to play the most probable action instead of sampling one.
        seed: seed of the sampling.

    Raises:
        CheckpointError: the checkpoint is missing, damaged, or made for something else.
        ValueError: without ``game``, if the card has an unknown game or invalid parameters.
    """
    card = read_card(folder)
    if game is None:
        game = find_game(card["game"])
        params = game.make_params(**card["params"])
    check_card(card, game, params)
    network = NetworkSettings.model_validate(card["network"])
    members = card.get("members", 0)
    form = policy.weights_of(game, params, network, members)
    return policy.frozen_player(
        read_tensors(folder, files.WEIGHTS, form),
        game,
        params,
        network,
        Path(folder).resolve().name,
        members=members,
        deterministic=deterministic,
        seed=seed,
        gives_action_values=card["outputs"] == "action_values",
    )
