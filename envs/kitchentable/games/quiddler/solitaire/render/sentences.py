"""Sentences about Quiddler Solitaire: the decision, the situation, and what actions mean."""

from __future__ import annotations

from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.render.view import written, written_plainly
from kitchentable.games.quiddler.solitaire.render.view import View, spelling, words_made
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, STACK_SIZE, State
from kitchentable.render.phrases import count, number_word

ACTION_HELP = {
    "place": "add the open card of stack {}, counted from 0, to the word",
    "word": "end the word here and remove its cards",
}
ACTION_WORDS = {
    "place": lambda _, stack: f"Card from stack {int(stack) + 1}",
    "word": "End the word",
}
UNDOABLE = "place"


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


def situation(view: View) -> str:
    """Return in sentences what led to the decision and what it means, or how the game ended."""
    state = view.state
    cards = f"All {NUM_DEALT} cards are to be used up in words"
    lead = f"{cards}; each stack has {number_word(STACK_SIZE)}"
    if state.num_words:
        lead = f'The last word was "{words_made(state)[-1]}"; {used(state)}'
    return " ".join(f"{sentence}." for sentence in (lead, decision(view), *_meaning(view)))


def _meaning(view: View) -> list[str]:
    """Explain the decision or the result."""
    state = view.state
    if state.won:
        return [f"{view.mover:has} made {count(int(state.num_words), 'word')}"]
    if state.terminated:
        left = NUM_DEALT - int(state.used)
        return [f"{count(left, 'card')} {'is' if left == 1 else 'are'} left"]
    if state.num_placed == 0:
        return ["Choose any open card that begins a word of two or more of the open cards"]
    so_far = f'The word so far is "{written(spelling(state))}"'
    if not state.may_end:
        return [so_far, "It cannot end here, so it needs another card"]
    end = "When it ends, its cards are removed, and the stacks they came from turn up the next one"
    return [so_far, end]


def decided(view: View, action_name: str) -> str:
    """Name the card and the stack that it is taken from, or the word that ends."""
    return explain(view, action_name).partition(":")[0]


def explain(view: View, action_name: str) -> str:
    """Describe what a legal action would do now."""
    state = view.state
    word = written_plainly(spelling(state))
    if action_name == "word":
        return f'end the word "{word}" and remove its {state.num_placed} cards'
    stack = int(action_name.partition(":")[2])
    card = CARD_NAMES[open_card(state, stack)]
    if not word:
        return f'begin a word with "{card}" from stack {stack + 1}'
    return f'add "{card}" from stack {stack + 1}: the word is "{word}{card}" so far'
