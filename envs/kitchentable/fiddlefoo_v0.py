"""Fiddlefoo as a PettingZoo environment."""

from __future__ import annotations

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.wrappers import ending_on_illegal

__all__ = ["env", "raw_env"]


def raw_env(
    *,
    num_players: int | None = None,
    games: int = 1,
    map_size: int = 12,
    wildcard: bool = False,
    cooperative: bool = False,
    talkytoot: str | tuple[str, ...] = (),
    reward: str = "win",
    render_mode: str | None = None,
    view: str = "mover",
) -> TableEnv:
    """Return a table of Fiddlefoo; an illegal action raises `ValueError`.

    Args:
        num_players: number of seats, 2 to 6. The default is 2, or 4 with ``cooperative``.
        games: number of games played one after another, 1 to 100.
        map_size: rows and columns of the map: 8, 10, 12, 14 or 16.
        wildcard: whether purple counts as any color; not allowed with ``cooperative``.
        cooperative: whether all seats are one team that fills a pile of each color.
        talkytoot: names of the action cards that are shuffled into the deck, or ``"all"``.
        reward: ``"win"`` (paid at the end of the game) or ``"margin"`` (at the end of every
            hand).
        render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        view: whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent.

    Raises:
        ValueError: a parameter is invalid; the message says what is possible.
    """
    return TableEnv("fiddlefoo", **locals())


env = ending_on_illegal(raw_env)
"""Return a wrapped table with the arguments of `raw_env`; an illegal action ends the game."""
