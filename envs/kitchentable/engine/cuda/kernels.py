"""The kernels over a batch on a GPU, the counterpart of `kitchentable.engine.loops`.

Each thread plays one game with the same rule functions. Before that, the threads of a block
together clear the rows that their games will write, so that neighboring threads write neighboring
numbers. The last argument of a kernel is ``tables``, as in the loops. Arguments are device arrays
with the shapes and dtypes of `kitchentable.engine.cuda.batch`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import cuda

from kitchentable.core.game import Game
from kitchentable.core.kernels import kernel
from kitchentable.core.rng import pick_legal, settled
from kitchentable.core.state import NOBODY
from kitchentable.engine.loops import DEAL, LEAVE, LOOK, Loop, Loops, list_actions

WARP = 32


@cache
def make_kernels(game: Game) -> dict[str, Loop]:
    """Return the kernels of a game by name."""
    functions = _playing(game), *_looking(game), *_dealing(game), *_knowing(game), sample
    return dict(zip((*Loops._fields, "sample"), functions, strict=True))


@cache
def choosing(game: Game, name: str) -> Loop:
    """Return the kernel in which a scripted player chooses an action in each of some games."""
    bot = game.players.scripted[name]
    know = game.rules.known_by(bot)

    def choose(
        states: Any,
        masks: Any,
        known: Any,
        streams: Any,
        games: Any,
        actions: Any,
        tables: Any,
    ) -> None:
        own = known[cuda.grid(1) % known.shape[0]]  # `random`, of which there are more, reads none
        for k in range(cuda.grid(1), games.shape[0], cuda.gridsize(1)):
            i = games[k]
            stream = streams[i : i + 1]
            know(states[i], states[i].current_player, own, *tables)
            action = bot(own, masks[i], stream, *tables)
            actions[k] = settled(action, masks[i], stream)

    return choose


def _playing(game: Game) -> Loop:
    init, play, rewards_of = game.rules.init, game.rules.step, game.rules.rewards
    mask_of, observe = game.rules.legal_action_mask, game.rules.observe

    # `legal` has the masks by which the actions were chosen; it may be the same array as `masks`.
    # An action that is illegal or below `lowest` leaves its game as it is; `refused` records it.
    def step(
        states: Any,
        actions: Any,
        lowest: Any,
        restart: Any,
        rewards: Any,
        dones: Any,
        finals: Any,
        legal: Any,
        masks: Any,
        observations: Any,
        players: Any,
        refused: Any,
        top: Any,
        tables: Any,
    ) -> None:
        i = cuda.grid(1)
        action = _checked(i, actions, lowest, legal, refused)
        cuda.syncthreads()  # until all threads have read `legal`
        _clear(masks)
        _clear(observations)
        cuda.syncthreads()
        if i < states.shape[0]:
            state = states[i]
            was_over = state.terminated or state.truncated
            if action != LOOK:
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = 0.0
                dones[i] = False
            if action >= 0 and not was_over:
                play(state, action, *tables)
                rewards_of(state, rewards[i])
            # With `restart`, a game can be over before its step only if it was dealt so: then it
            # ends with this step.
            is_over = state.terminated or state.truncated
            if action >= LEAVE and is_over and (restart or not was_over):
                dones[i] = True
                if restart:
                    finals[i] = state
                    action = DEAL
            if action == DEAL:
                init(state, top, *tables)
            if not (state.terminated or state.truncated):
                mask_of(state, masks[i], *tables)
            observe(state, state.current_player, observations[i], *tables)
            players[i] = state.current_player

    return step


def _looking(game: Game) -> tuple[Loop, Loop]:
    observe = game.rules.observe
    write_state: Any = game.rules.observe_state

    def observe_seats(
        states: Any, players: Any, observations: Any, refused: Any, tables: Any
    ) -> None:
        i = cuda.grid(1)
        _clear(observations)
        cuda.syncthreads()
        if i < states.shape[0]:
            if 0 <= players[i] < states[i].num_players:
                observe(states[i], players[i], observations[i], *tables)
            else:
                _refuse(refused, i, players[i])

    def observe_state(states: Any, out: Any, tables: Any) -> None:
        i = cuda.grid(1)
        _clear(out)
        cuda.syncthreads()
        if i < states.shape[0]:
            write_state(states[i], out[i], *tables)

    return observe_seats, observe_state


def _knowing(game: Game) -> tuple[Loop, Loop, Loop]:
    know = game.rules.know
    write: Any = game.players.action_features and game.players.action_features.write
    write_parts: Any = game.players.derived_parts and game.players.derived_parts.write

    def know_seats(states: Any, players: Any, known: Any, refused: Any, tables: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            if NOBODY <= players[i] < states[i].num_players:
                know(states[i], players[i], known[i], *tables)
            else:
                _refuse(refused, i, players[i])

    def describe(
        states: Any, games: Any, masks: Any, known: Any, rows: Any, actions: Any, tables: Any
    ) -> None:
        k = cuda.grid(1)
        if k < games.shape[0]:
            i = games[k]
            if list_actions(masks[i], rows[k], actions[k]):
                know(states[i], states[i].current_player, known[k], *tables)
                write(known[k], masks[i], actions[k], rows[k], *tables)

    def derive(
        states: Any, games: Any, players: Any, masks: Any, known: Any, out: Any, tables: Any
    ) -> None:
        k = cuda.grid(1)
        _clear(out)
        cuda.syncthreads()
        if k < games.shape[0]:
            i = games[k]
            know(states[i], players[i], known[k], *tables)
            write_parts(known[k], masks[i], out[k], *tables)

    return know_seats, describe, derive


def _dealing(game: Game) -> tuple[Loop, Loop]:
    deal_anew: Any = game.rules.redeal
    scores_of, ranks_of = game.rules.scores, game.rules.ranks

    def redeal(states: Any, players: Any, seeds: Any, refused: Any, tables: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            if NOBODY <= players[i] < states[i].num_players:
                states[i].rng = seeds[i]
                deal_anew(states[i], players[i], *tables)
            else:
                _refuse(refused, i, players[i])

    def standings(states: Any, scores: Any, ranks: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            scores_of(states[i], scores[i])
            ranks_of(states[i], ranks[i])

    return redeal, standings


def sample(masks: Any, streams: Any, actions: Any) -> None:
    """Write a random legal action for each game, -1 if there is none."""
    i = cuda.grid(1)
    if i < masks.shape[0]:
        actions[i] = pick_legal(masks[i], streams[i : i + 1])


@kernel
def _checked(i: int, actions: Any, lowest: int, legal: Any, refused: Any) -> Any:
    """Return the action of game ``i``, or `LOOK` if it is not possible."""
    if i >= actions.shape[0] or refused[0] == i:  # a refused game stays until `check` describes it
        return LOOK
    action = actions[i]
    if lowest <= action < 0 or (0 <= action < legal.shape[1] and legal[i, action]):
        return action
    _refuse(refused, i, action)
    return LOOK


@kernel
def _clear(rows: Any) -> None:
    """Set the rows of this block's games to zero; each warp clears one row at a time."""
    first, lanes = cuda.blockIdx.x * cuda.blockDim.x, min(WARP, cuda.blockDim.x)
    last = min(first + cuda.blockDim.x, rows.shape[0])
    for row in range(first + cuda.threadIdx.x // WARP, last, (cuda.blockDim.x + WARP - 1) // WARP):
        for k in range(cuda.threadIdx.x % WARP, rows.shape[1], lanes):
            rows[row, k] = 0


@kernel
def _refuse(refused: Any, i: int, number: int) -> None:
    """Record a game and the invalid number it was given, unless one is recorded already."""
    if cuda.atomic.cas(refused, 0, -1, i) == -1:
        refused[1] = number
