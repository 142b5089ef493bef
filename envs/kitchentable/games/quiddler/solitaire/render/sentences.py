"""Sentences shared by the text and the pictures of Quiddler Solitaire: decision, progress."""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.render.view import View
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, State


def decision(view: View) -> str:
    """Describe the decision, or how the game has ended."""
    state, who = view.state, view.mover
    if state.won:
        return f"{who:wins}: all cards are used"
    if state.terminated:
        return f"{who:has} lost: no word can be made"
    if state.num_placed == 0:
        return f"{who:begins} a word"
    if not state.may_end:
        return f"{who:adds} a card"
    if state.next_kinds == 0:
        return f"{who:ends} the word"
    return f"{who:adds} a card or {who.does('ends')} the word"


def used(state: State) -> str:
    """Describe how many cards are used."""
    return f"{state.used} of {NUM_DEALT} cards used"
