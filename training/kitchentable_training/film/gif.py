"""Writer of animated GIFs."""

from __future__ import annotations

from pathlib import Path

from PIL import GifImagePlugin, Image, ImageChops

from kitchentable_training.film.frame import Frame

WIDTH = 800
"""Maximum width in pixels; most viewers scale down wider GIFs anyway."""
END = b";"


class GifWriter:
    """Writer that stores only the changed part of each frame and keeps one frame in memory.

    Pillow's own way of saving a GIF holds all frames in memory.
    """

    def __init__(self, path: Path, title: str) -> None:
        del title
        self._file = path.open("wb")
        self._before: Image.Image | None = None

    def add(self, frame: Frame) -> None:
        """Write the frame."""
        image = Image.fromarray(frame.rgb)
        if image.width > WIDTH:
            size = (WIDTH, round(image.height * WIDTH / image.width))
            image = image.resize(size, Image.Resampling.LANCZOS)
        box = (0, 0, *image.size)
        if self._before is None:
            blocks, _ = GifImagePlugin.getheader(_paletted(image), info={"loop": 0})
            self._file.writelines(blocks)
        else:
            # A frame needs at least one pixel, even if nothing changes.
            box = ImageChops.difference(image, self._before).getbbox() or (0, 0, 1, 1)
        changed = _paletted(image.crop(box))
        self._file.writelines(
            GifImagePlugin.getdata(
                changed, box[:2], duration=frame.milliseconds, include_color_table=True
            )
        )
        self._before = image

    def close(self) -> None:
        """Finish the file."""
        self._file.write(END)
        self._file.close()


def _paletted(image: Image.Image) -> Image.Image:
    """Reduce to 256 colors, keeping rare ones of small signs; dithering would blur the letters."""
    return image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
