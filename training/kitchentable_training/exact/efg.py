"""Export of game trees in Gambit's extensive form, which OpenSpiel reads too.

The format is described in Gambit's manual, "The extensive game (.efg) file format". Each seat
numbers its information sets separately, from 1 on: `set_numbers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kitchentable_training.exact.tree import GameTree
from kitchentable_training.files import written_aside


def set_numbers(tree: GameTree) -> list[NDArray[np.int64]]:
    """Return the number of each information set among those of its seat, from 1 on; by depth."""
    owners = [level.owners for level in tree.levels]
    ends, together = np.cumsum([*map(len, owners)]), np.concatenate(owners)
    numbers = np.zeros(len(together), np.int64)
    for seat in range(tree.num_players):
        own = together == seat
        numbers[own] = 1 + np.arange(own.sum())
    return np.split(numbers, ends[:-1])


def write_efg(tree: GameTree, path: str | Path) -> None:
    """Write a tree to a file, one node per line, parents before their children."""
    with written_aside(Path(path)) as aside, aside.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in _lines(tree))


def _lines(tree: GameTree) -> Iterator[str]:
    seats = " ".join(f'"player_{seat}"' for seat in range(tree.num_players))
    yield f'EFG 2 R "{tree.game.name}" {{ {seats} }}'
    deals = " ".join(f'"deal {i}" {chance!r}' for i, chance in enumerate(tree.chances.tolist()))
    yield f'c "" 1 "" {{ {deals} }} 0'
    names, numbers = tree.game.rules.action_names(tree.params), set_numbers(tree)
    ended = [np.cumsum(level.sets < 0) - 1 for level in tree.levels]
    waiting = [(0, node) for node in reversed(range(len(tree.chances)))]
    outcome = 0
    while waiting:
        depth, node = waiting.pop()
        level = tree.levels[depth]
        owned = level.sets[node]
        if owned < 0:
            outcome += 1
            pay = " ".join(repr(payoff) for payoff in level.payoffs[ended[depth][node]].tolist())
            yield f't "" {outcome} "" {{ {pay} }}'
            continue
        pairs = level.actions[level.first_pair[owned] : level.first_pair[owned + 1]]
        actions = " ".join(f'"{names[action]}"' for action in pairs)
        seat, number = level.movers[node] + 1, numbers[depth][owned]
        yield f'p "" {seat} {number} "{number}" {{ {actions} }} 0'
        first = level.first_child[node]
        waiting += [(depth + 1, child) for child in reversed(range(first, first + len(pairs)))]
