"""The strongest scripted player of Quiddler.

All its values are expected points in this hand times `melds.UNIT`. They include the expected value
of each bonus, minus the mean of what the other seats are expected to get of it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import subroutine
from kitchentable.core.scratch import scratch_bits, scratch_int16s, scratch_ints
from kitchentable.core.state import BoolArray, Ints, Stream
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import NO_CARD, NUM_KINDS
from kitchentable.games.quiddler.knowledge import Knowledge, num_spelled
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.players.melds import (
    BONUS_SIZE,
    MELDS_BITS,
    MELDS_INTS,
    MELDS_WORTHS,
    NEVER,
    UNIT,
    Bonus,
    Melds,
    Room,
    find_melds,
    linear_bonus,
    no_bonus,
)
from kitchentable.games.quiddler.players.moves import (
    best_discard,
    can_lay,
    find_discards,
    judge,
    spell_on,
)
from kitchentable.games.quiddler.players.outlook import look_out
from kitchentable.games.quiddler.scoring import BONUS
from kitchentable.games.quiddler.words.solver import MAX_HELD, MAX_WORDS

COST_OF_STAYING = 1.5
"""Mean points that the other seats gain from another turn."""
HURRY = 0.25
"""Increase of this cost with every turn of the seat."""


@subroutine
def expert(known: Knowledge, mask: BoolArray, _rng: Stream, *tables: Any) -> int:
    """Play the action with the highest expected points in the hand.

    The player counts the cards seen and computes the best meld with each kind that may come next.
    So it goes out when waiting for a better card would gain less than it would give the others.
    """
    if known.phase == s.JUDGE:
        return judge(known, mask, *tables)
    bonus = expected_bonus(known, scratch_ints(BONUS_SIZE))
    room = Room(scratch_ints(MELDS_INTS), scratch_bits(MELDS_BITS), scratch_int16s(MELDS_WORTHS))
    melds = find_melds(known, NO_CARD, bonus, room, *tables)
    if known.phase == s.SOURCE:
        return _choose_source(known, melds, bonus, *tables) if mask[s.DRAW] else s.TAKE
    discards = find_discards(known, mask, melds)
    out = known.last_turns == 0 and can_lay(known, mask)
    place = best_discard(melds, discards, melds.all_laid)
    value = melds.all_laid[((1 << melds.size) - 1) ^ 1 << place]
    out = out and value > NEVER
    if not out:
        place = best_discard(melds, discards, melds.worth)
    if known.last_turns == 0 and num_spelled(known) == 0 and known.words[0] == 0:
        kind, stay = _best_to_keep(known, melds, bonus, discards, *tables)
        cost = COST_OF_STAYING + HURRY * known.turns[0]
        if not out or value < stay - int(cost * UNIT):
            return (s.STAY if known.meld == s.BY_ITSELF else s.DISCARD) + kind
    if known.meld == s.BY_ITSELF:
        return _lay_by_itself(known, bonus, discards, out, room, *tables)
    return spell_on(known, mask, melds, bonus, place, out, *tables)


# --- The bonuses ---------------------------------------------------------------------------------

LONGEST_AT_0, LONGEST_BY_CARD, LONGEST_SPREAD = 2.2, 0.36, 0.62
"""Logistic model of the letters in a laid hand's longest word; its mean is linear in the cards."""
MOST_AT_0, MOST_BY_CARD, MOST_SPREAD = 0.35, 0.235, 0.3
"""Likewise for the number of words."""


@subroutine
def expected_bonus(known: Knowledge, room: Ints) -> Bonus:
    """Return the expected value of the bonuses minus what the other seats are expected to get."""
    for_longest = known.num_players > 2 or known.two_player_bonus == s.BONUS_LONGEST
    for_most = known.num_players > 2 or known.two_player_bonus == s.BONUS_MOST
    bonus = no_bonus(for_longest, for_most, room)
    if for_longest:
        middle = LONGEST_AT_0 + LONGEST_BY_CARD * known.dealt
        for letters in range(LETTERS_SPAN + 1):
            figure = max(letters, int(known.longest[0]))
            bonus.longest[letters] = _chance_of_bonus(
                known, known.longest, figure, middle, LONGEST_SPREAD
            )
    if for_most:
        middle = MOST_AT_0 + MOST_BY_CARD * known.dealt
        for words in range(MAX_WORDS + 1):
            figure = min(words + int(known.words[0]), MAX_WORDS)
            bonus.most[words] = _chance_of_bonus(known, known.words, figure, middle, MOST_SPREAD)
    return bonus


