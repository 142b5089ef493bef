"""Sentences that explain a Diddly table to people who are learning the game.

They contain only public information: every seat sees which card is obtained and where it goes, but
only the slot of a card that is looked at.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.state import NOBODY, just_scored
from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.render.sentences import OBTAINED, card_name, top_discard
from kitchentable.games.diddly.render.view import View, may, place
from kitchentable.games.diddly.rules import num_flips
from kitchentable.games.diddly.state import State
from kitchentable.render.phrases import ORDINALS, by_seat, count, listed, number_word, seats


def situation(view: View) -> str:
    """Describe who decides what and what led to it, or how the game ended."""
    state, phase = view.state, int(view.state.phase)
    if phase == s.OVER:
        told = _stopped(view) if state.truncated else _won(view)
    elif phase == s.FLIP:
        told = _flipping(state)
    elif phase == s.USE_PEEK:
        told = _peeking(state)
    elif phase in (s.SWAP_FIRST, s.SWAP_SECOND):
        told = _swapping(state)
    elif phase == s.SOURCE:
        told = [*_last_turn(state), *_choosing_a_source(view)]
    else:
        told = [*_last_turn(state), *_placing(state)]
    return " ".join(told)


# --- The end of a round and of the game -----------------------------------------------------------


def _won(view: View) -> list[str]:
    """Describe who won, how a tie was broken, and what the last round added."""
    state, ahead = view.state, view.winners
    total = state.totals[ahead[0]]
    tied = np.flatnonzero(state.totals[: int(state.num_players)] == total).tolist()
    others = [player for player in tied if player not in ahead]
    verb = "wins" if len(ahead) == 1 else "share the win"
    points, rounds = count(total, "point"), count(int(state.rounds_done), "round")
    told = [f"{seats(ahead)} {verb} with the lowest total, {points} after {rounds}."]
    if len(ahead) > 1:
        told.append("Each of their rounds has its equal too, from the lowest to the highest.")
    if others:
        have = "has" if len(others) == 1 else "have"
        told.append(f"{seats(others)} {have} as many, but the lowest rounds decide between equals.")
    return [*told, _last_round(state)]


def _stopped(view: View) -> list[str]:
    """Describe why the game was stopped and who is ahead."""
    state, limit, ahead = view.state, view.params.turn_limit, view.winners
    why = (
        f"The game was stopped: player_{state.current_player} would have begun turn "
        f"{limit + 1} of the round, and {limit} are the limit."
    )
    if state.rounds_done == 0:
        return [why, "No round was finished, so nobody is ahead."]
    verb = "is" if len(ahead) == 1 else "are"
    points = count(state.totals[ahead[0]], "point")
    return [why, f"Only finished rounds count, and {seats(ahead)} {verb} ahead with {points}."]


def _last_round(state: State) -> str:
    scores = by_seat(state.last_scores, range(int(state.num_players)))
    return f"Round {state.rounds_done} was scored: {scores}."


# --- Setting up -----------------------------------------------------------------------------------


def _flipping(state: State) -> list[str]:
    flips = num_flips(state.cards)
    which = "which" if flips == 1 else f"the {ORDINALS[flips - int(state.flips_left)]}"
    what = (
        f"player_{state.current_player} sets up its board: it turns {number_word(flips)} of its "
        f"cards face up, without having seen any of them, and now chooses {which}."
    )
    after = _still_to_use(state) or ["A Peek or a Swap that shows up is used after that."]
    return [*([_last_round(state)] if just_scored(state) else []), what, *after]


def _still_to_use(state: State) -> list[str]:
    """List the abilities turned up in the set-up that are used next; empty if there are none."""
    waiting = [card_name(kind) for kind in state.abilities[: int(state.num_abilities)]]
    if not waiting:
        return []
    verb = "is" if len(waiting) == 1 else "are"
    return [f"The {listed(waiting)} it has turned up {verb} used after that."]


# --- A turn ---------------------------------------------------------------------------------------


def _last_turn(state: State) -> list[str]:
    if state.closer == NOBODY:
        return []
    return [
        f"player_{state.closer} has all its cards face up, so this is the last turn of "
        f"player_{state.current_player} in this round."
    ]


def _choosing_a_source(view: View) -> list[str]:
    state, recycles = view.state, may(view, "recycle")
    ways = ["draw the unseen top card of the deck"] if may(view, "draw") else []
    if may(view, "take"):
        ways.append(f"take the {top_discard(state)} from the top of the discard pile")
    if recycles:
        ways.append("use its face-up Recycle to get any card back out of the discard pile")
    told = [f"player_{state.current_player} may {listed(ways, 'or')}."]
    if may(view, "draw") and state.deck_size == 0:
        told.append("The deck is empty: who draws first shuffles all discards but the top one.")
    after = "What it gets must replace one of its own cards and cannot be discarded in this turn"
    return [*told, f"{after}; what is recycled replaces the Recycle." if recycles else f"{after}."]


def _peeking(state: State) -> list[str]:
    seat = f"player_{state.current_player}"
    return [
        f"{_obtained(state, s.PEEK)} and must look at one of its face-down cards.",
        f"Only {seat} sees that card, which stays face down; the others see which one it is.",
        *_after_ability(state),
    ]


def _swapping(state: State) -> list[str]:
    if state.phase == s.SWAP_FIRST:
        what = "and may exchange two of its own cards: it chooses the first now, or passes."
    else:
        first = place(state, int(state.swap_slot))
        what = f"and exchanges its card in {first} with another one, which it chooses now."
    stays = (
        "No card is turned over: what lies face down stays so, and its owner still knows it if it "
        "has looked at it."
    )
    return [f"{_obtained(state, s.SWAP)} {what}", stays, *_after_ability(state)]


def _after_ability(state: State) -> list[str]:
    """Describe where a Peek or Swap goes after its use."""
    if state.held == s.NO_CARD:
        return _still_to_use(state)
    replaced = "its face-up Recycle" if state.source == s.FROM_RECYCLING else "one of its cards"
    return [f"After that the {card_name(state.held)} itself takes the place of {replaced}."]


def _obtained(state: State, kind: int) -> str:
    """Describe where the card in use came from."""
    how = "turned up" if state.held == s.NO_CARD else OBTAINED[int(state.source)]
    return f"player_{state.current_player} {how} a {card_name(kind)}"


def _placing(state: State) -> list[str]:
    seat, held = int(state.current_player), int(state.held)
    recycled = state.source == s.FROM_RECYCLING
    replaced = "its face-up Recycle" if recycled else "one of its cards, seen or not"
    article = "an" if card_name(held) == "8" else "a"
    got = f"player_{seat} {OBTAINED[int(state.source)]} {article} {card_name(held)}"
    told = [f"{got} and must put it face up in place of {replaced}; it {_worth(state, held)}."]
    if not recycled:
        told.append("The card it replaces goes face up on the discard pile.")
    face_down = np.count_nonzero(state.face_up[seat, : int(state.cards)] == 0)
    if state.closer == NOBODY and face_down == 1 and not recycled:
        told.append(
            "If that is its last face-down card, it closes the round, and every other seat has "
            "one more turn."
        )
    return told


def _worth(state: State, kind: int) -> str:
    """Describe how a card scores on a board."""
    counts = f"counts {s.POINTS[kind]}"
    in_lines = state.cards == s.MAX_CARDS
    if kind == s.HALF:
        halved = "cards of its row, column and diagonals" if in_lines else "card of its column"
        return f"{counts} and halves the other {halved}"
    if s.POINTS[kind] == 0:
        return counts
    match = "in a line of three equal cards" if in_lines else "with an equal card in its column"
    return f"{counts}, but 0 {match}"
