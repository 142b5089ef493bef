"""Features of each word of Quiddler Solitaire for a network.

Each row describes a word that can still be made, and belongs to the action that leads to it. It
tells which cards the word leaves open and whether words can use them up. The only other things that
matter are how many cards are face down and which these may be, because an empty place is filled
from another stack while there are any. The features ignore what may be turned up next.
"""

from __future__ import annotations

from typing import Any

from kitchentable.core.bits import count_bits
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_ints, scratch_shorts
from kitchentable.core.state import NOBODY, Bits, BoolArray, FloatArray, Ints
from kitchentable.games.quiddler.cards import CARD_NAMES, NUM_KINDS
from kitchentable.games.quiddler.solitaire.knowledge import Knowledge
from kitchentable.games.quiddler.solitaire.players.hand import (
    OPEN_SIZE,
    Hand,
    find_words,
    num_face_down,
)
from kitchentable.games.quiddler.solitaire.players.moves import (
    look_at_word,
    most_covered,
    move,
)
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, NUM_STACKS, WORD
from kitchentable.games.quiddler.words.solver import BLOCKS, NUM_SETS, find_cover

STEP = 4
"""The number of face-down cards is encoded in steps of this size."""
NUM_STEPS = (NUM_DEALT - NUM_STACKS) // STEP + 1
MOST = 128
"""Maximum number of rows; fewer than 1 % of positions have more words, and some are left out."""
NAMES = (
    "word",  # whether the word is complete and the action ends it
    "unlisted",  # a legal action without a row above; all other features are 0
    *(f"leaves_{name}" for name in CARD_NAMES),  # whether a card of the kind is left open
    *(f"leaves_more_{name}" for name in CARD_NAMES),  # whether several are
    *(f"open_{count}" for count in range(NUM_STACKS)),  # one-hot: how many cards are left open
    *(f"down_{step}" for step in range(NUM_STEPS)),  # one-hot: cards face down before, by fours
    "covered",  # the most cards left open that words can use up, of 8
    "all",  # whether they can all be used up
)
# Column indices of these names.
COMPLETE, UNLISTED = NAMES.index("word"), NAMES.index("unlisted")
LEAVES, MORE = (NAMES.index(f"{what}_{CARD_NAMES[0]}") for what in ("leaves", "leaves_more"))
LEFT, DOWN, COVERED, ALL = map(NAMES.index, ("open_0", "down_0", "covered", "all"))


@subroutine
def write(known: Knowledge, mask: BoolArray, actions: Ints, out: FloatArray, *tables: Any) -> None:
    """Write the features of the words that can still be made, and the action of each row."""
    nodes, edges, index, marks = tables[:4]
    room, words = scratch_ints(OPEN_SIZE), scratch_shorts(NUM_SETS)
    hand = find_words(known, index, marks, room, words)
    cover = scratch_bits(BLOCKS)
    find_cover(words, hand.num_words, hand.size, cover)
    begun = look_at_word(known, hand, scratch_ints(NUM_KINDS), nodes, edges)
    listed = 0
    actions[:] = NOBODY
    row = 0
    for i in range(hand.num_words):
        action = move(hand, begun, words[i], nodes, edges)
        if action != NOBODY and row < MOST:
            actions[row] = action
            listed |= 1 << action
            out[row, COMPLETE] = action == WORD
            _write_word(known, hand, words[i], cover, out[row])
            row += 1
    for action in range(mask.shape[0]):
        if mask[action] and not listed >> action & 1 and row < MOST:
            actions[row] = action
            out[row, UNLISTED] = 1.0
            row += 1


@kernel
def _write_word(known: Knowledge, hand: Hand, word: int, cover: Bits, out: FloatArray) -> None:
    """Write the features of a word, mainly of the cards that it leaves open."""
    for p in range(hand.size):
        if not word >> p & 1:
            kind = hand.cards[p]
            out[(MORE if out[LEAVES + kind] else LEAVES) + kind] = 1.0
    left, covered = hand.size - count_bits(word), most_covered(cover, hand.size, word)
    out[LEFT + left] = 1.0
    out[DOWN + (num_face_down(known.heights) + STEP - 1) // STEP] = 1.0
    out[COVERED] = covered / NUM_STACKS
    out[ALL] = covered == left
