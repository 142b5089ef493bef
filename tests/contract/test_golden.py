"""A few recorded games in words: a change of the rules appears as a readable diff.

``pytest tests/contract/test_golden.py --update-golden`` rewrites the files; read the diff before
committing it. Different results for the same seed require a new version of the game.
"""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tests.conftest import make_table

from kitchentable import Game, TableEnv, all_games
from kitchentable.players.scripted import ScriptedPlayer

FOLDER = Path(__file__).parents[1] / "golden"
SEED = 7
CHOSEN = {
    "addtoo": (1, 2, 3),
    "diddly": (0, 15, 21),
    "fiddlefoo": (1, 3, 5),
    "kuhn_poker": (1,),
    "leduc_poker": (1,),
    "quiddler": (2, 3, 4, 5),
    "quiddler_solitaire": (0,),
}
"""The variants with a recorded game, by their places: together they have every rule of the sheet.
Of other games these are the first three."""


def path_of(game: Game) -> Path:
    """Return the path of the recorded games of all chosen variants."""
    return FOLDER / f"{game.name}_v{game.version}.txt"


def choices(game: Game, params: dict) -> Callable[[TableEnv], int]:
    """Return a player for all seats: the strongest one, with every third action or so random."""
    expert = ScriptedPlayer(game, list(game.players.scripted)[-1])
    rng = np.random.default_rng(SEED)

    def choose(table: TableEnv) -> int:
        action = int(expert.act(table._batch, np.array([0]))[0])
        if rng.integers(3) == 0:
            action = int(rng.choice(table.infos[table.agent_selection]["action_mask"].nonzero()[0]))
        return action

    return choose


def again(text: str) -> Callable[[TableEnv], int]:
    """Return a player for all seats that plays as recorded."""
    actions = iter(re.findall(r"^player_\d+ (.+)  \(\d+ legal, sees ", text, re.MULTILINE))
    return lambda table: table.action_names.index(next(actions))


def recorded(game: Game, params: dict, choose: Callable[[TableEnv], int]) -> str:
    """Play one game and describe it."""
    table = make_table(game, render_mode="ansi", view="all", **params)
    table.reset(seed=SEED)
    lines = [f"{game.name}_v{game.version} {params}", ""]
    hands = -1
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        played = len(game.hand_scores(table._batch.states[0], 0))
        if played > hands:
            hands = played
            lines += [table.render(), ""]
        lines.append(_decision(table, choose(table)))
    lines += ["", table.render(), ""]
    for agent in table.possible_agents:
        info = {key: value for key, value in table.infos[agent].items() if key != "action_mask"}
        lines.append(f"{agent} paid {table._cumulative_rewards[agent]:.4f} {info}")
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def _decision(table: TableEnv, action: int) -> str:
    """Play one decision and describe it: seat, action, number of legal actions, what it saw."""
    agent = table.agent_selection
    legal = np.flatnonzero(table.infos[agent]["action_mask"])
    seen = table.observe(agent)["observation"].astype(np.float64)
    table.step(action)
    digest = seen @ np.arange(1, len(seen) + 1)
    return f"{agent} {table.action_names[action]}  ({len(legal)} legal, sees {digest:.3f})"


def chosen(game: Game) -> range | tuple[int, ...]:
    """Return the places of the variants with a recorded game."""
    return CHOSEN.get(game.name, range(min(3, len(game.rules.variants))))


def test_the_recorded_game_is_played_again(game, pytestconfig) -> None:
    path, tables = path_of(game), [game.rules.variants[number] for number in chosen(game)]
    if pytestconfig.getoption("update_golden"):
        games = [recorded(game, params, choices(game, params)) for params in tables]
        path.write_text("\n".join(games), encoding="utf-8")
    kept = re.split(rf"\n(?={path.stem} )", path.read_text(encoding="utf-8"))
    for params, text in zip(tables, kept, strict=True):
        assert recorded(game, params, again(text)) == text


def test_no_game_is_recorded_that_nobody_plays() -> None:
    assert {*FOLDER.iterdir()} <= {path_of(game) for game in all_games().values()}
