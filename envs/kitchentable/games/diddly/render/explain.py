"""Explanations of the Diddly actions, in general and to the seat that may choose them."""

from __future__ import annotations

from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.render.sentences import card_name, top_discard
from kitchentable.games.diddly.render.view import View, place
from kitchentable.games.diddly.state import State, is_known

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
    "recycle": "Recycle a {}",
    "slot": lambda params, slot: place(params, int(slot)),
    "pass": "Swap nothing",
}


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
