"""The games in TextArena, played by its own loop with its own wrappers."""

import random
from dataclasses import replace

import numpy as np
import pytest
from examples import top_card
from tests.conftest import short

pytest.importorskip("textarena")
import textarena

from kitchentable import TableEnv, find_game, register
from kitchentable.core import registry
from kitchentable.core.registry import shipped_versions
from kitchentable.text.textarena import TextArenaEnv

pytestmark = pytest.mark.frameworks
IDS = {name: f"kitchentable/{name}_v{version}" for name, version in shipped_versions().items()}


def options(name):
    params = {**find_game(name).make_params().plain(), **short(find_game(name))}
    seats = params.pop("num_players")
    return seats, {key: value for key, value in short(find_game(name)).items() if key in params}


def play(env, answer):
    """Play a game as TextArena's documentation does, and yield what each player is told."""
    done, rng = False, random.Random(3)
    while not done:
        player, told = env.get_observation()
        yield player, told
        done, _ = env.step(action=answer(env, rng))


def any_legal(env, rng):
    return f"I choose [{rng.choice(env.text.table.legal_actions())}]"


def test_games_from_outside_the_package_are_registered_too(monkeypatch):
    """Those that were added before, as `top_card` by the other tests, and later."""
    monkeypatch.setattr(registry, "_GAMES", dict(registry._GAMES))
    register(replace(top_card.GAME, name="later"))
    for name in ("top_card", "later"):
        textarena.check_env_exists(f"kitchentable/{name}_v0")


@pytest.mark.parametrize("name", IDS)
def test_it_is_registered_and_its_loop_plays_a_game(name, capsys):
    textarena.check_env_exists(IDS[name])
    seats, params = options(name)
    env = textarena.make(IDS[name], **params)
    env.reset(num_players=seats, seed=7)
    for player, told in play(env, any_legal):
        assert player == env.text.seat
        assert f"You are player_{player}." in told
        assert told.count("The rules of") == 1
        assert env.text.observe(news=False) in told
        moves = env.text.table.transcript
        assert not moves or ": ".join(moves[-1]) in told
    rewards, info = env.close()
    table = TableEnv(name, num_players=seats, **params)
    table.reset(seed=7)
    paid = np.zeros(seats)
    for _, action in env.text.table.transcript:
        table.step(table.action_names.index(action))
        paid += list(table.rewards.values())
    assert all(table.terminations.values()) or all(table.truncations.values())
    assert rewards == dict(enumerate(paid.tolist()))
    assert info[0]["reason"]
    assert not any(one["invalid_move"] for one in info.values())
    assert sum(one["turn_count"] for one in info.values()) == len(table.transcript)


def test_unusable_answers_are_invalid_moves_and_the_last_one_loses():
    env = textarena.make(IDS["kuhn_poker"], tries=2)
    env.reset(num_players=2, seed=1)
    player, _ = env.get_observation()
    assert env.step("[fly]") == (False, {"seat": player, "action": None, "tries_left": 1})
    again, _ = env.get_observation()
    assert again == player
    done, _ = env.step("[fly]")
    assert done
    rewards, info = env.close()
    assert rewards == {player: -1.0, 1 - player: 1.0}
    assert info[player]["invalid_move"]
    assert not info[1 - player]["invalid_move"]
    assert "chose an illegal action" in info[player]["reason"]


def test_other_players_see_no_answer_but_the_action():
    env = TextArenaEnv("quiddler")
    env.reset(num_players=2, seed=1)
    first = env.state.current_player_id
    env.step("my hand is secret, so [draw]")
    told = env.state.observations[1 - first]
    assert not any("secret" in message for _, message, _ in told)
    assert any("draw" in message for _, message, _ in told)
