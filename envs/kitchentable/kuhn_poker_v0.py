"""Kuhn poker as a PettingZoo environment."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.adapters.makers import Shown, makers
from kitchentable.games.kuhn_poker import Params

__all__ = ["env", "raw_env"]


@dataclass(frozen=True, kw_only=True)
class _Options(Shown, Params):
    pass


raw_env, env = makers("kuhn_poker", _Options)
