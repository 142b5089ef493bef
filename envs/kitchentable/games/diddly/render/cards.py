"""Drawing of Diddly cards, the marks on them and the piles, and the colors of the table."""

from __future__ import annotations

from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.render.sentences import LONG_NAMES
from kitchentable.games.diddly.state import CARD_NAMES, NO_CARD, Params, State
from kitchentable.render import scene as shared
from kitchentable.render.cards import CARD_RATIO, INK, PAPER, Face, draw_card_back, draw_eye
from kitchentable.render.picture import Picture, Rectangle
from kitchentable.render.scene import Sign

Scene = shared.Scene[State, Params]

PALETTE = shared.GREEN
MATCHED, TO_SWAP = "#34d399", "#a78bfa"

LEAST_LETTERS = 16
"""Minimum font size on small face-down cards."""


def _number_ink(kind: int) -> str:
    """Return the ink of a number card, from good (low) to bad."""
    return ("#15803d", "#0e7490", "#b45309", "#b91c1c")[min(kind // 3, 3)]


FACES = (
    *(Face(name, ink=_number_ink(kind)) for kind, name in enumerate(CARD_NAMES[: s.DIDDLY])),
    *(
        Face(CARD_NAMES[kind], LONG_NAMES[kind], paper, PAPER)
        for kind, paper in (
            (s.DIDDLY, "#0f9f74"),
            (s.SWAP, "#7c3aed"),
            (s.HALF, "#d9730d"),
            (s.PEEK, "#2563eb"),
            (s.RECYCLE, "#c2266b"),
        )
    ),
)
"""The printed face of each kind of card."""

# --- Small cards ----------------------------------------------------------------------------------


def draw_small_back(
    picture: Picture, x: float, y: float, width: float, *, known: Face | None, looked: bool
) -> None:
    """Draw a face-down card like `draw_card_back`, with marks large enough for a phone."""
    draw_card_back(picture, x, y, width, known=None, looked=False)
    middle, height = x + width / 2, CARD_RATIO * width
    if known:
        side = 0.62 * width
        center = y + 0.46 * height
        corner = (middle - side / 2, center - side / 2)
        picture.rectangle(*corner, side, side, fill=known.paper, radius=0.08 * width)
        size = max(round(0.34 * width, 1), LEAST_LETTERS)
        picture.text(
            middle, center, known.label, size=size, color=known.ink, align="middle", bold=True
        )
    if looked:
        draw_eye(picture, middle, y + 0.85 * height, 0.17 * width)


# --- Marks ----------------------------------------------------------------------------------------


def draw_nought(picture: Picture, x: float, y: float, letters: float = 15) -> None:
    """Mark a card that is worth nothing."""
    picture.circle(x, y, letters - 4, fill=MATCHED, outline=PALETTE.panel, line=2)
    picture.text(x, y, "0", size=letters, color=INK, align="middle", bold=True)


def draw_swap_mark(picture: Picture, x: float, y: float) -> None:
    """Mark a card that is to be swapped with a double-headed arrow."""
    picture.circle(x, y, 12, fill=TO_SWAP, outline=PALETTE.panel, line=2)
    half = [(-8, 0), (-3, -5), (-3, -1.5), (3, -1.5), (3, -5)]
    arrow = [*half, *((-dx, -dy) for dx, dy in half)]
    picture.polygon([(x + dx, y + dy) for dx, dy in arrow], fill=INK)


def signs(scene: Scene, letters: float) -> list[Sign]:
    """Return the marks of the legend; ``letters`` is the font size used on the cards."""
    picture, within = scene.picture, scene.palette.table

    def back(x: float, y: float) -> None:
        draw_small_back(picture, x, y - 20, 30, known=FACES[6], looked=False)

    def nought(x: float, y: float) -> None:
        draw_nought(picture, x + 12, y, letters)

    return [
        Sign(26, lambda x, y: scene.card_frame_sign(x, y, within), "may be chosen"),
        Sign(38, back, "face down, but known here"),
        Sign(32, lambda x, y: draw_eye(picture, x + 12, y, 12), "its owner has looked at it"),
        Sign(30, nought, "worth nothing: it matches"),
        Sign(30, lambda x, y: draw_swap_mark(picture, x + 12, y), "to be swapped"),
    ]


# --- The middle of the table ----------------------------------------------------------------------

CHIP = 32
"""Height of a kind's chip in the count of discards."""
COUNT_DROP = 50
"""Distance from the top of a chip to the middle of its count."""
KIND_HEIGHT = 58
"""Height of a chip and its count."""


def draw_piles(
    scene: Scene, x: float, y: float, step: float, width: float, caption_y: float, letters: float
) -> None:
    """Draw the deck, the top discard and the card in hand, each a ``step`` right of the last."""
    state = scene.state
    pile, held = int(state.pile_size), int(state.held)
    piles: tuple[tuple[str, str, Face | None], ...] = (
        (f"Deck {state.deck_size}", "draw", None),
        (f"Discards {pile}", "take", FACES[state.pile[pile - 1]] if pile else None),
        ("In hand", "", FACES[held] if held != NO_CARD else None),
    )
    for i, (caption, action, face) in enumerate(piles):
        left = x + i * step
        scene.pile(left, y, width, face, action, hidden=action == "draw" and state.deck_size > 0)
        scene.label(left + width / 2, caption_y, caption, size=letters, align="middle")


def draw_kind(scene: Scene, kind: int, x: float, y: float, width: float, letters: float) -> None:
    """Draw the number of discards of a kind, with the top left corner at (x, y)."""
    count, face = int(scene.state.pile_counts[kind]), FACES[kind]
    action = f"recycle:{CARD_NAMES[kind]}"
    chip = Rectangle(x, y, width, CHIP)
    scene.kind_chip(chip, face, face.label, size=18, is_there=count > 0)
    if action in scene.legal:
        scene.picture.rectangle(*chip.place, outline=PALETTE.accent, line=3.5, radius=6)
    if count:
        middle = x + width / 2
        scene.label(middle, y + COUNT_DROP, f"x{count}", size=letters, align="middle")
    scene.offer([action], Rectangle(x, y, width, KIND_HEIGHT))
