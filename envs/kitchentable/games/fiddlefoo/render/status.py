"""Drawing of the status box, the draw pile and the cooperative piles of Fiddlefoo."""

from __future__ import annotations

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.render.cards import (
    CHOICE,
    GAP,
    INNER,
    PALETTE,
    PAPERS,
    Look,
    Scene,
    draw_back,
    draw_tile,
)
from kitchentable.games.fiddlefoo.render.sentences import decision
from kitchentable.games.fiddlefoo.render.view import code, piles
from kitchentable.games.fiddlefoo.state import FULL_PILE
from kitchentable.render.letters import LEADING, Line, height_of, lines_of, wrapped
from kitchentable.render.phrases import count

PILE = 64
"""Side of the draw pile, in pixels."""
PILE_STRIP = 74
"""Height of a cooperative pile without the lines below its top card, in pixels."""


def draw_status(
    scene: Scene, look: Look, texts: list[Line], x: float, y: float, *, least: float = 0
) -> float:
    """Draw a box with the draw pile and the status texts; return its bottom edge.

    Args:
        scene: the picture.
        look: the sizes.
        texts: what to write below the sentence on the decision.
        x: left edge.
        y: top edge.
        least: minimum height of the box.
    """
    left = x + INNER + PILE + 18
    first = Line(decision(scene), look.decision, CHOICE, bold=True)
    lines = lines_of([first, *texts], x + look.width - INNER - left)
    height = max(least, PILE + 2 * INNER + 22, 2 * INNER + height_of(lines))
    scene.strip(x, y, look.width, height)
    _draw_pile(scene, look, x + INNER, y + INNER)
    scene.lines(left, y + INNER, lines)
    return y + height


def _draw_pile(scene: Scene, look: Look, x: float, y: float) -> None:
    """Draw the draw pile and its number of cards."""
    cards = int(scene.state.deck_size)
    if cards:
        draw_back(scene.picture, x, y, PILE)
    else:
        scene.picture.rectangle(x, y, PILE, PILE, outline=PALETTE.empty, line=2, radius=0.1 * PILE)
    at = (x + PILE / 2, y + PILE + 15)
    scene.label(*at, count(cards, "card"), size=look.text, align="middle")


def draw_piles(scene: Scene, look: Look, x: float, y: float) -> float:
    """Draw the piles of the cooperative variant; return their bottom edge.

    A compact picture shows only the top of each pile, so that its height is constant.
    """
    width = (look.width - (c.NUM_COLORS - 1) * GAP) / c.NUM_COLORS
    on_piles = piles(scene.state)
    below = [
        wrapped(" ".join(code(card)[1:] for card in pile), look.foot, width - 20)
        for pile in on_piles
    ]
    height = PILE_STRIP + LEADING * look.foot * max(1, *map(len, below))
    if look.compact:
        below, height = [[] for _ in on_piles], PILE_STRIP
    for color, pile in enumerate(on_piles):
        left = x + color * (width + GAP)
        scene.strip(left, y, width, height)
        _draw_color(scene, look, color, pile, left, y)
        for i, line in enumerate(below[color]):
            at = (left + 10, y + PILE_STRIP + i * LEADING * look.foot)
            scene.label(*at, line, size=look.foot)
    return y + height


def _draw_color(scene: Scene, look: Look, color: int, pile: list[int], x: float, y: float) -> None:
    """Draw the top card of a pile and its number of notes."""
    picture, size = scene.picture, 52
    if pile:
        draw_tile(picture, x + 10, y + 10, size, pile[-1], look.letters)
    else:
        picture.rectangle(x + 10, y + 10, size, size, outline=PAPERS[color], line=2, radius=5)
    held = int(scene.state.pile_notes[color])
    right = x + size + 14
    scene.write(right, y + 24, f"{held}/{FULL_PILE}", size=20, bold=True)
    caption, ink = c.COLORS[color], PALETTE.muted
    if held >= FULL_PILE:
        caption, ink = "full" if held == FULL_PILE else "over", CHOICE
    picture.text(right, y + 48, caption, size=look.foot, color=ink)
