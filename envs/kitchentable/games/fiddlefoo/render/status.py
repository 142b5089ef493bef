"""What lies beside the map of Fiddlefoo: what is going on, the draw pile, the piles of a team."""

from __future__ import annotations

from kitchentable.games.fiddlefoo.cards import COLOR, COLORS, NUM_COLORS
from kitchentable.games.fiddlefoo.render.cards import CHOICE, PAPERS, draw_back, draw_tile
from kitchentable.games.fiddlefoo.render.look import (
    GAP,
    INNER,
    LIGHT,
    LINE,
    MUTED,
    PANEL,
    STATUS,
    Look,
)
from kitchentable.games.fiddlefoo.render.sentences import decision
from kitchentable.games.fiddlefoo.render.view import cards_of, code
from kitchentable.games.fiddlefoo.state import FULL_PILE, State
from kitchentable.render.letters import wrapped
from kitchentable.render.picture import Picture

PILE = 64
"""Side of the draw pile."""
PILE_STRIP = 74
"""Height of a pile of the cooperative variant without the lines below its top."""

Told = tuple[str, str]
"""A text and its colour."""


def draw_status(
    picture: Picture,
    state: State,
    look: Look,
    texts: list[Told],
    x: float,
    y: float,
    *,
    least: float = 0,
) -> float:
    """Draw the pile and say what is going on; return where the box ends.

    Args:
        picture: to draw on.
        state: the table.
        look: sizes.
        texts: what to say below who decides what.
        x: left edge.
        y: top edge.
        least: height that the box has at least.
    """
    left = x + INNER + PILE + 18
    room = x + look.width - INNER - left
    size = look.decision
    lines = [(line, size, CHOICE) for line in wrapped(decision(state), size, room)]
    for text, colour in texts:
        lines += [(line, look.text, colour) for line in wrapped(text, look.text, room)]
    pile = PILE + 2 * INNER + 22
    height = max(least, pile, 2 * INNER + sum(LINE * size for _, size, _ in lines))
    picture.rectangle(x, y, look.width, height, fill=STATUS, radius=14)
    _draw_pile(picture, state, look, x + INNER, y + INNER)
    at = y + INNER
    for line, size, colour in lines:
        at += LINE * size / 2
        picture.text(left, at, line, size=size, colour=colour, bold=size == look.decision)
        at += LINE * size / 2
    return y + height


def _draw_pile(picture: Picture, state: State, look: Look, x: float, y: float) -> None:
    """Draw the draw pile and how many cards it has."""
    if state.deck_size:
        draw_back(picture, x, y, PILE)
    else:
        picture.rectangle(x, y, PILE, PILE, outline=PANEL, line=2, radius=0.1 * PILE)
    count = f"{state.deck_size} cards" if state.deck_size != 1 else "1 card"
    at = (x + PILE / 2, y + PILE + 15)
    picture.text(*at, count, size=look.text, colour=MUTED, align="middle")


def draw_piles(picture: Picture, state: State, look: Look, x: float, y: float) -> float:
    """Draw the piles of the cooperative variant; return where they end.

    A compact picture shows the top of each only, so that its height is always the same.
    """
    width = (look.width - (NUM_COLORS - 1) * GAP) / NUM_COLORS
    cards = cards_of(state.on_piles)
    piles = [[card for card in cards if COLOR[card] == color] for color in range(NUM_COLORS)]
    below = [wrapped(" ".join(code(c)[1:] for c in pile), look.foot, width - 20) for pile in piles]
    height = PILE_STRIP + LINE * look.foot * max(1, *map(len, below))
    if look.compact:
        below, height = [[] for _ in piles], PILE_STRIP
    for color in range(NUM_COLORS):
        left = x + color * (width + GAP)
        picture.rectangle(left, y, width, height, fill=STATUS, radius=14)
        _draw_color(picture, state, look, color, piles[color], left, y)
        for i, line in enumerate(below[color]):
            at = (left + 10, y + PILE_STRIP + i * LINE * look.foot)
            picture.text(*at, line, size=look.foot, colour=MUTED)
    return y + height


def _draw_color(
    picture: Picture, state: State, look: Look, color: int, pile: list[int], x: float, y: float
) -> None:
    """Draw the top of one pile, and its music notes."""
    size = 52
    if pile:
        draw_tile(picture, x + 10, y + 10, size, pile[-1], look.letters)
    else:
        picture.rectangle(x + 10, y + 10, size, size, outline=PAPERS[color], line=2, radius=5)
    held = int(state.pile_notes[color])
    right = x + size + (14 if look.compact else 20)
    picture.text(right, y + 24, f"{held}/{FULL_PILE}", size=20, colour=LIGHT, bold=True)
    said = "full" if held == FULL_PILE else _too_many(look) if held > FULL_PILE else COLORS[color]
    picture.text(right, y + 48, said, size=look.foot, colour=CHOICE if held >= FULL_PILE else MUTED)


def _too_many(look: Look) -> str:
    return "over" if look.compact else "too many"
