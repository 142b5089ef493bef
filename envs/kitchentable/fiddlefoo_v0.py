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
        num_players: 2 to 6; if not given 2, or 4 with ``cooperative``.
        games: games played one after another, 1 to 100.
        map_size: side of the square window of cells: 8, 10, 12, 14 or 16.
        wildcard: whether purple is any color; not with ``cooperative``.
        cooperative: whether all seats together fill one pile of each color, instead of
            playing each other.
        talkytoot: names of the action cards that are shuffled in, or ``"all"``.
        reward: ``"win"`` (paid at the end of the game) or ``"margin"`` (at the end of every
            hand).
        render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        view: whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent.

    Raises:
        ValueError: a value is not possible; says which are.
    """
    return TableEnv("fiddlefoo", **locals())


env = ending_on_illegal(raw_env)
"""Return the same table, wrapped: an illegal action ends the game. Takes what `raw_env` takes."""
