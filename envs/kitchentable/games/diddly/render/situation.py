"""What is going on at a table of Diddly, for somebody who is learning the game, and each action.

All that `situation` tells is public: every seat sees which card is obtained and where it goes, and
of a card that is looked at only where it lies. `explain` also tells what the seat to act has seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kitchentable.core.state import NOBODY
from kitchentable.games.diddly.render.text import (
    OBTAINED,
    card_name,
    choices,
    just_scored,
    num_columns,
    winners,
)
from kitchentable.games.diddly.render.view import View
from kitchentable.games.diddly.state import (
    DRAW,
    FLIP,
    FROM_RECYCLING,
    HALF,
    MAX_CARDS,
    NO_CARD,
    OVER,
    PASS,
    PEEK,
    POINTS,
    RECYCLE_KIND,
    SLOT,
    SOURCE,
    SWAP,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE,
    USE_PEEK,
    Params,
    State,
    is_known,
)

_ORDER = ("first", "second", "third")
_NUMBERS = ("no", "one", "two", "three")


def situation(view: View) -> str:
    """Say in sentences who decides what and what led to it, or how the game has ended."""
    state, params = view.state, view.params
    phase = int(state.phase)
    if phase == OVER:
        told = _stopped(state, params) if state.truncated else _won(state)
    elif phase == FLIP:
        told = _flipping(state)
    elif phase == USE_PEEK:
        told = _peeking(state)
    elif phase in (SWAP_FIRST, SWAP_SECOND):
        told = _swapping(state)
    elif phase == SOURCE:
        told = [*_last_turn(state), *_choosing_a_source(state)]
    else:
        told = [*_last_turn(state), *_placing(state)]
    return " ".join(told)


# --- The end of a round and of the game -----------------------------------------------------------


def _won(state: State) -> list[str]:
    """Say who has won, how a tie was broken, and what the last round added."""
    ahead = winners(state)
    total = state.totals[ahead[0]]
    tied = np.flatnonzero(state.totals[: int(state.num_players)] == total).tolist()
    others = [player for player in tied if player not in ahead]
    verb = "wins" if len(ahead) == 1 else "share the win"
    points, rounds = _count(total, "point"), _count(int(state.rounds_done), "round")
    told = [f"{_seats(ahead)} {verb} with the lowest total, {points} after {rounds}."]
    if len(ahead) > 1:
        told.append("Each of their rounds has its equal too, from the lowest to the highest.")
    if others:
        have = "has" if len(others) == 1 else "have"
        told.append(
            f"{_seats(others)} {have} as many, but the lowest rounds decide between equals."
        )
    return [*told, _last_round(state)]


def _stopped(state: State, params: Params) -> list[str]:
    """Say why the game was stopped, and who is ahead."""
    why = (
        f"The game was stopped: player_{state.current_player} would have begun turn "
        f"{params.turn_limit + 1} of the round, and {params.turn_limit} are the limit."
    )
    if state.rounds_done == 0:
        return [why, "No round was finished, so nobody is ahead."]
    ahead = winners(state)
    verb = "is" if len(ahead) == 1 else "are"
    points = _count(state.totals[ahead[0]], "point")
    return [why, f"Only finished rounds count, and {_seats(ahead)} {verb} ahead with {points}."]


def _last_round(state: State) -> str:
    scores = [f"{state.last_scores[i]} for player_{i}" for i in range(int(state.num_players))]
    return f"Round {state.rounds_done} was scored: {_listed(scores)}."


# --- Setting up -----------------------------------------------------------------------------------


def _flipping(state: State) -> list[str]:
    count = 3 if state.cards == MAX_CARDS else 2
    which = _ORDER[count - int(state.flips_left)]
    what = (
        f"player_{state.current_player} sets up its board: it turns {_NUMBERS[count]} of its "
        f"cards face up, without having seen any of them, and now chooses the {which}."
    )
    after = _still_to_use(state) or ["A Peek or a Swap that shows up is used after that."]
    return [*([_last_round(state)] if just_scored(state) else []), what, *after]


def _still_to_use(state: State) -> list[str]:
    """Say which cards turned up in the set-up are used next; nothing if there are none."""
    waiting = [card_name(kind) for kind in state.abilities[: int(state.num_abilities)]]
    if not waiting:
        return []
    verb = "is" if len(waiting) == 1 else "are"
    return [f"The {_listed(waiting)} it has turned up {verb} used after that."]


# --- A turn ---------------------------------------------------------------------------------------


def _last_turn(state: State) -> list[str]:
    if state.closer == NOBODY:
        return []
    return [
        f"player_{state.closer} has all its cards face up, so this is the last turn of "
        f"player_{state.current_player} in this round."
    ]


def _choosing_a_source(state: State) -> list[str]:
    mask = choices(state)
    recycles = bool(mask[RECYCLE_KIND:PASS].any())
    ways = ["draw the unseen top card of the deck"] if mask[DRAW] else []
    if mask[TAKE]:
        top = card_name(state.pile[state.pile_size - 1])
        ways.append(f"take the {top} from the top of the discard pile")
    if recycles:
        ways.append("use its face-up Recycle to get any card back out of the discard pile")
    told = [f"player_{state.current_player} may {_listed(ways, 'or')}."]
    if mask[DRAW] and state.deck_size == 0:
        told.append("The deck is empty: who draws first shuffles all discards but the top one.")
    after = "What it gets must replace one of its own cards and cannot be discarded in this turn"
    return [*told, f"{after}; what is recycled replaces the Recycle." if recycles else f"{after}."]


def _peeking(state: State) -> list[str]:
    seat = f"player_{state.current_player}"
    return [
        f"{_obtained(state, PEEK)} and must look at one of its face-down cards.",
        f"Only {seat} sees that card, which stays face down; the others see which one it is.",
        *_after_ability(state),
    ]


def _swapping(state: State) -> list[str]:
    if state.phase == SWAP_FIRST:
        what = "and may exchange two of its own cards: it chooses the first now, or passes."
    else:
        first = _place(state, int(state.swap_slot))
        what = f"and exchanges its card in {first} with another one, which it chooses now."
    stays = "No card is turned over: what lies face down stays so, and its owner still knows it "
    stays += "if it has looked at it."
    return [f"{_obtained(state, SWAP)} {what}", stays, *_after_ability(state)]


def _after_ability(state: State) -> list[str]:
    """Say what becomes of a Peek or Swap once it is used."""
    if state.held == NO_CARD:
        return _still_to_use(state)
    place = "its face-up Recycle" if state.source == FROM_RECYCLING else "one of its cards"
    return [f"After that the {card_name(state.held)} itself takes the place of {place}."]


def _obtained(state: State, kind: int) -> str:
    """Say where the card that is used now came from."""
    how = "turned up" if state.held == NO_CARD else OBTAINED[int(state.source)]
    return f"player_{state.current_player} {how} a {card_name(kind)}"


def _placing(state: State) -> list[str]:
    seat, held = int(state.current_player), int(state.held)
    face_up = state.face_up[seat, : int(state.cards)]
    recycled = state.source == FROM_RECYCLING
    place = "its face-up Recycle" if recycled else "one of its cards, seen or not"
    article = "an" if card_name(held) == "8" else "a"
    got = f"player_{seat} {OBTAINED[int(state.source)]} {article} {card_name(held)}"
    told = [f"{got} and must put it face up in place of {place}; it {_worth(state, held)}."]
    if held == PEEK and face_up.all():
        told.append("It has no face-down card left to peek at.")
    if not recycled:
        told.append("The card it replaces goes face up on the discard pile.")
    if state.closer == NOBODY and np.count_nonzero(face_up == 0) == 1 and not recycled:
        told.append(
            "If that is its last face-down card, it closes the round, and every other seat has "
            "one more turn."
        )
    return told


def _worth(state: State, kind: int) -> str:
    """Say what a card counts on a board."""
    in_lines = state.cards == MAX_CARDS
    if kind == HALF:
        halved = "cards of its row, column and diagonals" if in_lines else "card of its column"
        return f"counts 0 and halves the other {halved}"
    points = int(POINTS[kind])
    if points == 0:
        return "counts 0"
    match = "in a line of three equal cards" if in_lines else "with an equal card in its column"
    return f"counts {points}, but 0 {match}"


# --- Each action ----------------------------------------------------------------------------------


def explain(view: View, action_name: str) -> str:
    """Say what a legal action would do now, with what the seat to act knows of the cards."""
    state = view.state
    action = view.legal[action_name]
    if action == PASS:
        return "leave the cards as they are"
    return _getting(state, action) if action < PASS else _choosing(state, action - SLOT)


def _getting(state: State, action: int) -> str:
    """Say which card a seat would get to place, and what it costs or brings besides."""
    if action == DRAW:
        if state.deck_size == 0:
            return "shuffle all discards but the top one, then draw"
        return "draw the unseen top card of the deck"
    if action == TAKE:
        kind = int(state.pile[state.pile_size - 1])
        return f"take the {card_name(kind)} from the discard pile{_use(state, kind)}"
    kind = action - RECYCLE_KIND
    return f"get the {card_name(kind)} back for the face-up Recycle{_use(state, kind)}"


def _use(state: State, kind: int) -> str:
    """Say that a card is used before it is placed, if it is."""
    hidden = not state.face_up[state.current_player, : int(state.cards)].all()
    return " and use it" if kind == SWAP or (kind == PEEK and hidden) else ""


def _choosing(state: State, slot: int) -> str:
    """Say what would become of an own card."""
    phase, place = int(state.phase), _place(state, slot)
    card = _seen(state, slot)
    if phase == FLIP:
        return f"turn up {card} in {place}"
    if phase == USE_PEEK:
        again = " again" if state.peeked[state.current_player, slot] else ""
        return f"look{again} at {card} in {place}"
    if phase == SWAP_FIRST:
        return f"swap {card} in {place} with another"
    if phase == SWAP_SECOND:
        return f"swap {_place(state, int(state.swap_slot))} with {card} in {place}"
    return f"put the {card_name(state.held)} in {place}; discard {card}"


def _seen(state: State, slot: int) -> str:
    """Name an own card as far as the seat to act knows it."""
    seat = int(state.current_player)
    if not is_known(state, seat, seat, slot):
        return "the unseen card"
    name = card_name(state.boards[seat, slot])
    return f"the {name}" if state.face_up[seat, slot] else f"the face-down {name}"


# --- Phrases --------------------------------------------------------------------------------------


def _place(state: State, slot: int) -> str:
    row, column = divmod(slot, num_columns(state))
    return f"row {row + 1}, column {column + 1}"


def _seats(players: Sequence[int]) -> str:
    return _listed([f"player_{player}" for player in players])


def _listed(things: Sequence[str], last: str = "and") -> str:
    if len(things) < 2:
        return "".join(things)
    return f"{', '.join(things[:-1])} {last} {things[-1]}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
