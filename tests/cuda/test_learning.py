"""Self-play on a GPU that numba simulates: it plays and learns the same as on the CPU.

The simulator's tensors are on the CPU, so equal inputs give equal weights; a real GPU adds floats
in another order.
"""

import numpy as np
import pytest
import torch
from stable_baselines3.common.logger import Logger
from tests.training.tiny_settings import (
    ALL,
    LEAGUE,
    MIRROR_DESCENT,
    MONTE_CARLO,
    NETWORK,
    REGULARIZED,
    SHOWN,
    TINY,
    check_resumed,
    learner,
    settings,
)

from kitchentable import Batch
from kitchentable.engine.compiling import CompileError
from kitchentable.engine.cuda import SIMULATED
from kitchentable_training.players.checkpoint import load_player, read_card

pytestmark = [
    pytest.mark.cuda_sim,
    pytest.mark.skipif(not SIMULATED, reason="needs NUMBA_ENABLE_CUDASIM=1: `make test-cuda`"),
    # Integers wrap silently, as they do in compiled code.
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]

OFTEN = LEAGUE | {"past_every": 32}
GAMES, STEPS = 5, 12


def on_gpu(own=None, **more):
    content = {
        "device": "cuda",
        "training": TINY["training"] | {"n_steps": STEPS, "batch_size": 30, "n_epochs": 2},
        # Truncated early, so that games end.
        "params": {"rounds": 1, "reward": "margin", "turn_limit": 2},
        "steps": 2 * GAMES * STEPS,
        "num_envs": GAMES,
        "evaluation": {"every": 1 << 20, "deals": 1, "final_deals": 1, "opponents": ["random"]},
    }
    return settings(own, **content | more)


# --- Rollouts and updates -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "more"),
    [
        (ALL, {"opponents": OFTEN}),
        ({"duplicates": 4, "full_state_critic": True}, {}),
        ({}, MIRROR_DESCENT | {"episode": "hand"}),
        ({"league": 0.5, "delta_m": 50}, REGULARIZED | {"opponents": OFTEN}),
        ({"league": 1.0}, MONTE_CARLO | {"opponents": OFTEN}),
        ({"league": 0.5}, {"opponents": OFTEN, "network": NETWORK | SHOWN}),
    ],
    ids=["all options", "duplicates", "mmd", "rnad", "dmc", "all inputs"],
)
def test_what_is_played_and_learned_is_what_the_cpu_plays_and_learns(own, more) -> None:
    mine, theirs = (learner(on_gpu(own, device=device, **more)) for device in ("cpu", "cuda"))
    for _ in range(2):
        for one in (mine, theirs):
            one.update(Logger(None, []))
        ours, gpus = mine.rollout, theirs.rollout
        torch.testing.assert_close(ours.inputs.flat, gpus.inputs.flat)  # relations are sums
        assert torch.equal(ours.inputs.masks, gpus.inputs.masks)
        for name in ("movers", "learned", "rewards", "ends", "actions"):
            assert torch.equal(getattr(ours, name), getattr(gpus, name)), name
        for name in ("log_probs", "values", "advantages"):
            old, new = (np.asarray(getattr(one, name)) for one in (ours, gpus))
            np.testing.assert_allclose(old, new, atol=1e-5, err_msg=name)
        for old, new in zip(mine.network.parameters(), theirs.network.parameters(), strict=True):
            torch.testing.assert_close(old, new, atol=1e-5, rtol=1e-4)
    assert mine.steps == theirs.steps
    assert mine.seating.finished == theirs.seating.finished > 0
    assert [r.opponents for r in mine.seating.results] == [
        r.opponents for r in theirs.seating.results
    ]
    assert bool(mine.seating.results) == bool(own.get("league"))


def test_a_run_that_is_left_at_every_update_ends_with_the_same_weights(tmp_path) -> None:
    """With past selves and scripted players; the checkpoint plays on any device."""
    chosen = on_gpu(
        ALL, opponents=OFTEN | {"scripted": {"random": 1}}, checkpoint_seconds=0.0001,
        evaluation={"every": 32, "deals": 1, "final_deals": 1, "opponents": ["random"]},
    )  # fmt: skip
    whole, _ = check_resumed(chosen, tmp_path, least=1)
    final = whole / "final"
    *_, saved = sorted((whole / "checkpoints").iterdir())
    assert read_card(saved)["run"]["past"]
    assert "same GPU" in read_card(final)["resumes"]
    load_player(final)


def test_games_with_a_lookahead_stay_on_the_cpu() -> None:
    """The network still learns on the GPU; test_device_learning.py covers a real one."""
    table = {"game": "addtoo", "params": {}, "network": NETWORK}
    chosen = on_gpu({"lookahead": 1, "magnet_coef": 1.0}, **table)
    assert chosen.games_device == "cpu"
    assert on_gpu(**table).games_device == "cuda"
    one = learner(chosen)
    one.update(Logger(None, []))
    assert isinstance(one.games.batch, Batch)
    assert one.steps == GAMES * STEPS


# --- What is refused ------------------------------------------------------------------------------


def test_players_that_cannot_be_compiled_are_named_at_once(monkeypatch) -> None:
    from kitchentable.players import cuda

    def bind(*_, name, **__):
        if name != "random":
            raise CompileError(f"loop choose: no such thing in {name}")

    monkeypatch.setattr(cuda, "bind", bind)
    league = {"scripted": {"random": 1, "greedy": 1, "expert": 1}}
    said = r"opponents.scripted: greedy, expert cannot play on a GPU \(loop choose: .* greedy"
    with pytest.raises(ValueError, match=said):
        learner(on_gpu({"league": 1.0}, opponents=league))


def test_trained_players_without_a_network_are_named() -> None:
    said = r"opponents.trained: 'search:rollouts=5' is not one network"
    with pytest.raises(ValueError, match=said):
        learner(on_gpu({"league": 1.0}, opponents={"trained": {"search:rollouts=5": 1}}))
