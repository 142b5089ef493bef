"""Transfer of a policy's weights from another variant of the game.

Variants differ in the network's inputs (another number of seats, other ways to lay words) and in
their rewards. The worth of a card, or what makes an action good, is much the same, so a learner
that starts with such weights need not learn it again (Taylor and Stone, "Transfer learning for
reinforcement learning domains", 2009).

The new network may have wider layers than the trained one, so that a larger network need not start
at random (Chen, Goodfellow and Shlens, "Net2Net", 2016).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from kitchentable_training.networks.inputs import NetworkInputs

FEATURES_OF_ACTIONS = "policy.features.weight"
"""The weights of the first layer for action rows, (units, features)."""
VALUE = "value."
"""The prefix of the value head, which is not carried over: other variants have other rewards."""


def carry_over(
    theirs: Mapping[str, torch.Tensor],
    inputs_there: NetworkInputs,
    fresh: Mapping[str, torch.Tensor],
    inputs: NetworkInputs,
) -> dict[str, torch.Tensor]:
    """Return a policy's weights with those of a policy for another variant of its game.

    Layers that read the inputs get the weights of every input by its name. Inputs that the other
    policy does not have get zero weights, as do action features that were always 0 there, whose
    weights were never trained. Where a layer is wider here, the units of the other policy come
    first and do not read the additional ones, so that both policies play the same actions.

    Raises:
        ValueError: the networks differ in more than their inputs and wider layers.
    """
    if inputs_there.feature_names != inputs.feature_names:
        raise ValueError("the two are shown different action features")
    there, here = inputs_there.weight_names, inputs.weight_names
    weights = dict(fresh)
    for name, own in fresh.items():
        if name.startswith(VALUE):
            continue
        other = theirs.get(name)
        if other is not None and other.shape[1:] == (len(there),) and own.shape[1:] == (len(here),):
            other = _by_names(other, there, here)
        if other is None or not _fits(other, own, _may_be_wider(fresh, name)):
            size = "nothing" if other is None else list(other.shape)
            raise ValueError(f"{name} is {size} there and {list(own.shape)} here")
        weights[name] = _widened(other, own)
    # What a parameter adds at the other's table is part of the bias where it is no input.
    _, values = inputs_there.weights_read
    if lost := [place for place in values if there[place] not in here]:
        weights["layers.0.bias"][: len(theirs["layers.0.bias"])] += theirs["layers.0.weight"][
            :, lost
        ].sum(dim=1)
    if inputs.feature_names:
        weights[FEATURES_OF_ACTIONS][:, inputs_there.silent] = 0.0
    return weights


def _may_be_wider(weights: Mapping[str, torch.Tensor], name: str) -> tuple[bool, bool]:
    """Return whether a layer may have more units here, and whether it may have more inputs."""
    if name.startswith("replies."):
        return False, False
    has_layers = any(key.startswith("layers.") for key in weights)
    actions = name in {"policy.weight", "policy.bias"}
    return not actions, has_layers and name != "layers.0.weight"


def _fits(other: torch.Tensor, own: torch.Tensor, may_be_wider: tuple[bool, bool]) -> bool:
    return other.ndim == own.ndim and all(
        there == here or (wider and there < here)
        for there, here, wider in zip(other.shape, own.shape, may_be_wider, strict=False)
    )


def _widened(other: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """Return a layer's weights with those of a narrower one, whose units get no other inputs."""
    weights = own.clone()
    units = weights[: len(other)]
    units.zero_()
    units[tuple(slice(size) for size in other.shape)] = other
    return weights


def _by_names(weights: torch.Tensor, there: Sequence[str], here: Sequence[str]) -> torch.Tensor:
    """Return the weights of a layer, (units, inputs), in the order of other input names."""
    places = {name: i for i, name in enumerate(there)}
    matches = [(i, places[name]) for i, name in enumerate(here) if name in places]
    ordered = weights.new_zeros(len(weights), len(here))
    ordered[:, [i for i, _ in matches]] = weights[:, [place for _, place in matches]]
    return ordered
