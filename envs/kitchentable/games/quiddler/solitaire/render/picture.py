"""Pictures of a table of Quiddler Solitaire, for a wide screen and for a phone."""

from __future__ import annotations

from kitchentable.games.quiddler.render.cards import FACES
from kitchentable.games.quiddler.render.view import points, written
from kitchentable.games.quiddler.solitaire.render.sentences import decision, used
from kitchentable.games.quiddler.solitaire.render.view import (
    View,
    face_down,
    hidden,
    place_in_word,
    spelling,
    words_made,
)
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import (
    MAX_WORDS,
    NUM_DEALT,
    NUM_STACKS,
    Params,
    State,
)
from kitchentable.render import scene
from kitchentable.render.cards import CARD_RATIO, INK, draw_card, draw_card_back
from kitchentable.render.phrases import count
from kitchentable.render.picture import TALL, Picture, Point, Rectangle
from kitchentable.render.scene import GREEN, Sign, card_box

Scene = scene.Scene[State, Params]

CHOSEN = "#a78bfa"
"""Color of the marks on cards of the word being spelled."""
CARD = 104
FAN = 17
"""Distance from the top of a face-down card to the top of the card on it."""
FRAME = 4
"""Width of the frame around a card that is or may be chosen."""


def wide(view: View) -> Picture:
    """Draw the table for a screen that is wider than it is high."""
    width, height, margin = 1200, 832, 24
    header, strip, stacks = 76, 168, 336
    inside, right = width - 2 * margin, width - margin
    scene = Scene.begin(view, width, height, GREEN)
    scene.header("", margin=margin, y=header / 2, size=34, indent=0)

    scene.strip(margin, header, inside, strip)
    left, top, card = margin + 24, header + 60, 72
    _write_decision(scene, left, header + 34, 26)
    _draw_spelled(scene, (left, top), card, 10)
    x = left + NUM_STACKS * (card + 10) + 26
    _draw_progress(scene, x, (top + 20, top + 40, top + 78), right - 24 - x)

    top = header + strip + 16
    _draw_stacks(scene, (margin, top, inside, stacks), rows=1, letters=15)
    x, y = margin + 8, height - 26
    _draw_words(scene, (x, top + stacks + 32), inside, columns=6, letters=(14, 20))
    scene.legend(_signs(scene), x=x, y=y, right=right, size=15, step=0)
    return scene.picture


def tall(view: View) -> Picture:
    """Draw the table for a phone."""
    margin = 12
    header, strip, stacks = 72, 206, 672
    inside, right = TALL - 2 * margin, TALL - margin
    scene = Scene.begin(view, TALL, 1404, GREEN)
    scene.title(margin, 24, 28)
    scene.label(margin, 54, scene.whose(), size=18)

    scene.strip(margin, header, inside, strip)
    left, top, card = margin + 14, header + 46, 58
    _write_decision(scene, left, header + 24, 22)
    _draw_spelled(scene, (left, top), card, 6)
    below = top + CARD_RATIO * card + 22
    _draw_progress(scene, left, (below, below + 42, below + 22), inside - 28)

    top = header + strip + 12
    _draw_stacks(scene, (margin, top, inside, stacks), rows=2, letters=18)
    x, y = margin + 8, top + stacks + 24
    scene.legend(_signs(scene), x=x, y=y, right=right, size=18, step=0)
    _draw_words(scene, (x, y + 44), inside, columns=2, letters=(16, 20))
    return scene.picture


# --- Words --------------------------------------------------------------------------------------


def _write_decision(scene: Scene, x: float, y: float, size: float) -> None:
    scene.picture.text(x, y, decision(scene), size=size, color=GREEN.accent, bold=True)


