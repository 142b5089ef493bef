"""A few recorded games in words: a change of the rules appears as a readable diff.

``pytest tests/contract/test_golden.py --update-golden`` rewrites the files; read the diff before
committing it. Different results for the same seed require a new version of the game.
"""

from pathlib import Path

import numpy as np
import pytest
from tests.conftest import COMPILED, make_table

from kitchentable import Game, TableEnv, all_games
from kitchentable.players.scripted import ScriptedPlayer

FOLDER = Path(__file__).parents[1] / "golden"
SEED = 7
CHOSEN = {
    "addtoo": (1, 2, 3),
    "diddly": (0, 15, 21),
    "fiddlefoo": (1, 3, 5),
    "quiddler": (2, 3, 4, 5),
    "quiddler_solitaire": (0,),
}
"""The variants with a recorded game, by their places: together they have every rule of the sheet.
Of other games these are the first three."""


def path_of(game: Game, number: int) -> Path:
    """Return the path of a variant's recorded game."""
    return FOLDER / f"{game.name}_v{game.version}" / f"{number:02d}.txt"


def recorded(game: Game, params: dict) -> str:
    """Play one game: the strongest player in all seats, with every third action or so random."""
    table = make_table(game, render_mode="ansi", view="all", **params)
    table.reset(seed=SEED)
    expert = ScriptedPlayer(game, list(game.players.scripted)[-1], table.params)
    rng, lines = np.random.default_rng(SEED), [f"{game.name}_v{game.version} {params}", ""]
    hands = -1
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        played = len(game.hand_scores(table._batch.states[0], 0))
        if played > hands:
            hands = played
            lines += [table.render(), ""]
        lines.append(_decision(table, expert, rng))
    lines += ["", table.render(), ""]
    for agent in table.possible_agents:
        info = {key: value for key, value in table.infos[agent].items() if key != "action_mask"}
        lines.append(f"{agent} paid {table._cumulative_rewards[agent]:.4f} {info}")
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def _decision(table: TableEnv, expert: ScriptedPlayer, rng: np.random.Generator) -> str:
    """Play one decision and describe it: seat, action, number of legal actions, what it saw."""
    agent = table.agent_selection
    legal = np.flatnonzero(table.infos[agent]["action_mask"])
    action = int(expert.act(table._batch, np.array([0]))[0])
    if rng.integers(3) == 0:
        action = int(rng.choice(legal))
    seen = table.observe(agent)["observation"].astype(np.float64)
    table.step(action)
    digest = seen @ np.arange(1, len(seen) + 1)
    return f"{agent} {table.action_names[action]}  ({len(legal)} legal, sees {digest:.3f})"


def chosen(game: Game) -> range | tuple[int, ...]:
    """Return the places of the variants with a recorded game."""
    return CHOSEN.get(game.name, range(min(3, len(game.rules.variants))))


@pytest.mark.skipif(not COMPILED, reason="the compiled rules are compared with the plain ones")
def test_the_recorded_game_is_played_again(game, pytestconfig) -> None:
    for number in chosen(game):
        path, text = path_of(game, number), recorded(game, game.rules.variants[number])
        if pytestconfig.getoption("update_golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text


def test_no_game_is_recorded_that_nobody_plays() -> None:
    kept = {path_of(game, number) for game in all_games().values() for number in chosen(game)}
    assert set(FOLDER.rglob("*.txt")) <= kept
