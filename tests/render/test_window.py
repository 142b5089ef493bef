"""The window on a machine without a screen."""

import importlib.util
import sys
import warnings

import numpy as np
import pytest

from kitchentable.render.window import Window


@pytest.mark.parametrize("lacks", ["screen", "tkinter"])
def test_no_screen_warns_once(monkeypatch, lacks):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if lacks == "tkinter":
        monkeypatch.setitem(sys.modules, "tkinter", None)
    elif sys.platform != "linux" or not importlib.util.find_spec("tkinter"):
        pytest.skip("a screen cannot be taken away here")
    rgb = np.zeros((4, 4, 3), np.uint8)
    window = Window()
    with pytest.warns(UserWarning, match=r'no screen was found.*"ansi" or "rgb_array"') as seen:
        window.show(rgb)
    assert len(seen) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        window.show(rgb)
        window.close()
        window.show(rgb)
        window.close()