@subroutine
def _chance_of_bonus(
    known: Knowledge, laid: NDArray[np.int8], figure: int, middle: float, spread: float
) -> int:
    """Return the value of so many letters or words, given what the others have laid or will lay."""
    below, not_above = 1.0, 1.0
    for seat in range(1, known.num_players):
        if known.last_turns == 0 or seat < known.last_turns:
            below *= 1.0 / (1.0 + math.exp((middle - figure + 0.5) / spread))
            not_above *= 1.0 / (1.0 + math.exp((middle - figure - 0.5) / spread))
        else:
            below *= laid[seat] < figure
            not_above *= laid[seat] <= figure
    return int(BONUS * UNIT * (below - (1.0 - not_above) / (known.num_players - 1)))


# --- Decisions -----------------------------------------------------------------------------------


@subroutine
def _choose_source(known: Knowledge, melds: Melds, bonus: Bonus, *tables: Any) -> int:
    """Take the top discard if it is worth at least the mean of all cards that may be drawn."""
    outlook = look_out(melds, bonus, 0, *tables)
    no_word_worth = int(bonus.longest[0] + bonus.most[0])
    drawn, cards, taken = 0, 0, 0
    for kind in range(NUM_KINDS):
        value = max(int(outlook.laid[kind * MAX_HELD]), no_word_worth)
        unseen = int(known.unseen[kind])
        drawn += unseen * value
        cards += unseen
        if kind == known.top:
            taken = value
    return s.TAKE if taken * cards >= drawn else s.DRAW


@subroutine
def _best_to_keep(
    known: Knowledge, melds: Melds, bonus: Bonus, discards: int, *tables: Any
) -> tuple[int, int]:
    """Return the kind whose discard gives the best expected meld next turn, and that value."""
    outlook = look_out(melds, bonus, discards, *tables)
    no_word_worth = int(bonus.longest[0] + bonus.most[0])
    best, best_kind = 2 * NEVER, 0
    for row in range(outlook.rows):
        value, cards = 0, 0
        for kind in range(NUM_KINDS):
            unseen = int(known.unseen[kind])
            value += unseen * max(no_word_worth, int(outlook.laid[kind * MAX_HELD + row]))
            cards += unseen
        p = 0
        while outlook.gone[row] >> p > 1:
            p += 1
        value = value // max(cards, 1)
        if value > best:
            best, best_kind = value, int(melds.cards[p])
    return best_kind, best


@subroutine
def _lay_by_itself(
    known: Knowledge, bonus: Bonus, discards: int, out: bool, room: Room,
    *tables: Any,
) -> int:  # fmt: skip
    """Return the ``"auto"`` action that lays the most points, including bonuses."""
    best, action = 2 * NEVER, 0
    everything = 0
    for objective in range(2):
        if bonus.for_most if objective else bonus.for_longest or not bonus.for_most:
            ties = linear_bonus(1, objective == 1, scratch_ints(BONUS_SIZE))
            melds = find_melds(known, NO_CARD, ties, room, *tables)
            everything = (1 << melds.size) - 1
            for p in range(melds.size):
                if discards >> p & 1:
                    held = everything ^ 1 << p
                    laid = melds.all_laid[held] if out else melds.worth[held]
                    figure = laid & UNIT - 1
                    value = max(0, laid - figure)
                    value += bonus.most[figure] if objective else bonus.longest[figure]
                    if value > best:
                        best = value
                        action = (s.LAY_MOST if objective else s.LAY_LONGEST) + melds.cards[p]
    return action
