"""The scripted players of every game are as strong as intended.

These tests need many games, so they run compiled only; others check the rules uncompiled.
"""

import numpy as np
import pytest
from tests.conftest import COMPILED

from kitchentable import Batch, all_games
from kitchentable.players.scripted import ScriptedPlayer, play_out

pytestmark = pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled")

QUICK = [
    ("addtoo", {}, "expert", "greedy", 100, 0.8),
    ("diddly", {}, "expert", "greedy", 100, 0.65),
    ("fiddlefoo", {}, "expert", "greedy", 300, 0.6),
    ("fiddlefoo", {"cooperative": True}, "expert", None, 300, 0.25),
    ("quiddler", {"meld": "auto"}, "expert", "greedy", 100, 0.6),
    ("quiddler_solitaire", {}, "greedy", None, 300, 0.1),
]
"""Game, parameters, player, the player in the other seats, number of deals, and the bound that the
player's share of the decided games exceeds by three standard errors."""
OTHER_RULES = {
    "turned": False, "strict_colors": True, "fifth_draw_plays": False, "sealed_ends_hand": False
}  # fmt: skip
SLOW = [
    *(("addtoo", {"num_players": n}, *pair, 200, 1.2 / n)
      for n in (3, 4, 6) for pair in (("expert", "greedy"), ("greedy", "random"))),
    ("addtoo", OTHER_RULES, "expert", "greedy", 300, 0.8),
    ("addtoo", OTHER_RULES, "greedy", "random", 500, 0.6),
    ("addtoo", {}, "greedy", "random", 500, 0.6),
    *(("diddly", {"cards": cards}, "expert", "greedy", 150, 0.65) for cards in (6, 8, 9)),
    *(("diddly", {"cards": cards}, "greedy", "random", 100, 0.85) for cards in (6, 8, 9)),
    *(("fiddlefoo", params, "expert", "greedy", 300, least) for params, least in (
        ({"wildcard": True}, 0.55), ({"talkytoot": "all"}, 0.55), ({"num_players": 3}, 0.4),
        ({"num_players": 4}, 0.3), ({"num_players": 5}, 0.24), ({"num_players": 6}, 0.2))),
    *(("fiddlefoo", params, "greedy", "random", 150, 1.5 / params.get("num_players", 2))
      for params in ({}, {"wildcard": True}, {"talkytoot": "all"}, {"num_players": 4})),
    *(("fiddlefoo", {"cooperative": True, "num_players": seats}, "expert", None, 300, 0.5)
      for seats in (5, 6)),
    *(("quiddler", {"meld": meld}, "expert", "greedy", 300, 0.65) for meld in ("spell", "auto")),
    *(("quiddler", {"meld": meld}, "greedy", "random", 100, 0.85) for meld in ("spell", "auto")),
    ("quiddler_solitaire", {}, "quick", None, 1500, 0.5),
    ("quiddler_solitaire", {}, "rollout", None, 80, 0.5),
]  # fmt: skip


def decided(batch: Batch, player: ScriptedPlayer, other: ScriptedPlayer, seat: int) -> np.ndarray:
    """Play one seat by a player; return by deal whether it won, and whether anybody won alone."""
    seating = np.full((batch.num_envs, batch.num_players), 1)
    seating[:, seat] = 0
    play_out(batch, [player, other], seating)
    assert not batch.states.truncated.any()
    first = batch.standings()[1] == 1
    alone = np.full(batch.num_envs, True) if batch.is_team else first.sum(axis=1) == 1
    return np.array([first[:, seat] & alone, alone])


def share(name: str, params: dict, one: str, other: str | None, deals: int) -> tuple[float, float]:
    """Return a player's share of the decided games, and its standard error.

    Rivals play every deal from each seat, which counts once in the error; a team plays by itself.
    """
    game, seats = all_games()[name], Batch(all_games()[name], 1, **params).num_players
    counts = np.zeros((2, deals))
    for seat in range(seats if other else 1):
        batch = Batch(game, deals, seed=11, autoreset=False, **params)
        players = [ScriptedPlayer(game, bot, seed=3) for bot in (one, other or one)]
        counts += decided(batch, *players, seat)
    rate = counts[0].sum() / counts[1].sum()
    error = (counts[0] - rate * counts[1]).std() / counts[1].mean() / np.sqrt(deals)
    return float(rate), float(error)


@pytest.mark.parametrize(
    ("name", "params", "one", "other", "deals", "least"),
    [*QUICK, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)],
)
def test_the_players_are_as_strong_as_intended(name, params, one, other, deals, least):
    rate, error = share(name, params, one, other, deals)
    assert rate - 3 * error > least, f"{rate:.3f}, standard error {error:.3f}"


@pytest.mark.slow
@pytest.mark.parametrize("cards", [6, 8, 9])
def test_experts_of_diddly_do_not_wait_for_each_other_for_ever(cards):
    """Rounds between experts end by themselves, and neither seat has an advantage."""
    game = all_games()["diddly"]
    batch = Batch(game, 100, seed=11, autoreset=False, cards=cards)
    won, any_won = decided(batch, *[ScriptedPlayer(game, "expert", seed=3)] * 2, 0)
    assert 0.3 < won.sum() / any_won.sum() < 0.7
