"""Writer of MP4 videos (H.264) that browsers and phones play."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from kitchentable_training.film.frame import Frame

MILLISECOND = Fraction(1, 1000)
RATE = 50
"""Maximum frames per second. Decoders are chosen by it, so it is not that of the time base."""
BT709 = 1
"""The H.264 code of HDTV colors; without it video players guess by the size."""
FULL_EVERY = 30
"""Frames between two keyframes, from which a video player can start after a seek."""
QUALITY = {"crf": "18", "preset": "medium", "tune": "animation", "rc-lookahead": "8"}


class Mp4Writer:
    """Writer that encodes each frame at once and keeps its exact duration."""

    def __init__(self, path: Path, title: str) -> None:
        # With the index at the front, a browser can start before it has the whole file.
        self._container = av.open(str(path), "w", "mp4", options={"movflags": "faststart"})
        self._container.metadata["title"] = title
        self._stream = self._container.add_stream("libx264", rate=RATE, options=QUALITY)
        context = self._stream.codec_context
        context.pix_fmt = "yuv420p"
        context.time_base = MILLISECOND
        context.gop_size = FULL_EVERY
        context.max_b_frames = 0  # so that packets come in the order of the frames
        context.colorspace = context.color_primaries = context.color_trc = BT709
        self._now = 0
        self._durations: deque[int] = deque()

    def add(self, frame: Frame) -> None:
        """Encode the frame."""
        height, width, _ = frame.rgb.shape
        # Odd sizes repeat the last row or column, as the colors have half the resolution.
        pixels = np.pad(frame.rgb, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
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
        """Encode a picture, or flush the encoder with None, and write the finished packets."""
        for packet in self._stream.encode(image):
            packet.duration = self._durations.popleft()
            self._container.mux(packet)
