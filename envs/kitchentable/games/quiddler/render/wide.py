"""Where things lie in the picture of Quiddler for a wide screen."""

from __future__ import annotations

from kitchentable.games.quiddler.render.middle import Counts, draw_counts, draw_piles
from kitchentable.games.quiddler.render.scene import (
    ACCENT,
    FACES,
    LIGHT,
    PANEL,
    STRIP,
    Scene,
    begin,
    draw_arrow,
    draw_frame,
    label,
)
from kitchentable.games.quiddler.render.seats import SIDE, Letters, Sizes, add_height, draw_seat
from kitchentable.games.quiddler.render.text import (
    bonuses,
    decision,
    hand_of_hands,
    note,
    reshuffled,
    seen_by,
)
from kitchentable.games.quiddler.render.view import View
from kitchentable.games.quiddler.state import BY_ITSELF, Params
from kitchentable.render.cards import CARD_RATIO, draw_card_back, draw_eye
from kitchentable.render.picture import Picture

WIDTH = 1200
MARGIN = 24
GAP = 14
HEADER = 76
STRIP_HEIGHT = 212
SEATS = HEADER + STRIP_HEIGHT + GAP
"""Where they begin."""
LETTERS = Letters(small=14, smallest=13, line=17, tag=(14, 7.2), sum=24)


def wide(view: View) -> Picture:
    """Draw the table."""
    state, params, viewer = view.state, view.params, view.viewer
    sizes = _seat_sizes(params)
    across = _across(params)
    rows = -(-params.num_players // across)
    bottom = SEATS + rows * (sizes.height + GAP) - GAP
    scene = begin(WIDTH, bottom + 48, state, params, viewer)
    _draw_header(scene)
    _draw_strip(scene)
    for player in range(params.num_players):
        row, column = divmod(player, across)
        in_row = min(across, params.num_players - row * across)
        used = in_row * (sizes.width + GAP) - GAP
        x = (WIDTH - used) / 2 + column * (sizes.width + GAP)
        draw_seat(scene, player, sizes, x, SEATS + row * (sizes.height + GAP))
    _draw_legend(scene, scene.picture.height - 24)
    return scene.picture


def _across(params: Params) -> int:
    """Return how many seats lie beside each other."""
    return 1 if params.num_players == 2 else 2


def _seat_sizes(params: Params) -> Sizes:
    """Lay out the panels: two seats below each other, more in two columns.

    A panel has room for the largest hand after drawing, laid in as many words as it can make.
    """
    across = _across(params)
    width = (WIDTH - 2 * MARGIN - (across - 1) * GAP) / across
    most = max(params.hand_sizes)
    gap, wide_gap = (6, 26) if across == 1 else (3, 15)
    room = width - 2 * SIDE - most * gap - (most // 2) * (wide_gap - gap)
    card = min((84, 60)[across - 1], room / (most + 1))
    sizes = Sizes(width, 0, card, gap, wide_gap, LETTERS, foot_lines=across)
    return add_height(sizes, params.challenges)


def _draw_header(scene: Scene) -> None:
    y, right = HEADER / 2, WIDTH - MARGIN
    scene.picture.text(MARGIN, y, "Quiddler", size=34, colour=LIGHT, bold=True)
    label(scene.picture, MARGIN + 170, y + 4, hand_of_hands(scene.state, scene.params), size=18)
    label(scene.picture, right, y + 4, seen_by(scene.viewer), size=18, align="right")


def _draw_strip(scene: Scene) -> None:
    """Draw the two piles, and say what is going on."""
    picture, state, width, gap = scene.picture, scene.state, 96, 24
    box = (MARGIN, HEADER, WIDTH - 2 * MARGIN, STRIP_HEIGHT)
    picture.rectangle(*box, fill=STRIP, radius=16)
    left = MARGIN + gap
    draw_piles(scene, left, HEADER + 20, width, gap, HEADER + STRIP_HEIGHT - 26, size=15)
    x = left + 2 * (width + gap) + 16
    told = decision(state, scene.params, scene.viewer)
    picture.text(x, HEADER + 32, told, size=26, colour=ACCENT, bold=True)
    for i, line in enumerate(filter(None, (note(state, scene.viewer), bonuses(state)))):
        picture.text(x, HEADER + 63 + 25 * i, line, size=17, colour=LIGHT)
    counts = Counts(across=16, width=(WIDTH - MARGIN - 24 - x) / 16, height=32, gap=5, letters=15)
    draw_counts(scene, x, HEADER + 112, counts)
    label(picture, x, HEADER + 192, reshuffled(state) or "In the discard pile", size=13)


def _draw_legend(scene: Scene, y: float) -> None:
    by_itself, picture = scene.state.meld == BY_ITSELF, scene.picture
    lays = "its discard lays words (below: worth)" if by_itself else "may be spelled next"
    x = MARGIN + 4.0
    draw_frame(picture, x, y - 8, 12)
    picture.rectangle(x, y - 8, 12, 12 * CARD_RATIO, fill=PANEL, radius=2)
    label(picture, x + 24, y, "may be discarded")
    draw_arrow(picture, x + 174, y)
    label(picture, x + 190, y, lays)
    draw_card_back(picture, x + 472, y - 20, 30, known=FACES[0], looked=False)
    label(picture, x + 511, y, "another's, seen to be picked up")
    draw_eye(picture, x + 780, y, 12)
    label(picture, x + 801, y, "the others have seen it picked up")
