"""The situation at a table of Quiddler in sentences, for people who are learning the game.

What a seat can lay follows from its hand, so only viewers who know the hand are told.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, NO_CARD
from kitchentable.games.quiddler.melding import is_spelling, may_go_out
from kitchentable.games.quiddler.render.sentences import decision, may_lay
from kitchentable.games.quiddler.render.view import View, knows, top_discard, words
from kitchentable.games.quiddler.state import State
from kitchentable.render.phrases import by_seat, count, listed

COST = "every card left over counts against it, but for the discard"
_PREFERENCES = (
    'if several ways to lay them score the same, "longest" lays the longest word and "most" the '
    "most words"
)


def situation(view: View) -> str:
    """Return one to four sentences: what led to the decision, who decides what, what it means."""
    state = view.state
    if view.is_over:
        sentences = [decision(view), _totals(state), _how_it_ended(state)]
    elif state.phase == s.JUDGE:
        sentences = _judging(state)
    elif state.phase == s.SOURCE:
        sentences = [_before_the_turn(view), *_drawing(view)]
    elif is_spelling(state):
        sentences = _spelling(view)
    else:
        sentences = [_drawn(state), *_laying(view)]
    return " ".join(f"{sentence}." for sentence in sentences if sentence)


# --- Before a turn ------------------------------------------------------------------------------


def _before_the_turn(view: View) -> str:
    """Describe what happened last."""
    state, seats = view.state, view.params.num_players
    number = int(state.hands_done)
    cards = f"hand {number + 1} begins with {view.params.hand_sizes[number]} cards each"
    before = (int(state.current_player) - 1) % seats
    if state.hand_over:
        points = by_seat(state.last_scores, range(seats))
        return f"Hand {number} is scored: {points}; {cards}"
    if state.called and state.last_turns == seats:
        turns = count(int(state.max_turns), "turn")
        return f"Nobody went out in {turns}, so each seat has one last turn"
    if state.turns[before] == 0:
        return f"{cards.capitalize()}, and the {top_discard(state)} is turned up"
    if state.out == before:
        return f"player_{before} has gone out: all its cards are in words but its discard"
    return f"player_{before} has discarded the {top_discard(state)}"


def _drawing(view: View) -> list[str]:
    """Explain drawing and taking, and what may follow."""
    state = view.state
    seat, top = f"player_{state.current_player}", top_discard(state)
    sentences = [
        f"{seat} draws a card that only it sees, or takes the {top} so that everybody sees it"
    ]
    if state.deck_size == 0 and state.pile_size > 1:
        sentences[0] += f"; to draw, all discards but the {top} are shuffled into a new draw pile"
    elif state.deck_size == 0:
        sentences = [f"{seat} can only take the {top}, as there is no card to draw"]
    if state.last_turns > 0:
        sentences.append(
            f"It is its last turn in this hand: then it lays what words it can; {COST}"
        )
    elif may_go_out(state):
        sentences.append("Then it discards a card, or goes out if words use up all the others")
    else:
        sentences.append(f"Then it discards a card; {_not_before(state)}")
    if state.meld == s.BY_ITSELF and knows(view, int(state.current_player)):
        out = " and it can go out" if state.out_by_taking and may_go_out(state) else ""
        now, then = state.worth_of_hand, state.worth_of_taking
        sentences.append(f"Words and cards left count {now} now; with the {top}, {then}{out}")
    return sentences


# --- In a turn ----------------------------------------------------------------------------------


def _drawn(state: State) -> str:
    """Describe where the card came from; only the seat itself knows which one it drew."""
    seat = f"player_{state.current_player}"
    if state.num_words[state.current_player] > 0:
        laid = [f'"{word}"' for word in words(state, int(state.current_player))]
        return f"{seat} has laid {listed(laid)}"
    if state.taken == NO_CARD:
        return f"{seat} has drawn a card that only it has seen"
    back = ", which must not go back in this turn" if state.forbid_returning_discard else ""
    return f"{seat} has taken the {CARD_NAMES[state.taken]}{back}"


def _laying(view: View) -> list[str]:
    """Explain what a seat may do with its cards after drawing, or between words."""
    state = view.state
    if state.hands[state.current_player].sum() == 1:
        out = ", and each other seat has one last turn" if state.last_turns == 0 else ""
        return [f"It discards its last card, which ends its turn{out}"]
    if state.last_turns > 0:
        return [*_last_turn(state), "The discard ends its turn"]
    if state.going_out:
        return [
            "It is going out and spells another word, until one card is left to be discarded",
            "Then each other seat has one last turn",
        ]
    return _discarding(view)


def _discarding(view: View) -> list[str]:
    """Explain the discard, and whether the seat may go out, as far as the viewer knows."""
    state = view.state
    discard = "discards a card face up, which ends its turn and which the next seat may take"
    if not may_go_out(state):
        return [f"It {discard}; {_not_before(state)}"]
    if not knows(view, int(state.current_player)):
        return [f"It {discard}, or goes out, if words use up all its cards but one"]
    if not may_lay(view):
        return [f"It {discard}", "It cannot go out: no words use up all its cards but one"]
    return [f"It {discard}", *_going_out(state)]


def _not_before(state: State) -> str:
    return f"it may not go out before its turn {state.min_turns_before_out}"


def _last_turn(state: State) -> list[str]:
    """Explain what may be laid on a last turn."""
    if state.meld == s.BY_ITSELF:
        return [
            "On its last turn it chooses a discard, and the best words of the other cards are laid",
            f"Cards in no word count against it; {_PREFERENCES}",
        ]
    return [f"On its last turn it lays what words it likes, perhaps none; {COST}"]


def _going_out(state: State) -> list[str]:
    """Explain going out to viewers who know that it is possible."""
    if state.meld == s.BY_ITSELF:
        return [
            "Or it goes out with a card marked so: it discards that card, and all others are laid "
            "in words",
            f"Each other seat then has one last turn; {_PREFERENCES}",
        ]
    if state.challenges:
        return [
            "Or it goes out by spelling words with all its cards but one, and discards that one",
            "Any two or more cards may be laid as a word, but the others may challenge it",
        ]
    return [
        "Or it goes out: words can use up all its cards but one, which it discards at last",
        "Each other seat then has one last turn",
    ]


def _spelling(view: View) -> list[str]:
    """Describe the word being spelled and, for viewers who see the hand, how it may go on."""
    state, player = view.state, int(view.state.current_player)
    sentences = [f'player_{player} spells "{words(state, player)[-1]}", open for all to see']
    if knows(view, player):
        sentences.append(_next_card(state))
    if state.last_turns > 0:
        return [*sentences, f"It is its last turn: {COST}"]
    return [*sentences, "It is going out, so words must use up all its cards but one, the discard"]


def _next_card(state: State) -> str:
    """Describe how the word may go on."""
    if not state.may_end:
        return "It adds another card, as it cannot end the word here"
    if state.next_kinds == 0:
        return "No card can follow: the word is laid"
    word = "be laid as it is, and may be challenged then" if state.challenges else "end here"
    return f"The word may {word}, or another card is added"


# --- Challenges and the end ---------------------------------------------------------------------


def _judging(state: State) -> list[str]:
    """Explain a challenge and its risk."""
    accused, seat = int(state.accused), f"player_{state.current_player}"
    laid = [
        f'"{word}" ({word.points} points)'
        for word in words(state, accused)
        if word.verdict == s.UNCHALLENGED
    ]
    return [
        f"player_{accused} has laid {listed(laid)}",
        f"{seat} may challenge a word that it does not believe to be in the word list, or pass",
        f"If it is not there, its cards count against player_{accused}",
        f"If it is there, {seat} loses the points of the word",
    ]


def _totals(state: State) -> str:
    """Return the final totals, the winner first."""
    order = np.argsort(-state.totals[: state.num_players], kind="stable")
    return f"Final totals: {by_seat(state.totals, order.tolist())}"


def _how_it_ended(state: State) -> str:
    """Describe how the last hand ended."""
    points = by_seat(state.last_scores, range(int(state.num_players)))
    out = "nobody went out in time" if state.out == NOBODY else f"player_{state.out} went out"
    return f"In the last hand {out}; it scored {points}"
