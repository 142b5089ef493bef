"""Self-play on a real GPU: its kernels, a run that improves, and a run that is resumed."""

import numpy as np
import pytest
import torch
from tests.cuda.test_device import why_not
from tests.training.tiny_settings import TINY, check_same_end, left_at_every_update

from kitchentable import Batch
from kitchentable.core.rng import seeds_for
from kitchentable_training.algorithms.advantages import advantages
from kitchentable_training.algorithms.ppo_loss import draw
from kitchentable_training.players.checkpoint import load_player
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import parse_settings

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(bool(why_not()), reason=why_not())]
GAMES = 2048
STEPS = 32


def settings(own=None, **more):
    content = TINY | {
        "device": "cuda",
        "algorithm": "ppo",
        "game": "diddly",
        "params": {"rounds": 1},
        "steps": 24 * GAMES * STEPS,
        "num_envs": GAMES,
        "network": {"layers": [64]},
        "evaluation": {
            "every": 1 << 30, "deals": 50, "final_deals": 300, "opponents": ["random"],
        },
        "training": TINY["training"] | {
            "n_steps": STEPS, "batch_size": 4096, "n_epochs": 2, "learning_rate": 0.001,
        } | (own or {}),
    }  # fmt: skip
    return parse_settings(content | more, "test")


def on_gpu(loop, *arguments):
    """Run a loop's kernel on copies of the arguments; return the copies afterwards."""
    given = [
        torch.from_numpy(one).cuda() if isinstance(one, np.ndarray) else one for one in arguments
    ]
    from kitchentable_training.algorithms.gpu import Kernels

    Kernels().run(loop, *given)
    return [one.cpu().numpy() if isinstance(one, torch.Tensor) else one for one in given]


def test_advantages_are_those_of_the_cpu_in_every_bit() -> None:
    rng = np.random.default_rng(3)
    steps, games, seats = 64, 4099, 3
    shape = (steps, games, seats)
    ends = rng.random((steps, games)) < 0.05
    given = [
        rng.normal(size=shape).astype(np.float32),
        ends,
        ends & (rng.random((steps, games)) < 0.5),
        rng.integers(seats, size=(steps + 1, games)),
        rng.random((steps, games)) < 0.8,
        rng.normal(size=(steps + 1, games)).astype(np.float32),
        *(np.float32(0.9), np.float32(0.8)),
        np.zeros((steps, games), np.float32),
    ]
    found = on_gpu(advantages, *given)[-1]
    advantages(*given)
    assert found.tobytes() == given[-1].tobytes()


def test_actions_are_chosen_as_on_the_cpu() -> None:
    """Except where two actions are as good as tied: exponentials differ in their last digits."""
    rng = np.random.default_rng(5)
    games, num_actions = 50_003, 37
    masks = rng.random((games, num_actions)) < 0.2
    masks[np.arange(games), rng.integers(num_actions, size=games)] = True
    logits = 2 * rng.normal(size=masks.shape).astype(np.float32)
    shown = (logits, masks, seeds_for(1, games), np.zeros(games, np.int64))
    given = (*shown, np.zeros(games, np.float32))
    _, _, streams, actions, logs = on_gpu(draw, *given)
    draw(*given)
    assert streams.tobytes() == given[2].tobytes()
    same = actions == given[3]
    assert same.mean() > 0.9999
    np.testing.assert_allclose(logs[same], given[4][same], rtol=1e-5, atol=1e-6)


def test_self_play_learns_on_the_gpu_and_its_player_plays_on_the_cpu(tmp_path) -> None:
    run = Run(settings(), tmp_path / "run")
    assert run.learner.games.masks.is_cuda
    assert run.learner.rollout.inputs.flat.is_cuda
    before = run.evaluate(300)["opponents"]["random"]["win_rate"]
    final = run.train()
    after = run.evaluate(300)["opponents"]["random"]["win_rate_interval"]
    assert after[0] > before + 0.1
    player = load_player(final)
    assert player.device.type == "cpu"


def test_a_network_that_sees_more_learns_on_the_gpu_from_games_on_the_cpu(tmp_path) -> None:
    network = {
        "layers": [64], "relations": True,
        "action_features": True, "value_of_actions": True,
    }  # fmt: skip
    own = {"league": 0.5, "full_state_critic": True, "bfloat16": True}
    opponents = {"trained": {"diddly_2p": 1}, "past_selves": 1, "past_every": 4 * GAMES * STEPS}
    table = {"params": {"num_players": 2}, "threads": 4, "network": network}
    run = Run(settings(own, **table, opponents=opponents), tmp_path / "run")
    assert isinstance(run.learner.games.batch, Batch)
    assert {one.device.type for one in run.learner._parameters} == {"cuda"}
    assert {one.device.type for one in run.pool.trained} == {"cuda"}
    before = run.evaluate(300)["opponents"]["random"]["win_rate"]
    final = run.train()
    after = run.evaluate(300)["opponents"]["random"]["win_rate_interval"]
    assert after[0] > before + 0.1
    assert load_player(final).device.type == "cpu"


def test_a_run_that_is_left_at_every_update_ends_with_the_same_weights(tmp_path) -> None:
    """With all options, and every kind of opponent that a league can have on a GPU."""
    chosen = settings(
        {
            "league": 0.25, "magnet_coef": 0.1, "full_state_critic": True, "bfloat16": True,
            "normalize_advantage": True,
        },
        network={"layers": [32]},
        steps=4 * GAMES * STEPS, checkpoint_seconds=0.0001,
        opponents={
            "scripted": {"random": 1, "greedy": 1}, "past_selves": 1, "past_every": GAMES * STEPS,
        },
    )  # fmt: skip
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    Run(chosen, whole).train()
    assert left_at_every_update(chosen, parts) >= 3
    check_same_end(parts, whole)
