"""Whether a device multiplies in bfloat16.

Some processors do this several times faster than in float32 (Kalamkar et al., "A study of
BFLOAT16 for deep learning training", 2019).
"""

from __future__ import annotations

import logging

import torch

logger = logging.getLogger(__name__)


def multiplies_bfloat16(device: torch.device, *, warn: bool) -> bool:
    """Return whether a device has bfloat16 instructions; emulation is six times slower."""
    if device.type == "cuda":
        has = torch.cuda.is_bf16_supported(including_emulation=False)
    else:
        has = (
            torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
            and torch.ops.mkldnn._is_mkldnn_bf16_supported()  # noqa: SLF001
        )
    if warn and not has:
        logger.warning("this device has no bfloat16: learning in float32 instead")
    return bool(has)
