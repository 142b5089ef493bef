"""Pictures: shapes are painted, and written as SVG, where they should be."""

import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.contract.pictures import overlapping, sticking_out

from kitchentable.render.picture import Circle, Picture, Polygon, Rectangle, Text


def test_svg_escapes_what_is_written():
    picture = Picture(50, 20, "#ffffff")
    picture.text(0, 10, "<&>", size=10, color="#000000", bold=True)
    assert ET.fromstring(picture.to_svg())[1].text == "<&>"


def test_shapes_are_painted_where_they_say():
    picture = Picture(40, 20, "#ffffff")
    picture.rectangle(2, 2, 10, 10, fill="#ff0000")
    picture.circle(25, 10, 5, fill="#00ff00")
    picture.polygon([(32, 2), (38, 2), (38, 18), (32, 18)], fill="#0000ff")
    assert [type(shape) for shape in picture.shapes] == [Rectangle, Circle, Polygon]
    rgb = picture.to_rgb()
    assert rgb[7, 7].tolist() == [255, 0, 0]
    assert rgb[10, 25].tolist() == [0, 255, 0]
    assert rgb[10, 35].tolist() == [0, 0, 255]
    left, top, right, bottom = picture.shapes[0].bounds
    painted = np.argwhere((rgb == (255, 0, 0)).all(axis=2))
    assert painted.min(axis=0).tolist() == [top, left]
    assert (painted.max(axis=0) + 1).tolist() == [bottom, right]


def test_missing_pillow_is_explained(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    picture = Picture(50, 20, "#ffffff")
    picture.text(0, 10, "7", size=10, color="#000000")
    assert picture.to_svg()
    with pytest.raises(ImportError, match=r'pip install "kitchentable\[render\]"'):
        picture.to_rgb()


def written(*texts, box):
    """Return a picture of a large rectangle, a small one and the given texts on them."""
    picture = Picture(90, 40, "#ffffff")
    picture.rectangle(0, 0, 90, 40)
    picture.rectangle(*box)
    for x, text in texts:
        picture.text(x, 20, text, size=20, color="#000000")
    return picture


def test_overlap_and_sticking_out_are_noticed():
    texts = (10, "7"), (12, "7"), (50, "8")
    shapes = [Text(x, 20, text, 20, "#000000") for x, text in texts]
    assert overlapping(shapes) == [("7", "7")]
    assert sticking_out(written(*texts, box=(0, 0, 90, 40))) == []
    assert sticking_out(written(*texts, box=(48, 0, 9, 40))) == ["8"]
