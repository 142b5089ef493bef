"""Fixtures and helpers that all tests share: every game, every variant, and ways to play them."""

import functools
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numba
import numpy as np
import pytest
from examples import top_card
from tests.contract.team_game import POOL

from kitchentable import Batch, Game, TableEnv, all_games, register
from kitchentable.core.registry import shipped_versions

# The networks of tests are tiny, and pytest's processes share the cores: with one thread torch is
# several times as fast. It is imported later.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The template for new games has to keep every promise too. A copy of it may have become a game of
# the package.
if top_card.GAME.name not in shipped_versions():
    register(top_card.GAME)

COMPILED = not numba.config.DISABLE_JIT
BOUNDS = bool(numba.config.BOUNDSCHECK)
VARIANTS = [
    (name, i) for name in sorted(all_games()) for i in range(len(all_games()[name].rules.variants))
]


def few_variants() -> list[tuple[str, int]]:
    """Return the variants that are the first to set a parameter, or set or seat the most.

    They reach the lines of all rules. The others are for slow tests.
    """
    kept = []
    for name, game in sorted(all_games().items()):
        variants = game.rules.variants
        counts = [game.make_params(**params).num_players for params in variants]
        most = variants[counts.index(max(counts))], max(reversed(variants), key=len)
        known: set[str] = set()
        for number, params in enumerate(variants):
            if params in most or params.keys() - known:
                kept.append((name, number))
            known |= params.keys()
    return kept


FEW_VARIANTS = few_variants()


# Every game, and the first cooperative variant of each game that has any.
TEAMS = {
    name: number
    for name, number in reversed(VARIANTS)
    for game in [all_games()[name]]
    if game.rules.cooperative(game.make_params(**game.rules.variants[number]))
}
KINDS = [*((name, None) for name in sorted(all_games())), *TEAMS.items()]


