"""A first layer that skips the inputs that are zero: most of a table's, which are one-hot cards.

Multiplying only the others takes a third to a sixth of the time on a CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from kitchentable.engine.compiling import loop

FEWEST_ROWS = 256
"""For fewer rows than this, transposing the weights takes longer than is saved."""
SAMPLE = 64
"""The number of rows whose nonzero inputs are counted, to estimate whether skipping pays."""
COST = 7
"""About how many inputs a dense product handles in the time that one nonzero input takes here."""


class SparseLinear(nn.Linear):
    """A linear layer that is fast where most inputs are zero; its outputs are those of any other.

    The zeros are skipped on a CPU, in float32, in large batches whose first rows have few nonzero
    numbers, and where no gradient of the inputs is needed.
    """

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the outputs; (batch, units)."""
        return linear(inputs, self.weight.t(), self.bias)


def linear(inputs: torch.Tensor, by_input: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Return the outputs of a linear layer for inputs of which most may be zero.

    Args:
        inputs: shape (batch, inputs).
        by_input: the weights of each input; shape (inputs, units).
        bias: shape (units,).

    Returns:
        Shape (batch, units).
    """
    if not _pays(inputs, by_input):
        return functional.linear(inputs, by_input.t(), bias)
    outputs: torch.Tensor = _Sparse.apply(inputs.contiguous(), by_input, bias)  # type: ignore[no-untyped-call]
    return outputs


def _pays(inputs: torch.Tensor, by_input: torch.Tensor) -> bool:
    """Return whether skipping zeros is faster."""
    if (
        inputs.shape[1:] != by_input.shape[:1]  # to be refused, or more than a matrix
        or len(inputs) < FEWEST_ROWS
        or inputs.requires_grad
        or inputs.device.type != "cpu"
        or not inputs.dtype == by_input.dtype == torch.float32
        or torch.is_autocast_enabled("cpu")
    ):
        return False
    sample = inputs[:SAMPLE]
    cost = int(torch.count_nonzero(sample)) * COST
    return cost * torch.get_num_threads() < sample.numel()  # the loops here use a single thread


class _Sparse(torch.autograd.Function):
    """`linear` with zeros skipped."""

    @staticmethod
    def forward(
        ctx: Any, inputs: torch.Tensor, by_input: torch.Tensor, bias: torch.Tensor
    ) -> torch.Tensor:
        ctx.nonzero, ctx.size = _find(inputs.numpy()), inputs.shape[1]
        outputs = bias.detach().repeat(len(inputs), 1)
        _add_products(*ctx.nonzero, by_input.detach().contiguous().numpy(), outputs.numpy())
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slopes: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        out = slopes.new_zeros(ctx.size, slopes.shape[1])
        by_column = _by_column(*ctx.nonzero, ctx.size)
        _add_products(*by_column, slopes.contiguous().numpy(), out.numpy())
        return None, out, slopes.sum(dim=0)


# A sparse matrix is three arrays: where each row's numbers start, and the column and the number of
# every nonzero number ("compressed sparse rows").


def _find_loop(matrix: Any) -> Any:
    """Return a matrix as a sparse one."""
    starts, count = np.zeros(matrix.shape[0] + 1, np.int64), 0
    for i in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):
            count += matrix[i, column] != 0.0
        starts[i + 1] = count
    columns, numbers = np.empty(count + 1, np.int32), np.empty(count + 1, np.float32)
    at = 0
    for i in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):  # without a branch, which would be mispredicted
            columns[at], numbers[at] = column, matrix[i, column]
            at += matrix[i, column] != 0.0
    return starts, columns, numbers


def _by_column_loop(starts: Any, columns: Any, numbers: Any, size: Any) -> Any:
    """Return the transpose of a sparse matrix with ``size`` columns."""
    firsts, count = np.zeros(size + 1, np.int64), starts[-1]
    for k in range(count):
        firsts[columns[k] + 1] += 1
    for column in range(size):
        firsts[column + 1] += firsts[column]
    free = firsts.copy()
    rows, turned = np.empty(count, np.int32), np.empty(count, np.float32)
    for i in range(starts.shape[0] - 1):
        for k in range(starts[i], starts[i + 1]):
            at = free[columns[k]]
            rows[at], turned[at] = i, numbers[k]
            free[columns[k]] = at + 1
    return firsts, rows, turned


def _add_products_loop(starts: Any, columns: Any, numbers: Any, dense: Any, out: Any) -> None:
    """Add the product of a sparse matrix and a dense one."""
    for i in range(out.shape[0]):
        total, k, end = out[i], starts[i], starts[i + 1]
        while k + 4 <= end:  # four at a time, so that the sums are read and written less often
            a, b, c, d = numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]
            row_a, row_b = dense[columns[k]], dense[columns[k + 1]]
            row_c, row_d = dense[columns[k + 2]], dense[columns[k + 3]]
            for unit in range(total.shape[0]):
                total[unit] += a * row_a[unit] + b * row_b[unit] + c * row_c[unit] + d * row_d[unit]
            k += 4
        while k < end:
            number, row = numbers[k], dense[columns[k]]
            for unit in range(total.shape[0]):
                total[unit] += number * row[unit]
            k += 1


_find: Any = loop(_find_loop, game=None, name="sparse-find", allocates=True)
_by_column: Any = loop(_by_column_loop, game=None, name="sparse-transpose", allocates=True)
_add_products: Any = loop(_add_products_loop, game=None, name="sparse-product")
