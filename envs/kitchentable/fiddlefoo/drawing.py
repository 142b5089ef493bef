"""A table of Fiddlefoo as text (see `wording`) and as a picture, as one seat sees it.

All that depends on who looks comes from `drawing_view` and `sentences`. The draw pile is only
counted. `drawing_wide` and `drawing_tall` say what lies where; what both show is drawn by the
modules named after it, in the sizes of `drawing_look`.
"""

from __future__ import annotations

from kitchentable.fiddlefoo.drawing_tall import tall_picture
from kitchentable.fiddlefoo.drawing_wide import wide_picture
from kitchentable.fiddlefoo.state import Params, State
from kitchentable.fiddlefoo.wording import to_text
from kitchentable.picture import Picture

__all__ = ["to_picture", "to_text"]


def to_picture(state: State, params: Params, viewer: int, *, tall: bool = False) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show every card.
        tall: whether to draw it for a phone.
    """
    return (tall_picture if tall else wide_picture)(state, params, viewer)
