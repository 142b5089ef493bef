"""The compiled loops over a batch, which call a game's rule functions.

The loops capture the rule functions. The cache folder is named by a hash of their sources, so a
cached loop never plays an old rule. The last argument of a loop, ``tables``, is the tuple of the
game's read-only arrays; it may be empty.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba

from kitchentable.core.game import Game
from kitchentable.core.kernels import kernel
from kitchentable.core.rng import pick_legal
from kitchentable.core.state import NO_ACTION, BoolArray, FloatArray, Ints
from kitchentable.engine.compiling import loop

Loop = Callable[..., Any]
LEAVE, LOOK, DEAL = -1, -2, -3
"""Special actions: leave the game as it is, only write its mask and observation, deal a game."""


class Loops(NamedTuple):
    """The loops around one game's rule functions; each is compiled when first called."""

    step: Loop
    observe: Loop
    observe_state: Loop
    redeal: Loop
    standings: Loop
    know: Loop
    describe: Loop
    derive: Loop


@cache
def make_loops(game: Game, *, parallel: bool = False) -> Loops:
    """Return the loops of a game, for several threads if ``parallel``."""
    functions = (_playing(game), *_looking(game), *_dealing(game), *_knowing(game))
    return Loops(*(loop(f, game=game, name="loops", parallel=parallel) for f in functions))


@cache
def make_tools(*, parallel: bool = False) -> tuple[Loop, Loop]:
    """Return the loops that need no game: first illegal action, and random legal actions."""
    sample = loop(_sample, game=None, name="tools", parallel=parallel)
    return loop(_first_illegal, game=None, name="tools"), sample


def _playing(game: Game) -> Loop:
    init, play, rewards_of = game.rules.init, game.rules.step, game.rules.rewards
    mask_of, observe = game.rules.legal_action_mask, game.rules.observe

    # Mask and observation are written while the game's record is in the CPU cache, which is faster
    # than a second pass over all games. Only this loop deals games, because `init` is slow to
    # compile.
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
            # With `restart`, a game can be over before its step only if it was dealt so: then it
            # ends with this step.
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


def _knowing(game: Game) -> tuple[Loop, Loop, Loop]:
    know = game.rules.know
    write: Any = game.players.action_features and game.players.action_features.write
    write_parts: Any = game.players.derived_parts and game.players.derived_parts.write

    def know_seats(states: Any, players: Any, known: Any, tables: Any) -> None:
        for i in numba.prange(states.shape[0]):
            know(states[i], players[i], known[i], *tables)

    def describe(
        states: Any, games: Any, masks: Any, known: Any, rows: Any, actions: Any, tables: Any
    ) -> None:
        for k in numba.prange(games.shape[0]):
            i = games[k]
            if list_actions(masks[i], rows[k], actions[k]):
                know(states[i], states[i].current_player, known[k], *tables)
                write(known[k], masks[i], actions[k], rows[k], *tables)

    def derive(
        states: Any, games: Any, players: Any, masks: Any, known: Any, out: Any, tables: Any
    ) -> None:
        for k in numba.prange(games.shape[0]):
            i = games[k]
            out[k] = 0.0
            know(states[i], players[i], known[k], *tables)
            write_parts(known[k], masks[i], out[k], *tables)

    return know_seats, describe, derive


@kernel
def list_actions(mask: BoolArray, rows: FloatArray, actions: Ints) -> int:
    """Write the first legal actions for which there are rows, and clear all rows; count them.

    The rows without an action are clear already, as they were so when last written.
    """
    count = 0
    for row in range(actions.shape[0]):
        if actions[row] != NO_ACTION:
            for k in range(rows.shape[1]):
                rows[row, k] = 0.0
            actions[row] = NO_ACTION
    for action in range(mask.shape[0]):
        if mask[action] and count < actions.shape[0]:
            actions[count] = action
            count += 1
    return count


def _dealing(game: Game) -> tuple[Loop, Loop]:
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
