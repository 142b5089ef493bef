"""Laying words: what may be spelled next, and the words that ``meld="auto"`` lays.

All results follow from the hand, the words laid and the current rules. They are computed once per
step and stored in the record, so that masks only read them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_ints, scratch_shorts
from kitchentable.core.state import Bits, Ints
from kitchentable.games.quiddler.cards import LETTERS, NO_CARD, NUM_KINDS, VALUES
from kitchentable.games.quiddler.piles import leave_hand
from kitchentable.games.quiddler.scoring import word_start
from kitchentable.games.quiddler.state import BY_ITSELF, BY_SPELLING, MELD, NO_NODE, SOURCE, State
from kitchentable.games.quiddler.words.arrange import (
    LAYERS_SIZE,
    arrange,
    best_values,
    find_layers,
    spell,
)
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    EVERY_SET,
    HALVES,
    MAX_HELD,
    MAX_WORDS,
    NUM_SETS,
    ONE,
    Graph,
    add_discard,
    add_halves,
    clear,
    find_cover,
    find_places,
    follow,
    has,
    list_words,
    next_kinds,
    num_blocks,
    sort_hand,
    sum_of,
)


@kernel
def may_go_out(state: State) -> bool:
    """Whether the rules let the current player go out now, whatever cards it has."""
    turns = state.turns[state.current_player]
    return bool(state.last_turns == 0 and turns >= state.min_turns_before_out)


@kernel
def find_forbidden(state: State) -> None:
    """Write the kind that must not be discarded: the one taken, unless another copy is held."""
    player, kind = state.current_player, state.taken
    state.forbidden = NO_CARD
    if state.forbid_returning_discard and kind != NO_CARD:
        copies = state.hands[player, kind]
        for i in range(state.num_laid[player]):
            copies += state.laid[player, i] == kind
        if copies == 1:
            state.forbidden = kind


@kernel
def is_spelling(state: State) -> bool:
    """Whether the current player is in the middle of a word."""
    player = state.current_player
    return bool(state.num_laid[player] > word_start(state, player, state.num_words[player]))


@kernel
def look_ahead(state: State, *tables: Any) -> None:
    """Compute what the current player may lay; called at the end of each step."""
    if state.phase == MELD:
        if state.cards[0] == NO_CARD:
            begin_meld(state, *tables)
        elif state.meld == BY_SPELLING:
            find_options(state, tables[0], tables[1])
    elif state.phase == SOURCE and state.meld == BY_ITSELF:
        find_worth_of_taking(state, tables[2], tables[3])


@subroutine
def begin_meld(state: State, *tables: Any) -> None:
    """Compute from scratch what the current player may lay, even in the middle of its turn."""
    nodes, edges, index, marks = tables[:4]
    player = state.current_player
    size = _list_cards(state)
    state.left = (1 << size) - 1
    state.node = 0
    if state.meld == BY_ITSELF:
        _find_worth(state, size, index, marks)
        return
    if not state.challenges:
        _find_ends(state, size, index, marks)
    word = 0
    for i in range(state.num_laid[player]):
        _move_on(state, int(state.laid[player, i]), nodes, edges)
        if word < state.num_words[player] and state.word_ends[player, word] == i + 1:
            state.node = 0
            word += 1
    if word < MAX_WORDS and not is_spelling(state):
        state.in_lexicon[player, word] = 0
    find_options(state, nodes, edges)


@subroutine
def _list_cards(state: State) -> int:
    """Write the current player's cards, including laid ones, to ``cards``; return how many."""
    player = state.current_player
    counts, cards = scratch_ints(NUM_KINDS), scratch_ints(MAX_HELD)
    for kind in range(NUM_KINDS):
        counts[kind] = state.hands[player, kind]
    for i in range(state.num_laid[player]):
        counts[state.laid[player, i]] += 1
    size = sort_hand(counts, cards)
    state.cards[:] = NO_CARD
    for p in range(size):
        state.cards[p] = cards[p]
    return size


