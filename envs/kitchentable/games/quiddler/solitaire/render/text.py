"""A table of Quiddler Solitaire in words: what text and picture share, and the text itself."""

from __future__ import annotations

import textwrap

from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.solitaire.render.view import View
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import (
    NUM_DEALT,
    NUM_STACKS,
    STACK_SIZE,
    State,
)

# --- What there is to tell ----------------------------------------------------------------------

ACTION_HELP = {
    "place": "add the open card of stack {} to the word",
    "word": "end the word here and remove its cards",
}


def decision(state: State) -> str:
    """Say what is to be decided, or how the game has ended."""
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


def situation(view: View) -> str:
    """Say in sentences what is to be decided and what led to it, or how the game has ended."""
    state = view.state
    made = [f'"{word}"' for word in words_made(state)[-1:]]
    lead = [f"The last word was {word}; {used(state)}" for word in made]
    if not made:
        lead = [f"All {NUM_DEALT} cards are to be used up in words; six lie in each stack"]
    sentences = [*lead, decision(state), *_meaning(state)]
    return " ".join(f"{sentence}." for sentence in sentences)


def _meaning(state: State) -> list[str]:
    """Say what the decision means."""
    if state.won:
        return [f"It has made {state.num_words} words"]
    if state.terminated:
        return [f"{NUM_DEALT - int(state.used)} cards are left"]
    if state.num_placed == 0:
        return ["Any open card can be chosen that begins a word of two or more of the open cards"]
    so_far = f'The word so far is "{written(spelling(state))}"'
    if not state.may_end:
        return [so_far, "Cards chosen stay in the word, and it cannot end here"]
    end = "When it ends, its cards are removed, and the stacks they came from turn up the next one"
    return [so_far, end]


def explain(view: View, action_name: str) -> str:
    """Say what a legal action would do now."""
    state = view.state
    word = "".join(CARD_NAMES[kind] for kind in spelling(state))
    if action_name == "word":
        return f'end the word "{word}" and remove its {state.num_placed} cards'
    stack = int(action_name.partition(":")[2])
    card = CARD_NAMES[open_card(state, stack)]
    if not word:
        return f'begin a word with "{card}" of stack {stack}'
    return f'add "{card}" of stack {stack}: the word is "{word}{card}" so far'


def spelling(state: State) -> list[int]:
    """Return the kinds of the word being spelled."""
    return [open_card(state, int(stack)) for stack in state.placed[: int(state.num_placed)]]


def words_made(state: State) -> list[str]:
    """Write the words made, the first one first."""
    ends = [0, *(int(end) for end in state.word_ends[: int(state.num_words)])]
    kinds = [int(kind) for kind in state.words]
    return [written(kinds[ends[i] : ends[i + 1]]) for i in range(len(ends) - 1)]


def may_follow(state: State, stack: int) -> bool:
    """Return whether the open card of a stack may be added to the word."""
    if not state.left >> stack & 1:
        return False
    return bool(state.next_kinds >> open_card(state, stack) & 1)


def written(kinds: list[int]) -> str:
    """Write a word with its two-letter cards in brackets: ``(qu)it``."""
    names = (CARD_NAMES[kind] for kind in kinds)
    return "".join(f"({name})" if len(name) > 1 else name for name in names)


def points(kinds: list[int]) -> int:
    """Return the points of some cards, which do not count here but are printed on them."""
    return sum(int(VALUES[kind]) for kind in kinds)


def hidden(state: State, viewer: int, stack: int) -> list[str]:
    """Name the face-down cards of a stack that a viewer knows, the next one first."""
    if viewer != NOBODY:
        return []
    below = state.stacks[stack, : max(int(state.heights[stack]) - 1, 0)]
    return [CARD_NAMES[kind] for kind in reversed(below.tolist())]


def face_down(state: State, stack: int) -> int:
    """Return how many cards of a stack lie face down."""
    return max(int(state.heights[stack]) - 1, 0)


def used(state: State) -> str:
    """Say how many cards are used."""
    return f"{state.used} of {NUM_DEALT} cards used"


def seen_by(viewer: int) -> str:
    """Say whose knowledge is shown."""
    return "all cards shown" if viewer == NOBODY else f"as player_{viewer} sees it"


# --- Text ---------------------------------------------------------------------------------------

_LINE = 80
_CELL = 8


def text(view: View) -> str:
    """Write the table in at most 80 columns."""
    state, viewer = view.state, view.viewer
    made = ", ".join(words_made(state)) or "none yet"
    word = spelling(state)
    lines = [f"Quiddler Solitaire, {used(state)}, {seen_by(viewer)}", f"{decision(state)}."]
    lines += textwrap.wrap(f"Words: {made}.", _LINE, subsequent_indent="  ")
    lines.append(f"Being spelled: {written(word) or 'nothing'}")
    return "\n".join([*lines, "", *_table(state, viewer)])


def _table(state: State, viewer: int) -> list[str]:
    """Write the stacks beside each other, a row for each thing to know of them."""
    stacks = range(NUM_STACKS)
    order = [int(stack) for stack in state.placed[: int(state.num_placed)]]
    place = [f"#{order.index(stack) + 1}" if stack in order else "" for stack in stacks]
    opened = [
        CARD_NAMES[open_card(state, stack)] if state.heights[stack] else "--" for stack in stacks
    ]
    rows = [
        _row("stack", [str(stack) for stack in stacks]),
        _row("open", opened),
        _row("in the word", place),
        _row("face down", [str(face_down(state, stack)) for stack in stacks]),
    ]
    below = [hidden(state, viewer, stack) for stack in stacks]
    for level in range(STACK_SIZE - 1):
        names = [cards[level] if level < len(cards) else "" for cards in below]
        rows.append(_row("next" if level == 0 else "", names) if any(names) else "")
    return [row for row in rows if row]


def _row(name: str, cells: list[str]) -> str:
    return (f"{name:<13}" + "".join(f"{cell:<{_CELL}}" for cell in cells)).rstrip()
