"""A desktop window for ``render_mode="human"``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHARE = 0.9
"""A picture is made smaller if need be, to at most this part of the screen."""


class Window:
    """Shows one picture after another.

    Making one touches no screen; the window opens with the first picture. When a person closes it,
    it stays closed and the game goes on unseen.
    """

    def __init__(self) -> None:
        self._root: Any = None
        self._label: Any = None
        self._image: Any = None  # tkinter keeps no reference of its own
        self._is_shut = False
        self._has_screen = True

    def show(self, rgb: NDArray[np.uint8]) -> None:
        """Show pixels of shape (height, width, 3) and go on at once; the window takes their size.

        Where there is no screen this warns once, and does nothing from then on.
        """
        if self._is_shut or not self._has_screen:
            return
        try:
            from tkinter import TclError  # noqa: PLC0415 (many servers have no tkinter)
        except ImportError as error:
            self._give_up(f"tkinter is missing: {error}")
            return
        try:
            self._show(rgb)
        except TclError as error:
            self.close()
            self._give_up(str(error))

    def close(self) -> None:
        """Close the window if it is open; the next picture opens a new one."""
        root, self._root, self._label, self._image = self._root, None, None, None
        self._is_shut = False
        if root is not None:
            root.destroy()

    def _show(self, rgb: NDArray[np.uint8]) -> None:
        from PIL import Image, ImageTk  # noqa: PLC0415 (only who draws needs it)

        if self._root is None:
            self._open()
        picture = Image.fromarray(rgb)
        root = self._root
        picture.thumbnail((SHARE * root.winfo_screenwidth(), SHARE * root.winfo_screenheight()))
        self._image = ImageTk.PhotoImage(picture, master=root)
        self._label.configure(image=self._image)
        root.update()  # the person may close the window in here

    def _open(self) -> None:
        import tkinter as tk  # noqa: PLC0415 (many servers have no tkinter)

        self._root = tk.Tk()
        self._root.title("Kitchentable")
        self._root.resizable(False, False)
        self._root.protocol("WM_DELETE_WINDOW", self._on_shut)
        self._label = tk.Label(self._root, borderwidth=0)
        self._label.pack()

    def _on_shut(self) -> None:
        self.close()
        self._is_shut = True

    def _give_up(self, reason: str) -> None:
        self._has_screen = False
        warnings.warn(
            f"no screen was found to show the game on ({reason}); "
            'use render_mode="ansi" or "rgb_array"',
            UserWarning,
            stacklevel=3,
        )
