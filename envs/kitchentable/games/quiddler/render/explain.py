"""Explanations of a table of Quiddler and its actions, for people who are learning the game.

What a seat can lay follows from its hand, so only viewers who know the hand are told.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, NO_CARD, VALUES
from kitchentable.games.quiddler.melding import is_spelling, may_go_out
from kitchentable.games.quiddler.render.sentences import decision, may_lay
from kitchentable.games.quiddler.render.view import View, knows, top_discard, words, written_plainly
from kitchentable.games.quiddler.state import State
from kitchentable.render.phrases import ORDINALS, count, listed

_PREFERENCES = (
    'if several ways to lay them score the same, "longest" lays the longest word and "most" lays '
    "the most words"
)


def situation(view: View) -> str:
    """Return one to four sentences: what led to the decision, who decides what, what it means."""
    state = view.state
    if view.is_over:
        sentences = [decision(view), _totals(view), _how_it_ended(view)]
    elif state.phase == s.JUDGE:
        sentences = _judging(view)
    elif state.phase == s.SOURCE:
        sentences = [_before_the_turn(view), *_drawing(view)]
    elif is_spelling(state):
        sentences = _spelling(view)
    else:
        sentences = [_drawn(view), *_laying(view)]
    return " ".join(f"{sentence}." for sentence in sentences if sentence)


# --- Before a turn ------------------------------------------------------------------------------


def _before_the_turn(view: View) -> str:
    """Describe what happened last."""
    state, seats = view.state, view.params.num_players
    number = int(state.hands_done)
    cards = f"hand {number + 1} begins with {view.params.hand_sizes[number]} cards each"
    before = (int(state.current_player) - 1) % seats
    if state.hand_over:
        return f"Hand {number} is scored: {view.by_seat(state.last_scores)}; {cards}"
    if state.called and state.last_turns == seats:
        turns = count(int(state.max_turns), "turn")
        return f"Nobody went out in {turns}, so each player has one last turn"
    if state.turns[before] == 0:
        return f"{cards.capitalize()}, and the {top_discard(state)} is turned up"
    who = view.who(before)
    if state.out == before:
        rejected = [f'"{word}"' for word in words(state, before) if word.verdict == s.REJECTED]
        if rejected:
            are = "is" if len(rejected) == 1 else "are"
            return (
                f"{who:has} gone out, but {listed(rejected)} {are} not in the word list: the "
                "points are subtracted"
            )
        return f"{who:has} gone out: all {who.their} cards are in words but the discard"
    return f"{who:has} discarded the {top_discard(state)}"


def _drawing(view: View) -> list[str]:
    """Explain drawing and taking, and what may follow."""
    state, who = view.state, view.mover
    top = top_discard(state)
    sentences = [
        f"{who:draws} a card that only {who.they} see, or {who.does('takes')} the {top}, which "
        "everybody sees"
    ]
    if state.deck_size == 0 and state.pile_size > 1:
        sentences[0] += f"; to draw, all discards but the {top} are shuffled into a new draw pile"
    elif state.deck_size == 0:
        sentences = [f"{who} can only take the {top}, as there is no card to draw"]
    if state.last_turns > 0:
        sentences.append(
            f"It is {who.their} last turn in this hand: then {who.they} lay any words {who.they} "
            f"can; {_cost(view)}"
        )
    elif may_go_out(state):
        sentences.append(
            f"Then {who.they} discard a card, or go out if words use up all the others"
        )
    else:
        sentences.append(f"Then {who.they} discard a card; {_not_before(view)}")
    if state.meld == s.BY_ITSELF and knows(view, int(state.current_player)):
        leaves = state.out_by_taking and may_go_out(state)
        out = f", with which {who.they} can go out" if leaves else ""
        now = count(int(state.worth_of_hand), "point")
        sentences.append(
            f"{who.whose} hand, words minus cards left over, is worth {now} now, and "
            f"{state.worth_of_taking} with the {top}{out}"
        )
    return sentences


# --- In a turn ----------------------------------------------------------------------------------


def _cost(view: View) -> str:
    return f"every card left over except the discard counts against {view.mover.inside}"


def _drawn(view: View) -> str:
    """Describe where the card came from; only the seat itself knows which one it drew."""
    state, who = view.state, view.mover
    if state.num_words[state.current_player] > 0:
        laid = [f'"{word}"' for word in words(state, int(state.current_player))]
        return f"{who:has} laid {listed(laid)}"
    if state.taken == NO_CARD:
        return f"{who:has} drawn a card that only {who.they} have seen"
    back = ", which must not go back in this turn" if state.forbid_returning_discard else ""
    return f"{who:has} taken the {CARD_NAMES[state.taken]}{back}"


def _laying(view: View) -> list[str]:
    """Explain what a seat may do with its cards after drawing, or between words."""
    state, who = view.state, view.mover
    if state.hands[state.current_player].sum() == 1:
        out = ", and every other player has one last turn" if state.last_turns == 0 else ""
        return [f"{who:discards} {who.their} last card, which ends {who.their} turn{out}"]
    if state.last_turns > 0:
        return [*_last_turn(view), f"The discard ends {who.their} turn"]
    if state.going_out:
        return [
            f"{who:is} going out and {who.does('spells')} more words, until one card is left to "
            "discard",
            "Then every other player has one last turn",
        ]
    return _discarding(view)


def _discarding(view: View) -> list[str]:
    """Explain the discard, and whether the seat may go out, as far as the viewer knows."""
    state, who = view.state, view.mover
    discard = (
        f"{who:discards} a card face up, which ends {who.their} turn; the next player may take "
        "the card"
    )
    all_but_one = f"words use up all {who.their} cards but one"
    if not may_go_out(state):
        return [f"{discard}; {_not_before(view)}"]
    if not knows(view, int(state.current_player)):
        return [f"{discard}, or {who.does('goes')} out, if {all_but_one}"]
    if not may_lay(view):
        kept = state.forbid_returning_discard and state.taken != NO_CARD
        which = " that may be discarded" if kept else ""
        return [discard, f"{who} cannot go out: no {all_but_one}{which}"]
    return [discard, *_going_out(view)]


def _not_before(view: View) -> str:
    who = view.mover
    return f"{who.they} may not go out before {who.their} turn {view.state.min_turns_before_out}"


def _last_turn(view: View) -> list[str]:
    """Explain what may be laid on a last turn."""
    who = view.mover
    last = f"On {who.their} last turn {who.inside}"
    if view.state.meld == s.BY_ITSELF:
        return [
            f"{last} {who.does('chooses')} a discard, and the other cards are laid in the best "
            "words they make",
            f"Cards in no word count against {who.inside}; {_PREFERENCES}",
        ]
    return [f"{last} {who.does('lays')} any words {who.they} like, or none; {_cost(view)}"]


def _going_out(view: View) -> list[str]:
    """Explain going out to viewers who know that it is possible."""
    state, who = view.state, view.mover
    if state.meld == s.BY_ITSELF:
        laying = (name for name in view.legal if not name.startswith("discard:"))
        cards = listed(dict.fromkeys(name.partition(":")[2] for name in laying), "or")
        return [
            f"Or {who.they} go out by discarding the {cards}, and all others are laid in words",
            f"Every other player then has one last turn; {_PREFERENCES}",
        ]
    if state.challenges:
        return [
            f"Or {who.they} go out by spelling words with all {who.their} cards but one, and "
            "discard that one",
            "Any two or more cards may be laid as a word, but the others may challenge it",
        ]
    return [
        f"Or {who.they} go out: words can use up all {who.their} cards but one, which {who.they} "
        "discard last",
        "Every other player then has one last turn",
    ]


def _spelling(view: View) -> list[str]:
    """Describe the word being spelled and, for viewers who see the hand, how it may go on."""
    state, who, player = view.state, view.mover, int(view.state.current_player)
    sentences = [f'{who:spells} "{words(state, player)[-1]}"']
    if knows(view, player):
        sentences.append(_next_card(view))
    if state.last_turns > 0:
        return [*sentences, f"It is {who.inside.whose} last turn: {_cost(view)}"]
    must = f"words must use up all {who.their} cards but one, the discard"
    return [*sentences, f"{who:is} going out, so {must}"]


def _next_card(view: View) -> str:
    """Describe how the word may go on."""
    state = view.state
    if not state.may_end:
        return f"{view.mover:adds} another card, as the word cannot end here"
    if state.next_kinds == 0:
        return "No card can follow: the word is laid"
    word = "be laid as it is, and then be challenged" if state.challenges else "end here"
    return f"The word may {word}, or take another card"


# --- Challenges and the end ---------------------------------------------------------------------


def _judging(view: View) -> list[str]:
    """Explain a challenge and its risk."""
    state, who, accused = view.state, view.mover, view.who(view.state.accused)
    laid = [
        f'"{word}" ({word.points} points)'
        for word in words(state, int(state.accused))
        if word.verdict == s.UNCHALLENGED
    ]
    return [
        f"{accused:has} laid {listed(laid)}",
        f"{who} may challenge a word that {who.they} think is not in the word list, or pass",
        f"If it is not in the list, its cards count against {accused.inside}",
        f"If it is, {who.inside:loses} the points of the word",
    ]


def _totals(view: View) -> str:
    """Return the final totals, the winner first."""
    state = view.state
    order = np.argsort(-state.totals[: state.num_players], kind="stable")
    return f"Final totals: {view.by_seat(state.totals, order.tolist())}"


def _how_it_ended(view: View) -> str:
    """Describe how the last hand ended."""
    state, points = view.state, view.by_seat(view.state.last_scores)
    nobody = state.out == NOBODY
    out = "nobody went out in time" if nobody else f"{view.who(state.out).inside} went out"
    return f"In the last hand {out}; it scored {points}"


# --- Actions --------------------------------------------------------------------------------------

ACTION_HELP = {
    "draw": "take the top card of the draw pile; only you see it",
    "take": "take the top card of the discard pile; everybody sees it",
    "spell": "add your {} to the word",
    "word": "end the word here and lay it",
    "discard": "lay your {} on the discard pile: your turn is over",
    "challenge": "say that word {} is not a word: if it is one, you lose its points",
    "pass": "challenge no word",
    "longest": "discard your {} and lay the words that score most; in a tie, the longest word",
    "most": "discard your {} and lay the words that score most; in a tie, the most words",
}
ACTION_WORDS = {
    "draw": "Draw a card",
    "take": "Take the discard",
    "spell": "Add {}",
    "word": "Lay the word",
    "discard": "Discard {}",
    "challenge": lambda _, number: f"Challenge word {int(number) + 1}",
    "pass": "Challenge nothing",
    "longest": "Discard {}, longest word",
    "most": "Discard {}, most words",
}
UNDOABLE = "spell"


def decided(view: View, action_name: str) -> str:
    """Name the card that is taken, or the word that is laid; empty for other decisions."""
    if action_name == "take":
        return f"take the {top_discard(view.state)}"
    return _of_no_card(view.state, action_name) if action_name == "word" else ""


def explain(view: View, action_name: str) -> str:
    """Tell the seat to act what a legal action would do now."""
    state = view.state
    kind, _, argument = action_name.partition(":")
    if kind == "challenge":
        return _of_challenge(state, int(argument))
    if kind == "spell":
        return _of_spelling(state, argument)
    if kind == "discard":
        return _of_discard(state, argument)
    if kind in ("longest", "most"):
        return _of_laying(state, argument, kind)
    return _of_no_card(state, kind)


def _of_no_card(state: State, kind: str) -> str:
    """Explain an action that names no card."""
    if kind == "draw":
        if state.deck_size == 0:
            return f"shuffle the discards but the {top_discard(state)}, and draw one of them"
        return "draw the top card of the draw pile; only you see it"
    if kind == "take":
        return f"take the {top_discard(state)}; everybody sees it"
    if kind == "pass":
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


def _of_laying(state: State, card: str, kind: str) -> str:
    """Explain ``longest`` or ``most``; going out lays all cards, so all ways score the same."""
    if state.last_turns == 0:
        how = "the longest word" if kind == "longest" else "as many words as"
        return f"discard the {card} and go out with {how} possible"
    tie = "longest word" if kind == "longest" else "most words"
    return f"discard the {card} and lay the words that score most; in a tie, the {tie}"


def _of_challenge(state: State, number: int) -> str:
    """Explain what a challenge claims and what a wrong one costs; a word may be laid twice."""
    laid = words(state, int(state.accused))
    spelled = [written_plainly(word.kinds) for word in laid]
    alike = [i for i, other in enumerate(spelled) if other == spelled[number]]
    nth = f"the {ORDINALS[alike.index(number)]} " if len(alike) > 1 else ""
    lost = f"if it is, you lose {laid[number].points} points"
    return f'say that {nth}"{spelled[number]}" is not a word; {lost}'
