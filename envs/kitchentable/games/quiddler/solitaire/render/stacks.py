"""Drawing the stacks of Quiddler Solitaire, and the legend of their marks."""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.render.cards import CHOSEN, FACES, Scene, draw_place
from kitchentable.games.quiddler.solitaire.render.view import face_down, hidden, place_in_word
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS
from kitchentable.render.cards import draw_card, draw_card_back
from kitchentable.render.scene import Sign, card_box

CARD = 104
FAN = 17
"""Distance from the top of a face-down card to the top of the card on it."""
FRAME = 4
"""Width of the frame around a card that is or may be chosen."""


def draw_stacks(
    scene: Scene, box: tuple[float, float, float, float], *, rows: int, letters: float
) -> None:
    """Draw the stacks in a panel.

    Args:
        scene: what to draw into.
        box: left, top, width and height of the panel.
        rows: number of rows of stacks.
        letters: text size.
    """
    left, top, width, height = box
    scene.picture.rectangle(*box, fill=scene.palette.panel, radius=scene.palette.corner)
    across = NUM_STACKS // rows
    step, high = width / across, height / rows
    gap = "  " if rows == 1 else " "
    for stack in range(NUM_STACKS):
        row, column = divmod(stack, across)
        x, y = left + step * column + (step - CARD) / 2, top + row * high
        _draw_stack(scene, stack, x, y, letters)
        told = (f"{face_down(scene.state, stack)} face down", gap.join(hidden(scene, stack)))
        for text, up in zip(told, (48, 22), strict=True):
            scene.label(x + CARD / 2, y + high - up, text, size=letters, align="middle")


def _draw_stack(scene: Scene, stack: int, x: float, top: float, letters: float) -> None:
    """Draw the cards of a stack, the open one in front, framed if it is or may be chosen."""
    picture, state, y = scene.picture, scene.state, top + 36
    scene.label(x + CARD / 2, top + 18, f"stack {stack}", size=letters, align="middle")
    if state.heights[stack] == 0:
        scene.card_outline(x, y, CARD)
        return
    for _ in range(face_down(state, stack)):
        draw_card_back(picture, x, y, CARD, known=None, looked=False)
        y += FAN
    place, action = place_in_word(state, stack), f"place:{stack}"
    if place or action in scene.offered:
        scene.card_frame(x, y, CARD, CHOSEN if place else None, FRAME)
    draw_card(picture, x, y, CARD, FACES[open_card(state, stack)])
    if place:
        draw_place(scene, x + CARD - 8, y + 8, place)
    scene.offer([action], card_box(x, y, CARD))


def signs(scene: Scene) -> list[Sign]:
    """Return the marks that the legend explains."""

    def frame(x: float, y: float) -> None:
        scene.card_frame_sign(x, y - 8, 12, scene.palette.table)

    return [
        Sign(28, frame, "may be added to the word"),
        Sign(35, lambda x, y: draw_place(scene, x + 13, y, 1), "its place in the word"),
    ]
