"""What every seat has in common, drawn: the piles, the card in hand, the discards by kind."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.diddly.render.cards import EMPTY, FACES, LIGHT, MUTED, draw_place, label
from kitchentable.games.diddly.render.text import round_of_rounds, seen_by
from kitchentable.games.diddly.render.view import View, offer
from kitchentable.games.diddly.state import CARD_NAMES, NO_CARD
from kitchentable.render.cards import CARD_RATIO, Face, draw_card_back
from kitchentable.render.picture import Picture

CHIP = 32
"""Height of a kind in the count of the discards."""
COUNT_DROP = 50
"""From the top of a kind to the middle of its count."""
KIND_HEIGHT = 58
"""Height of a kind together with its count."""


def draw_header(picture: Picture, view: View, margin: float, y: float, size: float) -> None:
    """Write in one line which game this is, how far it is, and who looks."""
    picture.text(margin, y, "Diddly", size=size, colour=LIGHT, bold=True)
    about = f"{view.params.cards} cards, {round_of_rounds(view.state, view.params)}"
    picture.text(margin + 138 * size / 34, y + 4, about, size=18, colour=MUTED)
    right = picture.width - margin
    picture.text(right, y + 4, seen_by(view.viewer), size=18, colour=MUTED, align="right")


class Piles(NamedTuple):
    """Where the deck, the top discard and the card in hand lie, beside each other."""

    x: float
    y: float
    step: float
    """From the left edge of one to that of the next."""
    card_width: float
    caption_y: float
    letters: float


def draw_piles(picture: Picture, view: View, place: Piles) -> None:
    """Draw the deck, the top of the discard pile and the card in hand."""
    state, width = view.state, place.card_width
    pile, held = int(state.pile_size), int(state.held)
    shown: tuple[tuple[str, str, Face | None], ...] = (
        (f"Deck {state.deck_size}", "draw", None),
        (f"Discards {pile}", "take", FACES[state.pile[pile - 1]] if pile else None),
        ("In hand", "", FACES[held] if held != NO_CARD else None),
    )
    for i, (caption, action, face) in enumerate(shown):
        x = place.x + i * place.step
        if action == "draw" and state.deck_size > 0:
            draw_card_back(picture, x, place.y, width, known=None, looked=False)
        else:
            draw_place(picture, x, place.y, width, face)
        middle = x + width / 2
        label(picture, middle, place.caption_y, caption, size=place.letters, align="middle")
        offer(picture, view, action, x, place.y, width, CARD_RATIO * width)


def draw_kind(
    picture: Picture, view: View, kind: int, x: float, y: float, width: float, letters: float
) -> None:
    """Draw how many cards of a kind lie in the discard pile, its top left corner at (x, y)."""
    count, face = int(view.state.pile_counts[kind]), FACES[kind]
    middle, box = x + width / 2, (x, y, width, CHIP)
    if count:
        picture.rectangle(*box, fill=face.paper, radius=6)
    else:
        picture.rectangle(*box, outline=EMPTY, line=1.5, radius=6)
    ink = face.ink if count else EMPTY
    centre = y + CHIP / 2
    picture.text(middle, centre, face.label, size=18, colour=ink, align="middle", bold=True)
    if count:
        label(picture, middle, y + COUNT_DROP, f"x{count}", size=letters, align="middle")
    offer(picture, view, f"recycle:{CARD_NAMES[kind]}", x, y, width, KIND_HEIGHT)
