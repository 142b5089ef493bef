"""Objects that hold games, each with a way to play it on; another process can import this alone."""

from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np

from kitchentable import Batch, SeatEnv, TableEnv
from kitchentable.adapters import registration
from kitchentable.adapters.vector import SeatVectorEnv


def plain(value: Any) -> Any:
    """Return nested results in a form that can be compared."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def legal(mask: Any, number: int) -> int:
    """Return one of the legal actions, another one at each decision."""
    actions = np.flatnonzero(mask)
    return int(actions[number * 7 % len(actions)])


def play_batch(batch: Batch, steps: int) -> Iterator[Any]:
    """Step games with their own random actions."""
    for _ in range(steps):
        batch.step(batch.sample_actions())
        yield batch.rewards, batch.dones, batch.observations, batch.masks, batch.current_player
        yield batch.states, batch.final_states, batch.standings()


def play_table(table: Any, steps: int) -> Iterator[Any]:
    """Play a table, wrapped or not, and deal anew after its last agent."""
    for number in range(steps):
        if not table.unwrapped.agents:
            table.reset(seed=5 if number else None)
        seen, *told, info = table.last()
        yield seen, told, info, table.infos, table.unwrapped.save(), table.render()
        table.step(None if any(told[1:]) else legal(seen["action_mask"], number))


def play_seat(env: Any, steps: int) -> Iterator[Any]:
    """Play one seat, and deal anew after the end."""
    over, own = True, env.unwrapped
    if own._dealt:
        over = own._reported
    for number in range(steps):
        if over:
            yield env.reset(seed=5 if number else None)
            over = False
        else:
            found = env.step(legal(own.action_masks(), number))
            over = found[2] or found[3]
            yield found
        yield env.render(), own.action_masks()


def play_vector(env: Any, steps: int) -> Iterator[Any]:
    """Play one seat of many games, which restart by themselves."""
    own = env.unwrapped
    for number in range(steps):
        if not own._dealt or number == steps // 2:
            yield env.reset(seed=5 if number else None)
        else:
            yield env.step([legal(mask, number) for mask in own._masks()])
        yield env.render()


TABLE = {"render_mode": "ansi"}
SEAT = TABLE | {"opponents": "random", "view": "all"}
HOLDERS: dict[str, tuple[Callable[[Any, dict], Any], Callable[[Any, int], Iterator[Any]]]] = {
    "batch": (lambda game, params: Batch(game, 3, seed=1, **params), play_batch),
    "table": (lambda game, params: TableEnv(game.name, **TABLE | params), play_table),
    "env": (lambda game, params: registration.env(game.name, **TABLE | params), play_table),
    "seat": (lambda game, params: SeatEnv(game.name, **SEAT | params), play_seat),
    "made": (
        lambda game, params: gymnasium.make(
            registration.gymnasium_id(game.name, game.version), **SEAT | params
        ),
        play_seat,
    ),
    "vector": (lambda game, params: SeatVectorEnv(game.name, 3, **SEAT | params), play_vector),
}
"""By name: a function of a game and parameters that makes the object, and one that plays it."""


def played(name: str, holder: Any, steps: int) -> list[Any]:
    """Play a holder on and return all that it shows, copied."""
    return [plain(one) for one in HOLDERS[name][1](holder, steps)]
