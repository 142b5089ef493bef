"""A table of Diddly as text (see `words`) and as a picture, as one seat sees it.

A wide picture (see `drawing_wide`) is for a screen, a tall one (see `drawing_tall`) for a phone.
Both are put together from the same parts: seats (`drawing_seats`), the middle of the table
(`drawing_middle`), cards and marks (`drawing_cards`).

Whoever draws asks `state.is_known` for every card on a board, so what the viewer cannot know never
reaches the text or the picture. The deck is only counted.
"""

from __future__ import annotations

from kitchentable.diddly.drawing_cards import FACES
from kitchentable.diddly.drawing_tall import draw_tall
from kitchentable.diddly.drawing_view import look
from kitchentable.diddly.drawing_wide import draw_wide
from kitchentable.diddly.state import Params, State
from kitchentable.diddly.words import to_text
from kitchentable.picture import Picture

__all__ = ["FACES", "to_picture", "to_text"]


def to_picture(state: State, params: Params, viewer: int, *, tall: bool = False) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show every card.
        tall: whether to draw it for a phone: narrow, with large letters, the viewer's cards first.
    """
    view = look(state, params, viewer)
    return draw_tall(view) if tall else draw_wide(view)