@subroutine
def _find_ends(state: State, size: int, index: Ints, marks: Bits) -> None:
    """Mark the sets of cards that may be left when a word ends."""
    blocks = num_blocks(size)
    clear(state.ends, blocks)
    if state.last_turns > 0:  # a card to discard must be left, other than the forbidden one
        for block in range(blocks):
            state.ends[block] = EVERY_SET
        _clear(state.ends, 0)
        for p in range(size):
            if state.cards[p] == state.forbidden:
                _clear(state.ends, 1 << p)
    elif may_go_out(state):  # sets that words and one discard use up
        words, cover = scratch_shorts(NUM_SETS), scratch_bits(BLOCKS)
        count = list_words(state.cards, size, index, marks, words)
        in_words, discards = 0, 0
        for i in range(count):
            in_words |= words[i]
        if count_bits(((1 << size) - 1) ^ in_words) > 1:  # two cards that no word takes
            return
        find_cover(words, count, size, cover)
        for p in range(size):
            discards |= (state.cards[p] != state.forbidden) << p
        add_discard(cover, size, discards, state.ends)


@kernel
def _clear(bitmap: Bits, cards: int) -> None:
    bitmap[cards >> 6] &= ~(ONE << np.uint64(cards & 63))


@kernel
def spell_card(state: State, kind: int, nodes: Graph, edges: Graph) -> None:
    """Add a card to the word being spelled."""
    player = state.current_player
    leave_hand(state, player, kind)
    state.laid[player, state.num_laid[player]] = kind
    state.num_laid[player] += 1
    _move_on(state, kind, nodes, edges)


@kernel
def end_word(state: State) -> None:
    """Lay the word being spelled; the next card begins a new one."""
    player = state.current_player
    state.word_ends[player, state.num_words[player]] = state.num_laid[player]
    state.num_words[player] += 1
    state.node = 0


@kernel
def _move_on(state: State, kind: int, nodes: Graph, edges: Graph) -> None:
    """Remove a card from those left and follow its edge in the word graph."""
    player = state.current_player
    for p in range(MAX_HELD):
        if state.left >> p & 1 and state.cards[p] == kind:
            state.left ^= 1 << p
            break
    node, is_word = NO_NODE, 0
    if state.node != NO_NODE:
        edge = follow(state.node, kind, nodes, edges)
        if edge:
            node, is_word = edge >> TARGET_SHIFT, int(edge & WORD_BIT != 0)
    state.node = node
    if state.num_words[player] < MAX_WORDS:
        # Provisional: the last card of the word decides.
        state.in_lexicon[player, state.num_words[player]] = is_word


@subroutine
def find_options(state: State, nodes: Graph, edges: Graph) -> None:
    """Write the kinds that may be spelled next, and whether the word being spelled may end."""
    places = scratch_ints(NUM_KINDS)
    find_places(state.cards, int(state.hand_sizes[state.hands_done]) + 1, places)
    if state.challenges:
        _find_free_options(state, places)
        return
    player, left = state.current_player, int(state.left)
    spelling = is_spelling(state)
    word = state.num_words[player]
    state.may_end = spelling and state.in_lexicon[player, word] != 0 and has(state.ends, left)
    if spelling or has(state.ends, left):
        state.next_kinds = next_kinds(state.node, left, places, state.ends, nodes, edges)
    else:
        state.next_kinds = 0


@subroutine
def _find_free_options(state: State, places: Ints) -> None:
    """Do the same as `find_options` if any two cards may be a word: only the counts matter.

    One card that may be discarded must be left in the end. A word may use all others, so a card can
    be added if the word can still get two cards.
    """
    player, left = state.current_player, int(state.left)
    length = state.num_laid[player] - word_start(state, player, state.num_words[player])
    size = count_bits(left)
    discards = left & ~places[state.forbidden] if state.forbidden != NO_CARD else left
    on_the_way = state.last_turns > 0 or may_go_out(state)
    # When going out, a word must leave only the discard or enough cards for another word.
    may_stop = state.last_turns > 0 or size == 1 or size > 2
    state.may_end = length >= 2 and discards != 0 and may_stop
    state.next_kinds = 0
    for kind in range(NUM_KINDS):
        card = places[kind] & left
        rest = discards & ~(card & -card)
        if on_the_way and card and rest and length + size > 2:
            state.next_kinds |= 1 << kind


# --- Words laid by the environment --------------------------------------------------------------


