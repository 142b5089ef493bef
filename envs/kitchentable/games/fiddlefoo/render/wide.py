"""The wide picture of Fiddlefoo, for screens: the map on the left, the hands on the right.

On the right are the status box, the piles, and the hands one below the other, with cards as large
as fit for all hands.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo.render import sentences
from kitchentable.games.fiddlefoo.render.cards import draw_legend
from kitchentable.games.fiddlefoo.render.look import GAP, MARGIN, PALETTE, WIDE, Scene
from kitchentable.games.fiddlefoo.render.map import MARGIN as MAP_MARGIN
from kitchentable.games.fiddlefoo.render.map import cell_size, draw_map, wide_window
from kitchentable.games.fiddlefoo.render.seats import draw_seats
from kitchentable.games.fiddlefoo.render.status import draw_piles, draw_status
from kitchentable.games.fiddlefoo.render.view import View
from kitchentable.render.letters import Line
from kitchentable.render.picture import Picture

HEADER = 66
FOOTER = 46


def wide(view: View) -> Picture:
    """Return the wide picture of the table."""
    state, map_size = view.state, view.params.map_size
    board = MAP_MARGIN + map_size * cell_size(map_size)
    side = MARGIN + board + MARGIN
    width, height = 2 * round((side + WIDE.width + MARGIN) / 2), HEADER + board + FOOTER
    scene = Scene.begin(view, width, height, PALETTE)
    about = sentences.about(view)
    scene.header(about, margin=MARGIN, y=(HEADER + MAP_MARGIN) / 2 - 10, size=34, indent=190)
    draw_map(scene, wide_window(map_size, MARGIN, HEADER))
    texts = [
        Line(sentences.about_pair(state), WIDE.text, PALETTE.light),
        Line(sentences.note(state), WIDE.text, PALETTE.muted),
        Line(sentences.last_piles(state), WIDE.text, PALETTE.muted),
        Line(sentences.out_of_game(state), WIDE.text, PALETTE.muted),
    ]
    top = draw_status(scene, WIDE, texts, side, HEADER + MAP_MARGIN)
    if state.cooperative:
        top = draw_piles(scene, WIDE, side, top + GAP)
    draw_seats(scene, WIDE, side, top + GAP, HEADER + board)
    y = scene.picture.height - FOOTER / 2 + 2
    draw_legend(scene, WIDE, MARGIN + MAP_MARGIN, y, scene.picture.width)
    return scene.picture
