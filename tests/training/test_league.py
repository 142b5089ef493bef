"""The league, and MaskablePPO in it."""

import shutil
from operator import attrgetter

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from tests.training import tiny_settings as tiny
from tests.training.tiny_settings import check_resumed, settings

from kitchentable import find_game
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.settings import OpponentSettings
from kitchentable_training.algorithms.vec_env import LearnerVecEnv
from kitchentable_training.players.checkpoint import read_card, read_tensors
from kitchentable_training.runs.run import Run

DIDDLY = find_game("diddly")
PARAMS = DIDDLY.make_params(rounds=1, reward="margin")
NOBODY = np.zeros((0, 2), np.int64)


def in_league(**more):
    content = {
        "algorithm": "sb3_ppo", "steps": 2560, "checkpoints_kept": 99, "checkpoint_seconds": 0.0001,
        "own": {"ent_coef": 0.05, "final_ent_coef": 0.0}, "network": tiny.NETWORK | tiny.SHOWN,
        "opponents": tiny.LEAGUE,
    }  # fmt: skip
    return settings(**content | more)


def pool(**more):
    given = OpponentSettings.model_validate(tiny.LEAGUE | more)
    return OpponentPool.make(DIDDLY, PARAMS, given, seed=0)


def test_selves_come_and_go() -> None:
    league = pool(past_selves=4)
    one, two, three = object(), object(), object()
    league.add_past_self(one, NOBODY)
    league.add_past_self(two, NOBODY)
    assert league.weights() == {0: 1, 1: 1, 2: 2, 3: 2}
    assert [league.label(n) for n in (0, 1, 2)] == ["random", "greedy", "past selves"]
    league.add_past_self(three, np.array([[2, -1]]))  # the oldest self is still in a game
    assert league.player(2) is one
    assert set(league.weights()) == {0, 1, 3, 4}
    league.add_past_self(object(), NOBODY)
    assert set(league.selves) == {4, 5}


def test_players_are_drawn_by_weight() -> None:
    drawn = pool(scripted={"random": 1, "greedy": 3}).draw(np.random.default_rng(0), (4000,))
    assert (drawn == 1).mean() == pytest.approx(0.75, abs=0.03)


def test_trained_players_sit_in_the_league() -> None:
    params = DIDDLY.make_params()
    given = OpponentSettings.model_validate(tiny.LEAGUE | {"trained": {"diddly_2p": 2}})
    league = OpponentPool.make(DIDDLY, params, given, seed=0)
    assert [one.name for one in league.fixed] == ["random", "greedy", "diddly_2p"]
    assert league.weights() == {0: 1, 1: 1, 2: 2}
    env = LearnerVecEnv(DIDDLY, 64, league, seed=1, **params.as_dict())
    env.reset()
    assert set(env.seating.numbers.ravel().tolist()) == {-1, 0, 1, 2}
    with pytest.raises(ValueError, match="'nowhere'"):
        pool(trained={"nowhere": 1})
    with pytest.raises(ValueError, match=r"opponents\.trained: 'greedy' is a scripted player"):
        pool(trained={"greedy": 1})


OWN = f"""{tiny.DRAWING}
def mine(game, params, seed):
    return Drawing()
"""


