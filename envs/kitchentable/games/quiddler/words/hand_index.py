"""Hash tables of all sets of cards that spell a word, or that lack one card of a word.

Every kind of card has two numbers. The sum of the first numbers, the *name*, differs between all
sets that could spell a word. The sum of the second numbers, the *place*, is random and serves as
the hash. As both are sums, those of all subsets of a hand are computed by additions.

`index` is one int64 array: for each kind the number for the name (`NAMES`), the number for the
place (`PLACES`) and the most copies of the kind in any set (`MOST`), 31 each, then the slots, which
hold names. A set is in the slot of its place or, if that is taken, in the next free one; `EMPTY`
ends the search. `marks`, uint64, is a bitmap of the places in use: most sets of cards spell nothing
and miss there.

`lacking`, int64, shape (slots, 2), has slots for the sets that lack one card of a word: the name of
the set, and the kinds that complete it, bit k for kind k. `lacking_marks` is its bitmap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.state import Bits
from kitchentable.games.quiddler.cards import COPIES, MAX_HAND, NUM_KINDS, PAIRS, TO_CARDS

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMES, PLACES, MOST, SLOTS = (i * NUM_KINDS for i in range(4))
EMPTY = -1
# The lowest bit of a place that is used as an index into the bitmap and the slots.
MARK_SHIFT, SLOT_SHIFT = 30, 8
SLOTS_FOR_WORD, SLOTS_FOR_LACKING, MARKS_FOR_ONE = 2.0, 1.25, 16
"""At least this many slots and bits per set, so that collisions are rare."""

Slots = NDArray[np.int64]


def build_index(words: Iterable[str]) -> tuple[Slots, Bits, Slots, Bits]:
    """Return the tables of all sets of 2 to `MAX_HAND` cards of one deck that spell words.

    They are `index`, `marks`, `lacking` and `lacking_marks`, see the module.

    Raises:
        ValueError: the words repeat cards so often that 63 bits cannot name the sets.
    """
    hands = hands_that_spell(words)
    counts = np.zeros((len(hands), NUM_KINDS), np.int64)
    for row, hand in zip(counts, hands, strict=True):
        for card in hand:
            row[card] += 1
    most = counts.max(axis=0, initial=0)
    bases, product = [], 1
    for copies in most.tolist():
        bases.append(product)
        product *= copies + 1
    if product > np.iinfo(np.int64).max:
        raise ValueError(
            "the words of this list repeat cards too often; leave out the oddest words"
        )
    to_name = np.array(bases)
    # Small enough that the sum over a hand stays below 2 ** 63.
    to_place = np.random.default_rng(118).integers(2**58, size=NUM_KINDS)
    names, places = counts @ to_name, counts @ to_place
    room, taken, marks = _find_slots(places, SLOTS_FOR_WORD)
    slots = np.full(room, EMPTY)
    slots[taken] = names
    index = np.concatenate([to_name, to_place, most, slots])
    of, kinds = np.nonzero(counts)  # each set without one card of each of its kinds
    lacking = _build_lacking(names[of] - to_name[kinds], places[of] - to_place[kinds], kinds)
    return index, marks, *lacking


def _build_lacking(
    names: NDArray[np.int64], places: NDArray[np.int64], kinds: NDArray[np.int64]
) -> tuple[Slots, Bits]:
    """Return `lacking` and `lacking_marks` for sets that each lack a card of one of ``kinds``.

    A set occurs once for each kind that completes it.
    """
    names, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    room, taken, marks = _find_slots(places[first], SLOTS_FOR_LACKING)
    complete = np.zeros(len(names), np.int64)
    np.bitwise_or.at(complete, inverse, 1 << kinds)
    lacking = np.full((room, 2), (EMPTY, 0))
    lacking[taken] = np.stack([names, complete], axis=1)
    return lacking, marks


def hands_that_spell(words: Iterable[str]) -> list[bytes]:
    """Return all sets of cards of one deck that spell a word, as kinds, both in sorted order."""
    hands: set[bytes] = set()
    for word in words:
        if len(word) > 2 * MAX_HAND:  # with every pair, its ways double
            continue
        ways = [word.encode().translate(TO_CARDS)]
        for kind, name in PAIRS:
            letters, card = name.encode().translate(TO_CARDS), bytes([kind])
            # If a pair occurs twice, replacing either one gives the same hand. No two pairs share a
            # letter, so replacing one never breaks another.
            if letters in ways[0]:
                ways = [
                    w.replace(letters, card, n) for w in ways for n in range(w.count(letters) + 1)
                ]
        hands.update(bytes(sorted(way)) for way in ways if 2 <= len(way) <= MAX_HAND)
    copies: list[int] = COPIES.tolist()
    return sorted(hand for hand in hands if all(hand.count(card) <= copies[card] for card in hand))


def _find_slots(places: NDArray[np.int64], slots_for_one: float) -> tuple[int, list[int], Bits]:
    """Return the number of slots, the slot of each set given its place, and the bitmap."""
    room = 1 << max(6, int(len(places) * slots_for_one).bit_length())
    taken, slots = [False] * room, []
    for home_slot in ((places >> SLOT_SHIFT) & (room - 1)).tolist():
        slot = home_slot
        while taken[slot]:
            slot = (slot + 1) & (room - 1)
        taken[slot] = True
        slots.append(slot)
    num_bits = MARKS_FOR_ONE << max(6, len(places).bit_length())
    marks = np.zeros(num_bits // 64, np.uint64)
    bits = (places >> MARK_SHIFT) & (num_bits - 1)
    np.bitwise_or.at(marks, bits >> 6, np.uint64(1) << (bits & 63).astype(np.uint64))
    return room, slots, marks
