"""A first game of a game from outside the package, in plain Python.

Compiled code does not check indices: what a rule function writes beyond an array, such as an
observation whose layout is too short, damages other memory. Plain Python names the file and the
line, also for a misspelled field, where numba has hundreds of lines.
"""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import config

from kitchentable.core.game import Game
from kitchentable.core.registry import shipped_versions
from kitchentable.core.state import NO_CARDS
from kitchentable.engine.sources import game_sources

MOST_DECISIONS = 100
"""The number of decisions after which the rehearsal ends."""


class RuleError(ValueError):
    """A rule function of a game from outside the package leaves an array or allows no action."""


_rehearsed: set[tuple[Game, str]] = set()
_failures: dict[str, str] = {}
"""Where and why plain Python stopped otherwise, by game: numba may think differently, for it widens
integers and divides by zero. If it cannot compile the game either, that is why."""


def rehearse(game: Game, params: Any) -> None:
    """Play a random game by the rule functions themselves, once for each game and parameters.

    Games of this package are tested uncompiled, and where nothing is compiled, all games play so.

    Raises:
        RuleError: an index is beyond its array, or no action is legal; the message says where.
    """
    key = game, repr(params)  # parameters of an own game need not be hashable
    if game.name in shipped_versions() or key in _rehearsed or config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _play(game, params)
    except RuleError:
        raise
    except IndexError as error:
        raise RuleError(f"{game.name}: {_place(error, game)}") from error
    except Exception as error:
        _failures[game.name] = _place(error, game)
    _rehearsed.add(key)


def failure_of(game: Game | None) -> str:
    """Return where and why plain Python stopped in a rehearsal; empty if it did not."""
    return "" if game is None else _failures.get(game.name, "")


def _place(error: Exception, game: Game) -> str:
    """Return the innermost place of an error in the game's own files, and the error."""
    frames, sources = traceback.extract_tb(error.__traceback__), game_sources(game)
    own = [frame for frame in frames if Path(frame.filename) in sources]
    place = [*frames, *own][-1]
    return f"{place.filename}:{place.lineno}: {type(error).__name__}: {error}"


def _play(game: Game, params: Any) -> None:
    rules, rng = game.rules, np.random.default_rng(0)
    tables, seats = rules.tables(params), int(params.num_players)
    state, known = rules.records(params, 1)[0], np.zeros(1, rules.knowledge_dtype)
    num_actions = len(rules.action_names(params))
    size = sum(rules.observation_layout(params).values())
    whole = sum(rules.full_layout(params).values())
    state.seed = 1
    rules.init(state, NO_CARDS, *tables)
    for _ in range(MOST_DECISIONS):
        for seat in range(seats):
            rules.observe(state, seat, np.zeros(size, np.float32), *tables)
            rules.know(state, seat, known.view(np.recarray)[0], *tables)
        if rules.observe_state is not None:
            rules.observe_state(state, np.zeros(whole, np.float32), *tables)
        if state.terminated or state.truncated:
            return
        mask = np.zeros(num_actions, np.bool_)
        rules.legal_action_mask(state, mask, *tables)
        if not mask.any():
            raise RuleError(
                f"{game.name}: player_{state.current_player} has no legal action, and the game is "
                "not over; legal_action_mask and step must agree when it ends"
            )
        rules.step(state, int(rng.choice(np.flatnonzero(mask))), *tables)
        rules.rewards(state, np.zeros(seats, np.float32))
        rules.scores(state, np.zeros(seats, np.int32))
        rules.ranks(state, np.zeros(seats, np.int32))
