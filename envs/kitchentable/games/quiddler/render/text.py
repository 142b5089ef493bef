"""A table of Quiddler as text."""

from __future__ import annotations

from kitchentable.games.quiddler.cards import CARD_NAMES, NO_CARD, VALUES
from kitchentable.games.quiddler.render import sentences
from kitchentable.games.quiddler.render.view import (
    ALPHABETICAL,
    Card,
    View,
    Word,
    hand,
    top_discard,
    words,
    worths,
)
from kitchentable.games.quiddler.state import State
from kitchentable.render.phrases import GLUE, in_lines

_LEGEND = "a2 card and points   [ ] hidden   [a2] seen to be picked up   a2* likewise, open"


def text(view: View) -> str:
    """Return the table in at most 80 columns; brackets mark cards in hands closed to the viewer."""
    state = view.state
    dealer = "" if view.is_over else f", dealer {view.who(state.dealer).inside}"
    paragraphs = [
        f"{view.game.title}, {sentences.about(view)}{dealer}, {view.whose()}",
        sentences.decision(view),
        sentences.note(view),
        sentences.bonuses(view),
        _piles(state),
        sentences.reshuffled(state),
    ]
    seats = [line for player in range(view.params.num_players) for line in _seat(view, player)]
    return "\n".join([*in_lines(paragraphs), "", *seats, "", _LEGEND])


def _piles(state: State) -> str:
    piles = f"Draw pile {state.deck_size}."
    if state.pile_size == 0:
        return f"{piles} No discard pile."
    kinds = [kind for kind in ALPHABETICAL if state.pile_counts[kind]]
    counts = ", ".join(f"{CARD_NAMES[kind]}{GLUE}x{state.pile_counts[kind]}" for kind in kinds)
    return f"{piles} Discard pile {state.pile_size}, {top_discard(state)} on top: {counts}."


def _seat(view: View, player: int) -> list[str]:
    """Return the lines of one seat: name and total, hand, words, the last hand."""
    state = view.state
    added = view.hands_sum(player, 24)
    about = [
        f"{view.who(player)} {state.totals[player]} pts",
        f"({added})" if added else "",
        sentences.progress(state, player),
        *(f"[{tag}]" for tag in sentences.tags(view, player)),
    ]
    cards = "  ".join(_card(card) for card in hand(view, player))
    word_texts = [_word(word) for word in words(state, player)]
    if state.challenges:  # challenges name words by number, from 0
        word_texts = [f"challenge:{i}{GLUE}{text}" for i, text in enumerate(word_texts)]
    worth = ", ".join(f"{CARD_NAMES[kind]}:{n}" for kind, n in worths(view, player).items())
    lines = [
        f"hand   {cards or 'none'}",
        f"words  {'; '.join(word_texts)}" if word_texts else "",
        f"worth if discarded  {worth}" if worth else "",
        sentences.last_hand(state, player),
    ]
    first = " ".join(filter(None, about))
    return [*in_lines([first], "> " if view.acts(player) else "  "), *in_lines(lines, "    ")]


def _card(card: Card) -> str:
    if card.kind == NO_CARD:
        return "[ ]"
    name = f"{CARD_NAMES[card.kind]}{VALUES[card.kind]}"
    if not card.is_open:
        return f"[{name}]"
    return f"{name}*" if card.picked_up else name


def _word(word: Word) -> str:
    if not word.finished:
        return f"{word}.. {word.points}"
    verdict = sentences.VERDICTS.get(word.verdict)
    about = f"({word.letters} letters{f', {verdict}' if verdict else ''})"
    return f"{word} {word.points} {about}".replace(" ", GLUE)
