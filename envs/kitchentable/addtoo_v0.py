"""Add-Too as a PettingZoo environment."""

from __future__ import annotations

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.wrappers import ending_on_illegal

__all__ = ["env", "raw_env"]


def raw_env(
    *,
    num_players: int = 2,
    target: int = 200,
    max_hands: int = 50,
    turned: bool = True,
    strict_colors: bool = False,
    fifth_draw_plays: bool = True,
    sealed_ends_hand: bool = True,
    orange: str | tuple[int, ...] = "parity",
    diamonds: str | tuple[str, ...] = "all",
    hand: int = 5,
    reward: str = "win",
    render_mode: str | None = None,
    view: str = "mover",
) -> TableEnv:
    """Return a table of Add-Too; an illegal action raises `ValueError`.

    Args:
        num_players: number of seats, 2 to 6.
        target: points that end the game, 1 to 10,000.
        max_hands: hands after which the game is truncated, 1 to 100.
        turned: whether diamonds may lie turned relative to each other, and not only parallel.
        strict_colors: whether all touching sides of an ordinary play must match in color.
        fifth_draw_plays: whether a drawn diamond that fills the hand may be played at once.
        sealed_ends_hand: whether the hand ends when there is no room for a diamond at the last one.
        orange: the orange number of each diamond, by id; ``"parity"``: the lower number if the sum
            is odd, else the higher.
        diamonds: names of the diamonds in play, or ``"all"`` for all 45. Fewer make a small variant
            of the game for exact computations.
        hand: diamonds dealt to a seat and the maximum it draws up to, 1 to 5. The booklet says 5.
        reward: ``"win"`` (paid at the end of the game) or ``"margin"`` (at the end of every
            hand).
        render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        view: whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent.

    Raises:
        ValueError: a parameter is invalid; the message says what is possible.
    """
    return TableEnv("addtoo", **locals())


env = ending_on_illegal(raw_env)
"""Return a wrapped table with the arguments of `raw_env`; an illegal action ends the game."""
