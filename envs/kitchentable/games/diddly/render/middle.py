"""Drawing of the middle of a Diddly table: the piles, the card in hand, the discards by kind."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.diddly.render.cards import FACES, Scene
from kitchentable.games.diddly.state import CARD_NAMES, NO_CARD
from kitchentable.render.cards import Face
from kitchentable.render.picture import Rectangle
from kitchentable.render.scene import card_box

CHIP = 32
"""Height of a kind's chip in the count of discards."""
COUNT_DROP = 50
"""Distance from the top of a chip to the middle of its count."""
KIND_HEIGHT = 58
"""Height of a chip and its count."""


class Piles(NamedTuple):
    """Positions of the deck, the top discard and the card in hand, side by side."""

    x: float
    y: float
    step: float
    """Distance between the left edges of neighbors."""
    card_width: float
    caption_y: float
    letters: float


def draw_piles(scene: Scene, place: Piles) -> None:
    """Draw the deck, the top of the discard pile and the card in hand."""
    state, width = scene.state, place.card_width
    pile, held = int(state.pile_size), int(state.held)
    shown: tuple[tuple[str, str, Face | None], ...] = (
        (f"Deck {state.deck_size}", "draw", None),
        (f"Discards {pile}", "take", FACES[state.pile[pile - 1]] if pile else None),
        ("In hand", "", FACES[held] if held != NO_CARD else None),
    )
    for i, (caption, action, face) in enumerate(shown):
        x = place.x + i * place.step
        scene.card_place(x, place.y, width, face, hidden=action == "draw" and state.deck_size > 0)
        middle = x + width / 2
        scene.label(middle, place.caption_y, caption, size=place.letters, align="middle")
        scene.offer([action], card_box(x, place.y, width))


def draw_kind(scene: Scene, kind: int, x: float, y: float, width: float, letters: float) -> None:
    """Draw the number of discards of a kind, with the top left corner at (x, y)."""
    count, face = int(scene.state.pile_counts[kind]), FACES[kind]
    chip = Rectangle(x, y, width, CHIP)
    scene.kind_chip(chip, face, face.label, size=18, is_there=count > 0)
    if count:
        middle = x + width / 2
        scene.label(middle, y + COUNT_DROP, f"x{count}", size=letters, align="middle")
    scene.offer([f"recycle:{CARD_NAMES[kind]}"], Rectangle(x, y, width, KIND_HEIGHT))
