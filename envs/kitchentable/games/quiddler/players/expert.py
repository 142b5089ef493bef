"""The strongest scripted player of Quiddler.

All its values are expected points in this hand times `melds.UNIT`. They include the expected value
of each bonus, minus the mean of what the other seats are expected to get of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.state import Bits, BoolArray, FloatArray, Ints, Stream
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    UNIT,
    Bonus,
    Melds,
    find_melds,
    linear_bonus,
)
from kitchentable.games.quiddler.players.moves import (
    best_discard,
    can_lay,
    find_discards,
    judge,
    spell_on,
)
from kitchentable.games.quiddler.players.outlook import Additions, find_additions, look_out
from kitchentable.games.quiddler.players.reading import Look, look_at
from kitchentable.games.quiddler.scoring import BONUS
from kitchentable.games.quiddler.words.solver import MAX_HELD, MAX_WORDS

COST_OF_STAYING = 1.5
"""Mean points that the other seats gain from another turn."""
HURRY = 0.25
"""Increase of this cost with every turn of the seat."""


@allocating_kernel
def expert(
    observation: FloatArray,
    mask: BoolArray,
    variant: s.State,
    rng: Stream,  # noqa: ARG001
    *tables: Any,
) -> int:
    """Play the action with the highest expected points in the hand.

    The player counts the cards seen and computes the best meld with each kind that may come next.
    So it goes out when waiting for a better card would gain less than it would give the others.
    """
    nodes, edges, index, marks = tables[:4]
    seen = look_at(observation, variant)
    if seen.phase == s.JUDGE:
        return judge(observation, mask, variant, seen, nodes, edges)
    bonus = expected_bonus(seen, variant)
    melds = find_melds(seen.hand, bonus, index, marks)
    if seen.phase == s.SOURCE:
        if not mask[s.DRAW]:
            return s.TAKE
        return _choose_source(seen, melds, bonus, find_additions(melds, bonus, index, *tables[4:]))
    discards = find_discards(melds, mask, variant)
    out = seen.last_turns == 0 and can_lay(mask, variant)
    place = best_discard(melds, discards, melds.all_laid)
    value = melds.all_laid[((1 << melds.size) - 1) ^ 1 << place]
    out = out and value > NEVER
    if not out:
        place = best_discard(melds, discards, melds.worth)
    if seen.last_turns == 0 and seen.length == 0 and seen.words[0] == 0:
        additions = find_additions(melds, bonus, index, *tables[4:])
        kind, stay = _best_to_keep(seen, melds, bonus, discards, additions)
        cost = COST_OF_STAYING + HURRY * seen.turns[0]
        if not out or value < stay - int(cost * UNIT):
            return (s.STAY if variant.meld == s.BY_ITSELF else s.DISCARD) + kind
    if variant.meld == s.BY_ITSELF:
        return _lay_by_itself(seen, bonus, discards, out, index, marks)
    return spell_on(seen, mask, melds, bonus, place, out, nodes, edges)


# --- The bonuses ---------------------------------------------------------------------------------

LONGEST_AT_0, LONGEST_BY_CARD, LONGEST_SPREAD = 2.2, 0.36, 0.62
"""Logistic model of the letters in a laid hand's longest word; its mean is linear in the cards."""
MOST_AT_0, MOST_BY_CARD, MOST_SPREAD = 0.35, 0.235, 0.3
"""Likewise for the number of words."""


@allocating_kernel
def expected_bonus(seen: Look, variant: s.State) -> Bonus:
    """Return the expected value of the bonuses minus what the other seats are expected to get."""
    longest, most = np.zeros(LETTERS_SPAN + 1, np.int64), np.zeros(MAX_WORDS + 1, np.int64)
    for_longest = seen.seats > 2 or variant.two_player_bonus == s.BONUS_LONGEST
    for_most = seen.seats > 2 or variant.two_player_bonus == s.BONUS_MOST
    if for_longest:
        middle = LONGEST_AT_0 + LONGEST_BY_CARD * seen.size
        for letters in range(LETTERS_SPAN + 1):
            figure = max(letters, seen.longest[0])
            longest[letters] = _chance_of_bonus(seen, seen.longest, figure, middle, LONGEST_SPREAD)
    if for_most:
        middle = MOST_AT_0 + MOST_BY_CARD * seen.size
        for words in range(MAX_WORDS + 1):
            figure = min(words + seen.words[0], MAX_WORDS)
            most[words] = _chance_of_bonus(seen, seen.words, figure, middle, MOST_SPREAD)
    return Bonus(longest, most, for_longest, for_most)


@subroutine
def _chance_of_bonus(seen: Look, laid: Ints, figure: int, middle: float, spread: float) -> int:
    """Return the value of so many letters or words, given what the others have laid or will lay."""
    below, not_above = 1.0, 1.0
    for seat in range(1, seen.seats):
        if seen.last_turns == 0 or seat < seen.last_turns:
            below *= 1.0 / (1.0 + np.exp((middle - figure + 0.5) / spread))
            not_above *= 1.0 / (1.0 + np.exp((middle - figure - 0.5) / spread))
        else:
            below *= laid[seat] < figure
            not_above *= laid[seat] <= figure
    return int(BONUS * UNIT * (below - (1.0 - not_above) / (seen.seats - 1)))


# --- Decisions -----------------------------------------------------------------------------------


@allocating_kernel
def _choose_source(seen: Look, melds: Melds, bonus: Bonus, additions: Additions) -> int:
    """Take the top discard if it is worth at least the mean of all cards that may be drawn."""
    outlook = look_out(melds, bonus, 0, additions)
    nothing = bonus.longest[0] + bonus.most[0]
    drawn, cards, taken = 0, 0, 0
    for kind in range(NUM_KINDS):
        value = max(outlook.laid[kind * MAX_HELD], nothing)
        drawn += seen.unseen[kind] * value
        cards += seen.unseen[kind]
        if kind == seen.top:
            taken = value
    return s.TAKE if taken * cards >= drawn else s.DRAW


@allocating_kernel
def _best_to_keep(
    seen: Look, melds: Melds, bonus: Bonus, discards: int, additions: Additions
) -> tuple[int, int]:
    """Return the kind whose discard gives the best expected meld next turn, and that value."""
    outlook = look_out(melds, bonus, discards, additions)
    nothing = bonus.longest[0] + bonus.most[0]
    best, best_kind = 2 * NEVER, 0
    for row in range(outlook.rows):
        value, cards = 0, 0
        for kind in range(NUM_KINDS):
            value += seen.unseen[kind] * max(nothing, outlook.laid[kind * MAX_HELD + row])
            cards += seen.unseen[kind]
        p = 0
        while outlook.gone[row] >> p > 1:
            p += 1
        value = value // max(cards, 1)
        if value > best:
            best, best_kind = value, int(melds.cards[p])
    return best_kind, best


@allocating_kernel
def _lay_by_itself(
    seen: Look, bonus: Bonus, discards: int, out: bool, index: Ints, marks: Bits
) -> int:
    """Return the ``"auto"`` action that lays the most points, including bonuses."""
    best, action = 2 * NEVER, 0
    everything = 0
    for objective in range(2):
        if bonus.for_most if objective else bonus.for_longest or not bonus.for_most:
            melds = find_melds(seen.hand, linear_bonus(1, objective == 1), index, marks)
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
