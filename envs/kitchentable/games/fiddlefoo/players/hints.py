"""What a player of Fiddlefoo can work out from an observation, as numbers for a network.

What the others may be expected to throw at each pair, the unseen cards spread over their hidden
cards and the pile (`costs`), and what `expert` makes of that: a network would have to learn to
add up, for every cell, the cards that fit. In a team: how close each choice comes to the one that
`expert` likes best. Trained players depend on these numbers: a test holds
them fast.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import fill_matches, find_cells
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.players.costs import (
    Odds,
    Threat,
    burden,
    odds_of,
    play_cost,
    threat_at,
)
from kitchentable.games.fiddlefoo.players.piles import look_out
from kitchentable.games.fiddlefoo.players.reading import Floats, Ints, view_of
from kitchentable.games.fiddlefoo.players.team import (
    WORST,
    judge_cells,
    judge_throws,
    note_gains,
    prospects,
)
from kitchentable.games.fiddlefoo.state import BLOCKS, Params

MOST = 8.0
"""Cards thrown; so many or more look alike."""
MOST_RELIEF = 2.0
"""Hands thrown away, likewise."""
NEVER = 1e6
"""More than any play costs."""
KINDS = ("merit", "calm", "strain", "quiet", "open", "song")
"""What is hinted about a play, the more the better:

- ``merit``: how close it comes to the play that `expert` likes best: 1 for that one, less and less
  for what costs more by its weights;
