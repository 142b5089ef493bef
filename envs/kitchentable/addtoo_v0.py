"""Add-Too as a PettingZoo environment; its parameters are `games.addtoo.state.Params`."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from kitchentable.adapters.aec import Observation, TableEnv
from kitchentable.adapters.wrappers import wrap

__all__ = ["env", "raw_env"]


def raw_env(*, render_mode: str | None = None, view: str = "mover", **params: Any) -> TableEnv:
    """Return a table of Add-Too; an illegal action raises `ValueError`. See `TableEnv`."""
    return TableEnv("addtoo", render_mode=render_mode, view=view, **params)


def env(**options: Any) -> AECEnv[str, Observation, int]:
    """Return a wrapped table of Add-Too; an illegal action ends the game. See `raw_env`."""
    return wrap(raw_env(**options))
