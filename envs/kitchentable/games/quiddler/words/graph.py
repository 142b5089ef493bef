"""The word graph: an automaton over cards that spelling follows card by card.

It is stored in two arrays, `nodes`, int64, and `edges`, int32. Node 0 is the root. A node is
`first << FIRST_SHIFT | kinds`: its edges begin at `edges[first]`, sorted by card, and bit k of
`kinds` is set if there is an edge for card k; counting the bits below it finds the edge. An edge is
`target << TARGET_SHIFT | is_word << 5 | card`. `is_word` is set if the cards from the root up to
and including this edge make a word. A word has at least two cards, so no edge of the root has this
bit: the card `in` alone is not a word, `i n` is. Equal subgraphs are stored once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from kitchentable.games.quiddler.cards import CARD_NAMES, NUM_KINDS, PAIRS, TO_CARDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Nodes: TypeAlias = npt.NDArray[np.int64]
Edges: TypeAlias = npt.NDArray[np.int32]
CARD_MASK = 31
WORD_BIT = 32
TARGET_SHIFT = 6
FIRST_SHIFT = NUM_KINDS


def edges_of(node: int, nodes: Nodes, edges: Edges) -> list[int]:
    """Return the edges of a node."""
    first, kinds = divmod(int(nodes[node]), 1 << FIRST_SHIFT)
    return [int(edge) for edge in edges[first : first + kinds.bit_count()]]


def paths(nodes: Nodes, edges: Edges) -> Iterator[tuple[int, ...]]:
    """Yield the cards along every path that makes a word."""
    open_paths: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while open_paths:
        node, cards = open_paths.pop()
        for edge in edges_of(node, nodes, edges):
            longer = (*cards, edge & CARD_MASK)
            if edge & WORD_BIT:
                yield longer
            open_paths.append((edge >> TARGET_SHIFT, longer))


def build_graph(words: Sequence[str]) -> tuple[Nodes, Edges]:
    """Return the nodes and edges of the graph whose paths are all spellings of the words.

    For example, both `q u i t` and `qu i t` are paths.

    Args:
        words: sorted and distinct, each of at least two letters a to z.
    """
    nodes, root = _minimised(word.encode().translate(TO_CARDS) for word in words)
    by_card = [{edge & CARD_MASK: edge for edge in edges} for edges in nodes]
    with_pairs = [[*edges.values(), *_pair_edges(edges, by_card)] for edges in by_card]
    return _pack(with_pairs, root)


def _pair_edges(edges: dict[int, int], by_card: list[dict[int, int]]) -> Iterator[int]:
    """Yield the edges of two-letter cards, each of which replaces two edges of single letters."""
    for card, name in PAIRS:
        first_card, second_card = (CARD_NAMES.index(letter) for letter in name)
        if first_card in edges:
            second = by_card[edges[first_card] >> TARGET_SHIFT].get(second_card)
            if second is not None:
                yield second - second_card + card


# --- Minimisation -------------------------------------------------------------------------------


def _minimised(words: Iterable[bytes]) -> tuple[list[tuple[int, ...]], int]:
    """Return the smallest graph of words in sorted order: the edges of each node, and the root.

    Daciuk, Mihov, Watson and Watson, "Incremental construction of minimal acyclic finite-state
    automata" (Computational Linguistics 26(1), 2000): the nodes of a word after the prefix that it
    shares with the next word are final, so they can be merged with equal nodes at once.
    """
    numbers: dict[tuple[int, ...], int] = {}
    edges: list[list[int]] = [[]]  # of each node along the last word
    labels: list[int] = []  # of the edges between them

    def close(depth: int) -> None:
        while len(labels) > depth:
            target = numbers.setdefault(tuple(edges.pop()), len(numbers))
            edges[-1].append(target << TARGET_SHIFT | labels.pop())

    last = b""
    for word in words:
        close(_shared_prefix(last, word))
        new = word[len(labels) :]
        labels.extend(new)
        labels[-1] |= WORD_BIT
        edges.extend([] for _ in new)
        last = word
    close(0)
    root = numbers.setdefault(tuple(edges[0]), len(numbers))
    return list(numbers), root


def _shared_prefix(word: bytes, other: bytes) -> int:
    for i, (left, right) in enumerate(zip(word, other, strict=False)):
        if left != right:
            return i
    return min(len(word), len(other))


def _pack(nodes: Sequence[Sequence[int]], root: int) -> tuple[Nodes, Edges]:
    """Number nodes breadth-first, so that those near the root share cache lines, and pack them."""
    order, numbers = [root], {root: 0}
    for node in order:
        for edge in nodes[node]:
            target = edge >> TARGET_SHIFT
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
    packed = [
        numbers[edge >> TARGET_SHIFT] << TARGET_SHIFT | edge & (WORD_BIT | CARD_MASK)
        for node in order
        for edge in nodes[node]
    ]
    first, rows = 0, []
    for node in order:
        rows.append(first << FIRST_SHIFT | sum(1 << (edge & CARD_MASK) for edge in nodes[node]))
        first += len(nodes[node])
    edges = np.array(packed, np.int32)
    edges[: len(nodes[root])] &= ~WORD_BIT
    return np.array(rows, np.int64), edges