- ``calm``: how few cards the others may be expected to throw, 1 for none and 0 for 8 or more;
- ``strain``: likewise, each card as a share of its thrower's hand, 0 for 2 or more;
- ``quiet``: the chance that nobody throws;
- ``open``: the chance that nobody throws its last card;
- ``song``: 1 if it is no Safe Song.
"""
SLOPE = 3.0
"""What is worth 1 less than the best choice has the e^3rd part of the merit."""


def layout(params: Params) -> dict[str, int]:
    """Name and length of each part, in order; zero where nothing is asked.

    Those of a card are about the cell that `expert` would choose for it.
    """
    if params.cooperative:
        return _team_layout(params)
    cells, cards = params.map_size**2, len(s.deck(params))
    about_cards = {f"card_{kind}": cards for kind in KINDS}  # to choose the card to play
    return about_cards | {f"cell_{kind}": cells for kind in KINDS}  # to choose its cell


@allocating_kernel
def write(
    observation: FloatArray, mask: BoolArray, variant: Ints, out: FloatArray, *_: Any
) -> None:
    """Write the hints for the seat to act into ``out``, which is zero on entry."""
    if not mask.any():
        return
    view = view_of(observation, variant)
    if view.cooperative:
        _hint_team(view, mask, out)
    elif view.phase == s.CARD or view.phase == s.AGAIN:
        _hint_cards(view, odds_of(view), out)
    elif view.phase == s.CELL:
        worth, about = np.zeros(view.map_size * view.map_size), out[len(KINDS) * view.num_cards :]
        _hint_cells(view, odds_of(view), int(view.chosen), worth, about)
        _write_merits(worth, 0.0, about)


@allocating_kernel
def _hint_cards(view: Any, odds: Odds, out: FloatArray) -> None:
    """Write the hints about the cards that may be played, each in its best cell."""
    side, cards = int(view.map_size), int(view.num_cards)
    worth, most = np.zeros(side * side), np.zeros(cards)
    about = np.zeros(len(KINDS) * side * side, np.float32)
    for word in range(WORDS):
        rest = view.playable[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            best = _hint_cells(view, odds, card, worth, about)
            at = int(s.index_of(view, card))
            most[at] = worth[best] + burden(view, card) + NEVER
            for kind in range(1, len(KINDS)):
                out[at + kind * cards] = about[best + kind * side * side]
    _write_merits(most, 0.0, out)


@subroutine
def _hint_cells(view: Any, odds: Odds, card: int, worth: Floats, out: FloatArray) -> int:
    """Write the hints about the cells where a card may go, and return the best cell.

    Args:
        view: the table.
        odds: from `odds_of`.
        card: the card to be added.
        worth: overwritten, by place: `NEVER` less what it costs; 0 where the card may not go.
        out: all hints but the merit, by kind and place in the window.
    """
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    side = int(view.map_size)
    find_cells(view, card, legal)
    fill_matches(view, card, matches)
    worth[:] = 0.0
    best = 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            threat = threat_at(view, odds, card, cell, matches)
            place = (cell >> 4) * side + (cell & 15)
            _write(threat, out, place, side * side)
            worth[place] = NEVER - play_cost(view, threat, card)
            if worth[place] > worth[best]:
                best = place
    return best


@kernel
def _write_merits(worth: Floats, none: float, out: FloatArray) -> None:
    """Write how close each possible choice comes to the best one; ``none`` stands for no choice."""
    best = none
    for value in worth:
        best = max(best, value)
    for i in range(len(worth)):
        if worth[i] > none:
            out[i] = math.exp(-SLOPE * (best - worth[i]))


@kernel
def _write(threat: Threat, out: FloatArray, at: int, step: int) -> None:
    """Write the hints about one play, in the order of `KINDS` from the second on."""
    out[at + step] = 1.0 - min(threat.thrown, MOST) / MOST
    out[at + 2 * step] = 1.0 - min(threat.relief, MOST_RELIEF) / MOST_RELIEF
    out[at + 3 * step] = threat.quiet
    out[at + 4 * step] = 1.0 - threat.finish
    out[at + 5 * step] = 0.0 if threat.safe else 1.0


# --- In a team ------------------------------------------------------------------------------------


def _team_layout(params: Params) -> dict[str, int]:
    """Name and length of each part, in order; zero where nothing is asked.

    All are 1 for what `expert` likes best, and less and less for what is worth less to it:
    logarithms of the chances of the piles, and what else it counts.
    """
    cells, cards = params.map_size**2, len(s.deck(params))
    return {
        "card_merit": cards,  # to choose the card to play
        "cell_merit": cells,  # to choose its cell
        "throw_merit": cards,  # to throw, and so on
        "pass_merit": 1,
        "pile_merit": cards,
    }


@allocating_kernel
def _hint_team(view: Any, mask: BoolArray, out: FloatArray) -> None:
    """Write the hints for the seat to act into ``out``, which is zero on entry."""
    cards, side = int(view.num_cards), int(view.map_size)
    if view.phase == s.THROW:
        gains = np.zeros(len(mask))
        judge_throws(view, mask, look_out(view), gains)
        for action in range(view.at_throw, len(mask)):
            if not mask[action]:
                gains[action] = WORST
        # Throws, pass and piles stand in the order of their actions.
        _write_merits(
            gains[view.at_throw : view.at_pile + cards], WORST, out[cards + side * side :]
        )
    elif view.phase in (s.CARD, s.CELL):
        _hint_plays(view, out, cards, side)


@allocating_kernel
def _hint_plays(view: Any, out: FloatArray, cards: int, side: int) -> None:
    outlook = look_out(view)
    gains, scores = note_gains(view, outlook), np.zeros(s.NUM_CELLS)
    by_card, by_cell = np.full(cards, WORST), np.full(side * side, WORST)
    for card in range(c.NUM_CARDS):
        if c.has(view.playable, card) if view.phase == s.CARD else card == view.chosen:
            best = judge_cells(view, card, prospects(view, card, outlook, gains), scores)
            by_card[s.index_of(view, card)] = scores[best]
    if view.phase == s.CARD:
        _write_merits(by_card, WORST, out)
    else:
        for place in range(side * side):
            by_cell[place] = scores[s.SIDE * (place // side) + place % side]
        _write_merits(by_cell, WORST, out[cards:])
