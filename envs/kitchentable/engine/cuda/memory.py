"""Device memory: torch tensors, and the same memory in the form that kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numba import cuda
from numpy.typing import NDArray

from kitchentable.core.game import Game
from kitchentable.engine.cuda import SIMULATED

DEVICE = "cpu" if SIMULATED else "cuda"


def zeros(*shape: int, dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor of zeros on the device."""
    return torch.zeros(shape, dtype=dtype, device=DEVICE)


def for_kernels(tensor: torch.Tensor, dtype: np.dtype[Any] | None = None) -> Any:
    """Return an array for kernels that shares a tensor's memory.

    Args:
        tensor: a tensor on the device.
        dtype: a dtype as which to view the bytes of a contiguous tensor; the array is then flat.
    """
    if dtype is None and tensor.dtype == torch.uint64:  # torch does not export it from a GPU
        tensor, dtype = tensor.view(torch.int64), np.dtype(np.uint64)
    if dtype is not None:
        tensor = tensor.reshape(-1)
    if not SIMULATED:
        array = cuda.as_cuda_array(tensor)
        return array if dtype is None else array.view(dtype)
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray  # noqa: PLC0415

    array = tensor.numpy()
    if dtype is not None:
        # In the simulator, only a recarray has the fields of a record as attributes.
        array = array.view(dtype).view(np.recarray if dtype.names else np.ndarray)
    return FakeCUDAArray(array)


def upload(array: NDArray[Any]) -> Any:
    """Copy a host array to the device, and return it in the form that kernels take."""
    flat = np.array(array, order="C").reshape(-1)  # a copy, as torch refuses read-only arrays
    moved = torch.from_numpy(flat.view(np.uint8)).to(DEVICE)
    return for_kernels(moved, array.dtype).reshape(array.shape)


def blank(game: Game, count: int) -> Records:
    """Return records of what seats know, for kernels to write."""
    dtype = game.rules.knowledge_dtype
    return Records(zeros(count, dtype.itemsize, dtype=torch.uint8), dtype)


def taken(records: Records) -> Any:
    """Return records in the form that kernels take."""
    return for_kernels(records.bytes, records.dtype)


class Records:
    """State records on the device, whose fields are attributes that share the memory.

    They are tensors, and ``at`` is records again. For example, ``records.current_player`` has shape
    (k,) and ``records.hands`` (k, seats, cards).
    Indexing with games, such as a boolean mask or a slice, returns their records.

    Attributes:
        bytes: the memory; uint8, shape (k, bytes of a record).
        dtype: the dtype of a record.
    """

    def __init__(self, memory: torch.Tensor, dtype: np.dtype[np.void]) -> None:
        """Wrap memory, uint8 of shape (k, bytes of a record), as records of a dtype."""
        self.bytes, self.dtype = memory, dtype

    def __len__(self) -> int:
        return len(self.bytes)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return Records(self.bytes[key], self.dtype)
        fields: Any = self.dtype.fields
        kind, start, *_ = fields[key]
        if kind.names is not None:
            return Records(self.bytes[:, start : start + kind.itemsize], kind)
        dtype = torch.from_numpy(np.empty(0, kind.base)).dtype
        field = self.bytes[:, start : start + kind.itemsize].view(dtype)
        return field.view(len(self), *kind.shape) if kind.shape else field[:, 0]

    def __getattr__(self, name: str) -> Any:
        dtype = vars(self).get("dtype")  # a copy that is being made has none yet
        names = () if dtype is None else dtype.names
        if name not in names:
            raise AttributeError(f"a record has no field {name!r}; it has {names}")
        return self[name]

    def numpy(self) -> Any:
        """Return a copy of the records on the host; np.recarray, shape (k,)."""
        host_bytes = np.ascontiguousarray(self.bytes.cpu().numpy())
        return host_bytes.reshape(-1).view(self.dtype).view(np.recarray)
