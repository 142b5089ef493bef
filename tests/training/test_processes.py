"""Several processes that learn together: equal weights, equal to one process's, and resuming."""

import hashlib
import multiprocessing
import os
import socket

import pytest
import torch

from kitchentable_training.players.checkpoint import read_tensors
from kitchentable_training.runs.processes import Processes
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import load_settings

BRIEF = [
    "steps=2304", "num_envs=48", "checkpoint_seconds=1000", "training.n_steps=16",
    "training.batch_size=192", "network.layers=[16]", "training.bfloat16=false",
    "training.magnet_coef=0.05", "training.full_state_critic=true", "evaluation.every=2304",
    "evaluation.deals=4", "evaluation.final_deals=4", "evaluation.opponents=[random]",
]  # fmt: skip
LEAGUE = [
    "training.league=0.5", "opponents.scripted={random: 1}", "opponents.past_selves=1",
    "opponents.past_every=1000",
]  # fmt: skip
SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["kitchentable_training.runs.run"])


def learn(where, folder, settings, seconds, out):
    """Train as one of several processes; send the weights after each update."""
    os.environ |= where
    torch.set_num_threads(1)
    try:
        run = Run(load_settings("diddly_selfplay", settings), folder)
        update = run.learner.update

        def told(logger):
            update(logger)
            parameters = run.learner.network.parameters()
            weights = b"".join(one.detach().numpy().tobytes() for one in parameters)
            out.send((run.learner.steps, hashlib.sha256(weights).hexdigest()))

        run.learner.update = told
        run.train(seconds)
    except ValueError as error:
        out.send(str(error))
    out.send(None)


def together(count, folder, *settings, seconds=None):
    """Train in several processes; return what each of them sent."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    where = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(count)}
    ears, running = [], []
    for rank in range(count):
        ear, out = SERVER.Pipe(duplex=False)
        mine = where | {"RANK": str(rank), "LOCAL_RANK": str(rank)}
        arguments = (mine, folder, [*BRIEF, *settings], seconds, out)
        running.append(SERVER.Process(target=learn, args=arguments))
        running[-1].start()
        out.close()
        ears.append(ear)
    told = [list(iter(ear.recv, None)) for ear in ears]
    for one in running:
        one.join()
    return told


def weights_of(folder):
    return read_tensors(folder, "weights.safetensors")


def test_two_processes_learn_what_one_learns(tmp_path) -> None:
    """Games, minibatches and figures are the same; only floats are added in another order."""
    first, second = together(2, tmp_path / "two")
    assert first == second
    assert [steps for steps, _ in first] == [768, 1536, 2304]
    alone = Run(load_settings("diddly_selfplay", BRIEF), tmp_path / "one").train()
    found, wanted = weights_of(tmp_path / "two" / "final"), weights_of(alone)
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-4)


@pytest.mark.slow
def test_three_processes_with_a_league_are_stopped_and_resumed(tmp_path) -> None:
    through = together(3, tmp_path / "through", *LEAGUE)
    assert through[0] == through[1] == through[2]
    begun = together(3, tmp_path / "run", *LEAGUE, seconds=0.001)
    assert begun == [lines[:1] for lines in through]
    with pytest.raises(ValueError, match="is a run of 3 processes; resume it with as many, not"):
        Run(load_settings("diddly_selfplay", [*BRIEF, *LEAGUE]), tmp_path / "run")
    resumed = together(3, tmp_path / "run", *LEAGUE)
    assert resumed == [lines[1:] for lines in through]
    whole, again = (weights_of(tmp_path / name / "final") for name in ("through", "run"))
    assert all(torch.equal(again[name], weights) for name, weights in whole.items())


def test_groups_of_games_stay_together() -> None:
    """Each decision belongs to one process, at the row of its own games."""
    games, group, steps = 24, 4, 5
    everyones = torch.randperm(steps * games)
    found = []
    for rank in range(3):
        several = Processes()
        several.rank, several.size = rank, 3
        mine = several.share(games, group)
        assert (mine.reshape(-1, group) % group == range(group)).all()
        own = several.rows_of(everyones, games, group).numpy()
        found += (own // len(mine) * games + mine[own % len(mine)]).tolist()
    assert sorted(found) == list(range(steps * games))


def test_a_single_advantage_is_normalized_to_zero() -> None:
    assert Processes().normalized(torch.tensor([3.0])).tolist() == [0.0]
    two = Processes().normalized(torch.tensor([3.0, 5.0])).tolist()
    assert two == pytest.approx([-(0.5**0.5), 0.5**0.5])


def test_games_that_cannot_be_shared_out_and_algorithms_of_one_process_are_refused(
    monkeypatch, tmp_path
) -> None:
    several = Processes()
    several.size = 5
    with pytest.raises(ValueError, match="48 games cannot be divided evenly among 5 processes"):
        several.share(48)
    with pytest.raises(ValueError, match="80 games in groups of 3 cannot"):
        several.share(80, 3)
    monkeypatch.setattr("kitchentable_training.runs.run.join", lambda _: several)
    with pytest.raises(ValueError, match="algorithm: sb3_ppo learns in one process; start"):
        Run(load_settings("diddly_sb3_ppo"), tmp_path / "run")
