"""A table of Add-Too as text (see `wording`) and as a picture, as one seat sees it.

There are two layouts: `drawing_wide` for a screen and `drawing_tall` for a phone. What both draw is
in `drawing_parts`, the diamonds in `drawing_grid`, and where a click goes in `drawing_spots`.
"""

from __future__ import annotations

from kitchentable.addtoo.drawing_tall import tall_picture
from kitchentable.addtoo.drawing_wide import wide_picture
from kitchentable.addtoo.state import Params, State
from kitchentable.addtoo.wording import to_text
from kitchentable.picture import Picture

__all__ = ["to_picture", "to_text"]


def to_picture(state: State, params: Params, viewer: int, *, tall: bool = False) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show the order of the pile too.
            What it may do now can be clicked.
        tall: whether it is for a phone, `picture.TALL` wide.
    """
    return (tall_picture if tall else wide_picture)(state, params, viewer)
