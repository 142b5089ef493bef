"""The situation in Quiddler Solitaire in sentences, for people who are learning the game."""

from __future__ import annotations

from kitchentable.games.quiddler.render.view import written
from kitchentable.games.quiddler.solitaire.render.sentences import decision, used
from kitchentable.games.quiddler.solitaire.render.view import View, spelling, words_made
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, STACK_SIZE
from kitchentable.render.phrases import count, number_word


def situation(view: View) -> str:
    """Return in sentences what led to the decision and what it means, or how the game ended."""
    state = view.state
    cards = f"All {NUM_DEALT} cards are to be used up in words"
    lead = f"{cards}; {number_word(STACK_SIZE)} lie in each stack"
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
        return ["Any open card can be chosen that begins a word of two or more of the open cards"]
    so_far = f'The word so far is "{written(spelling(state))}"'
    if not state.may_end:
        return [so_far, "It cannot end here, so it takes another card"]
    end = "When it ends, its cards are removed, and the stacks they came from turn up the next one"
    return [so_far, end]
