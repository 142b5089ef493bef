"""A frame of an animation, and what the writers of all formats have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.render.picture import Picture


@dataclass(frozen=True)
class Frame:
    """A picture and its duration."""

    picture: Picture
    milliseconds: int

    @cached_property
    def rgb(self) -> NDArray[np.uint8]:
        """The picture as pixels, uint8, shape (height, width, 3); drawn once for all formats."""
        return self.picture.to_rgb()


class Writer(Protocol):
    """Writer of frames of one size to a file, which is complete after `close`."""

    def __init__(self, path: Path, title: str) -> None:
        """Open the file at ``path``; ``title`` describes the animation."""

    def add(self, frame: Frame) -> None:
        """Add a frame."""

    def close(self) -> None:
        """Finish the file."""
