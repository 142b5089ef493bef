"""The middle of a table of Quiddler: the two piles, and what lies in the discard pile."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.render.scene import EMPTY, FACES, Scene, label
from kitchentable.games.quiddler.render.view import ALPHABETICAL
from kitchentable.render.cards import CARD_RATIO, draw_card, draw_card_back
from kitchentable.render.picture import Rectangle


def draw_piles(
    scene: Scene, x: float, top: float, width: float, gap: float, caption_y: float, size: float
) -> None:
    """Draw the draw pile and the discard pile beside each other, and count them below.

    Args:
        scene: what to draw into.
        x: left edge of the draw pile.
        top: of both.
        width: of a card.
        gap: between the piles.
        caption_y: middle of what is written below.
        size: of those letters.
    """
    picture, state = scene.picture, scene.state
    counts = {"Draw": int(state.deck_size), "Discards": int(state.pile_size)}
    for i, (caption, count) in enumerate(counts.items()):
        left = x + i * (width + gap)
        box = (left, top, width, CARD_RATIO * width)
        if count == 0:
            picture.rectangle(*box, outline=EMPTY, line=2, radius=0.1 * width)
        elif i == 0:
            draw_card_back(picture, left, top, width, known=None, looked=False)
        else:
            draw_card(picture, left, top, width, FACES[state.pile[count - 1]])
        scene.offer(("draw", "take")[i : i + 1], Rectangle(*box))
        text = f"{caption} {count}"
        label(picture, left + width / 2, caption_y, text, size=size, align="middle")


class Counts(NamedTuple):
    """How the kinds of card in the discard pile are counted: in rows of small boxes."""

    across: int
    width: float
    """From one box to the next."""
    height: float
    """Likewise, of the rows."""
    gap: float
    letters: float
    """Their size."""

    @property
    def rows(self) -> int:
        """How many there are."""
        return -(-NUM_KINDS // self.across)


def draw_counts(scene: Scene, x: float, y: float, sizes: Counts) -> None:
    """Count the discard pile by kind, from (x, y) on."""
    for i, kind in enumerate(ALPHABETICAL):
        row, column = divmod(i, sizes.across)
        count, face = int(scene.state.pile_counts[kind]), FACES[kind]
        left, top = x + column * sizes.width, y + row * sizes.height
        box = (left, top, sizes.width - sizes.gap, sizes.height - 6)
        if count:
            scene.picture.rectangle(*box, fill=face.paper, radius=6)
            text, ink = f"{face.label} x{count}", face.ink
        else:
            scene.picture.rectangle(*box, outline=EMPTY, line=1.5, radius=6)
            text, ink = face.label, EMPTY
        middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
        bold, size = bool(count), sizes.letters
        scene.picture.text(*middle, text, size=size, colour=ink, align="middle", bold=bold)
