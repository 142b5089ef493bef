"""Explanations of the actions of Quiddler Solitaire, in general and at the current table."""

from __future__ import annotations

from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.render.view import written_plainly
from kitchentable.games.quiddler.solitaire.render.view import View, spelling
from kitchentable.games.quiddler.solitaire.rules import open_card

ACTION_HELP = {
    "place": "add the open card of stack {} to the word",
    "word": "end the word here and remove its cards",
}
ACTION_WORDS = {"place": "Card of stack {}", "word": "End the word"}
UNDOABLE = "place"


def explain(view: View, action_name: str) -> str:
    """Describe what a legal action would do now."""
    state = view.state
    word = written_plainly(spelling(state))
    if action_name == "word":
        return f'end the word "{word}" and remove its {state.num_placed} cards'
    stack = int(action_name.partition(":")[2])
    card = CARD_NAMES[open_card(state, stack)]
    if not word:
        return f'begin a word with "{card}" of stack {stack}'
    return f'add "{card}" of stack {stack}: the word is "{word}{card}" so far'
