"""The wide picture of Fiddlefoo, for screens: the map on the left, the hands on the right.

On the right are the status box, the piles, and the hands one below the other, with cards as large
as fit for all hands.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo.render import sentences
from kitchentable.games.fiddlefoo.render.cards import GAP, MARGIN, PALETTE, WIDE, Scene, draw_legend
from kitchentable.games.fiddlefoo.render.map import MARGIN as MAP_MARGIN
from kitchentable.games.fiddlefoo.render.map import WHOLE, draw_map, fit_window
from kitchentable.games.fiddlefoo.render.seats import draw_seats
from kitchentable.games.fiddlefoo.render.status import draw_piles, draw_status
from kitchentable.games.fiddlefoo.render.view import View
from kitchentable.games.fiddlefoo.state import Params
from kitchentable.render.letters import Line
from kitchentable.render.picture import Picture

HEADER = 66
FOOTER, MARKS = 84, 66
"""Height of the legend, and what the marks of action cards add to it."""
STATUS, TALKING = 170, 70
"""Height of the status box, and what action cards add to it."""
PILES = 160
SEAT, LAST_HAND = 130, 64
"""Height of a seat with two rows of small cards, and of the last hand if there are more games."""


def wide(view: View) -> Picture:
    """Return the wide picture of the table."""
    state = view.state
    board = max(MAP_MARGIN + WHOLE, _room(view.params))
    side = MARGIN + MAP_MARGIN + WHOLE + MARGIN
    width, height = 2 * round((side + WIDE.width + MARGIN) / 2), HEADER + board + FOOTER
    height += MARKS * bool(view.params.talkytoot)
    scene = Scene.begin(view, width, height, PALETTE)
    about = sentences.about(view)
    scene.header(about, margin=MARGIN, y=(HEADER + MAP_MARGIN) / 2 - 10, size=34, indent=190)
    corner = (MARGIN + MAP_MARGIN, HEADER + MAP_MARGIN)
    window = fit_window(state, corner, WHOLE, labels=15, letters=14)
    draw_map(scene, window)
    texts = [
        Line(sentences.about_pair(state), WIDE.text, PALETTE.light),
        Line(sentences.note(scene), WIDE.text, PALETTE.muted),
        Line(sentences.last_piles(state), WIDE.text, PALETTE.muted),
        Line(sentences.out_of_game(state), WIDE.text, PALETTE.muted),
    ]
    top = draw_status(scene, WIDE, texts, side, HEADER + MAP_MARGIN)
    if state.cooperative:
        top = draw_piles(scene, WIDE, side, top + GAP)
    draw_seats(scene, WIDE, side, top + GAP, HEADER + board)
    below, right = HEADER + board + 22, width - MARGIN
    draw_legend(scene, WIDE, MARGIN, below, right, short=window.short)
    return scene.picture


def _room(params: Params) -> float:
    """Return the height that the boxes on the right need."""
    status = STATUS + TALKING * bool(params.talkytoot) + PILES * params.cooperative
    seats = params.num_players * (SEAT + GAP + LAST_HAND * (params.games > 1))
    return MAP_MARGIN + status + seats
