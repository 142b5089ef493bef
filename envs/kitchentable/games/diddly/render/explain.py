"""Explanations of a Diddly table and its actions, for people who are learning the game.

The situation contains only public information: every seat sees which card is obtained and where it
goes, but only the slot of a card that is looked at. Actions are explained with what the seat to act
knows of the cards.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.state import NOBODY, just_scored
from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.render.sentences import OBTAINED, card_name, top_discard
from kitchentable.games.diddly.render.view import View, may, place
from kitchentable.games.diddly.rules import num_flips
from kitchentable.games.diddly.state import CARD_NAMES, State, is_known
from kitchentable.render.phrases import ORDINALS, count, listed, number_word


def situation(view: View) -> str:
    """Describe who decides what and what led to it, or how the game ended."""
    state, phase = view.state, int(view.state.phase)
    if phase == s.OVER:
        sentences = _stopped(view) if state.truncated else _won(view)
    elif phase == s.FLIP:
        sentences = _flipping(view)
    elif phase == s.USE_PEEK:
        sentences = _peeking(view)
    elif phase in (s.SWAP_FIRST, s.SWAP_SECOND):
        sentences = _swapping(view)
    elif phase == s.SOURCE:
        sentences = [*_last_turn(view), *_choosing_a_source(view)]
    else:
        sentences = [*_last_turn(view), *_placing(view)]
    return " ".join(sentences)


# --- The end of a round and of the game -----------------------------------------------------------


def _won(view: View) -> list[str]:
    """Describe who won, how a tie was broken, and what the last round added."""
    state, ahead = view.state, view.winners
    total = state.totals[ahead[0]]
    tied = np.flatnonzero(state.totals[: int(state.num_players)] == total).tolist()
    others = [player for player in tied if player not in ahead]
    points, rounds = count(total, "point"), count(int(state.rounds_done), "round")
    sentences = [f"{view.outcome} with the lowest total, {points} after {rounds}."]
    if len(ahead) > 1:
        sentences.append("Their round scores, from the lowest to the highest, are equal too.")
    if others:
        rest = "the same total, but the lowest rounds break the tie."
        sentences.append(f"{view.who(*others):has} {rest}")
    return [*sentences, _last_round(view)]


def _stopped(view: View) -> list[str]:
    """Describe why the game was stopped and who is ahead."""
    state, limit, ahead = view.state, view.params.turn_limit, view.who(*view.winners)
    why = (
        f"The game was stopped: {view.mover.inside} would have begun turn "
        f"{limit + 1} of the round, and the limit is {limit}."
    )
    if state.rounds_done == 0:
        return [why, "No round was finished, so nobody is ahead."]
    points = count(state.totals[view.winners[0]], "point")
    return [why, f"Only finished rounds count, and {ahead.inside:is} ahead with {points}."]


def _last_round(view: View) -> str:
    scores = view.by_seat(view.state.last_scores)
    return f"Round {view.state.rounds_done} was scored: {scores}."


# --- Setting up -----------------------------------------------------------------------------------


def _flipping(view: View) -> list[str]:
    state, who = view.state, view.mover
    flips = num_flips(state.cards)
    choice = "which" if flips == 1 else f"the {ORDINALS[flips - int(state.flips_left)]}"
    sentence = (
        f"{who:turns} {number_word(flips)} of {who.their} cards face up, and now "
        f"{who.does('chooses')} {choice}."
    )
    after = _still_to_use(view) or ["Any Peek or Swap turned up is used afterward."]
    return [*([_last_round(view)] if just_scored(state) else []), sentence, *after]


def _still_to_use(view: View) -> list[str]:
    """List the abilities turned up in the set-up that are used next; empty if there are none."""
    state, who = view.state, view.mover.inside
    waiting = [card_name(kind) for kind in state.abilities[: int(state.num_abilities)]]
    if not waiting:
        return []
    verb = "is" if len(waiting) == 1 else "are"
    return [f"The {listed(waiting)} {who:has} turned up {verb} used afterward."]


# --- A turn ---------------------------------------------------------------------------------------


def _last_turn(view: View) -> list[str]:
    if view.state.closer == NOBODY:
        return []
    closer, who = view.who(view.state.closer), view.mover.inside
    return [
        f"{closer:has} all {closer.their} cards face up, so this is {who.whose} last turn in this "
        "round."
    ]


def _choosing_a_source(view: View) -> list[str]:
    state, who, recycles = view.state, view.mover, may(view, "recycle")
    ways = ["draw the unseen top card of the deck"] if may(view, "draw") else []
    if may(view, "take"):
        ways.append(f"take the {top_discard(state)} from the top of the discard pile")
    if recycles:
        ways.append(f"use {who.their} face-up Recycle to get any card back out of the discard pile")
    sentences = [f"{who} may {listed(ways, 'or')}."]
    if may(view, "draw") and state.deck_size == 0:
        sentences.append(
            "The deck is empty: to draw, all discards but the top one are shuffled into a new deck."
        )
    after = (
        f"The new card must replace one of {who.their} own cards and cannot be discarded this turn"
    )
    return [
        *sentences,
        f"{after}; a card from a Recycle replaces the Recycle." if recycles else f"{after}.",
    ]


def _peeking(view: View) -> list[str]:
    who = view.mover
    return [
        f"{_obtained(view, s.PEEK)} and must look at one of {who.their} face-down cards.",
        f"Only {who.inside:sees} that card, which stays face down; the others see where it lies.",
        *_after_ability(view),
    ]


def _swapping(view: View) -> list[str]:
    state, who = view.state, view.mover
    if state.phase == s.SWAP_FIRST:
        clause = (
            f"and may exchange two of {who.their} own cards: {who.they} choose the first now, or "
            "pass."
        )
    else:
        first = place(state, int(state.swap_slot))
        clause = (
            f"and {who.does('exchanges')} {who.their} card in {first} with another one, which "
            f"{who.they} choose now."
        )
    stays = (
        "No card is turned over: a face-down card stays face down, and whoever has looked at it "
        "still knows it."
    )
    return [f"{_obtained(view, s.SWAP)} {clause}", stays, *_after_ability(view)]


def _after_ability(view: View) -> list[str]:
    """Describe where a Peek or Swap goes after its use."""
    state = view.state
    if state.held == s.NO_CARD:
        return _still_to_use(view)
    target = "face-up Recycle" if state.source == s.FROM_RECYCLING else "cards"
    replaced = f"{'one of ' * (target == 'cards')}{view.mover.their} {target}"
    return [f"Then the {card_name(state.held)} itself takes the place of {replaced}."]


def _obtained(view: View, kind: int) -> str:
    """Describe where the card in use came from."""
    state = view.state
    how = "turned up" if state.held == s.NO_CARD else OBTAINED[int(state.source)]
    return f"{view.mover} {how} a {card_name(kind)}"


def _placing(view: View) -> list[str]:
    state, who = view.state, view.mover
    seat, held = int(state.current_player), int(state.held)
    recycled = state.source == s.FROM_RECYCLING
    replaced = f"{who.their} face-up Recycle"
    if not recycled:
        replaced = f"one of {who.their} cards, seen or not"
    article = "an" if card_name(held) == "8" else "a"
    clause = f"{who} {OBTAINED[int(state.source)]} {article} {card_name(held)}"
    sentences = [
        f"{clause} and must put it face up in place of {replaced}; it {_worth(state, held)}."
    ]
    if not recycled:
        sentences.append("The card that was there goes face up on the discard pile.")
    face_down = np.count_nonzero(state.face_up[seat, : int(state.cards)] == 0)
    if state.closer == NOBODY and face_down == 1 and not recycled:
        sentences.append(
            f"If that is {who.their} last face-down card, {who.they} close the round, and every "
            "other player has one more turn."
        )
    return sentences


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


# --- Actions --------------------------------------------------------------------------------------

ACTION_HELP = {
    "draw": "draw the unseen top card of the deck",
    "take": "take the top card of the discard pile",
    "recycle": "get the card {} back from the discard pile for a face-up Recycle",
    "slot": "turn up, look at, swap or replace the card in slot {}, counted row by row from 0",
    "pass": "do not swap: leave the cards as they are",
}
ACTION_WORDS = {
    "draw": "Draw from the deck",
    "take": "Take the discard",
    "recycle": lambda _, card: f"Get the {card_name(CARD_NAMES.index(card))} back",
    "slot": lambda params, slot: place(params, int(slot)),
    "pass": "Swap nothing",
}


VERBS = {s.FLIP: "turn up", s.USE_PEEK: "look at", s.SWAP_FIRST: "swap", s.SWAP_SECOND: "with"}


def decided(view: View, action_name: str) -> str:
    """Name the card that a decision takes or places, or what it does with one of its own."""
    state = view.state
    if action_name == "take":
        return f"take the {top_discard(state)}"
    kind, _, slot = action_name.partition(":")
    if kind != "slot":
        return ""
    verb = VERBS.get(int(state.phase)) or f"put the {card_name(state.held)} in"
    return f"{verb} {place(state, int(slot))}"


def explain(view: View, action_name: str) -> str:
    """Describe what a legal action would do, with what the seat to act knows of the cards."""
    state = view.state
    action = view.legal[action_name]
    if action == s.PASS:
        return "leave the cards as they are"
    return _getting(state, action) if action < s.PASS else _choosing(state, action - s.SLOT)


def _getting(state: State, action: int) -> str:
    """Describe the card that a source would give and its side effects."""
    if action == s.DRAW:
        if state.deck_size == 0:
            return "shuffle all discards but the top one, then draw"
        return ACTION_HELP["draw"]
    if action == s.TAKE:
        used = _use(state, int(state.pile[state.pile_size - 1]))
        return f"take the {top_discard(state)} from the discard pile{used}"
    kind = action - s.RECYCLE_KIND
    return f"get the {card_name(kind)} back for the face-up Recycle{_use(state, kind)}"


def _use(state: State, kind: int) -> str:
    """Return words saying that a card is used before it is placed; empty if it is not."""
    hidden = not state.face_up[state.current_player, : int(state.cards)].all()
    return " and use it" if kind == s.SWAP or (kind == s.PEEK and hidden) else ""


def _choosing(state: State, slot: int) -> str:
    """Describe what would happen to one of the seat's own cards."""
    phase, where = int(state.phase), place(state, slot)
    card = _seen(state, slot)
    if phase == s.FLIP:
        return f"turn up {card} in {where}"
    if phase == s.USE_PEEK:
        again = " again" if state.peeked[state.current_player, slot] else ""
        return f"look{again} at {card} in {where}"
    if phase == s.SWAP_FIRST:
        return f"swap {card} in {where} with another"
    if phase == s.SWAP_SECOND:
        return f"swap {place(state, int(state.swap_slot))} with {card} in {where}"
    return f"put the {card_name(state.held)} in {where}; discard {card}"


def _seen(state: State, slot: int) -> str:
    """Name one of the seat's own cards, as far as the seat knows it."""
    seat = int(state.current_player)
    if not is_known(state, seat, seat, slot):
        return "the unseen card"
    name = card_name(state.boards[seat, slot])
    return f"the {name}" if state.face_up[seat, slot] else f"the face-down {name}"
