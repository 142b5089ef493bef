"""All sets of cards that spell a word, as a table that a search looks hands up in.

Every kind of card has two numbers. The sum of the first ones is different for all sets that could
spell a word, so it names a set; the sum of the second ones is at random, and says where to look.
Both are sums, so those of all sets of a hand come by adding.

`index` is one int64 array: for each kind the number that names it (`NAMES`), the number for looking
(`PLACES`) and the most copies of it in any set (`MOST`), 31 each, then the slots. A set is in the
slot of its place, or if that is taken in the next free one; `EMPTY` ends the search. `marks` is a
bitmap with a bit set for each place in use: most sets of cards spell nothing, and miss there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES, MAX_HAND, NUM_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMES, PLACES, MOST, SLOTS = (i * NUM_KINDS for i in range(4))
EMPTY = -1
# Which bits of the sum say where to look, in the bitmap and in the slots.
MARK_SHIFT, SLOT_SHIFT = 30, 8
SLOTS_FOR_ONE, MARKS_FOR_ONE = 2, 16
"""For each set at least so many slots and bits, so that few searches meet another set's."""

_PAIRS = [(name, bytes([card])) for card, name in enumerate(CARD_NAMES) if len(name) == 2]
_TO_CARDS = bytes.maketrans(bytes(range(97, 123)), bytes(range(26)))


def build_index(words: Iterable[str]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return `index` and `marks` of all sets of 2 to `MAX_HAND` cards of one deck that spell words.

    Raises:
        ValueError: the words repeat their cards so often that 63 bits cannot name the sets.
    """
    hands = hands_that_spell(words)
    counts = np.zeros((len(hands), NUM_KINDS), np.int64)
    for row, hand in zip(counts, hands, strict=True):
        for card in hand:
            row[card] += 1
    most = counts.max(axis=0, initial=0)
    names, product = [], 1
    for copies in most.tolist():
        names.append(product)
        product *= copies + 1
    if product > np.iinfo(np.int64).max:
        raise ValueError(
            "the words of this list repeat cards too often; leave out the oddest words"
        )
    # Sums of ten stay below 2 ** 63.
    places = np.random.default_rng(118).integers(2**58, size=NUM_KINDS)
    room = 1 << max(6, (len(hands) - 1).bit_length())
    where = counts @ places
    slots = _fill(counts @ np.array(names), where >> SLOT_SHIFT, room * SLOTS_FOR_ONE)
    marks = np.zeros(room * MARKS_FOR_ONE // 64, np.uint64)
    bits = (where >> MARK_SHIFT) & (room * MARKS_FOR_ONE - 1)
    np.bitwise_or.at(marks, bits >> 6, np.uint64(1) << (bits & 63).astype(np.uint64))
    return np.concatenate([np.array(names), places, most, slots]), marks


def hands_that_spell(words: Iterable[str]) -> list[bytes]:
    """Return all sets of cards of one deck that spell a word, as sorted kinds, in order."""
    found: set[bytes] = set()
    for word in words:
        ways = [word.encode().translate(_TO_CARDS)]
        for name, card in _PAIRS:
            letters = name.encode().translate(_TO_CARDS)
            # Where a pair comes twice, a hand is the same whichever is replaced; and no two pairs
            # share a letter, so that none is broken by replacing another.
            if letters in ways[0]:
                ways = [
                    w.replace(letters, card, n) for w in ways for n in range(w.count(letters) + 1)
                ]
        found.update(bytes(sorted(way)) for way in ways if 2 <= len(way) <= MAX_HAND)
    copies: list[int] = COPIES.tolist()
    return sorted(hand for hand in found if all(hand.count(card) <= copies[card] for card in hand))


def _fill(names: NDArray[np.int64], wanted: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Put each name into the slot it wants, or the next free one."""
    slots = [EMPTY] * size
    for name, slot in zip(names.tolist(), (wanted & (size - 1)).tolist(), strict=True):
        place = slot
        while slots[place] != EMPTY:
            place = (place + 1) & (size - 1)
        slots[place] = name
    return np.array(slots, np.int64)
