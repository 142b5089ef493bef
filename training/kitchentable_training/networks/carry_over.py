"""Beginning with what a policy has learned at another variant of the game.

Variants differ in what a network is shown (another number of seats, another way to lay words) and
in what is paid. What a card is worth, or what makes an action good, is much the same, and a learner
that begins with it need not find it out anew (Taylor and Stone, "Transfer learning for
reinforcement learning domains", 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from kitchentable_training.networks.inputs import NetworkInputs

VALUE = "value_net."
"""The last layers of the value, which begin anew: another variant pays otherwise."""


def carry_over(
    theirs: Mapping[str, torch.Tensor],
    shown_there: NetworkInputs,
    fresh: Mapping[str, torch.Tensor],
    shown: NetworkInputs,
) -> dict[str, torch.Tensor]:
    """Return a policy's weights with those of a policy for another variant of its game.

    Layers that read what is shown get the weights of every number by its name. Numbers that the
    other policy was not shown count for nothing at first.

    Args:
        theirs: weights of the other policy, by name.
        shown_there: what that one is shown.
        fresh: weights of the policy, as it was made.
        shown: what it is shown.

    Raises:
        ValueError: the networks differ in more than what they are shown; names what differs and
            both sides.
    """
    if shown_there.feature_names != shown.feature_names:
        raise ValueError("the two are shown different action features")
    there, here = shown_there.names, shown.names
    found = dict(fresh)
    for name, own in fresh.items():
        if name.startswith(VALUE):
            continue
        other = theirs.get(name)
        if other is not None and other.shape[1:] == (len(there),) and own.shape[1:] == (len(here),):
            other = _by_names(other, there, here)
        if other is None or other.shape != own.shape:
            size = "nothing" if other is None else list(other.shape)
            raise ValueError(f"{name} is {size} there and {list(own.shape)} here")
        found[name] = other
    return found


def _by_names(weights: torch.Tensor, there: Sequence[str], here: Sequence[str]) -> torch.Tensor:
    """Return the weights of a layer, (units, numbers), in the order of other names."""
    places = {name: i for i, name in enumerate(there)}
    both = [(i, places[name]) for i, name in enumerate(here) if name in places]
    found = weights.new_zeros(len(weights), len(here))
    found[:, [i for i, _ in both]] = weights[:, [place for _, place in both]]
    return found
