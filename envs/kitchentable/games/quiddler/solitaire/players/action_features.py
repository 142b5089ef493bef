"""What can be said at once of each word of Quiddler Solitaire, as numbers for a network.

A row is about a word that can still be made, and belongs to the action that goes on to it: which
cards it uses up, which it leaves open, and which words these hold. What may be turned up next is
not looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import NOBODY, BoolArray, FloatArray
from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.solitaire.players.moves import (
    Integers,
    look_at_word,
    most_covered,
    move,
    num_cards,
)
from kitchentable.games.quiddler.solitaire.players.reading import (
    Hand,
    Look,
    find_words,
    look_at,
    num_face_down,
)
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS, STACK_SIZE, WORD
from kitchentable.games.quiddler.words.solver import BLOCKS, Bits, find_cover

MOST = 128
"""Rows; fewer than one position in a hundred has more words, some of which are left out."""
NAMES = (
    "word",  # whether the word is complete and ends here
    "unlisted",  # a legal action that no row before goes on with; nothing else is said of it
    *(f"uses_{name}" for name in CARD_NAMES),  # cards of each kind that the word uses, of 4
    *(f"leaves_{name}" for name in CARD_NAMES),  # cards of each kind that it leaves open, of 4
    "cards",  # that it uses, of 8
    "points",  # on them, of 40
    "height",  # of the stacks that it takes them from: all their cards, of 48
    "last_cards",  # stacks of which it takes the last card, of 8
    "words",  # words that the cards left open hold, of 32
    "stranded",  # cards left open that are in none of them, of 8
    "covered",  # the most cards left open that words can use up together, of 8
    "all",  # whether they can all be used up
    "open",  # whether no card lies face down any more
)
USES, LEAVES = NAMES.index(f"uses_{CARD_NAMES[0]}"), NAMES.index(f"leaves_{CARD_NAMES[0]}")
NUMBERS = NAMES.index("cards")
MOST_COPIES, MOST_POINTS, MOST_WORDS = 4, 40, 32


@allocating_kernel
def write(
    observation: FloatArray,
    mask: BoolArray,
    variant: Integers,  # noqa: ARG001
    actions: Integers,
    out: FloatArray,
    *tables: Any,
) -> None:
    """Describe the words that can still be made, in rows of ``out``."""
    if not mask.any():
        return
    nodes, edges, index, marks = tables
    seen = look_at(observation)
    hand = find_words(seen, index, marks)
    cover = np.zeros(BLOCKS, np.uint64)
    find_cover(hand.words, hand.num_words, hand.size, cover)
    begun = look_at_word(seen, hand, nodes, edges)
    listed = np.zeros(mask.shape[0], np.bool_)
    actions[:] = NOBODY
    row = 0
    for i in range(hand.num_words):
        action = move(hand, begun, hand.words[i], nodes, edges)
        if action != NOBODY and row < MOST:
            actions[row] = action
            listed[action] = True
            out[row, 0] = action == WORD
            _write_word(seen, hand, i, cover, out[row])
            row += 1
    for action in range(mask.shape[0]):
        if mask[action] and not listed[action] and row < MOST:
            actions[row] = action
            out[row, 1] = 1.0
            row += 1


@kernel
def _write_word(seen: Look, hand: Hand, number: int, cover: Bits, out: FloatArray) -> None:
    """Describe a word by the cards it uses and those it leaves open."""
    word = hand.words[number]
    points, height, last_cards = 0, 0, 0
    for p in range(hand.size):
        kind = hand.cards[p]
        if word >> p & 1:
            out[USES + kind] = min(out[USES + kind] + 1.0 / MOST_COPIES, 1.0)
            points += VALUES[kind]
            height += seen.heights[hand.stacks[p]]
            last_cards += seen.heights[hand.stacks[p]] == 1
        else:
            out[LEAVES + kind] = min(out[LEAVES + kind] + 1.0 / MOST_COPIES, 1.0)
    others, reached = 0, 0
    for j in range(hand.num_words):
        if hand.words[j] & word == 0:
            others += 1
            reached |= hand.words[j]
    used, covered = num_cards(word), most_covered(cover, hand.size, word)
    out[NUMBERS] = used / NUM_STACKS
    out[NUMBERS + 1] = min(points / MOST_POINTS, 1.0)
    out[NUMBERS + 2] = height / (NUM_STACKS * STACK_SIZE)
    out[NUMBERS + 3] = last_cards / NUM_STACKS
    out[NUMBERS + 4] = min(others / MOST_WORDS, 1.0)
    out[NUMBERS + 5] = (hand.size - used - num_cards(reached)) / NUM_STACKS
    out[NUMBERS + 6] = covered / NUM_STACKS
    out[NUMBERS + 7] = used + covered == hand.size
    out[NUMBERS + 8] = num_face_down(seen.heights) == 0
