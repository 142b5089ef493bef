"""Quiddler Solitaire as a PettingZoo environment with one agent."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.adapters.makers import Shown, makers
from kitchentable.games.quiddler.solitaire.state import Params

__all__ = ["env", "raw_env"]


@dataclass(frozen=True, kw_only=True)
class _Options(Shown, Params):
    pass


raw_env, env = makers("quiddler_solitaire", _Options)
