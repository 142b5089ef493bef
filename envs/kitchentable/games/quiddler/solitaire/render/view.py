"""What a viewer may see of Quiddler Solitaire: the stacks, and the words made of their cards.

Only `hidden` reads face-down cards, so what the viewer cannot know never reaches the text or the
picture.
"""

from __future__ import annotations

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.render.view import written
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import Params, State
from kitchentable.render import view as shared

View = shared.View[State, Params]


def spelling(state: State) -> list[int]:
    """Return the kinds of the word being spelled."""
    return [open_card(state, int(stack)) for stack in state.placed[: int(state.num_placed)]]


def words_made(state: State) -> list[str]:
    """Return the words made, in order."""
    ends = [0, *(int(end) for end in state.word_ends[: int(state.num_words)])]
    kinds = [int(kind) for kind in state.words]
    return [written(kinds[ends[i] : ends[i + 1]]) for i in range(len(ends) - 1)]


def place_in_word(state: State, stack: int) -> int:
    """Return the position, from 1 on, of a stack's card in the word being spelled, or 0."""
    order = state.placed.tolist()
    return order.index(stack) + 1 if stack in order else 0


def face_down(state: State, stack: int) -> int:
    """Return how many cards of a stack lie face down."""
    return max(int(state.heights[stack]) - 1, 0)


def hidden(view: View, stack: int) -> list[str]:
    """Return the names of the face-down cards of a stack that the viewer knows, next one first."""
    if view.viewer != ALL_SEEING:
        return []
    below = view.state.stacks[stack, : face_down(view.state, stack)]
    return [CARD_NAMES[kind] for kind in reversed(below.tolist())]
