"""Quiddler as a PettingZoo environment, its word lists, and the best meld of a hand."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.wrappers import ending_on_illegal
from kitchentable.games.quiddler.words.lexicon import Lexicon
from kitchentable.games.quiddler.words.meld import Meld, best_meld

__all__ = ["Lexicon", "Meld", "best_meld", "env", "raw_env"]


def raw_env(
    *,
    num_players: int = 2,
    hand_sizes: tuple[int, ...] = (3, 4, 5, 6, 7, 8, 9, 10),
    meld: str = "spell",
    two_player_bonus: str = "longest",
    lexicon: str | os.PathLike[str] | Lexicon | Sequence[str] = "scowl60",
    challenges: bool = False,
    forbid_returning_discard: bool = False,
    min_turns_before_out: int = 0,
    max_turns: int = 50,
    copies: Mapping[str, int] | None = None,
    reward: str = "win",
    render_mode: str | None = None,
    view: str = "mover",
) -> TableEnv:
    """Return a table of Quiddler; an illegal action raises `ValueError`.

    Args:
        num_players: number of seats, 2 to 8.
        hand_sizes: cards dealt to a seat in each hand of the game, each 3 to 10; 1 to 40
            hands.
        meld: ``"spell"``: words are spelled card by card; ``"auto"``: the best arrangement
            is laid.
        two_player_bonus: ``"longest"``, ``"most"`` or ``"none"``; three seats or more have
            both bonuses.
        lexicon: ``"scowl60"``, ``"scowl35"``, a path to a word list, a `Lexicon`, or
            a list of words.
        challenges: whether any two cards may be laid as a word, and be challenged; only
            with ``"spell"``.
        forbid_returning_discard: whether the card taken from the discard pile must not be
            discarded in the same turn.
        min_turns_before_out: turns that a seat must have begun before it may go out, 0 to
            ``max_turns``.
        max_turns: turns a seat after which a hand is called, 1 to 1,000.
        copies: copies of each kind in a shortened deck, such as ``{"c": 2, "th": 1}``; None: the
            real deck.
        reward: ``"win"`` (paid at the end of the game) or ``"margin"`` (at the end of every
            hand).
        render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        view: whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent.

    Raises:
        ValueError: a parameter is invalid; the message says what is possible.
    """
    return TableEnv("quiddler", **locals())


env = ending_on_illegal(raw_env)
"""Return a wrapped table with the arguments of `raw_env`; an illegal action ends the game."""
