"""Quiddler Solitaire as a PettingZoo environment with one agent."""

from __future__ import annotations

import os
from collections.abc import Sequence

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.wrappers import ending_on_illegal
from kitchentable.games.quiddler.words.lexicon import Lexicon

__all__ = ["env", "raw_env"]


def raw_env(
    *,
    num_players: int = 1,
    lexicon: str | os.PathLike[str] | Lexicon | Sequence[str] = "scowl60",
    reward: str = "win",
    render_mode: str | None = None,
    view: str = "mover",
) -> TableEnv:
    """Return a table of Quiddler Solitaire; an illegal action raises `ValueError`.

    Args:
        num_players: always 1.
        lexicon: ``"scowl60"``, ``"scowl35"``, a path to a word list, a `Lexicon`, or
            a list of words.
        reward: ``"win"`` (paid at the end of the game) or ``"margin"`` (at the end of every
            hand).
        render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        view: whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent.

    Raises:
        ValueError: a parameter is invalid; the message says what is possible.
    """
    return TableEnv("quiddler_solitaire", **locals())


env = ending_on_illegal(raw_env)
"""Return a wrapped table with the arguments of `raw_env`; an illegal action ends the game."""
