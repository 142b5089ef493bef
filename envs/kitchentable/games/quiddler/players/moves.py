"""Functions shared by the scripted players of Quiddler: masks, spelling, challenges."""

from __future__ import annotations

from kitchentable.core.kernels import subroutine
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, IntArray
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    Bonus,
    Melds,
    best_part,
    first_word,
    without_one,
)
from kitchentable.games.quiddler.players.reading import Look, read_kinds
from kitchentable.games.quiddler.words.arrange import spell
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import MAX_HELD, Graph, follow


@subroutine
def can_lay(mask: BoolArray, variant: s.State) -> bool:
    """Whether the mask allows laying or spelling words, or ending the one being spelled."""
    by_itself = variant.meld == s.BY_ITSELF
    first = s.LAY_LONGEST if by_itself else s.SPELL
    for action in range(first, first + NUM_KINDS):
        if mask[action]:
            return True
    return bool(not by_itself and mask[s.WORD])


@subroutine
def find_discards(melds: Melds, mask: BoolArray, variant: s.State) -> int:
    """Return the set of cards that may be discarded, with one card of each kind.

    In the middle of a word the mask marks no discards; then all kinds count as allowed, and a
    forbidden one is only noticed at the end of the word.
    """
    everything = (1 << melds.size) - 1
    known, held = 0, 0
    for kind in range(NUM_KINDS):
        if melds.places[kind]:
            card = everything ^ without_one(melds, kind)
            held |= card
            if variant.meld == s.BY_ITSELF:
                known |= card * (mask[s.STAY + kind] | mask[s.LAY_LONGEST + kind])
            else:
                known |= card * mask[s.DISCARD + kind]
    return known if known else held


@subroutine
def best_discard(melds: Melds, discards: int, worth: IntArray) -> int:
    """Return the position of the card without which the rest of the hand is worth most."""
    best, place = 2 * NEVER, 0
    everything = (1 << melds.size) - 1
    for p in range(melds.size):
        if discards >> p & 1 and worth[everything ^ 1 << p] > best:
            best, place = worth[everything ^ 1 << p], p
    return place


@subroutine
def spell_on(
    seen: Look, mask: BoolArray, melds: Melds, bonus: Bonus, place: int, out: bool,
    nodes: Graph, edges: Graph,
) -> int:  # fmt: skip
    """Return the action that spells the next card, ends the word, or discards card ``place``.

    The plan is computed again for each card. The hand includes the cards of the word being spelled,
    so the plan stays the same unless another policy began the word.
    """
    kept = ((1 << melds.size) - 1) ^ 1 << place
    laid = 0
    if out or seen.last_turns > 0:
        laid = kept if out else best_part(melds, kept)
    spelled = scratch_ints(MAX_HELD)
    length = 0
    if laid:
        length = spell(first_word(melds, bonus, laid), melds.places, nodes, edges, spelled)
    as_planned = seen.length <= length
    for i in range(min(seen.length, length)):
        as_planned = as_planned and seen.spelled[i] == spelled[i]
    action = s.DISCARD + int(melds.cards[place])
    if length > 0:
        following = s.SPELL + int(spelled[min(seen.length, length - 1)])
        action = s.WORD if seen.length == length else following
    if as_planned and mask[action]:
        return action
    if mask[s.WORD]:
        return s.WORD
    for other in range(mask.shape[0]):
        if mask[other]:
            return other
    return NOBODY


@subroutine
def judge(
    observation: FloatArray, mask: BoolArray, variant: s.State, seen: Look,
    nodes: Graph, edges: Graph,
) -> int:  # fmt: skip
    """Challenge the first invalid word, or pass."""
    kinds = scratch_ints(MAX_HELD)
    cards = read_kinds(observation, seen.judged, int(variant.largest_hand), kinds)
    starts = seen.judged + int(variant.largest_hand) * NUM_KINDS
    word, node, is_word = 0, 0, False
    for i in range(cards):
        is_word = False
        target = NOBODY
        if node != NOBODY:
            edge = follow(node, kinds[i], nodes, edges)
            if edge:
                target, is_word = edge >> TARGET_SHIFT, edge & WORD_BIT != 0
        node = target
        if i + 1 == cards or observation[starts + i + 1] > 0.0:
            if not is_word and mask[s.CHALLENGE + word]:
                return s.CHALLENGE + word
            word, node = word + 1, 0
    return s.PASS