@subroutine
def _find_worth(state: State, size: int, index: Ints, marks: Bits) -> None:
    """Write the sets of cards that words use up, and the most points by discarded kind."""
    words, values = scratch_shorts(NUM_SETS), scratch_ints(HALVES)
    best = scratch_ints(MAX_HELD)
    count = list_words(state.cards, size, index, marks, words)
    find_cover(words, count, size, state.ends)
    add_halves(state.cards, size, VALUES, values)
    best_values(state.ends, values, size, best)
    total = sum_of(values, (1 << size) - 1)
    state.worth[:] = 0
    for p in range(size):
        kind = state.cards[p]
        state.worth[kind] = 2 * best[p] - (total - VALUES[kind])


@subroutine
def find_worth_of_taking(state: State, index: Ints, marks: Bits) -> None:
    """Write what the current player could lay now, and after taking the top discard."""
    player, top = state.current_player, state.pile[state.pile_size - 1]
    state.hands[player, top] += 1
    size = _list_cards(state)
    state.hands[player, top] -= 1
    _find_worth(state, size, index, marks)
    alone = state.forbid_returning_discard and state.hands[player, top] == 0
    worth, out = -NUM_SETS, False
    for p in range(size):
        if not (alone and state.cards[p] == top):
            worth = max(worth, int(state.worth[state.cards[p]]))
            out = out or has(state.ends, ((1 << size) - 1) ^ (1 << p))
    as_it_is = state.worth[top]
    forget_meld(state)
    state.worth_of_hand = as_it_is
    state.worth_of_taking = worth
    state.out_by_taking = out


@kernel
def forget_meld(state: State) -> None:
    """Clear all that was computed about what the current player may lay."""
    state.cards[:] = NO_CARD
    clear(state.ends, num_blocks(int(state.hand_sizes[state.hands_done]) + 1))
    state.worth[:] = 0
    state.worth_of_hand = 0
    state.worth_of_taking = 0
    state.out_by_taking = False
    state.left = 0
    state.node = 0
    state.next_kinds = 0
    state.may_end = False


@kernel
def best_worth(state: State) -> int:
    """Return the current player's points after the best discard."""
    best = -NUM_SETS
    for kind in range(NUM_KINDS):
        if state.hands[state.current_player, kind] > 0:
            best = max(best, int(state.worth[kind]))
    return int(best)


@kernel
def can_lay_all_but(state: State, kind: int) -> bool:
    """Whether words use up all of the current player's cards but one of kind ``kind``."""
    size = int(state.hand_sizes[state.hands_done]) + 1
    for p in range(size):
        if state.cards[p] == kind:
            return has(state.ends, ((1 << size) - 1) ^ (1 << p))
    return False


@subroutine
def lay_best(state: State, discarded: int, objective: int, *tables: Any) -> None:
    """Lay the best words that leave a card of kind ``discarded``; ties as in `arrange`."""
    nodes, edges, index, marks = tables[:4]
    size = int(state.hand_sizes[state.hands_done]) + 1
    words, chosen = scratch_shorts(NUM_SETS), scratch_ints(MAX_WORDS)
    values, letters = scratch_ints(HALVES), scratch_ints(HALVES)
    layers = scratch_bits(LAYERS_SIZE)
    places, spelled = scratch_ints(NUM_KINDS), scratch_ints(MAX_HELD)
    best = scratch_ints(MAX_HELD)
    count = list_words(state.cards, size, index, marks, words)
    find_layers(words, count, size, layers)
    add_halves(state.cards, size, VALUES, values)
    add_halves(state.cards, size, LETTERS, letters)
    find_places(state.cards, size, places)
    kept = ((1 << size) - 1) ^ (places[discarded] & -places[discarded])
    best_values(state.ends, values, size, best)
    most = best[lowest_bit(places[discarded])]
    number = arrange(size, kept, most, objective, words, count, layers, values, letters, chosen)
    for i in range(number):
        length = spell(chosen[i], places, nodes, edges, spelled)
        _lay_word(state, spelled, length)


@kernel
def _lay_word(state: State, spelled: Ints, length: int) -> None:
    player = state.current_player
    for i in range(length):
        leave_hand(state, player, int(spelled[i]))
        state.laid[player, state.num_laid[player]] = spelled[i]
        state.num_laid[player] += 1
    state.in_lexicon[player, state.num_words[player]] = 1
    state.word_ends[player, state.num_words[player]] = state.num_laid[player]
    state.num_words[player] += 1
