"""Where things lie in the picture of Quiddler for a phone: below each other, what matters first."""

from __future__ import annotations

from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler.render.middle import Counts, draw_counts, draw_piles
from kitchentable.games.quiddler.render.scene import (
    ACCENT,
    LIGHT,
    STRIP,
    TABLE,
    Scene,
    begin,
    draw_arrow,
    draw_frame,
    label,
    wrapped,
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
from kitchentable.render.cards import CARD_RATIO, draw_eye
from kitchentable.render.picture import TALL, Picture

MARGIN = 12
GAP = 12
WIDTH = TALL - 2 * MARGIN
HEADER = 72
STRIP_HEIGHT = 246
SEATS = HEADER + STRIP_HEIGHT + GAP
"""Where they begin."""
LETTERS = Letters(small=16, smallest=16, line=20, tag=(10, 8.2), sum=12)
COUNTS = Counts(across=8, width=WIDTH / 8, height=34, gap=5, letters=17)
COUNTS_HEIGHT = 34 + COUNTS.rows * COUNTS.height
"""With a caption above."""
LEGEND = 100
AGAIN = 4 * 20
"""For what was shuffled again: three lines and the margin."""
PILE = 104
"""Width of a card on the piles."""
MOST_ACROSS = 6
"""Cards in a row of the hand in front."""
LARGEST = 92
"""Width of such a card where few lie beside each other."""


def tall(view: View) -> Picture:
    """Draw the table: what is going on, the viewer's seat, the others, the discard pile."""
    state, params, viewer = view.state, view.params, view.viewer
    front, others = _seat_sizes(params)
    bottom = SEATS + front.height + GAP + (params.num_players - 1) * (others.height + GAP)
    scene = begin(TALL, bottom + COUNTS_HEIGHT + LEGEND + AGAIN, state, params, viewer)
    _draw_header(scene)
    _draw_strip(scene)
    y: float = SEATS
    for i, player in enumerate(_order(scene)):
        sizes = others if i else front
        draw_seat(scene, player, sizes, MARGIN, y)
        y += sizes.height + GAP
    _draw_discards(scene, y)
    _draw_legend(scene, y + COUNTS_HEIGHT)
    for i, line in enumerate(wrapped(reshuffled(state), WIDTH, 16)):
        label(scene.picture, MARGIN, y + COUNTS_HEIGHT + LEGEND + 12 + 20 * i, line, size=16)
    return scene.picture


def _order(scene: Scene) -> list[int]:
    """Return the seats: the viewer's or the one to act, who is accused, the others to the left."""
    state, seats = scene.state, scene.params.num_players
    first = int(state.current_player) if scene.viewer == NOBODY else scene.viewer
    front, *others = ((first + i) % seats for i in range(seats))
    return [front, *sorted(others, key=lambda player: player != state.accused)]


def _seat_sizes(params: Params) -> tuple[Sizes, Sizes]:
    """Lay out the panels of the seat in front, whose cards fingers must hit, and of any other."""
    most = max(params.hand_sizes) + 1
    rows = -(-most // MOST_ACROSS)
    across = -(-most // rows)
    gap = 10
    large = min(LARGEST, (WIDTH - 2 * SIDE + gap) / across - gap)
    lines = 3 if params.challenges else 2
    others = Sizes(WIDTH, 0, 38, 2, 14, LETTERS, foot_lines=lines, tiles=True)
    front = others._replace(large_card=large, large_gap=gap, across=across, rows=rows)
    return add_height(front, params.challenges), add_height(others, params.challenges)


def _draw_header(scene: Scene) -> None:
    picture = scene.picture
    picture.text(MARGIN, 24, "Quiddler", size=28, colour=LIGHT, bold=True)
    label(picture, MARGIN, 54, hand_of_hands(scene.state, scene.params), size=18)
    label(picture, TALL - MARGIN, 54, seen_by(scene.viewer), size=18, align="right")


def _draw_strip(scene: Scene) -> None:
    """Say what is going on, and draw the two piles."""
    picture, state, x = scene.picture, scene.state, MARGIN + SIDE
    picture.rectangle(MARGIN, HEADER, WIDTH, STRIP_HEIGHT, fill=STRIP, radius=16)
    told = decision(state, scene.params, scene.viewer)
    for i, line in enumerate(wrapped(told, WIDTH - 2 * SIDE, 24)):
        picture.text(x, HEADER + 24 + 26 * i, line, size=22, colour=ACCENT, bold=True)
    top = HEADER + 68
    draw_piles(scene, x, top, PILE, 14, top + CARD_RATIO * PILE + 18, size=18)
    x += 2 * (PILE + 14) + 4
    y = top + 10
    for text in (note(state, scene.viewer), bonuses(state)):
        for line in wrapped(text, TALL - MARGIN - SIDE - x, 17):
            picture.text(x, y, line, size=17, colour=LIGHT)
            y += 21
        y += 4


def _draw_discards(scene: Scene, y: float) -> None:
    """Count the discard pile by kind."""
    label(scene.picture, MARGIN, y + 14, "In the discard pile", size=18)
    draw_counts(scene, MARGIN, y + 32, COUNTS)


def _draw_legend(scene: Scene, y: float) -> None:
    picture, x = scene.picture, MARGIN + 12
    draw_frame(picture, x - 6, y + 6, 12)
    picture.rectangle(x - 6, y + 6, 12, 12 * CARD_RATIO, fill=TABLE, radius=2)
    draw_arrow(picture, x, y + 46, 9)
    draw_eye(picture, x, y + 76, 12)
    by_itself = scene.state.meld == BY_ITSELF
    lays = "its discard lays words (below: worth)" if by_itself else "may be spelled next"
    told = ("may be discarded", lays, "everybody has seen it picked up")
    for i, text in enumerate(told):
        label(picture, x + 24, y + 15 + 30 * i, text, size=18)
