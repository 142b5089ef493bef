"""What can be said at once of each legal action of Quiddler, as numbers for a network.

Which words the cards hold that an action keeps or lays, and what they score. What the next card may
bring, or what the others may do, is not looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES, NUM_KINDS, VALUES
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    UNIT,
    Melds,
    find_melds,
    plain_bonus,
    without_one,
)
from kitchentable.games.quiddler.players.reading import Look, look_at

Integers = NDArray[np.int64]

MOST = 34
"""Legal actions that are described: three for each kind of eleven cards, and one more."""
NAMES = (
    *("draw", "take", "stay", "longest", "most", "spell", "word"),  # one-hot: what it does
    *CARD_NAMES,  # one-hot: the card discarded, taken or spelled
    # The cards that it keeps or lays, laid in words as well as can be; of `take`, without the card
    # that is best discarded; of `draw`, the hand as it is.
    "points",  # points in words less points left over: 0.5 for none, 1 for 60
    "bonus",  # letters of the longest word, or words where their number counts, of 10
    "all_laid",  # whether words use up all of them
    "gain",  # points more than those of the whole hand as it is: 0.5 for none, 1 for 20
    "left",  # points left over, of 40
    "value",  # points on the card, of 15
    "unseen",  # its copies that nobody has shown, of all
    "lays",  # whether it lays words
    "last",  # whether somebody has gone out
)
KIND, MELD = NAMES.index(CARD_NAMES[0]), NAMES.index("points")
MOST_POINTS, MOST_GAIN, MOST_LEFT, MOST_BONUS = 60, 20, 40, 10
MOST_VALUE = int(VALUES.max())


@allocating_kernel
def write(
    observation: FloatArray, mask: BoolArray, variant: Integers, out: FloatArray, *tables: Any
) -> None:
    """Describe the first `MOST` legal actions of the seat to act, in rows of ``out``."""
    seen = look_at(observation, variant)
    if not mask.any() or seen.phase == s.JUDGE:
        return
    _, _, index, marks = tables
    bonus = plain_bonus(variant[s.V_PLAYERS] == 2 and variant[s.V_BONUS] == s.BONUS_MOST)
    melds = find_melds(seen.hand, bonus, index, marks)
    if seen.phase != s.SOURCE:
        _write_discards(seen, melds, mask, variant[s.V_MELD] == s.BY_ITSELF, out)
        return
    now = melds.worth[(1 << melds.size) - 1]
    row = 0
    if mask[s.DRAW]:
        out[0, 0] = 1.0
        _write_meld(melds, (1 << melds.size) - 1, now, out[0])
        row = 1
    if mask[s.TAKE]:
        seen.hand[seen.top] += 1
        more = find_melds(seen.hand, bonus, index, marks)
        out[row, 1] = 1.0
        _write_card(seen, seen.top, out[row])
        _write_meld(more, _best_kept(more), now, out[row])


@subroutine
def _best_kept(melds: Melds) -> int:
    """Return the set that is worth most of those without one card."""
    best, worth = 0, 2 * NEVER
    for kind in range(NUM_KINDS):
        if melds.places[kind]:
            kept = without_one(melds, kind)
            if melds.worth[kept] > worth:
                best, worth = kept, melds.worth[kept]
    return best


@subroutine
def _write_discards(
    seen: Look, melds: Melds, mask: BoolArray, by_itself: bool, out: FloatArray
) -> None:
    """Describe what is discarded, laid by itself or spelled."""
    now = melds.worth[(1 << melds.size) - 1]
    row = 0
    for action in range(mask.shape[0]):
        if mask[action] and row < out.shape[0]:
            what, kind = _what(action, by_itself)
            out[row, what] = 1.0
            if kind < NUM_KINDS:
                _write_card(seen, kind, out[row])
            if what < 5:  # a card is discarded
                _write_meld(melds, without_one(melds, kind), now, out[row])
            out[row, MELD + 7] = what > 2
            row += 1


@kernel
def _what(action: int, by_itself: bool) -> tuple[int, int]:
    """Return which of the first seven names an action is, and its kind of card."""
    if by_itself:
        return 2 + (action - s.STAY) // NUM_KINDS, (action - s.STAY) % NUM_KINDS
    if action == s.WORD:
        return 6, NUM_KINDS
    if action < s.WORD:
        return 5, action - s.SPELL
    return 2, action - s.DISCARD


@kernel
def _write_card(seen: Look, kind: int, out: FloatArray) -> None:
    out[KIND + kind] = 1.0
    out[MELD + 5] = VALUES[kind] / MOST_VALUE
    out[MELD + 6] = seen.unseen[kind] / COPIES[kind]
    out[MELD + 8] = seen.last_turns > 0


@kernel
def _write_meld(melds: Melds, kept: int, now: int, out: FloatArray) -> None:
    """Describe the best meld of a set of cards, beside that of the whole hand before."""
    worth = melds.worth[kept]
    points = worth // UNIT
    out[MELD] = min(max(0.5 + 0.5 * points / MOST_POINTS, 0.0), 1.0)
    out[MELD + 1] = min((worth - points * UNIT) / MOST_BONUS, 1.0)
    out[MELD + 2] = melds.all_laid[kept] > NEVER
    out[MELD + 3] = min(max(0.5 + 0.5 * (worth - now) / UNIT / MOST_GAIN, 0.0), 1.0)
    # Of all points on the cards, those laid count up and those left over down.
    out[MELD + 4] = min(max((melds.values[kept] - points) / 2 / MOST_LEFT, 0.0), 1.0)
