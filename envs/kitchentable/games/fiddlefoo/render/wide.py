"""The picture of Fiddlefoo for screens: the map on the left, the hands on the right.

On the right are what is going on, the piles, and the hands below each other, in cards as large as
all hands have room for.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo.render.legend import draw_legend
from kitchentable.games.fiddlefoo.render.look import GAP, LIGHT, MARGIN, MUTED, TABLE, WIDE
from kitchentable.games.fiddlefoo.render.map import MARGIN as MAP_MARGIN
from kitchentable.games.fiddlefoo.render.map import cell_size, draw_map, wide_window
from kitchentable.games.fiddlefoo.render.seats import draw_seats
from kitchentable.games.fiddlefoo.render.sentences import (
    about_pair,
    game_of_games,
    last_piles,
    notes,
    out_of_game,
    seen_by,
    variants,
)
from kitchentable.games.fiddlefoo.render.status import draw_piles, draw_status
from kitchentable.games.fiddlefoo.render.view import View, choices
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render.picture import Picture

HEADER = 66
FOOTER = 46


def wide(view: View) -> Picture:
    """Draw the table for a screen."""
    state, params, viewer = view.state, view.params, view.viewer
    board = MAP_MARGIN + params.map_size * cell_size(params.map_size)
    side = MARGIN + board + MARGIN
    # Even, because video formats want it so.
    size = (side + WIDE.width + MARGIN, HEADER + board + FOOTER)
    width, height = (2 * round(n / 2) for n in size)
    picture = Picture(width, height, TABLE)
    _draw_header(picture, state, params, viewer)
    may = choices(state, params, viewer)
    draw_map(picture, state, may, wide_window(params.map_size, MARGIN, HEADER))
    texts = [
        (about_pair(state), LIGHT),
        (" ".join(notes(state)), MUTED),
        (last_piles(state), MUTED),
        (out_of_game(state), MUTED),
    ]
    top = draw_status(picture, state, WIDE, texts, side, HEADER + MAP_MARGIN)
    if params.cooperative:
        top = draw_piles(picture, state, WIDE, side, top + GAP)
    draw_seats(picture, state, viewer, may, WIDE, side, top + GAP, HEADER + board)
    left = float(MARGIN + MAP_MARGIN)
    draw_legend(picture, params, WIDE, left, height - FOOTER / 2 + 2, width)
    return picture


def _draw_header(picture: Picture, state: State, params: Params, viewer: int) -> None:
    y = (HEADER + MAP_MARGIN) / 2 - 10
    picture.text(MARGIN, y, "Fiddlefoo", size=34, colour=LIGHT, bold=True)
    about = ", ".join(filter(None, (game_of_games(state, params), variants(params))))
    picture.text(MARGIN + 190, y + 4, about, size=18, colour=MUTED)
    right = picture.width - MARGIN
    picture.text(right, y + 4, seen_by(viewer), size=18, colour=MUTED, align="right")
