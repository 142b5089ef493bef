"""Buffers of decisions that are kept over many rollouts: what was shown and what was done.

All decisions of a rollout are written at once, and minibatches are taken from any places.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import torch

from kitchentable_training.networks.inputs import (
    ACTIONS,
    COUNTS,
    FEATURES,
    FLAT,
    MASK,
    Inputs,
    NetworkInputs,
    row_places,
    with_views,
)
from kitchentable_training.networks.settings import PAIRS


class Buffer:
    """Decisions in numbered slots, each of which may be written again.

    A decision's rows of action features, of which each has another number, are appended to tensors
    that all slots share. Rows of overwritten decisions are removed once they are the majority.

    Attributes:
        actions: what was done; int64, shape (capacity,).
    """

    def __init__(self, inputs: NetworkInputs, capacity: int, device: torch.device) -> None:
        self._sizes = inputs.flat_sizes
        zeros = partial(torch.zeros, device=device)
        self.actions = zeros(capacity, dtype=torch.int64)
        self._fixed = {
            FLAT: zeros(capacity, inputs.flat_size),
            MASK: zeros(capacity, inputs.num_actions, dtype=torch.bool),
        }
        if PAIRS in inputs.shapes:
            self._fixed[PAIRS] = zeros(capacity, *inputs.shapes[PAIRS])
        self._has_rows = FEATURES in inputs.shapes
        self._starts, self._counts = (zeros(capacity, dtype=torch.int64) for _ in range(2))
        self._features = zeros(0, len(inputs.feature_names))
        self._row_actions = zeros(0, dtype=torch.int64)

    def write(self, slots: torch.Tensor, inputs: Inputs, actions: torch.Tensor) -> None:
        """Write decisions.

        Args:
            slots: where to, without repetitions; int64, shape (k,).
            inputs: the inputs of the decisions.
            actions: what was done; int64, shape (k,).
        """
        self.actions[slots] = actions
        for name, tensor in self._fixed.items():
            tensor[slots] = inputs[name].to(tensor.dtype)
        if not self._has_rows:
            return
        counts, rows = inputs[COUNTS], len(inputs[ACTIONS])
        self._starts[slots] = len(self._row_actions) + counts.cumsum(0) - counts
        self._counts[slots] = counts
        self._row_actions = torch.cat([self._row_actions, inputs[ACTIONS]])
        self._features = torch.cat([self._features, inputs[FEATURES][:rows].float()])
        if len(self._row_actions) > 2 * int(self._counts.sum()):
            self._drop_overwritten_rows()

    def _drop_overwritten_rows(self) -> None:
        places = row_places(self._starts, self._counts)
        self._features, self._row_actions = self._features[places], self._row_actions[places]
        self._starts = self._counts.cumsum(0) - self._counts

    def take(self, slots: torch.Tensor) -> Inputs:
        """Return what was shown of the decisions in some slots; int64, shape (k,)."""
        inputs = {name: tensor.index_select(0, slots) for name, tensor in self._fixed.items()}
        if self._has_rows:
            inputs[COUNTS] = self._counts[slots]
            places = row_places(self._starts[slots], inputs[COUNTS])
            inputs |= {FEATURES: self._features[places], ACTIONS: self._row_actions[places]}
        return with_views(inputs, self._sizes)

    def export(self) -> dict[str, torch.Tensor]:
        """Return all tensors by name."""
        rows = (self._starts, self._counts, self._features, self._row_actions)
        own = {f"rows_{i}": tensor for i, tensor in enumerate(rows)} if self._has_rows else {}
        return {**self._fixed, **own, ACTIONS: self.actions}

    def restore(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """Restore what `export` returned."""
        self.actions.copy_(tensors[ACTIONS])
        for name, tensor in self._fixed.items():
            tensor.copy_(tensors[name])
        if self._has_rows:
            device = self.actions.device
            rows = [tensors[f"rows_{i}"].to(device) for i in range(4)]
            self._starts, self._counts, self._features, self._row_actions = rows


class Reservoir(Buffer):
    """A uniform sample of all decisions ever offered: reservoir sampling, Vitter's algorithm R.

    Attributes:
        seen: the number of decisions offered so far.
        capacity: the number of slots.
    """

    def __init__(self, inputs: NetworkInputs, capacity: int, device: torch.device) -> None:
        super().__init__(inputs, capacity, device)
        self.capacity, self.seen = capacity, 0

    @property
    def size(self) -> int:
        """The number of decisions held."""
        return min(self.seen, self.capacity)

    def offer(self, count: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Draw which of some new decisions are kept, and where; both int64, to be written.

        The n-th decision takes a slot drawn from n, if there are so many slots. Of new decisions in
        the same slot the last one stays, as if they came one by one.

        Returns:
            The indices of the new decisions that are kept, and their slots.
        """
        device = self.actions.device
        numbers = torch.arange(self.seen, self.seen + count, device=device)
        drawn = torch.rand(count, generator=generator, device=device, dtype=torch.float64)
        slots = torch.where(numbers < self.capacity, numbers, (drawn * (numbers + 1)).long())
        kept = (slots < self.capacity).nonzero()[:, 0]
        last = torch.full((self.capacity,), -1, device=device)
        last.scatter_reduce_(0, slots[kept], kept, "amax")
        self.seen += count
        slots = (last >= 0).nonzero()[:, 0]
        return last[slots], slots
