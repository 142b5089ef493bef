"""Quiddler as a PettingZoo environment, its word lists, and the best way to lay a hand.

The parameters are `kitchentable.games.quiddler.state.Params`.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from kitchentable.adapters.aec import Observation, TableEnv
from kitchentable.adapters.wrappers import wrap
from kitchentable.games.quiddler.words.lexicon import Lexicon
from kitchentable.games.quiddler.words.meld import Meld, best_meld

__all__ = ["Lexicon", "Meld", "best_meld", "env", "raw_env"]


def raw_env(*, render_mode: str | None = None, view: str = "mover", **params: Any) -> TableEnv:
    """Return a table of Quiddler; an illegal action raises `ValueError`. See `TableEnv`."""
    return TableEnv("quiddler", render_mode=render_mode, view=view, **params)


def env(**options: Any) -> AECEnv[str, Observation, int]:
    """Return a wrapped table of Quiddler; an illegal action ends the game. See `raw_env`."""
    return wrap(raw_env(**options))
