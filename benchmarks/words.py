"""Speed of Quiddler's word searches, by the size of the hand."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from kitchentable import find_game
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.engine.compiling import loop
from kitchentable.games.quiddler.cards import BY_RARITY, COPIES, NUM_KINDS
from kitchentable.games.quiddler.words import arrange, solver
from kitchentable.games.quiddler.words.lexicon import find_lexicon
from kitchentable.games.quiddler.words.meld import solve

HANDS, RUNS = 2_000, 9
SIZES = (4, 6, 8, 10, 11)
"""The numbers of cards after drawing."""
MAX_HELD, NUM_SETS, BLOCKS, MAX_WORDS = (
    solver.MAX_HELD, solver.NUM_SETS, solver.BLOCKS, solver.MAX_WORDS
)  # fmt: skip
SPELLED = MAX_WORDS * MAX_HELD
FIRST_USE = """
import time
start = time.perf_counter()
from kitchentable.games.quiddler.words.lexicon import find_lexicon
imported = time.perf_counter()
find_lexicon("scowl60").tables()
print(time.perf_counter() - imported)
"""


def measure() -> dict[str, Any]:
    """Return microseconds per hand by size, and seconds to the word tables, cold and warm."""
    rows = []
    for size in SIZES:
        hands = _deal(size)
        rows.append({"cards": size} | {name: _time(f, hands) for name, f in _SEARCHES.items()})
        print(rows[-1])
    return {"rows": rows, "tables": _first_use()}


def _deal(size: int) -> Any:
    """Return random hands as numbers of cards of each kind; int8, shape (2000, 31)."""
    rng = np.random.default_rng(size)
    deck = np.repeat(np.arange(NUM_KINDS), COPIES)
    hands = [np.bincount(rng.permutation(deck)[:size], minlength=NUM_KINDS) for _ in range(HANDS)]
    return np.array(hands, np.int8)


def _time(search: Callable[..., None], hands: Any) -> float:
    """Return microseconds per hand, the median of several runs."""
    compiled = loop(search, game=find_game("quiddler"), name=f"bench-{search.__name__}")
    tables, found = find_lexicon("scowl60").tables(), np.zeros(HANDS, np.int64)
    compiled(hands, found, tables)
    runs = []
    for _ in range(RUNS):
        start = time.perf_counter()
        compiled(hands, found, tables)
        runs.append(time.perf_counter() - start)
    return statistics.median(runs) / HANDS * 1e6


def _go_out(hands: Any, found: Any, tables: Any) -> None:
    """Find whether all cards but one can be laid: words, and all sets of cards that they cover."""
    cards, words = scratch_ints(MAX_HELD), scratch_ints(NUM_SETS)
    cover, ends = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    for i in range(hands.shape[0]):
        size = solver.sort_hand(hands[i], BY_RARITY, cards)
        count = solver.list_words(cards, size, tables[2], tables[3], words)
        solver.find_cover(words, count, size, cover)
        solver.add_discard(cover, size, (1 << size) - 1, ends)
        found[i] = solver.has(ends, (1 << size) - 1)


def _best(hands: Any, found: Any, tables: Any) -> None:
    """Find the best arrangement over all discards, with the longest word."""
    spelled, lengths = scratch_ints(SPELLED).reshape(MAX_WORDS, MAX_HELD), scratch_ints(MAX_HELD)
    for i in range(hands.shape[0]):
        found[i] = solve(hands[i], -1, arrange.LONGEST, spelled, lengths, tables)


def _mask(hands: Any, found: Any, tables: Any) -> None:
    """Find the legal first letters on a last turn: for any word that leaves a card."""
    cards, places, ends = scratch_ints(MAX_HELD), scratch_ints(NUM_KINDS), scratch_bits(BLOCKS)
    ends[:] = np.uint64(0xFFFFFFFFFFFFFFFE)
    for i in range(1, BLOCKS):
        ends[i] = np.uint64(0xFFFFFFFFFFFFFFFF)
    for i in range(hands.shape[0]):
        size = solver.sort_hand(hands[i], BY_RARITY, cards)
        solver.find_places(cards, size, places)
        found[i] = solver.next_kinds(0, (1 << size) - 1, places, ends, tables[0], tables[1])


def _mask_out(hands: Any, found: Any, tables: Any) -> None:
    """Find the legal first letters for going out, including the solver."""
    cards, words, places = scratch_ints(MAX_HELD), scratch_ints(NUM_SETS), scratch_ints(NUM_KINDS)
    cover, ends = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    for i in range(hands.shape[0]):
        size = solver.sort_hand(hands[i], BY_RARITY, cards)
        count = solver.list_words(cards, size, tables[2], tables[3], words)
        solver.find_cover(words, count, size, cover)
        solver.add_discard(cover, size, (1 << size) - 1, ends)
        solver.find_places(cards, size, places)
        found[i] = solver.next_kinds(0, (1 << size) - 1, places, ends, tables[0], tables[1])


_SEARCHES: dict[str, Callable[..., None]] = {
    "can it go out": _go_out,
    "best meld": _best,
    "spelling mask, last turn": _mask,
    "solver and spelling mask, going out": _mask_out,
}


def _first_use() -> dict[str, float]:
    """Return seconds until the word tables are ready, in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        cold, *warm = (_run(folder) for _ in range(4))
    return {"cold": cold, "warm": statistics.median(warm)}


def _run(cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_USE],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)
