"""The league, and MaskablePPO in it."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from tests.conftest import COMPILED
from tests.training.tiny_settings import (
    TINY,
    check_same_end,
    check_same_state,
    left_at_every_update,
)

from kitchentable import find_game
from kitchentable_training.learn.league import (
    LEAST,
    GameResult,
    OpponentPool,
    OpponentSettings,
)
from kitchentable_training.learn.run import Run
from kitchentable_training.learn.settings import parse_settings
from kitchentable_training.learn.vec_env import LearnerVecEnv
from kitchentable_training.players.checkpoint import read_card, read_tensors

pytestmark = pytest.mark.skipif(not COMPILED, reason="training is for compiled rules")

DIDDLY = find_game("diddly")
PARAMS = DIDDLY.make_params(rounds=1, reward="margin")
LEAGUE = {
    "scripted": {"random": 1, "greedy": 1},
    "past_selves": 1,
    "past_every": 512,
    "past_kept": 2,
    "best_self": 1,
    "prioritised": 2,
}
NETWORK = {"layers": [16], "action_features": True}
NOBODY = np.zeros((0, 2), np.int64)


def settings(**more):
    content = TINY | {
        "game": "diddly",
        "params": {"rounds": 1, "reward": "margin"},
        "steps": 2560,
        "num_envs": 32,
        "checkpoints_kept": 99,
        "checkpoint_seconds": 0.0001,
        "ppo": TINY["ppo"] | {"ent_coef": 0.05, "final_ent_coef": 0.0},
        "network": NETWORK,
        "opponents": LEAGUE,
        "evaluation": {"every": 1024, "deals": 4, "final_deals": 4, "opponents": ["greedy"]},
    }
    return parse_settings(content | more, "test")


def pool(**more):
    given = OpponentSettings.model_validate(LEAGUE | more)
    return OpponentPool.make(DIDDLY, PARAMS, given, seed=0)


class Nobody:
    """A placeholder for a self, where only its place in the pool matters."""


# --- The league -----------------------------------------------------------------------------------


def test_opponents_that_are_hard_to_beat_are_met_more_often() -> None:
    league = pool(scripted={"random": 1, "greedy": 3})
    assert league.weights() == pytest.approx({0: 0.25, 1: 0.75})
    for _ in range(2000):
        league.note([GameResult((0,), 1.0, (1.0,)), GameResult((1,), -1.0, (0.0,))])
    weights = league.weights()
    assert weights[0] == pytest.approx(LEAST)
    assert weights[1] == pytest.approx(3.0, rel=1e-3)
    drawn = league.draw(np.random.default_rng(0), (1000,))
    assert (drawn == 1).mean() > 0.97


def test_without_priorities_weights_stay() -> None:
    league = pool(prioritised=0)
    league.note([GameResult((0, 1), 1.0, (1.0, 0.5))] * 50)
    assert league.weights() == {0: 1.0, 1: 1.0}
    assert league.beaten[0] > 0.5
    assert league.beaten[1] == pytest.approx(0.5)


def test_selves_come_and_go() -> None:
    league = pool(prioritised=0, past_selves=4, best_self=3)
    one, two, three, best, better = (Nobody() for _ in range(5))
    league.add_past_self(one, NOBODY)
    league.add_past_self(two, NOBODY)
    league.set_best_self(best, 0.4, NOBODY)
    assert league.weights() == {0: 1, 1: 1, 4: 3, 2: 2, 3: 2}
    assert [league.label(n) for n in (0, 1, 2, 4)] == [
        "random", "greedy", "past selves", "best self",
    ]  # fmt: skip
    league.note([GameResult((2, 4), 0.0, (1.0, 0.0))])
    league.add_past_self(three, np.array([[2, -1]]))  # the oldest self is still in a game
    league.set_best_self(better, 0.5, np.array([[2, -1]]))
    assert league.player(2) is one
    assert set(league.weights()) == {0, 1, 3, 5, 6}
    assert league.best_score == 0.5
    assert 4 not in league.selves
    assert set(league.beaten) == {2}
    assert league.shares_beaten() == {"past selves": pytest.approx(0.5025)}
    league.add_past_self(Nobody(), NOBODY)
    assert set(league.selves) == {5, 6, 7}


def test_trained_players_sit_in_the_league(tmp_path) -> None:
    final = Run(settings(steps=512), tmp_path / "first").train()
    league = pool(trained={str(final): 2}, prioritised=0)
    assert [one.name for one in league.fixed] == ["random", "greedy", "first"]
    assert league.weights() == {0: 1, 1: 1, 2: 2}
    env = LearnerVecEnv(DIDDLY, 64, league, seed=1, **PARAMS.as_dict())
    env.reset()
    assert set(env.seating.numbers.ravel()) == {-1, 0, 1, 2}
    with pytest.raises(ValueError, match="'nowhere'"):
        pool(trained={"nowhere": 1})
    with pytest.raises(ValueError, match=r"opponents\.trained: 'greedy' is not a checkpoint"):
        pool(trained={"greedy": 1})


def test_a_result_tells_which_opponents_did_worse() -> None:
    """Compare with the ranks of the finished games, seat by seat."""
    params = DIDDLY.make_params(num_players=3, rounds=1, reward="win")
    league = OpponentPool.make(DIDDLY, params, OpponentSettings.model_validate(LEAGUE), seed=0)
    env = LearnerVecEnv(DIDDLY, 16, league, seed=3, **params.as_dict())
    env.reset()
    checked = 0
    while checked < 40:
        seats, who = env.seating.seat.copy(), env.seating.numbers.copy()
        finished = len(env.seating.results)
        env.step_async(env.action_masks().argmax(axis=1))
        _, _, _, infos = env.step_wait()
        over = [i for i, info in enumerate(infos) if info.get("game_over")]
        assert len(env.seating.results) - finished == len(over)
        for i, result in zip(over, env.seating.results[finished:], strict=True):
            ranks = env.batch.ranks(env.batch.final_states[i])
            mine = ranks[seats[i]]
            expected = {
                (int(who[i, seat]), 1.0 if rank > mine else 0.5 if rank == mine else 0.0)
                for seat, rank in enumerate(ranks)
                if seat != seats[i]
            }
            assert set(zip(result.opponents, result.beaten, strict=True)) == expected
            checked += 1


def test_a_run_that_is_left_at_every_update_ends_with_the_same_weights(tmp_path) -> None:
    chosen, whole, parts = settings(), tmp_path / "whole", tmp_path / "parts"
    Run(chosen, whole).train()
    assert left_at_every_update(chosen, parts) == 2560 // 512 - 1
    check_same_end(parts, whole)
    check_same_state(parts, whole)
    picked_up = read_card(parts / "checkpoints" / "step_000000001536")["run"]
    assert all(picked_up[what] for what in ("past", "best", "beaten"))


def test_a_run_whose_loss_is_no_longer_finite_stops(tmp_path) -> None:
    folder = tmp_path / "run"
    chosen = settings(checkpoint_seconds=0.0001)
    run = Run(chosen, folder)
    run.learner.model.lr_schedule = lambda left: 0.001 if left > 0.75 else 1e38
    with pytest.raises(ValueError, match=f"no longer finite at step 1024; .*{folder}"):
        run.train()
    (good,) = (folder / "checkpoints").iterdir()
    assert good.name == "step_000000000512"
    assert all(one.isfinite().all() for one in read_tensors(good, "weights.safetensors").values())
    assert Run(chosen, folder).learner.steps == 512


def test_an_imitation_whose_loss_is_no_longer_finite_stops(tmp_path) -> None:
    lessons = {"player": "greedy", "decisions": 2000, "lesson": 1000, "batch_size": 64}
    run = Run(settings(imitation=lessons | {"learning_rate": 1e36}), tmp_path / "run")
    with pytest.raises(ValueError, match="no longer finite at step 0; "):
        run.train()
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_schedules_end_where_they_should(tmp_path) -> None:
    ppo = TINY["ppo"] | {
        "learning_rate": 0.01, "final_learning_rate": 0.0,
        "ent_coef": 0.5, "final_ent_coef": 0.1,
    }  # fmt: skip
    run = Run(settings(ppo=ppo), tmp_path / "run")
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
    for _ in range(30):
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
