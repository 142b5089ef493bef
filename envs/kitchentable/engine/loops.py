"""The compiled loops over a batch: the only place where rule functions meet numba.

Rule functions are captured rather than imported; the cache folder is keyed by their sources, so a
cached loop never plays an old rule. ``tables`` comes last in every loop: a tuple of the game's
read-only arrays, empty for most games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba

from kitchentable.core.game import Game
from kitchentable.core.rng import pick_legal
from kitchentable.engine.compiling import loop

Loop = Callable[..., Any]
LEAVE, LOOK, DEAL = -1, -2, -3
"""Actions that are none: of a game left as it is, of one that is only looked at, of one that is
dealt anew."""


class Loops(NamedTuple):
    """The compiled loops around one game's rule functions; each is compiled when first called."""

    step: Loop
    observe: Loop
    observe_state: Loop
    redeal: Loop
    standings: Loop


@cache
def make_loops(game: Game, *, parallel: bool = False) -> Loops:
    """Return the loops of a game, for one thread or for several."""
    functions = (_playing(game), *_looking(game), *_knowing(game))
    return Loops(*(loop(f, game=game, name="loops", parallel=parallel) for f in functions))


@cache
def make_tools(*, parallel: bool = False) -> tuple[Loop, Loop]:
    """Return the loops that no game is needed for: first illegal action, random actions."""
    sample = loop(_sample, game=None, name="tools", parallel=parallel)
    return loop(_first_illegal, game=None, name="tools"), sample


def _playing(game: Game) -> Loop:
    init, play, rewards_of = game.rules.init, game.rules.step, game.rules.rewards
    mask_of, observe = game.rules.legal_action_mask, game.rules.observe

    # What a game shows is written at once, while its record is at hand: that is faster than coming
    # back for it when all games have been played. Games are dealt here and nowhere else, as that
    # takes long to compile.
    def step(
        states: Any,
        actions: Any,
        top: Any,
        restart: Any,
        rewards: Any,
        dones: Any,
        finals: Any,
        masks: Any,
        observations: Any,
        players: Any,
        tables: Any,
    ) -> None:
        for i in numba.prange(states.shape[0]):
            state = states[i]
            deal = actions[i] == DEAL
            was_over = state.terminated or state.truncated
            if actions[i] != LOOK:
                rewards[i] = 0.0
                dones[i] = False
            if actions[i] == LEAVE and not (restart and was_over):
                continue
            if actions[i] >= 0 and not was_over:
                play(state, actions[i], *tables)
                rewards_of(state, rewards[i])
            # What restarts and is over all the same was over as dealt: it ends with its first step.
            is_over = state.terminated or state.truncated
            if actions[i] >= LEAVE and is_over and (restart or not was_over):
                dones[i] = True
                if restart:
                    finals[i] = state
                    deal = True
            if deal:
                init(state, top, *tables)
            masks[i] = False
            if not (state.terminated or state.truncated):
                mask_of(state, masks[i], *tables)
            observations[i] = 0.0
            observe(state, state.current_player, observations[i], *tables)
            players[i] = state.current_player

    return step


def _looking(game: Game) -> tuple[Loop, Loop]:
    observe = game.rules.observe
    write_state: Any = game.rules.observe_state

    def observe_seats(states: Any, players: Any, observations: Any, tables: Any) -> None:
        for i in numba.prange(states.shape[0]):
            observations[i] = 0.0
            observe(states[i], players[i], observations[i], *tables)

    def observe_state(states: Any, out: Any, tables: Any) -> None:
        for i in numba.prange(states.shape[0]):
            out[i] = 0.0
            write_state(states[i], out[i], *tables)

    return observe_seats, observe_state


def _knowing(game: Game) -> tuple[Loop, Loop]:
    deal_anew: Any = game.rules.redeal
    scores_of, ranks_of = game.rules.scores, game.rules.ranks

    def redeal(states: Any, players: Any, seeds: Any, tables: Any) -> None:
        for i in numba.prange(states.shape[0]):
            states[i].rng = seeds[i]
            deal_anew(states[i], players[i], *tables)

    def standings(states: Any, scores: Any, ranks: Any) -> None:
        for i in numba.prange(states.shape[0]):
            scores_of(states[i], scores[i])
            ranks_of(states[i], ranks[i])

    return redeal, standings


def _first_illegal(masks: Any, actions: Any) -> int:
    num_actions = masks.shape[1]
    for i in range(actions.shape[0]):
        action = actions[i]
        if action < -1 or action >= num_actions or (action >= 0 and not masks[i, action]):
            return i
    return -1


def _sample(masks: Any, streams: Any, actions: Any) -> None:
    for i in numba.prange(masks.shape[0]):
        actions[i] = pick_legal(masks[i], streams[i : i + 1])
