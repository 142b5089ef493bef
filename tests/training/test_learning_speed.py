"""The learning speed benchmark: with few and short runs, all figures exist and are plausible."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from benchmarks import __main__ as command
from benchmarks import kept, learning

from kitchentable_training.files import read_json


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    small = ["num_envs=16", "training.n_steps=8", "training.batch_size=64"]
    common, sb3 = [*learning.COMMON, *small], (*learning.SB3, *small)
    changed = {"COMMON": common, "SB3": sb3, "RUNS": 1, "SECONDS": 0.01, "BRIEF_SECONDS": 0.01}
    for name, value in changed.items():
        monkeypatch.setattr(learning, name, value)
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def test_the_measurement_has_everyone(monkeypatch):
    """One other game stands for all the rest, whose rules take long to load."""
    shipped = ("diddly_selfplay", "quiddler_solitaire_selfplay")
    monkeypatch.setattr(learning, "shipped_configs", lambda: shipped)
    names = learning.FLAT, learning.FLAT_BFLOAT16, learning.ACTIONS_BFLOAT16
    few = {name: learning.SETTINGS[name] for name in names}
    monkeypatch.setattr(learning, "SETTINGS", few)
    found = learning.measure()
    assert {row["game"] for row in found["rows"]} == {"diddly", "quiddler_solitaire"}
    assert {row["setting"] for row in found["rows"]} == few.keys()
    assert len({row["learner"] for row in found["rows"]}) == 2
    assert all(row["decisions_a_cpu_second"] > 0 for row in found["rows"])
    assert found["decisions_a_second_by_threads"]["1"] > 0


def test_brief_prints_the_settings_and_writes_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(kept, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr("sys.argv", ["benchmarks", "learning", "--brief"])
    command.main()
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.pop("setting") for row in rows] == list(learning.SETTINGS)
    assert all(row.keys() == {"decisions_a_cpu_second"} for row in rows)
    assert all(row["decisions_a_cpu_second"] > 0 for row in rows)
    assert not list(tmp_path.iterdir())


def test_parts_that_end_at_the_same_time_are_all_kept(monkeypatch, tmp_path):
    def read_slowly(path):
        found = read_json(path)
        time.sleep(0.1)
        return found

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kept, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(kept, "read_json", read_slowly)
    kept.keep({"first": 1})
    with ThreadPoolExecutor() as pool:
        list(pool.map(kept.keep, [{"second": 2}, {"third": 3}]))
    found = read_json(kept.RESULTS)
    assert found.pop("measured") == dict.fromkeys(["first", "second", "third"], kept.source())
    assert found == {"first": 1, "second": 2, "third": 3}
