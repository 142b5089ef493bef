"""Drawing the middle of a table of Quiddler: the two piles, and the discard pile by kind."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.render.cards import FACES, Scene
from kitchentable.games.quiddler.render.view import ALPHABETICAL
from kitchentable.render.picture import Rectangle
from kitchentable.render.scene import card_box


def draw_piles(
    scene: Scene, x: float, top: float, width: float, gap: float, caption_y: float, size: float
) -> None:
    """Draw the draw pile and the discard pile side by side, with their sizes below.

    Args:
        scene: what to draw into.
        x: left edge of the draw pile.
        top: upper edge of both piles.
        width: width of a card.
        gap: gap between the piles.
        caption_y: middle of the captions below.
        size: text size of the captions.
    """
    state = scene.state
    counts = {"Draw": int(state.deck_size), "Discards": int(state.pile_size)}
    for i, (caption, count) in enumerate(counts.items()):
        left = x + i * (width + gap)
        face = FACES[state.pile[state.pile_size - 1]] if count else None
        scene.card_place(left, top, width, face, hidden=bool(i == 0 and count))
        scene.offer(("draw", "take")[i : i + 1], card_box(left, top, width))
        text = f"{caption} {count}"
        scene.label(left + width / 2, caption_y, text, size=size, align="middle")


class Counts(NamedTuple):
    """Sizes of the rows of small boxes that count the discard pile by kind."""

    across: int
    width: float
    """Distance from one box to the next."""
    height: float
    """Distance from one row to the next."""
    gap: float
    letters: float
    """Text size."""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return -(-NUM_KINDS // self.across)


def draw_counts(scene: Scene, x: float, y: float, sizes: Counts) -> None:
    """Draw the number of discards of each kind, from (x, y) on."""
    for i, kind in enumerate(ALPHABETICAL):
        row, column = divmod(i, sizes.across)
        count, face = int(scene.state.pile_counts[kind]), FACES[kind]
        left, top = x + column * sizes.width, y + row * sizes.height
        box = Rectangle(left, top, sizes.width - sizes.gap, sizes.height - 6)
        text = f"{face.label} x{count}" if count else face.label
        scene.kind_chip(box, face, text, size=sizes.letters, is_there=count > 0)
