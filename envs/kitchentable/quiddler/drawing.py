"""A table of Quiddler as text (see `wording`) and as a picture, as one seat sees it.

All that depends on who looks comes from `view` and `wording`. The draw pile is only counted. Where
things lie is up to `drawing_wide` and `drawing_tall`, what they look like to `drawing_seat` and
`drawing_middle`.
"""

from __future__ import annotations

from kitchentable.picture import Picture
from kitchentable.quiddler import drawing_tall, drawing_wide
from kitchentable.quiddler.drawing_scene import FACES
from kitchentable.quiddler.state import Params, State
from kitchentable.quiddler.wording import to_text

__all__ = ["FACES", "to_picture", "to_text"]


def to_picture(state: State, params: Params, viewer: int, *, tall: bool = False) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show every card.
        tall: whether to draw it for a phone, `picture.TALL` wide.
    """
    draw = drawing_tall.draw if tall else drawing_wide.draw
    return draw(state, params, viewer)