def test_own_players_sit_in_the_league_and_are_the_same_when_a_run_is_resumed(tmp_path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    league = tiny.LEAGUE | {"trained": {f"{file}:mine": 2, "search:rollouts=2": 0}}
    judges = {"every": 1024, "deals": 4, "final_deals": 4, "opponents": [f"{file}:mine"]}
    params = {"rounds": 1, "reward": "margin", "turn_limit": 2}
    chosen = in_league(steps=1536, params=params, opponents=league, evaluation=judges)
    _, parts = check_resumed(chosen, tmp_path)
    card = read_card(parts / "final")
    (name,) = card["results"]
    assert name == f"mine@{card['players'][f'{file}:mine'][:8]}"
    assert f"payoff/{name}" in (parts / "progress.jsonl").read_text()
    shutil.rmtree(parts / "final")
    file.write_text(OWN + "# edited")
    with pytest.raises(ValueError, match=r"cannot be resumed, as .*own\.py:mine changed since"):
        Run(chosen, parts)
    LearnerVecEnv.make("diddly", 4, {f"{file}:mine": 1}, seed=1, rounds=1).reset()
    alone = OpponentSettings(trained={f"{file}:mine": 1})
    with pytest.raises(ValueError, match=r"own\.py:mine' is not one network"):
        OpponentPool.make(DIDDLY, PARAMS, alone, seed=0, on_gpu=True)


def test_a_run_whose_loss_is_no_longer_finite_stops(tmp_path) -> None:
    folder = tmp_path / "run"
    run = Run(in_league(), folder)
    run.learner.model.lr_schedule = lambda left: 0.001 if left > 0.75 else 1e38
    with pytest.raises(ValueError, match=f"no longer finite at step 1024; .*{folder}"):
        run.train()
    (good,) = (folder / "checkpoints").iterdir()
    assert all(one.isfinite().all() for one in read_tensors(good, "weights.safetensors").values())
    assert Run(in_league(), folder).learner.steps == 512


@pytest.mark.parametrize(
    ("algorithm", "learns"),
    [(tiny.REGULARIZED, "acting"), (tiny.FICTITIOUS, "best"), (tiny.ORACLES, "oracle.network")],
)
def test_weights_that_learn_and_are_not_played_are_checked_too(algorithm, learns, tmp_path) -> None:
    run = Run(settings(**algorithm), tmp_path / "run")
    run.check_finite()
    next(attrgetter(learns)(run.learner).parameters()).data[:] = np.nan
    with pytest.raises(ValueError, match="no longer finite"):
        run.check_finite()


def test_behavior_cloning_whose_loss_is_no_longer_finite_stops(tmp_path) -> None:
    lessons = {"player": "greedy", "decisions": 2000, "lesson": 1000, "batch_size": 64}
    run = Run(in_league(behavior_cloning=lessons | {"learning_rate": 1e36}), tmp_path / "run")
    with pytest.raises(ValueError, match="no longer finite at step 0; "):
        run.train()
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_schedules_end_where_they_should(tmp_path) -> None:
    own = {
        "learning_rate": 0.01, "final_learning_rate": 0.0, "ent_coef": 0.5, "final_ent_coef": 0.1,
    }  # fmt: skip
    run = Run(in_league(own=own), tmp_path / "run")
    model, entropy, rates = run.learner.model, [], []
    learn = model.train

    def watched():
        learn()
        entropy.append(model.ent_coef)
        rates.append(model.policy.optimizer.param_groups[0]["lr"])

    model.train = watched
    run.train()
    assert entropy == pytest.approx([0.5, 0.42, 0.34, 0.26, 0.18])
    assert rates == pytest.approx([0.008, 0.006, 0.004, 0.002, 0.0])


def test_an_environment_is_made_in_a_line() -> None:
    env = LearnerVecEnv.make("diddly", 4, rounds=1)
    assert [one.name for one in env.seating.pool.fixed] == ["expert"]
    env = LearnerVecEnv.make("diddly", 4, {"greedy": 1, "random": 3}, cards=9, num_players=3)
    assert [one.name for one in env.seating.pool.fixed] == ["greedy", "random"]
    assert env.reset().shape == (4, env.observation_space.shape[0])
    assert LearnerVecEnv.make("quiddler_solitaire", 4).reset().shape[0] == 4
    with pytest.raises(ValueError, match="no player 'nobody'"):
        LearnerVecEnv.make("diddly", 4, {"nobody": 1})


def first_games(env) -> list[bytes]:
    """Return the observations of some decisions, with the learner's first legal action."""
    seen = [env.reset().tobytes()]
    for _ in range(10):
        observations, *_ = env.step(env.action_masks().argmax(axis=1))
        seen.append(observations.tobytes())
    return seen


def test_a_models_seed_is_that_of_its_deals_seating_and_opponents() -> None:
    """And environments that are made without a seed have deals of their own."""

    def games(seed, made=None):
        env = LearnerVecEnv.make("diddly", 4, {"random": 1, "greedy": 1}, seed=made, rounds=1)
        MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, seed=seed)
        return first_games(env)

    assert games(1) == games(1) == games(None, made=1) != games(2)
    assert games(None) != games(None)
    env = LearnerVecEnv.make("diddly", 4, {"random": 1}, seed=1, rounds=1)
    played = first_games(env)
    assert first_games(env) != played
    assert env.seed(np.int64(1)) == [1] * 4
    for wrong in (True, -1, 1.5):
        with pytest.raises(ValueError, match="seed: give a whole number from 0 on"):
            env.seed(wrong)
    assert first_games(env) == played


def test_the_learners_environment_refuses_what_is_no_legal_action() -> None:
    env = LearnerVecEnv.make("diddly", 3, {"random": 1}, seed=1, rounds=1)
    env.reset()
    before = env.batch.states.tobytes()
    legal, illegal = env.action_masks().argmax(axis=1), env.action_masks().argmin(axis=1)
    for wrong in (illegal, legal - 100, legal * 1.0, legal == 0, legal[:2], legal[:, None]):
        with pytest.raises(ValueError, match=r"may not play|actions: give whole numbers"):
            env.step(wrong)
    assert env.batch.states.tobytes() == before
