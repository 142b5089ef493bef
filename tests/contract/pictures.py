"""Checks that the pictures of every game must pass."""

from xml.etree import ElementTree as ET

import numpy as np

from kitchentable.render.picture import Picture, Rectangle, Text


def overlapping(texts):
    """Return pairs of texts that overlap."""
    boxes = np.array([text.bounds for text in texts])
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    meet = (low < boxes[None, :, 2:]) & (high > boxes[None, :, :2])
    pairs = np.argwhere(np.triu(meet.all(axis=2), k=1))
    return [(texts[i].text, texts[j].text) for i, j in pairs]


def sticking_out(picture):
    """Return texts that stick out of their rectangle: the last one drawn beneath them."""
    found, below = [], []
    for shape in picture.shapes:
        if isinstance(shape, Rectangle):
            below.append(shape.bounds)
        if not isinstance(shape, Text) or not shape.text:
            continue
        left, top, right, bottom = shape.bounds
        x, y = (left + right) / 2, (top + bottom) / 2
        around = [box for box in below if box[0] <= x <= box[2] and box[1] <= y <= box[3]]
        if around:
            box = around[-1]
            if left < box[0] or top < box[1] or right > box[2] or bottom > box[3]:
                found.append(shape.text)
    return found


def check_places(picture: Picture) -> None:
    """Check that shapes lie inside the picture, and texts inside their boxes and apart.

    The font of pixels draws a box for letters that it does not have.
    """
    assert all(text.isascii() for text in picture.texts)
    boxes = [shape.bounds for shape in picture.shapes]
    assert min(min(left, top) for left, top, _, _ in boxes) >= 0
    assert max(right for _, _, right, _ in boxes) <= picture.width
    assert max(bottom for _, _, _, bottom in boxes) <= picture.height
    texts = [shape for shape in picture.shapes if isinstance(shape, Text) and shape.text]
    assert overlapping(texts) == []
    assert sticking_out(picture) == []


def check_pixels(pictures: list[Picture]) -> None:
    """Check that pictures of one table have the same even size and are not blank."""
    ((height, width),) = {(picture.height, picture.width) for picture in pictures}
    rgb = pictures[-1].to_rgb()
    assert rgb.shape == (height, width, 3)
    assert rgb.dtype == np.uint8
    assert height % 2 == width % 2 == 0  # video formats need even sizes
    assert len(np.unique(rgb[::5, ::5] @ np.array([65536, 256, 1]))) > 100


def check_svg(picture: Picture) -> None:
    """Check that the SVG is valid XML and has the picture's texts and shapes."""
    root = ET.fromstring(picture.to_svg())
    written = [element.text or "" for element in root if element.tag.endswith("text")]
    assert written == picture.texts
    assert len(root) == len(picture.shapes) + 1
