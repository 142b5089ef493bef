"""Quiddler as a PettingZoo environment, its word lists, and the best meld of a hand."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.adapters.makers import Shown, makers
from kitchentable.games.quiddler.state import Params
from kitchentable.games.quiddler.words.lexicon import Lexicon
from kitchentable.games.quiddler.words.meld import Meld, best_meld

__all__ = ["Lexicon", "Meld", "best_meld", "env", "raw_env"]


@dataclass(frozen=True, kw_only=True)
class _Options(Shown, Params):
    pass


raw_env, env = makers("quiddler", _Options)
