"""Your own networks, named by where they are.

A checkpoint's card may name a module, which is only imported if a person has named it too (see
`named`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kitchentable_training.named import faults_of, find_named, import_object

if TYPE_CHECKING:  # settings are read without torch
    import torch
    from torch import nn

    from kitchentable_training.networks.inputs import NetworkInputs
    from kitchentable_training.networks.settings import NetworkSettings


def own_module(settings: NetworkSettings, inputs: NetworkInputs) -> nn.Module:
    """Return a network with random weights, of the module in the settings.

    Raises:
        ValueError: nobody has named the module, or it is no network for these inputs.
    """
    word = settings.module or ""
    what, kind = f"network.module {word!r}", "network.module"
    make = import_object(find_named(word, f"the network is {word}"), kind)
    if not callable(make):
        raise ValueError(f"{what} must be a class or a function, not {type(make).__name__}")
    _check_options(make, settings.options, what)
    with faults_of(what):
        network: object = make(inputs, **settings.options)
    _check_network(network, inputs, what)
    return network  # type: ignore[return-value]


def _check_options(make: Callable[..., object], options: dict[str, Any], what: str) -> None:
    """Check that a module takes the options, whose values it checks itself."""
    signature = inspect.signature(make)
    try:
        signature.bind(None, **options)
    except TypeError as error:
        possible = ", ".join([*signature.parameters][1:]) or "nothing"
        given = ", ".join(options) or "nothing"
        raise ValueError(
            f"{what}: {error}; it takes {possible}, network.options has {given}"
        ) from None


class _Shown(dict[str, "torch.Tensor"]):
    """Inputs that say which ones there are when another one is read."""

    def __missing__(self, name: str) -> torch.Tensor:
        raise ValueError(
            f"the network is not shown {name!r}, but {', '.join(self)}; relations, "
            "action_features, derived_parts and reply_rounds under network: show more"
        )


def _check_network(network: object, inputs: NetworkInputs, what: str) -> None:
    """Check that an object is a network, by what it returns for two decisions.

    It stays in evaluation mode: layers that work otherwise while they learn, such as dropout, would
    make another policy learn than the one that has played.
    """
    import torch  # noqa: PLC0415

    if not isinstance(network, torch.nn.Module):
        raise ValueError(f"{what} must make a torch.nn.Module, not {type(network).__name__}")
    if not any(parameter.requires_grad for parameter in network.parameters()):
        raise ValueError(f"{what} has no parameters to learn")
    example = inputs.example(2)
    before = {name: tensor.clone() for name, tensor in example.items()}
    with faults_of(what), torch.no_grad():
        outputs = network.eval()(_Shown(example))
    changed = [name for name, tensor in before.items() if not torch.equal(tensor, example[name])]
    if changed:
        raise ValueError(
            f"{what} changes its inputs ({', '.join(changed)}), which are used again; work on a "
            "copy instead of in place"
        )
    expected = [(2, inputs.num_actions), (2,)]
    are_tensors = isinstance(outputs, tuple) and all(
        isinstance(output, torch.Tensor) for output in outputs
    )
    shapes = [tuple(output.shape) for output in outputs] if are_tensors else type(outputs).__name__
    if shapes != expected:
        raise ValueError(
            f"{what}: for 2 decisions it must return a tuple of logits, {expected[0]}, and values, "
            f"{expected[1]}, not {shapes}"
        )
    if not all(output.dtype.is_floating_point and output.isfinite().all() for output in outputs):
        raise ValueError(f"{what}: logits and values must be finite floats")
