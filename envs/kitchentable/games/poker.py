"""What Kuhn and Leduc poker share: two seats with a card each, and a pot for one.

The winner's points are the chips that it takes from the loser, who has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kitchentable.core.kernels import kernel
from kitchentable.core.piles import take_top
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import advance, shuffle_hidden
from kitchentable.core.state import ALL_SEEING, FloatArray, IntArray
from kitchentable.render.view import AnyView

SEATS = 2


@kernel
def rewards(state: Any, out: FloatArray) -> None:
    """Write the rewards of the last step; all rewards are paid at the end."""
    if state.terminated and state.reward == MARGIN:
        pay_margins(state.points, SEATS, 1, out)
    elif state.terminated:
        ranks(state, out)
        pay_winners(out, SEATS)


@kernel
def scores(state: Any, out: IntArray) -> None:
    """Write the points; high points win."""
    for player in range(SEATS):
        out[player] = state.points[player]


@kernel
def ranks(state: Any, out: IntArray | FloatArray) -> None:
    """Write each seat's rank by points; seats with equal points share a rank."""
    for player in range(SEATS):
        out[player] = 1 + (state.points[1 - player] > state.points[player])


@kernel
def redeal(state: Any, viewer: int) -> None:
    """Deal the cards again that ``viewer`` has not seen, using ``state.rng``."""
    for player in range(SEATS):
        if is_hidden(state, player, viewer):
            state.deck[state.deck_size] = state.hands[player]
            state.deck_size += 1
    shuffle_hidden(state, state.deck, 0, state.deck_size)
    state.seed = advance(state.rng)  # the seed of later deals
    for player in range(SEATS):
        if is_hidden(state, player, viewer):
            state.hands[player] = take_top(state)


@kernel
def is_hidden(state: Any, player: int, viewer: int) -> bool:
    """Return whether a viewer has not seen the card of a seat."""
    return not state.shown and viewer not in (player, ALL_SEEING)


def betting(view: AnyView, actions: Sequence[str]) -> list[str]:
    """Return a sentence for the actions of a round, in which seat 0 begins; none without actions.

    For example: ``You pass, player_1 bets.``
    """
    told = []
    for i, action in enumerate(actions):
        who = view.who(i % SEATS)
        verb = f"{action}es" if action.endswith("s") else f"{action}s"
        told.append(f"{who if i == 0 else who.inside} {who.does(verb)}")
    return [f"{', '.join(told)}."] if told else []


def hands(view: AnyView, cards: Sequence[str]) -> list[str]:
    """Return a sentence for the viewer's own card, or for both cards after a showdown."""
    first, second = (cards[card] for card in view.state.hands)
    if view.state.shown:
        return [f"{view.who(0):shows} {first}, {view.who(1).inside} {second}."]
    if view.viewer in range(SEATS):
        return [f"{view.who(view.viewer):has} {(first, second)[view.viewer]}."]
    return []
