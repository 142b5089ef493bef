"""A desktop window for ``render_mode="human"``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHARE = 0.9
"""Larger pictures are scaled down to this fraction of the screen."""


class Window:
    """A window that shows one picture after another.

    It opens with the first picture. If a person closes it, it stays closed and the game continues.
    """

    def __init__(self) -> None:
        self._root: Any = None
        self._label: Any = None
        self._image: Any = None  # tkinter does not keep a reference
        self._is_shut = False
        self._has_screen = True

    def show(self, rgb: NDArray[np.uint8]) -> None:
        """Show pixels, uint8, shape (height, width, 3), without waiting.

        Without a screen or tkinter, warn once and do nothing from then on.
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
        from PIL import Image, ImageTk  # noqa: PLC0415 (Pillow is optional)

        if self._root is None:
            self._open()
        picture = Image.fromarray(rgb)
        root = self._root
        picture.thumbnail((SHARE * root.winfo_screenwidth(), SHARE * root.winfo_screenheight()))
        self._image = ImageTk.PhotoImage(picture, master=root)
        self._label.configure(image=self._image)
        root.update()  # a person may close the window during this call

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