def scaled(count: int) -> int:
    """Return a smaller number of games where the rules run uncompiled, some 100 times slower."""
    return count if COMPILED else max(1, count // 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden")


@pytest.fixture(params=sorted(all_games()))
def game(request: pytest.FixtureRequest) -> Game:
    return all_games()[request.param]


@pytest.fixture(
    params=[
        pytest.param(one, marks=() if one in FEW_VARIANTS else pytest.mark.slow) for one in VARIANTS
    ],
    ids=lambda one: f"{one[0]}-{one[1]}",
)
def variant(request: pytest.FixtureRequest) -> tuple[Game, dict]:
    """A game and the parameters of one of its variants.

    Together the variants use all rules and, with the slow ones, all numbers of seats.
    """
    name, number = request.param
    return all_games()[name], dict(all_games()[name].rules.variants[number])


@pytest.fixture(params=KINDS, ids=lambda kind: kind[0] + ("" if kind[1] is None else "-team"))
def kind(request: pytest.FixtureRequest) -> tuple[Game, dict]:
    """A game and parameters, one for each way of paying: rivals, a single seat, a team."""
    name, number = request.param
    game = all_games()[name]
    params = seats(game, 3) if number is None else game.rules.variants[number]
    return game, {name: value for name, value in params.items() if name != "reward"}


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game for rivals or a team, registered during the test."""
    monkeypatch.setitem(all_games(), POOL.name, POOL)
    return POOL


def alone(game: Game) -> bool:
    """Return whether a game is for one seat."""
    return game.make_params().num_players == 1


def two_players(game: Game) -> list[str]:
    """Return the names of two scripted players; "random" twice where a game has no other."""
    return [*game.players.scripted, "random"][:2]


@functools.cache
def seats_of(game: Game) -> list[int]:
    """Return the possible numbers of seats: the variants have all of them."""
    return sorted({game.make_params(**params).num_players for params in game.rules.variants})


def seats(game: Game, wanted: int) -> dict[str, int]:
    """Return the parameter for this number of seats, or for the possible one closest to it."""
    return {"num_players": min(seats_of(game), key=lambda count: abs(count - wanted))}


def illegal(mask: np.ndarray) -> int:
    """Return an illegal action: the first of a game, or the number after the last."""
    return len(mask) if mask.all() else int(mask.argmin())


@functools.cache
def short(game: Game) -> dict:
    """Return the parameters of a short game.

    Of the values that the page's form offers for one parameter, take those with which a random game
    has the fewest hands, and then the fewest decisions.
    """
    usual = game.make_params().plain()
    possible: list[dict] = [{}]
    for parameter, info in game.render.param_infos.items():
        value = usual[parameter]
        numbers = value if isinstance(value, list) and value else [value]
        if parameter != "num_players" and all(type(number) is int for number in numbers):
            possible += [{parameter: one} for one in info.values or info.span[:1]]
    return min(possible, key=lambda params: _length(game, params))


def _length(game: Game, params: dict) -> tuple[bool, int, int]:
    """Return whether a random game is unfit, and its numbers of hands and of decisions.

    Unfit is one that is truncated, or may be over before each seat has decided something.
    """
    batch, decisions = Batch(game, 1, seed=1, autoreset=False, **params), 0
    while batch.masks[0].any():
        batch.step(batch.sample_actions())
        decisions += 1
    state = batch.states[0]
    unfit = bool(state.truncated) or decisions < 4 * batch.num_players
    return unfit, len(game.hand_scores(state, 0)), decisions


def make_table(game: Game, **options) -> TableEnv:
    return TableEnv(game.name, **options)


def random_moves(table: TableEnv, rng: np.random.Generator) -> Iterator[str]:
    """Play a random game to its end and yield the agent before each of its decisions."""
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        agent = table.agent_selection
        yield agent
        mask = table.infos[agent]["action_mask"]
        table.step(int(rng.choice(np.flatnonzero(mask))))


def play_named(table: TableEnv, *actions: str) -> None:
    """Play actions by name at a table that may be wrapped."""
    for action in actions:
        table.step(table.unwrapped.action_names.index(action))


def play_batch(batch: Batch, steps: int, choose=None) -> Iterator[None]:
    """Step a batch with ``choose(masks)``, or at random, and yield after each step."""
    for _ in range(steps):
        actions = batch.sample_actions() if choose is None else choose(batch.masks)
        batch.step(np.where(batch.masks.any(axis=1), actions, -1))
        yield


# --- Runs and reports -----------------------------------------------------------------------------


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a report's pictures empty, which saves most of the time."""
    monkeypatch.setattr("kitchentable_training.report.parts.to_png", lambda _: b"")


def write_run(folder: Path, rates: Sequence[float]) -> Path:
    """Write the folder of a run that is still training; it logs a win rate every 100 steps."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = {"game": "diddly", "params": {"rounds": 1}, "steps": 1000}
    (folder / "settings.yaml").write_text(json.dumps(settings))
    lines = [
        {"step": 100 * i, "evaluation/expert": rate, "payoff/all": 0.1, "time/seconds": 6.0 * i}
        for i, rate in enumerate(rates, start=1)
    ]
    (folder / "progress.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


# --- The server behind the page: imported late, since the extra `web` may not be installed --------


@pytest.fixture
def app(tmp_path):
    from tests.web.web_people import started

    return started(tmp_path)


@pytest.fixture
def me(app):
    from tests.web.web_people import Person

    with Person(app) as client:
        yield client


@pytest.fixture
def other(app, me):
    from tests.web.web_people import Person

    return Person(app)


def play_on(
    batch: Batch, actions: np.ndarray, *, by_hand: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Play actions, and forced actions up to the next decisions.

    Return the payments, and the games whose episode ended.
    """
    paid = np.zeros_like(batch.rewards)
    over = np.zeros(batch.num_envs, bool)
    while (actions >= 0).any():
        batch.step(actions)
        paid += batch.rewards
        over |= batch.dones | (by_hand & batch.states["hand_over"])
        legal = [np.flatnonzero(mask).tolist() for mask in batch.masks]
        legal = [[] if ended else one for one, ended in zip(legal, over, strict=True)]
        actions = np.array([one[0] if len(one) == 1 else -1 for one in legal])
    return paid, over
