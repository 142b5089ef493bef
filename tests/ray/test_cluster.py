"""Work on a Ray cluster of two nodes: the same results as without, even if processes are killed.

Both nodes are on one machine and share its folders.
"""

import json
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from kitchentable_training.benchmark.protocol import ENVIRONMENTS
from kitchentable_training.benchmark.run import Plan, run_on_cluster
from kitchentable_training.cli.main import main
from kitchentable_training.cluster import fan_out

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra `ray`"),
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("default"),  # Ray itself emits many
]
NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
ENTRY = """
import time
from kitchentable_training.benchmark.entries import find_entry
from kitchentable_training.runs.run import Run

ppo = find_entry("ppo").train

def held_up(environment, budget, seed, folder):
    here = folder.parents[6]  # OUT/PROTOCOL/ENVIRONMENT/ENTRY/BUDGET/SEED/player
    if not (folder / "final").exists():
        with (here / "started").open("a") as started:
            started.write(f"{seed}\\n")
        Run(ppo.settings(environment, budget.decisions, seed), folder).train(seconds=0)
        while not (here / "go").exists():
            time.sleep(0.1)
    return ppo(environment, budget, seed, folder)
"""
"""Learns in two parts and waits in between until it may continue."""
ENVIRONMENT = replace(ENVIRONMENTS["diddly_2p"], deals=10)
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def cluster():
    from ray.cluster_utils import Cluster

    head = NODE | {"num_cpus": 0, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args=head)
    yield made
    made.shutdown()


@pytest.fixture
def nodes(cluster):
    """Two worker nodes."""
    there = [node for node in cluster.list_all_nodes() if node != cluster.head_node]
    there += [cluster.add_node(**NODE) for _ in range(2 - len(there))]
    cluster.wait_for_nodes()
    return there


@contextmanager
def meanwhile(function):
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    yield
    thread.join()


def wait_for(found, seconds=120):
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_task_that_loses_its_node_is_done_again_and_counted_once(cluster, nodes, tmp_path):
    def square(number):
        (tmp_path / f"{number} {time.time()}").touch()
        wait_for((tmp_path / "go").exists)
        return number**2

    def kill():
        wait_for(lambda: len(list(tmp_path.iterdir())) == 2)
        cluster.remove_node(nodes[0], allow_graceful=False)
        (tmp_path / "go").touch()

    with meanwhile(kill):
        found = list(fan_out(square, range(5), cluster.address))
    assert sorted(found) == [(number, number**2) for number in range(5)]
    assert len(list(tmp_path.iterdir())) == 5 + 1 + 1


def test_an_error_of_a_task_is_its_own_and_ends_the_work(cluster, nodes, tmp_path):
    def fail(number):
        (tmp_path / f"{number} {time.time()}").touch()
        raise ValueError(f"{number} is too much")

    with pytest.raises(ValueError, match=r"^7 is too much$"):
        list(fan_out(fail, [7], cluster.address))
    assert len(list(tmp_path.iterdir())) == 1


def test_tasks_are_told_when_the_time_is_up(cluster, nodes, tmp_path):
    def train(number):
        try:
            (tmp_path / "started").touch()
            while True:
                time.sleep(0.1)
        except KeyboardInterrupt:
            (tmp_path / "saved").touch()
            raise

    assert list(fan_out(train, [1], cluster.address, seconds=20)) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["saved", "started"]


def test_a_cluster_that_is_not_there_is_an_error(capsys):
    assert main(["tournament", "random", "greedy", "--deals", "1", "--ray", "127.0.0.1:1"]) == 2
    assert "127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "tournament random expert search:rollouts=4 diddly_2p --deals 5",
        "evaluate search:rollouts=4 --deals 10 rounds=1",
    ],
)
def test_figures_are_the_same_to_the_last_byte(words, cluster, nodes, tmp_path):
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    assert main([*words.split(), "--out", str(here)]) == 0
    assert main([*words.split(), "--out", str(there), "--ray", cluster.address]) == 0
    assert there.read_bytes() == here.read_bytes()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The results of jobs done without a cluster."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / "go").touch()
    return found_of_jobs(folder, None)


def found_of_jobs(folder, cluster):
    """Run the jobs; return the bytes of the players, and what neither is a time nor was counted.

    Of a job that was resumed, only the last start could be counted.
    """
    run_jobs(folder, cluster)
    found = {}
    for path in sorted((folder / "out").rglob("result.json")):
        result = json.loads(path.read_text())
        for name in ("processor_seconds", "decisions_a_second", "curve", "decisions", "counted"):
            del result[name]
        final = path.parent / "player" / "final" / "weights.safetensors"
        found[str(path.relative_to(folder))] = result, final.read_bytes()
    assert len(found) == 3
    return found


def run_jobs(folder, cluster):
    """Run three jobs; without a cluster they run in this process, one after the other."""
    (folder / "entry.py").write_text(ENTRY)
    plan = Plan([ENVIRONMENT], [f"{folder / 'entry.py'}:held_up"], ["1k"], [1, 2, 3])
    assert run_on_cluster(plan, folder / "out", cluster, None) == []


def started(folder):
    file = folder / "started"
    return file.read_text().split() if file.exists() else []


def test_jobs_survive_a_node_that_is_killed(cluster, nodes, alone, tmp_path):
    def kill():
        wait_for(lambda: len(list(tmp_path.glob("out/**/checkpoints/step_*"))) == 2)
        cluster.remove_node(nodes[0], allow_graceful=False)
        (tmp_path / "go").touch()

    with meanwhile(kill):
        found = found_of_jobs(tmp_path, cluster.address)
    assert found == alone
    assert len(started(tmp_path)) == 3 + 1
    assert found_of_jobs(tmp_path, cluster.address) == alone
    assert len(started(tmp_path)) == 3 + 1


def test_jobs_survive_the_command_that_is_killed(cluster, nodes, alone, tmp_path):
    work = f"run_jobs(Path({str(tmp_path)!r}), {cluster.address!r})"
    code = f"from pathlib import Path; from tests.ray.test_cluster import run_jobs; {work}"
    driver = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.DEVNULL)
    wait_for(lambda: len(list(tmp_path.glob("out/**/checkpoints/step_*"))) == 2)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    (tmp_path / "go").touch()
    assert found_of_jobs(tmp_path, cluster.address) == alone
    assert len(started(tmp_path)) == 3 + 2


def test_a_sweep_reports_each_evaluation_and_goes_on(cluster, nodes, tmp_path, monkeypatch):
    import ray
    from examples import ray_tune_sweep

    steps = ["steps=2048", "num_envs=16", "training.n_steps=32", "training.batch_size=256"]
    evaluations = ["every=1024", "deals=5", "final_deals=5", 'opponents=["random"]']
    words = [*steps, *(f"evaluation.{word}" for word in evaluations)]
    monkeypatch.setattr(ray_tune_sweep, "LAP", 0.0)
    ray.init(cluster.address, logging_level="error")
    try:
        written = []
        for _ in range(2):  # finished jobs are not repeated
            found = ray_tune_sweep.sweep("diddly_demo", words, tmp_path, 2)
            assert not found.errors
            assert max(result.metrics["step"] for result in found) == 2048
            cards = sorted(tmp_path.glob("runs/*/final/card.json"))
            written.append([(card, card.stat().st_mtime) for card in cards])
        assert len(written[0]) == 2
        assert written[1] == written[0]
    finally:
        ray.shutdown()
