"""The graph of Quiddler's words and the index of hands contain these words and no others."""

import tracemalloc
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.quiddler.laying import KINDS, spellings

from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES
from kitchentable.games.quiddler.words.graph import (
    CARD_MASK,
    FIRST_SHIFT,
    TARGET_SHIFT,
    WORD_BIT,
    build_graph,
    edges_of,
    paths,
)
from kitchentable.games.quiddler.words.hand_index import (
    EMPTY,
    MARK_SHIFT,
    MAX_HAND,
    MOST,
    NAMES,
    PLACES,
    SLOT_SHIFT,
    SLOTS,
    build_index,
    hands_that_spell,
)
from kitchentable.games.quiddler.words.lexicon import Lexicon

PLAYABLE = st.lists(st.text("acelhinqrtu", min_size=2, max_size=12), min_size=1, max_size=30)


def expected_paths(words) -> set[tuple[int, ...]]:
    ways = {tuple(map(KINDS.index, way)) for word in words for way in spellings(word)}
    return {way for way in ways if len(way) >= 2}


def expected_hands(ways) -> set[tuple[int, ...]]:
    """Return the hands that spell a word, with no more cards of a kind than one deck has."""
    hands = {tuple(sorted(way)) for way in ways if len(way) <= MAX_HAND}
    return {hand for hand in hands if all(n <= COPIES[card] for card, n in Counter(hand).items())}


def stored_hands(index, names=None) -> list[tuple[int, ...]]:
    """Decode hands from their names: digits of a number with mixed bases."""
    bases = [int(most) + 1 for most in index[MOST:SLOTS]]
    names = index[SLOTS:] if names is None else names
    hands = []
    for name in names[names != EMPTY].tolist():
        hand: list[int] = []
        left = name
        for card, base in enumerate(bases):
            left, copies = divmod(left, base)
            hand += [card] * copies
        hands.append(tuple(hand))
    return hands


def check_form(nodes, edges) -> None:
    """Check the invariants of a graph, whatever its words."""
    rows = [tuple(edges_of(node, nodes, edges)) for node in range(len(nodes))]
    assert [edge for row in rows for edge in row] == edges.tolist()
    assert len(set(rows)) == len(rows), "equal nodes are one"
    for node, row in zip(nodes.tolist(), rows, strict=True):
        order = [edge & CARD_MASK for edge in row]
        assert order == [card for card in range(FIRST_SHIFT) if node >> card & 1]
    assert not any(edge & WORD_BIT for edge in rows[0])
    reached = list(dict.fromkeys((edges >> TARGET_SHIFT).tolist()))
    assert reached == list(range(1, len(nodes))), "breadth first, all nodes reachable"


def check_found(index, slots, marks, hands) -> None:
    """Look up every hand with the algorithm that the module documents."""
    for hand in hands:
        place = sum(int(index[PLACES + card]) for card in hand)
        name = sum(int(index[NAMES + card]) for card in hand)
        mark = (place >> MARK_SHIFT) % (64 * len(marks))
        assert int(marks[mark // 64]) >> (mark % 64) & 1
        slot = (place >> SLOT_SHIFT) % len(slots)
        while slots[slot] != name:
            assert slots[slot] != EMPTY
            slot = (slot + 1) % len(slots)


def check_lacking(index, lacking, marks, hands, step=1) -> None:
    """Check the cards that complete sets that lack one card of a word: every ``step``-th one."""
    hands, (names, kinds) = sorted(hands), lacking[::step].T
    stored = zip(stored_hands(index, names), kinds[names != EMPTY].tolist(), strict=True)
    known = set(hands)
    for less, found in stored:
        completing = [card for card in range(len(KINDS)) if tuple(sorted((*less, card))) in known]
        assert found == sum(1 << card for card in completing) > 0
    some = {hand[:at] + hand[at + 1 :] for hand in hands[::step] for at in range(len(hand))}
    check_found(index, lacking[:, 0], marks, some)


def check_whole(words, tables, step=1) -> None:
    """Check that tables hold these words and nothing else; of look-ups every ``step``-th one."""
    nodes, edges, index, marks, *lacking = tables
    ways, hands = expected_paths(words), stored_hands(index)
    assert sorted(paths(nodes, edges)) == sorted(ways)
    check_form(nodes, edges)
    assert sorted(hands) == sorted(expected_hands(ways))
    check_found(index, index[SLOTS:], marks, hands[::step])
    check_lacking(index, *lacking, hands, step)


def test_a_shipped_list_is_held_whole_and_nothing_else():
    shipped = Lexicon.shipped("scowl35")
    tables = shipped.tables()
    check_whole(shipped.words, tables, 40)
    spelled = {"".join(CARD_NAMES[card] for card in way) for way in paths(*tables[:2])}
    assert spelled == set(shipped.words)


@given(PLAYABLE)
def test_any_list_is_held_whole_and_nothing_else(words):
    check_whole(words, (*build_graph(sorted(set(words))), *build_index(words)))


def test_words_of_too_many_cards_or_of_a_kind_are_no_hands():
    """A hand has at most ten cards, and there are two b in the deck."""
    for word, hands in (("ab" * 6, 0), ("bab", 1), ("babb", 0)):
        nodes, edges = build_graph((word,))
        assert [len(way) for way in paths(nodes, edges)] == [len(word)]
        assert len(stored_hands(build_index((word,))[0])) == hands


def test_words_that_no_hand_spells_take_no_room():
    """Every pair could be one card or two."""
    tracemalloc.start()
    assert not hands_that_spell(["quinerthcl" * 12])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1_000_000


def test_a_list_whose_hands_cannot_be_named_is_refused():
    """Words of ten equal cards, for every kind with that many, or of all cards of the kind."""
    words = [
        letter * min(10, int(COPIES[KINDS.index(letter)]))
        for letter in "abcdefghijklmnopqrstuvwxyz"
    ]
    words += [name * 2 for name in ("qu", "in", "er", "th", "cl")]
    with pytest.raises(ValueError, match="repeat cards too often"):
        build_index(words)
