"""Explanations of the actions of Quiddler, in general and at the current table."""

from __future__ import annotations

from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.melding import is_spelling
from kitchentable.games.quiddler.render.view import View, top_discard, words, written_plainly
from kitchentable.games.quiddler.state import State
from kitchentable.render.phrases import ORDINALS

ACTION_HELP = {
    "draw": "take the top card of the draw pile; only you see it",
    "take": "take the top card of the discard pile; everybody sees it",
    "spell": "add your {} to the word",
    "word": "end the word here and lay it",
    "discard": "lay your {} on the discard pile: your turn is over",
    "challenge": "say that word {} is not a word: if it is one, you lose its points",
    "pass": "challenge no word",
    "longest": "discard your {} and lay what scores most; if equal, the longest word",
    "most": "discard your {} and lay what scores most; if equal, the most words",
}
ACTION_WORDS = {
    "draw": "Draw a card",
    "take": "Take the discard",
    "spell": "Letter {}",
    "word": "Lay the word",
    "discard": "Discard {}",
    "challenge": lambda _, number: f"Challenge word {int(number) + 1}",
    "pass": "Challenge nothing",
    "longest": "Discard {}, longest word",
    "most": "Discard {}, most words",
}
UNDOABLE = "spell"


def explain(view: View, action_name: str) -> str:
    """Tell the seat to act what a legal action would do now."""
    state = view.state
    what, _, which = action_name.partition(":")
    if what == "challenge":
        return _of_challenge(state, int(which))
    if what == "spell":
        return _of_spelling(state, which)
    if what == "discard":
        return _of_discard(state, which)
    if what in ("longest", "most"):
        return _of_laying(state, which, what)
    return _of_no_card(state, what)


def _of_no_card(state: State, what: str) -> str:
    """Explain an action that names no card."""
    if what == "draw":
        if state.deck_size == 0:
            return f"shuffle the discards but the {top_discard(state)}, and draw one of them"
        return "draw the top card of the draw pile; only you see it"
    if what == "take":
        return f"take the {top_discard(state)}; everybody sees it"
    if what == "pass":
        challenged = any(word.verdict for word in words(state, int(state.accused)))
        return "challenge no other word" if challenged else "challenge no word"
    word = words(state, int(state.current_player))[-1]
    ending = f'end the word "{written_plainly(word.kinds)}"'
    if state.challenges:
        return f"{ending} for {word.points} points; it may be challenged"
    return f"{ending} and lay it for {word.points} points"


def _of_spelling(state: State, card: str) -> str:
    player = int(state.current_player)
    if is_spelling(state):
        spelled = written_plainly(words(state, player)[-1].kinds)
        return f'add your {card}: the word is "{spelled}{card}" so far'
    if state.num_words[player] > 0:
        return f"begin another word with your {card}"
    before = "" if state.last_turns > 0 else "go out: "
    return f"{before}begin a word with your {card}"


def _of_discard(state: State, card: str) -> str:
    hand = state.hands[state.current_player]
    left = int(hand.sum()) - 1
    if left == 0:
        out = "" if state.last_turns > 0 else ", and go out"
        return f"discard the {card}, your last card{out}"
    if state.last_turns == 0:
        return f"discard the {card} and keep the rest; your turn is over"
    points = int(hand @ VALUES) - int(VALUES[CARD_NAMES.index(card)])
    cards = f"{left} cards left count" if left > 1 else "card left counts"
    return f"discard the {card}; the {cards} {points} against you"


def _of_laying(state: State, card: str, what: str) -> str:
    """Explain ``longest`` or ``most``; going out lays all cards, so all ways score the same."""
    if state.last_turns == 0:
        how = "the longest word" if what == "longest" else "as many words as"
        return f"discard the {card} and go out with {how} possible"
    tie = "longest word" if what == "longest" else "most words"
    return f"discard the {card}, lay what scores most; if equal, the {tie}"


def _of_challenge(state: State, number: int) -> str:
    """Explain what a challenge claims and what a wrong one costs; a word may be laid twice."""
    laid = words(state, int(state.accused))
    spelled = [written_plainly(word.kinds) for word in laid]
    alike = [i for i, other in enumerate(spelled) if other == spelled[number]]
    nth = f"the {ORDINALS[alike.index(number)]} " if len(alike) > 1 else ""
    lost = f"if it is, you lose {laid[number].points} points"
    return f'say that {nth}"{spelled[number]}" is not a word; {lost}'
