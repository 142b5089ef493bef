"""Sentences shared by the text and the pictures of Quiddler Solitaire: decision, progress."""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, State


def decision(state: State) -> str:
    """Describe the decision, or how the game has ended."""
    if state.won:
        return "player_0 wins: all cards are used"
    if state.terminated:
        return "player_0 has lost: no word can be made"
    if state.num_placed == 0:
        return "player_0 begins a word"
    if not state.may_end:
        return "player_0 adds a card"
    if state.next_kinds == 0:
        return "player_0 ends the word"
    return "player_0 adds a card or ends the word"


def used(state: State) -> str:
    """Describe how many cards are used."""
    return f"{state.used} of {NUM_DEALT} cards used"
