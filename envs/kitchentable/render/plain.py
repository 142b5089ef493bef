"""Default texts and pictures for games without their own, derived from the rules alone.

Each function takes a `kitchentable.render.view.View`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.state import ALL_SEEING, slices
from kitchentable.render.cards import INK, PAPER
from kitchentable.render.letters import text_width, wrapped
from kitchentable.render.phrases import in_lines
from kitchentable.render.picture import TALL, Picture, Rectangle

WIDE = 1000
MARGIN, BUTTON, LETTERS = 24, 44, 18
MOST_LINES = 24
APART = 12
"""The space between paragraphs, in pixels; without it the lines of two would be one paragraph."""
EDGE = "#9ca3af"


def situation(view: Any) -> str:
    """Say which seat is to act, or how the game has ended."""
    if view.is_over:
        return f"{view.outcome}."
    return f"It is {view.mover.inside.whose} turn."


def forfeited(view: Any) -> str:
    """Say which seat has lost by an illegal action, and which seats win as a result."""
    who = view.who(view.offender)
    if view.winners:
        consequence = f"; {view.who(*view.winners).inside.wins}"
    else:
        consequence = " with the team" if view.state.num_players > 1 else ""
    return f"{who} chose an illegal action and {who.does('loses')}{consequence}."


def covered(picture: Picture, said: str) -> Picture:
    """Write a sentence across the middle of a picture, and remove its clickable places."""
    picture.spots.clear()
    lines = wrapped(said, LETTERS, picture.width - 2 * MARGIN)
    height = MARGIN + len(lines) * BUTTON / 2
    top = (picture.height - height) / 2
    picture.rectangle(0, top, picture.width, height, fill=PAPER, outline=EDGE)
    for i, line in enumerate(lines):
        y = top + MARGIN / 2 + (i + 0.5) * BUTTON / 2
        at = (picture.width / 2, y)
        picture.text(*at, line, size=LETTERS, color=INK, align="middle", bold=True)
    return picture


def text(view: Any) -> str:
    """Write the scores, the seat to act, observations, and the actions offered to the viewer."""
    return "\n".join(in_lines(_paragraphs(view)))


def wide(view: Any) -> Picture:
    """Draw the same content as `text` for a screen, with a button for each action."""
    return _drawn(view, WIDE)


def tall(view: Any) -> Picture:
    """Draw the same content as `text` for a phone, with a button for each action."""
    return _drawn(view, TALL)


def _paragraphs(view: Any) -> list[str]:
    """Return the paragraphs of the text; the last one lists the offered actions, if any."""
    scores = view.game.scores(view.state)
    points = ", ".join(f"{view.who(player).inside} {score}" for player, score in enumerate(scores))
    seats = [seat for seat in range(len(scores)) if view.viewer in (ALL_SEEING, seat)]
    return [
        f"{view.game.title}, {view.whose()}",
        (view.game.render.situation or situation)(view),
        f"Points: {points}",
        *(f"{view.who(seat):sees}: {_observed(view, seat)}" for seat in seats),
        *([f"May be chosen: {', '.join(view.offered)}"] if view.offered else []),
    ]


def _observed(view: Any, seat: int) -> str:
    """Write the nonzero parts of a seat's observation, with the names of cards."""
    rules, params = view.game.rules, view.params
    layout = rules.observation_layout(params)
    seen = np.zeros(sum(layout.values()), np.float32)
    rules.observe(view.state, seat, seen, *rules.tables(params))
    cards = list(rules.deck(params))
    # A game that does not say which parts are cards may have one number for each kind.
    of_cards = rules.card_parts or [name for name in layout if layout[name] == len(cards)]
    descriptions = []
    for name, part in slices(layout).items():
        is_cards = name in of_cards
        values = [
            _value(cards[i % len(cards)] if is_cards else str(i), seen[part][i], is_card=is_cards)
            for i in np.flatnonzero(seen[part])
        ]
        descriptions += [f"{name} ({', '.join(values)})"] if values else []
    return ", ".join(descriptions) or "nothing"


def _value(label: str, value: float, *, is_card: bool) -> str:
    """Write a number after its label; a card that is simply there is only named."""
    return label if is_card and value == 1 else f"{label} {value:.2g}"


def _drawn(view: Any, width: int) -> Picture:
    """Write the paragraphs below each other, and draw a button for each offered action below them.

    The picture has room for every action, so its size depends on the parameters alone.
    """
    room = width - 2 * MARGIN
    paragraphs = _paragraphs(view)[:-1] if view.offered else _paragraphs(view)
    names = view.game.rules.action_names(view.params)
    columns = max(1, int(room // (max(text_width(name, LETTERS) for name in names) + 2 * MARGIN)))
    rows = -(-len(names) // columns)
    buttons = MARGIN + MOST_LINES * BUTTON // 2
    picture = Picture(width, buttons + rows * BUTTON + MARGIN, PAPER)
    y = float(MARGIN)
    for paragraph in paragraphs:
        for line in wrapped(paragraph, LETTERS, room):
            if y < buttons:
                picture.text(MARGIN, y, line, size=LETTERS, color=INK)
            y += BUTTON / 2
        y += APART
    for place, name in enumerate(view.offered):
        row, column = divmod(place, columns)
        x, y = MARGIN + column * room / columns, buttons + row * BUTTON
        box = Rectangle(x, y, room / columns - 8, BUTTON - 8)
        picture.rectangle(x, y, box.width, box.height, outline=EDGE, radius=8)
        middle = (x + box.width / 2, y + box.height / 2)
        picture.text(*middle, name, size=LETTERS, color=INK, align="middle")
        picture.spot([name], box)
    return picture
