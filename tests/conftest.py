"""What all tests share: every game, every variant of it, and ways to play it."""

from collections.abc import Iterator

import numba
import numpy as np
import pytest

from kitchentable import Batch, Game, TableEnv, games

COMPILED = not numba.config.DISABLE_JIT
VARIANTS = [(name, i) for name in sorted(games()) for i in range(len(games()[name].variants))]


def scaled(count: int) -> int:
    """Fewer games where the rules run uncompiled, some hundred times slower."""
    return count if COMPILED else max(1, count // 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden")


@pytest.fixture(params=sorted(games()))
def game(request: pytest.FixtureRequest) -> Game:
    return games()[request.param]


@pytest.fixture(params=VARIANTS, ids=lambda v: f"{v[0]}-{v[1]}")
def variant(request: pytest.FixtureRequest) -> tuple[Game, dict]:
    """A game and parameters of it; between them, all rules and numbers of seats."""
    name, number = request.param
    return games()[name], dict(games()[name].variants[number])


def make_table(game: Game, **options) -> TableEnv:
    return TableEnv(game.name, **options)


def random_moves(table: TableEnv, rng: np.random.Generator) -> Iterator[str]:
    """Play a game at random up to its end, and give the agent before each of its decisions."""
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        agent = table.agent_selection
        yield agent
        mask = table.infos[agent]["action_mask"]
        table.step(int(rng.choice(np.flatnonzero(mask))))


def play_batch(batch: Batch, steps: int, choose=None) -> Iterator[None]:
    """Step a batch with ``choose(masks)``, or at random, and give way after each step."""
    for _ in range(steps):
        actions = batch.sample_actions() if choose is None else choose(batch.masks)
        batch.step(np.where(batch.masks.any(axis=1), actions, -1))
        yield
