"""Functions shared by the scripted players of Quiddler: masks, spelling, challenges."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import subroutine
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.state import NOBODY, BoolArray
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import MAX_HAND, NO_CARD, NUM_KINDS
from kitchentable.games.quiddler.knowledge import Knowledge, num_spelled
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    Bonus,
    Melds,
    Worths,
    best_part,
    first_word,
    without_one,
)
from kitchentable.games.quiddler.words.arrange import spell
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import MAX_HELD, follow


@subroutine
def can_lay(known: Knowledge, mask: BoolArray) -> bool:
    """Whether the mask allows laying or spelling words, or ending the one being spelled."""
    by_itself = known.meld == s.BY_ITSELF
    first = s.LAY_LONGEST if by_itself else s.SPELL
    for action in range(first, first + NUM_KINDS):
        if mask[action]:
            return True
    return bool(not by_itself and mask[s.WORD])


@subroutine
def find_discards(known: Knowledge, mask: BoolArray, melds: Melds) -> int:
    """Return the set of cards that may be discarded, with one card of each kind.

    In the middle of a word the mask marks no discards; then all kinds count as allowed, and a
    forbidden one is only noticed at the end of the word.
    """
    everything = (1 << melds.size) - 1
    legal, held = 0, 0
    for kind in range(NUM_KINDS):
        if melds.places[kind]:
            card = everything ^ without_one(melds, kind)
            held |= card
            if known.meld == s.BY_ITSELF:
                legal |= card * (mask[s.STAY + kind] | mask[s.LAY_LONGEST + kind])
            else:
                legal |= card * mask[s.DISCARD + kind]
    return legal if legal else held


@subroutine
def best_discard(melds: Melds, discards: int, worth: Worths) -> int:
    """Return the position of the card without which the rest of the hand is worth most."""
    best, place = 2 * NEVER, 0
    everything = (1 << melds.size) - 1
    for p in range(melds.size):
        if discards >> p & 1 and worth[everything ^ 1 << p] > best:
            best, place = worth[everything ^ 1 << p], p
    return place


@subroutine
def spell_on(
    known: Knowledge, mask: BoolArray, melds: Melds, bonus: Bonus, place: int, out: bool,
    *tables: Any,
) -> int:  # fmt: skip
    """Return the action that spells the next card, ends the word, or discards card ``place``.

    The plan is computed again for each card. The hand includes the cards of the word being spelled,
    so the plan stays the same unless another policy began the word.
    """
    nodes, edges = tables[:2]
    kept = ((1 << melds.size) - 1) ^ 1 << place
    laid = 0
    if out or known.last_turns > 0:
        laid = kept if out else best_part(melds, kept)
    spelled = scratch_ints(MAX_HELD)
    length = 0
    if laid:
        word = first_word(melds, bonus, laid, *tables)
        length = spell(word, melds.places, nodes, edges, spelled)
    done = num_spelled(known)
    as_planned = done <= length
    for i in range(min(done, length)):
        as_planned = as_planned and known.word[i] == spelled[i]
    action = s.DISCARD + int(melds.cards[place])
    if length > 0:
        following = s.SPELL + int(spelled[min(done, length - 1)])
        action = s.WORD if done == length else following
    if as_planned and mask[action]:
        return action
    if mask[s.WORD]:
        return s.WORD
    for other in range(mask.shape[0]):
        if mask[other]:
            return other
    return NOBODY


@subroutine
def judge(known: Knowledge, mask: BoolArray, *tables: Any) -> int:
    """Challenge the first invalid word, or pass."""
    nodes, edges = tables[:2]
    words = known.accused_words
    word, node, is_word = 0, 0, False
    for i in range(MAX_HAND):
        if words[i] == NO_CARD:
            break
        is_word = False
        target = s.NO_NODE
        if node != s.NO_NODE:
            edge = follow(node, int(words[i]), nodes, edges)
            if edge:
                target, is_word = edge >> TARGET_SHIFT, edge & WORD_BIT != 0
        node = target
        is_last = i + 1 == MAX_HAND or words[i + 1] == NO_CARD
        if is_last or known.word_starts >> (i + 1) & 1:
            if not is_word and mask[s.CHALLENGE + word]:
                return s.CHALLENGE + word
            word, node = word + 1, 0
    return s.PASS
