"""Relations between cards: the scalar products of every two vectors over kinds of card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable import Game
from kitchentable.core.state import slices
from kitchentable.engine.compiling import loop


def card_vectors(game: Game, params: Any, layout: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the positions of an input's vectors over kinds of card; (vectors, kinds)."""
    where, kinds = slices(layout), len(game.rules.deck(params))
    parts = [where[name] for name in game.rules.card_parts if name in where]
    return np.concatenate([np.arange(part.start, part.stop) for part in parts]).reshape(-1, kinds)


def relate(flat: Any, vectors: NDArray[np.int64], start: int) -> None:
    """Write the relations of some decisions.

    Args:
        flat: the inputs of the first layer, the observation at the beginning and the relations at
            the end; float32, shape (decisions, size), an array or a tensor on a GPU.
        vectors: the positions of the vectors, from `card_vectors`.
        start: the position of the first relation.
    """
    if isinstance(flat, torch.Tensor):
        cards = flat[:, torch.from_numpy(vectors).to(flat.device)]
        first, second = torch.triu_indices(len(vectors), len(vectors), device=flat.device)
        with torch.autocast(flat.device.type, enabled=False):
            flat[:, start:] = (cards @ cards.mT)[:, first, second]
    else:
        _relate(flat, vectors, start)


def _relate_loop(flat: Any, vectors: Any, start: Any) -> None:
    count, kinds = vectors.shape
    cards = np.empty((kinds, count), np.float32)
    for i in range(flat.shape[0]):
        for vector in range(count):
            for kind in range(kinds):
                cards[kind, vector] = flat[i, vectors[vector, kind]]
        at = start
        for first in range(count):
            products = flat[i, at : at + count - first]
            products[:] = 0.0
            for kind in range(kinds):  # most numbers of a vector are zero
                if cards[kind, first] != 0.0:
                    for k in range(count - first):
                        products[k] += cards[kind, first] * cards[kind, first + k]
            at += count - first


_relate = loop(_relate_loop, game=None, name="relations", allocates=True)
