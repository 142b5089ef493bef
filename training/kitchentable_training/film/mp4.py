"""Frames as an MP4 video (H.264) that browsers and phones play."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from kitchentable_training.film.films import Frame

MILLISECOND = Fraction(1, 1000)
RATE = 50
"""Frames a second at most; decoders are chosen by it, so it is not that of the milliseconds."""
BT709 = 1
"""The number that H.264 has for HDTV's colours. Without it players guess, by the size."""
FULL_EVERY = 30
"""Frames after which a whole one comes, from where a player can go on when somebody jumps."""
QUALITY = {"crf": "18", "preset": "medium", "tune": "animation", "rc-lookahead": "8"}


class Mp4Writer:
    """Encodes each frame when it comes; each stays exactly as long as it says."""

    def __init__(self, path: Path, title: str) -> None:
        """Open the file.

        Args:
            path: where.
            title: what the video shows, for players that tell it.
        """
        # With the index in front, a browser plays it before all of it is there.
        self._container = av.open(str(path), "w", "mp4", options={"movflags": "faststart"})
        self._container.metadata["title"] = title
        self._stream = self._container.add_stream("libx264", rate=RATE, options=QUALITY)
        context = self._stream.codec_context
        context.pix_fmt = "yuv420p"
        context.time_base = MILLISECOND
        context.gop_size = FULL_EVERY
        context.max_b_frames = 0  # the packets come out in the order of the frames
        context.colorspace = context.color_primaries = context.color_trc = BT709
        self._now = 0
        self._durations: deque[int] = deque()

    def add(self, frame: Frame) -> None:
        """Encode the frame."""
        pixels = _even(frame.rgb)
        if self._now == 0:
            self._stream.height, self._stream.width = pixels.shape[:2]
        image = av.VideoFrame.from_ndarray(pixels, "rgb24")
        image = image.reformat(format="yuv420p", dst_colorspace=BT709)
        image.pts, image.time_base = self._now, MILLISECOND
        self._now += frame.milliseconds
        self._durations.append(frame.milliseconds)
        self._encode(image)

    def close(self) -> None:
        """Finish the file."""
        if self._now:
            self._encode(None)
        self._container.close()

    def _encode(self, image: av.VideoFrame | None) -> None:
        """Encode a picture, or what waits if there are no more, and write what is ready."""
        for packet in self._stream.encode(image):
            packet.duration = self._durations.popleft()
            self._container.mux(packet)


def _even(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Repeat the last row and column of an odd size; the video's colours are in twos."""
    height, width, _ = pixels.shape
    return np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
