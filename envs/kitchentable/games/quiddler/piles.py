"""The draw pile, the discard pile and the hands of Quiddler, and which cards are public."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.piles import reshuffle, take_top
from kitchentable.core.state import ALL_SEEING
from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.state import MELD, OVER, State


@kernel
def draw(state: State) -> int:
    """Remove and return the top card of the draw pile.

    If the pile is empty, all discards but the top one are first shuffled into a new one, whose
    kinds are public.
    """
    if state.deck_size == 0:
        for kind in range(NUM_KINDS):
            state.recycled[kind] = state.pile_counts[kind]
        reshuffle(state)
        for kind in range(NUM_KINDS):
            state.recycled[kind] -= state.pile_counts[kind]  # the top discard stays
        state.reshuffled = True
        state.drawn_since[:] = 0
        state.left_since[:] = 0
    return take_top(state)


@kernel
def sees_hand(viewer: int, player: int) -> bool:
    """Whether a viewer sees all cards in a seat's hand, and not only those picked up."""
    return bool(viewer == player or viewer == ALL_SEEING)


@kernel
def cards_in_hand(state: State, player: int) -> int:
    """Return the number of cards in a seat's hand, which is public."""
    if state.phase == OVER:
        return 0
    cards = int(state.hand_sizes[state.hands_done] - state.num_laid[player])
    if player == state.current_player and state.phase == MELD:
        cards += 1
    return cards


@kernel
def leave_hand(state: State, player: int, kind: int) -> None:
    """Remove a card from a hand in view of all seats.

    Cards of a kind are indistinguishable, so those seen being picked up count as leaving first.
    """
    state.hands[player, kind] -= 1
    if state.picked_up[player, kind] > 0:
        state.picked_up[player, kind] -= 1
    else:
        state.left_since[player, kind] += state.reshuffled
