"""Other libraries through their public interfaces, by random legal play, observation included."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable

from benchmarks.clock import Contender
from benchmarks.ours import table_player

PETTINGZOO = {
    "gin_rummy": "pettingzoo.classic.rlcard_envs.gin_rummy",  # removed in PettingZoo 1.27
    "leduc_holdem": "pettingzoo.classic.rlcard_envs.leduc_holdem",
    "connect_four": "pettingzoo.classic.connect_four.connect_four",
}
RLCARD = ("gin-rummy", "leduc-holdem", "uno")
OPEN_SPIEL = ("gin_rummy", "leduc_poker", "crazy_eights", "connect_four")


def contenders() -> tuple[list[Contender], list[str]]:
    """Return the peers that are installed, and a line for each that is not."""
    found, missing = [], []
    for name, module in PETTINGZOO.items():
        try:
            play = table_player(importlib.import_module(module).env)
            found.append(Contender("PettingZoo", name, "env()", play))
        except ImportError as error:
            missing.append(f"PettingZoo {name}: {error}")
    for library, names, make in (
        ("RLCard", RLCARD, _rlcard_player),
        ("OpenSpiel", OPEN_SPIEL, _open_spiel_player),
    ):
        try:
            found += [Contender(library, name, "Python", make(name)) for name in names]
        except ImportError as error:
            missing.append(f"{library}: {error}")
    return found, missing


def _rlcard_player(name: str) -> Callable[[int], int]:
    import rlcard  # noqa: PLC0415 - an optional library

    env = rlcard.make(name, config={"seed": 0})
    rng = random.Random(0)

    def play(decisions: int) -> int:
        played = 0
        while played < decisions:
            state, _ = env.reset()
            while not env.is_over() and played < decisions:
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                played += 1
        return played

    return play


def _open_spiel_player(name: str) -> Callable[[int], int]:
    import pyspiel  # noqa: PLC0415 - an optional library

    game = pyspiel.load_game(name)
    rng = random.Random(0)

    def play(decisions: int) -> int:
        played = 0
        while played < decisions:
            state = game.new_initial_state()
            while not state.is_terminal() and played < decisions:
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, chances)[0])
                    continue
                state.observation_tensor(state.current_player())
                state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
                played += 1
        return played

    return play
