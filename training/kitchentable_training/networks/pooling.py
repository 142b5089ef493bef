"""Pooling of groups of vectors of any size: the maximum and the sum of each group.

Torch's own operations also handle negative numbers and other cases; forward and backward, they take
several times as long as one compiled loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from kitchentable.engine.compiling import loop


def pool(
    vectors: torch.Tensor, to: torch.Tensor, groups: int, which: torch.Tensor | None = None
) -> torch.Tensor:
    """Return the maximum and the sum of the vectors in each group; zeros for empty groups.

    Args:
        vectors: nonnegative numbers; float32, shape (vectors, units).
        to: the group of each member; int64, shape (members,).
        groups: the number of groups.
        which: the index of each member's vector, at most once in a group; int64, shape (members,).
            None if there is one vector for each member, in order.

    Returns:
        float32, shape (groups, 2 * units).
    """
    if which is None:
        which = torch.arange(len(to), device=to.device)
    if vectors.device.type == "cpu":
        pooled: torch.Tensor = _Pool.apply(vectors, to, groups, which)  # type: ignore[no-untyped-call]
        return pooled
    return reference_pool(vectors, to, groups, which)


def reference_pool(
    vectors: torch.Tensor, to: torch.Tensor, groups: int, which: torch.Tensor
) -> torch.Tensor:
    """Compute `pool` with torch operations, for devices other than the CPU."""
    members = vectors.index_select(0, which)
    nothing = vectors.new_zeros(groups, vectors.shape[1])
    most = nothing.scatter_reduce(0, to[:, None].expand_as(members), members, "amax")
    return torch.cat([most, nothing.index_add(0, to, members)], dim=1)


class _Pool(torch.autograd.Function):
    """`pool` on the CPU."""

    @staticmethod
    def forward(
        ctx: Any, vectors: torch.Tensor, to: torch.Tensor, groups: int, which: torch.Tensor
    ) -> torch.Tensor:
        pooled = vectors.new_zeros(groups, 2 * vectors.shape[1])
        _pooled(*_arrays(vectors, to, which, pooled))
        ctx.save_for_backward(vectors, to, which, pooled)
        return pooled

    @staticmethod
    def backward(ctx: Any, slopes: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        vectors, to, which, pooled = ctx.saved_tensors
        free, out = torch.ones(len(pooled), vectors.shape[1]), torch.zeros_like(vectors)
        _slopes(*_arrays(slopes.contiguous(), vectors, to, which, pooled, free, out))
        return out, None, None, None


def _arrays(*tensors: torch.Tensor) -> list[Any]:
    return [tensor.detach().numpy() for tensor in tensors]


# Numba vectorizes loops over few arrays, but not over many.


def _write_pooled(vectors: Any, to: Any, which: Any, out: Any) -> None:
    units = vectors.shape[1]
    for i in range(to.shape[0]):
        vector, pooled = vectors[which[i]], out[to[i]]
        for unit in range(units):
            pooled[unit] = max(pooled[unit], vector[unit])
        for unit in range(units):
            pooled[units + unit] += vector[unit]


def _write_slopes(
    slopes: Any, vectors: Any, to: Any, which: Any, pooled: Any, free: Any, out: Any
) -> None:
    units = vectors.shape[1]
    share = np.empty(units, np.float32)
    for i in range(to.shape[0]):
        vector, vector_slope, slope = vectors[which[i]], out[which[i]], slopes[to[i]]
        most, still = pooled[to[i]], free[to[i]]
        for unit in range(units):  # of equal numbers, the first one is the maximum
            share[unit] = still[unit] if vector[unit] == most[unit] else np.float32(0.0)
        for unit in range(units):
            still[unit] -= share[unit]
        for unit in range(units):
            vector_slope[unit] += slope[units + unit] + share[unit] * slope[unit]


_pooled = loop(_write_pooled, game=None, name="pooling")
_slopes = loop(_write_slopes, game=None, name="pooling-back", allocates=True)
