"""The same games on a GPU: how kernels are compiled, the kernels around the rules, the batch.

Without a GPU, ``NUMBA_ENABLE_CUDASIM=1`` lets numba play one, in plain Python and very slowly.
"""

from __future__ import annotations

from importlib.util import find_spec

from numba.core import config

SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
"""Whether numba plays the GPU."""
INSTALL = "pip install 'kitchentable[gpu]'"


def check_usable() -> None:
    """Refuse a machine that batches on a GPU cannot run on.

    Raises:
        ImportError: a package is missing; names it, and the command that installs it.
        ValueError: there is no GPU.
    """
    for package, module in (("torch", "torch"), ("numba-cuda", "numba_cuda")):
        if find_spec(module) is None and not (SIMULATED and module == "numba_cuda"):
            raise ImportError(f'device="cuda" needs {package}; install it by: {INSTALL}')
    if SIMULATED:
        return
    import torch  # noqa: PLC0415 - a batch on a GPU alone needs it
    from numba import cuda  # noqa: PLC0415 - it looks for a driver

    for finder, found in (
        (f"torch {torch.__version__}", torch.cuda.is_available()),
        ("numba-cuda", cuda.is_available()),
    ):
        if not found:
            raise ValueError(
                f'device="cuda": {finder} finds no GPU here; nvidia-smi lists the GPUs of a '
                f"machine, and {INSTALL} installs what they need. device='cpu' needs no GPU"
            )
