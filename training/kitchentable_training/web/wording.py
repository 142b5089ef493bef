"""What actions are called by people: on buttons, in the list of decisions, in thoughts.

A name says what everybody may know; what an action does at a table is `View.explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kitchentable import Game
from kitchentable.games.diddly.render.view import num_columns

Words = str | Callable[[Any, str], str]
"""A text with ``{}`` for what follows the colon of the action's name, or a function of the
parameters and that."""

LETTERS = {"quiddler": "spell", "quiddler_solitaire": "place"}
"""The actions that add a letter to a word, by game: a person may take letters back before the word
is laid. They turn up no card, so nobody learns anything from them."""


def _slot(params: Any, what: str) -> str:
    row, column = divmod(int(what), num_columns(params))
    return f"Row {row + 1}, column {column + 1}"


def _side(what: str) -> str:
    """Name a side of a diamond and how another one lies there."""
    side, turn = what.split(",")
    color = ("orange", "orange", "blue", "blue")[int(side)]
    lies = "parallel" if int(side) % 2 == int(turn) % 2 else "turned"
    return f"{('first', 'second')[int(side) % 2]} {color} side, {lies}"


def _last(_: Any, what: str) -> str:
    return f"At its {_side(what)}"


def _bonus(_: Any, what: str) -> str:
    tile, _, where = what.partition(",")
    return f"Bonus play at {tile}, {_side(where)}"


def _cell(_: Any, what: str) -> str:
    row, column = what.split(",")
    return f"Row {row}, column {column}"


def _counted(text: str) -> Callable[[Any, str], str]:
    """Count from 1, as people do."""
    return lambda _, what: text.format(int(what) + 1)


WORDS: Mapping[str, Mapping[str, Words]] = {
    "addtoo": {"tile": "Lay {}", "last": _last, "on": _bonus},
    "diddly": {
        "draw": "Draw from the deck",
        "take": "Take the discard",
        "recycle": "Recycle a {}",
        "slot": _slot,
        "pass": "Swap nothing",
    },
    "fiddlefoo": {
        "card": "Choose {}",
        "cell": _cell,
        "throw": "Throw {}",
        "pile": "Put {} on its pile",
        "map": "Choose {} on the map",
    },
    "quiddler": {
        "draw": "Draw a card",
        "take": "Take the discard",
        "spell": "Letter {}",
        "word": "Lay the word",
        "discard": "Discard {}",
        "challenge": _counted("Challenge word {}"),
        "pass": "Challenge nothing",
        "longest": "Discard {}, longest word",
        "most": "Discard {}, most words",
    },
    "quiddler_solitaire": {"place": "Card of stack {}", "word": "End the word"},
}
"""By game and by what precedes the colon in an action's name. Of other games, the names themselves
are shown."""


def named(game: Game, params: Any, action: str) -> str:
    """Return what people call an action."""
    kind, _, what = action.partition(":")
    words = WORDS.get(game.name, {}).get(kind, f"{kind} {{}}" if what else kind)
    if callable(words):
        return words(params, what)
    text = words.format(what).replace("_", " ")
    return text[:1].upper() + text[1:]
