"""The engine on a GPU: compilation, the kernels around the rules, and the batch.

Without a GPU, ``NUMBA_ENABLE_CUDASIM=1`` lets numba simulate one in plain Python, very slowly.
"""

from __future__ import annotations

from importlib.util import find_spec

from numba.core import config

SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
"""Whether numba simulates the GPU."""
INSTALL = "pip install 'kitchentable[gpu]'"


def check_usable() -> None:
    """Check that this machine can run batches on a GPU.

    Raises:
        ImportError: a package is missing; the message names it and the command that installs it.
        ValueError: torch or numba-cuda finds no GPU.
    """
    for package, module in (("torch", "torch"), ("numba-cuda", "numba_cuda")):
        if find_spec(module) is None and not (SIMULATED and module == "numba_cuda"):
            raise ImportError(f'device="cuda" needs {package}; install it by: {INSTALL}')
    if SIMULATED:
        return
    import torch  # noqa: PLC0415 - only batches on a GPU need it
    from numba import cuda  # noqa: PLC0415 - it looks for a driver

    for finder, is_available in (
        (f"torch {torch.__version__}", torch.cuda.is_available()),
        ("numba-cuda", cuda.is_available()),
    ):
        if not is_available:
            raise ValueError(
                f'device="cuda": {finder} finds no GPU here; nvidia-smi lists the GPUs of a '
                f"machine, and {INSTALL} installs what they need. device='cpu' needs no GPU"
            )
