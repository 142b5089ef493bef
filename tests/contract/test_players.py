"""What every game's scripted players promise, in any position that other players leave them."""

import numpy as np
import pytest
from tests.conftest import COMPILED, FEW_VARIANTS

from kitchentable import Batch, TableEnv, all_games, find_game
from kitchentable.core.rng import settled
from kitchentable.engine.batch import GAME_0
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.players.search import SearchPlayer

PLAYERS = [(name, bot) for name, game in all_games().items() for bot in game.players.scripted]
every_player = pytest.mark.parametrize(("name", "bot"), PLAYERS)
compiled_only = pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled")


def few(name):
    return [all_games()[name].rules.variants[number] for one, number in FEW_VARIANTS if one == name]


def drifting(game, params, steps, player=None):
    """Play at random into positions that no sensible player reaches; yield before each step.

    If a player is given, it plays the first half of the games.
    """
    batch = Batch(game, 8, seed=5, **params)
    for _ in range(steps):
        yield batch
        actions = batch.sample_actions().copy()
        if player is not None:
            actions[:4] = player.act(batch, np.arange(4))
        batch.step(actions)


@every_player
@compiled_only
def test_they_choose_legally_and_alike_wherever_others_leave_them(name, bot):
    """Players leave what they see unchanged, and two players of the same seed choose the same."""
    game = all_games()[name]
    for params in few(name):
        one, twin = (ScriptedPlayer(game, bot, seed=3) for _ in range(2))
        for step, batch in enumerate(drifting(game, params, 161)):
            if step % 20 == 0:
                everywhere = np.arange(batch.num_envs)
                seen = batch.observations.copy(), batch.masks.copy()
                chosen = one.act(batch, everywhere)
                assert batch.masks[everywhere, chosen].all()
                assert (twin.act(batch, everywhere) == chosen).all()
                assert (seen[0] == batch.observations).all()
                assert (seen[1] == batch.masks).all()


@every_player
@compiled_only
def test_they_decide_the_same_uncompiled(name, bot):
    game = all_games()[name]
    for params in few(name):
        player = ScriptedPlayer(game, bot, seed=3)
        for step, batch in enumerate(drifting(game, params, 31, player)):
            if step in (10, 25):
                player.seed(step)
                player.act(batch, np.arange(0))  # sets up the random streams
                streams = player.streams.copy()
                compiled = player.act(batch, np.array([0, 7]))
                for i, action in zip((0, 7), compiled, strict=True):
                    stream, known = streams[i : i + 1], None
                    if game.rules.has_knowledge:
                        known = batch.know(batch.current_player)[i]
                    given = known, batch.masks[i], stream, *batch.tables
                    plain = game.players.scripted[bot](*given)
                    assert settled(plain, batch.masks[i], stream) == action


@every_player
@compiled_only
def test_they_tell_their_exact_probabilities(name, bot):
    game = all_games()[name]
    for params in game.rules.variants[:2]:
        player = ScriptedPlayer(game, bot, seed=3)
        for step, batch in enumerate(drifting(game, params, 12, player)):
            if step % 5 == 0:
                told = player.probabilities(batch, np.arange(batch.num_envs))
                np.testing.assert_allclose(told.sum(axis=1), 1.0)
                assert not told[~batch.masks].any()
                for _ in range(3):
                    chosen = player.act(batch, np.arange(batch.num_envs))
                    assert told[np.arange(batch.num_envs), chosen].all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rollouts": 512.0}, r"rollouts=512.0, .*: choose .* of rollouts a whole number"),
        ({"seconds": 0}, "seconds=0: choose values above 0"),
        ({"policy": "wizard"}, "diddly has no player 'wizard'"),
        ({"seed": -1}, "seed: give a whole number from 0 on, not -1"),
    ],
)
def test_what_a_search_cannot_be_given_is_named(wrong, message):
    game = all_games()["diddly"]
    with pytest.raises(ValueError, match=message):
        SearchPlayer(game, **wrong)


def test_random_comes_first_in_every_game(game):
    assert next(iter(game.players.scripted)) == "random"


@compiled_only
def test_simulated_players_draw_independently_of_the_deals():
    """With the queen, and random players from then on: exact values by hand."""
    table = TableEnv("kuhn_poker")
    table.reset(seed=1, options={"deck": ["Q"]})
    player = SearchPlayer(find_game("kuhn_poker"), rollouts=40_000, policy="random")
    player.act(table.batch, GAME_0)
    # A bet wins 1 by half of the answers, else 2 or -2; a check loses 1 by a quarter.
    assert player.values == pytest.approx({0: -0.25, 1: 0.5}, abs=0.05)
