"""A table of Quiddler Solitaire as text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.render.view import written
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
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS
from kitchentable.render.phrases import in_lines

_NAME, _CELL = 13, 8
_LEGEND = "place:0 is the card of stack 1"


def text(view: View) -> str:
    """Return the table in at most 80 columns."""
    state = view.state
    paragraphs = [
        f"{view.game.title}, {used(state)}, {view.whose()}",
        f"{decision(view)}.",
        f"Words: {', '.join(words_made(state)) or 'none yet'}.",
        f"Being spelled: {written(spelling(state)) or 'nothing'}",
    ]
    return "\n".join([*in_lines(paragraphs), "", *_stacks(view), "", _LEGEND])


def _stacks(view: View) -> list[str]:
    """Return the rows that describe the stacks, with a column for each stack."""
    state, stacks = view.state, range(NUM_STACKS)
    opened = [CARD_NAMES[open_card(state, i)] if state.heights[i] else "--" for i in stacks]
    places = [place_in_word(state, stack) for stack in stacks]
    below = [hidden(view, stack) for stack in stacks]
    rows = [
        _row("stack", (stack + 1 for stack in stacks)),
        _row("open", opened),
        _row("in the word", (f"#{place}" if place else "" for place in places)),
        _row("face down", (face_down(state, stack) for stack in stacks)),
    ]
    for level, names in enumerate(zip_longest(*below, fillvalue="")):
        rows.append(_row("" if level else "next", names))
    return rows


def _row(name: str, cells: Iterable[object]) -> str:
    return (f"{name:<{_NAME}}" + "".join(f"{cell!s:<{_CELL}}" for cell in cells)).rstrip()