def _draw_spelled(scene: Scene, at: Point, card: float, gap: float) -> None:
    """Draw the word being spelled, and empty places for further cards, from ``at`` on."""
    left, top = at
    word = [FACES[kind] for kind in spelling(scene.state)]
    for i in range(NUM_STACKS):
        face = word[i] if i < len(word) else None
        scene.card_place(left + i * (card + gap), top, card, face)
    used_up = len(word) * (card + gap) - gap
    scene.offer(["word"], Rectangle(left, top, used_up, CARD_RATIO * card))


def _draw_progress(scene: Scene, x: float, ys: tuple[float, float, float], width: float) -> None:
    """Draw the number of cards used, a bar and the word being spelled, at these ``ys``."""
    above, bar, below = ys
    picture, state = scene.picture, scene.state
    scene.write(x, above, used(state), size=20, bold=True)
    picture.rectangle(x, bar, width, 14, fill=scene.palette.empty, radius=7)
    if state.used:
        share = max(14.0, width * int(state.used) / NUM_DEALT)
        picture.rectangle(x, bar, share, 14, fill=scene.palette.accent, radius=7)
    word = spelling(state)
    text = f"{written(word)}: {count(points(word), 'point')}" if word else "no word yet"
    scene.label(x, below, text, size=18)


def _draw_words(
    scene: Scene, at: Point, width: float, *, columns: int, letters: tuple[float, float]
) -> None:
    """Write the words made, in columns; ``letters`` are the sizes of their numbers and of them."""
    left, top = at
    rows, step = -(-MAX_WORDS // columns), width / columns
    small, large = letters
    for i, word in enumerate(words_made(scene.state)):
        column, row = divmod(i, rows)
        x, y = left + column * step, top + 30 * row
        scene.label(x, y, f"{i + 1}", size=small)
        scene.write(x + 28, y, word, size=large, bold=True)
    if not scene.state.num_words:
        scene.label(left, top, "The words you make will appear here.", size=max(15, small))


# --- Stacks -------------------------------------------------------------------------------------


def _draw_stacks(
    scene: Scene, box: tuple[float, float, float, float], *, rows: int, letters: float
) -> None:
    """Draw a panel with the stacks in rows."""
    left, top, width, height = box
    scene.picture.rectangle(*box, fill=scene.palette.panel, radius=scene.palette.corner)
    across = NUM_STACKS // rows
    step, high = width / across, height / rows
    gap = "  " if rows == 1 else " "
    for stack in range(NUM_STACKS):
        row, column = divmod(stack, across)
        x, y = left + step * column + (step - CARD) / 2, top + row * high
        _draw_stack(scene, stack, x, y, letters)
        captions = (f"{face_down(scene.state, stack)} face down", gap.join(hidden(scene, stack)))
        for text, up in zip(captions, (48, 22), strict=True):
            scene.label(x + CARD / 2, y + high - up, text, size=letters, align="middle")


def _draw_stack(scene: Scene, stack: int, x: float, top: float, letters: float) -> None:
    """Draw the cards of a stack, the open one in front, framed if it is or may be chosen."""
    picture, state, y = scene.picture, scene.state, top + 36
    scene.label(x + CARD / 2, top + 18, f"stack {stack + 1}", size=letters, align="middle")
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
        _draw_place(scene, x + CARD - 8, y + 8, place)
    scene.offer([action], card_box(x, y, CARD))


def _draw_place(scene: Scene, x: float, y: float, place: int) -> None:
    """Draw the position of a card in the word, around (x, y)."""
    scene.picture.circle(x, y, 13, fill=CHOSEN, outline=scene.palette.panel, line=2)
    scene.picture.text(x, y, str(place), size=16, color=INK, align="middle", bold=True)


def _signs(scene: Scene) -> list[Sign]:
    """Return the marks that the legend explains."""
    within = scene.palette.table
    return [
        Sign(28, lambda x, y: scene.card_frame_sign(x, y, within), "may be added to the word"),
        Sign(35, lambda x, y: _draw_place(scene, x + 13, y, 1), "its place in the word"),
    ]
