"""What Kuhn and Leduc poker share: two seats with a card each, and a pot for one.

The winner's points are the chips that it takes from the loser, who has none.
"""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import kernel
from kitchentable.core.piles import take_top
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import advance, shuffle_hidden
from kitchentable.core.state import ALL_SEEING, FloatArray, IntArray

SEATS = 2
NO_CARD = NO_PLAY = -1


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
