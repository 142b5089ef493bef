"""Frames as an animated GIF."""

from __future__ import annotations

from pathlib import Path

from PIL import GifImagePlugin, Image, ImageChops

from kitchentable_training.film.films import Frame

WIDTH = 800
"""Pixels at most; most readers scale wider ones down anyway."""
END = b";"


class GifWriter:
    """Writes each frame as what has changed in it, so only the one before is in memory.

    Pillow's own way to save a GIF wants to hold all frames.
    """

    def __init__(self, path: Path, title: str) -> None:
        """Open the file.

        Args:
            path: where.
            title: not used; a GIF has no place for it that is read.
        """
        del title
        self._file = path.open("wb")
        self._before: Image.Image | None = None

    def add(self, frame: Frame) -> None:
        """Write the frame."""
        image = _scaled(Image.fromarray(frame.rgb))
        box = (0, 0, *image.size)
        if self._before is None:
            blocks, _ = GifImagePlugin.getheader(_paletted(image), info={"loop": 0})
            self._file.writelines(blocks)
        else:
            # A frame must have a pixel even if nothing changes.
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


def _scaled(image: Image.Image) -> Image.Image:
    if image.width <= WIDTH:
        return image
    size = (WIDTH, round(image.height * WIDTH / image.width))
    return image.resize(size, Image.Resampling.LANCZOS)


def _paletted(image: Image.Image) -> Image.Image:
    """Choose 256 colours, among them the rare ones of small signs; dots would blur the letters."""
    return image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
