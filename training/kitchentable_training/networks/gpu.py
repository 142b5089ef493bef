"""Relations between cards on a GPU; the counterpart of `relations`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import torch
from numba import cuda
from numpy.typing import NDArray

from kitchentable.engine.cuda.compiling import Launch, bind
from kitchentable.engine.cuda.memory import DEVICE, for_kernels, upload


def relate(flat: torch.Tensor, vectors: NDArray[np.int64], start: int) -> None:
    """Write the relations of some decisions, see `relations.relate`."""
    _launch()(len(flat), for_kernels(flat), upload(vectors), start)


@cache
def _launch() -> Launch:
    example = torch.zeros(1, 1, device=DEVICE), np.zeros((1, 1), np.int64), 0
    arguments = for_kernels(example[0]), upload(example[1]), example[2]
    return bind(_relate, *arguments, game=None, name="relations")


def _relate(flat: Any, vectors: Any, start: Any) -> None:
    """Write the relations of one decision per thread."""
    i = cuda.grid(1)
    if i < flat.shape[0]:
        at = start
        for first in range(vectors.shape[0]):
            for second in range(first, vectors.shape[0]):
                product = np.float32(0.0)
                for kind in range(vectors.shape[1]):
                    product += flat[i, vectors[first, kind]] * flat[i, vectors[second, kind]]
                flat[i, at] = product
                at += 1
