"""Diddly as a PettingZoo environment."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.wrappers import ending_on_illegal

__all__ = ["env", "raw_env"]


def raw_env(
    *,
    num_players: int = 2,
    cards: int = 6,
    rounds: int = 5,
    turn_limit: int = 100,
    copies: Mapping[str, int] | None = None,
    reward: str = "win",
    render_mode: str | None = None,
    view: str = "mover",
) -> TableEnv:
    """Return a table of Diddly; an illegal action raises `ValueError`.

    Args:
        num_players: number of seats, 2 to 8 with 2 or 6 cards on a board, else 2 to 6.
        cards: cards on a board: 6 (2 rows x 3 columns), 8 (2 x 4) or 9 (3 x 3); or 2 (2 x 1), which
            is not in the rule sheets but a small variant for exact computations, where a seat flips
            one card at set-up.
        rounds: number of rounds, 1 to 100.
        turn_limit: maximum turns of a seat in one round, 1 to 10,000; one more truncates the game.
        copies: copies of each kind in a shortened deck, such as ``{"1": 3, "D": 2}``; None for the
            real deck.
        reward: ``"win"`` (paid at the end of the game) or ``"margin"`` (at the end of every
            hand).
        render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        view: whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent.

    Raises:
        ValueError: a parameter is invalid; the message says what is possible.
    """
    return TableEnv("diddly", **locals())


env = ending_on_illegal(raw_env)
"""Return a wrapped table with the arguments of `raw_env`; an illegal action ends the game."""
