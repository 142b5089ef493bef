"""Short sentences used in both the text and the pictures of Diddly."""

from __future__ import annotations

from kitchentable.core.state import NOBODY
from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.render.view import View, may, num_columns, place
from kitchentable.games.diddly.state import CARD_NAMES, State
from kitchentable.render.phrases import GLUE, holding, listed, scored

LONG_NAMES = {
    s.DIDDLY: "Diddly",
    s.SWAP: "Swap",
    s.HALF: "Half",
    s.PEEK: "Peek",
    s.RECYCLE: "Recycle",
}
"""Full names of the special cards."""

OBTAINED = {s.FROM_DECK: "drew", s.FROM_PILE: "took", s.FROM_RECYCLING: "recycled"}
"""Verb for how the card in hand was obtained, by its source."""


def card_name(kind: int) -> str:
    """Return the full name of a card."""
    return LONG_NAMES.get(int(kind), CARD_NAMES[kind])


def top_discard(state: State) -> str:
    """Return the name of the top discard; the pile must not be empty."""
    return card_name(state.pile[state.pile_size - 1])


def decision(view: View) -> str:
    """Describe who decides what, or how the game ended."""
    state, phase, who = view.state, int(view.state.phase), view.mover
    if phase == s.OVER:
        return _ending(view)
    if phase == s.SOURCE:
        return f"{who} may {_sources(view)}"
    if phase == s.PLACE:
        return f"{who:places} the {card_name(state.held)} {who.they} {OBTAINED[int(state.source)]}"
    return {
        s.FLIP: f"{who:turns} a card face up ({state.flips_left} to go)",
        s.USE_PEEK: f"{who:looks} at one of {who.their} face-down cards",
        s.SWAP_FIRST: f"{who} may swap two of {who.their} cards",
        s.SWAP_SECOND: f"{who:swaps} {place(state, int(state.swap_slot))} with another",
    }[phase]


def _ending(view: View) -> str:
    if not view.state.truncated:
        return view.outcome
    ahead = view.who(*view.winners).inside if view.state.rounds_done else "nobody"
    return f"Stopped at the turn limit, {ahead} ahead"


def _sources(view: View) -> str:
    ways = ["draw"] if may(view, "draw") else []
    if may(view, "take"):
        ways.append(f"take the {top_discard(view.state)}")
    if may(view, "recycle"):
        ways.append("recycle")
    return listed(ways, "or")


def note(view: View) -> str:
    """Describe what else matters now; empty if nothing does."""
    state, who = view.state, view.mover
    if state.phase == s.OVER:
        return "Game over."
    if state.hand_over:
        return scored("Round", int(state.rounds_done))
    if state.seats_to_flip > 0:
        return "Setting up."
    notes = []
    if state.closer != NOBODY:
        notes.append(f"{view.who(state.closer):has} closed: the last turns of this round.")
    if state.held != s.NO_CARD and state.phase != s.PLACE:
        notes.append(f"{who} {OBTAINED[int(state.source)]} the {card_name(state.held)}.")
    return " ".join(notes)


def about(view: View) -> str:
    """Describe the number of cards and the current round (the last one if the game is finished)."""
    state, rounds = view.state, view.params.rounds
    has_ended = state.phase == s.OVER and not state.truncated
    current = int(state.rounds_done) + (not has_ended)
    return f"{view.params.cards} cards, round {current} of {rounds}"


def tags(view: View, player: int) -> list[str]:
    """Return one-word tags that apply to a seat."""
    state, over = view.state, view.state.phase == s.OVER
    claims = {
        "dealer": player == state.dealer and not over,
        "closed": player == state.closer,
        "winner": over and not state.truncated and player in view.winners,
    }
    return holding(claims)


def last_board(state: State, player: int) -> str:
    """Return a seat's board and score in the last finished round."""
    columns = num_columns(state)
    names = [CARD_NAMES[kind] for kind in state.last_boards[player, : int(state.cards)]]
    rows = [" ".join(names[i : i + columns]) for i in range(0, len(names), columns)]
    return f"{' / '.join(rows)} ={GLUE}{state.last_scores[player]}"
