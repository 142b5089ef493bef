"""Scripted teams of Fiddlefoo's cooperative variant; the same player sits in every seat.

They agree on nothing: each seat sees the open cards and its own, and trusts that the others play
alike. `team_expert` first draws out the game by Safe Songs, until the purple cards are in the hands
(ten of the twelve purple notes are needed, in order), and meanwhile plays what no pile needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo.cards import COLOR, NO_CARD, NUM_CARDS, NUMBER, PURPLE, has
from kitchentable.games.fiddlefoo.players.team_give import choose_throw
from kitchentable.games.fiddlefoo.players.team_greedy import Integers, Stream, team_greedy
from kitchentable.games.fiddlefoo.players.team_play import choose_play
from kitchentable.games.fiddlefoo.players.team_value import Outlook, look_out
from kitchentable.games.fiddlefoo.players.view import View, view_of
from kitchentable.games.fiddlefoo.state import (
    CARD,
    CELL,
    FULL_PILE,
    SWAP_CARD,
    SWAP_MAP,
    THROW,
    index_of,
)

__all__ = ["team_expert", "team_greedy"]


@allocating_kernel
def team_expert(
    observation: FloatArray,
    mask: BoolArray,
    variant: Integers,
    rng: Stream,  # noqa: ARG001
    *_: Any,
) -> int:
    """Play for four piles of ten, by the chances of all ways to fill them."""
    view = view_of(observation, variant)
    if view.phase == THROW:
        return choose_throw(view, mask, look_out(view))
    if view.phase in (CARD, CELL):
        card, cell = choose_play(view, look_out(view))
        if view.phase == CARD:
            return index_of(view, card)
        return int(view.num_cards + (cell >> 4) * view.map_size + (cell & 15))
    if view.phase == SWAP_CARD:
        return _least_needed(view, mask, look_out(view))
    if view.phase == SWAP_MAP:
        return _most_wanted(view, mask)
    return int(view.at_pass) if mask[view.at_pass] else int(np.argmax(mask))


@subroutine
def _least_needed(view: View, mask: BoolArray, outlook: Outlook) -> int:
    """Return the hand card to swap: a spare one, if there is any."""
    choice = NO_CARD
    for card in range(NUM_CARDS):
        if has(view.hand, card) and mask[index_of(view, card)]:
            spare = outlook.spare[COLOR[card], NUMBER[card]] > 0
            if choice == NO_CARD or spare:
                choice = card
    return index_of(view, choice)


@subroutine
def _most_wanted(view: View, mask: BoolArray) -> int:
    """Return the map card to take: one that fits on its pile, best a purple one."""
    best, choice = -1, NO_CARD
    for card in range(NUM_CARDS):
        if has(view.on_map, card) and mask[view.at_map + index_of(view, card)]:
            color = COLOR[card]
            fits = NUMBER[card] > view.pile_tops[color] and view.pile_notes[color] < FULL_PILE
            score = int(fits) + int(fits and color == PURPLE)
            if score > best:
                best, choice = score, card
    return int(view.at_map + index_of(view, choice))
