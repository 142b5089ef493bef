"""The three sets of deals: for training, for selection and for reports."""

import importlib.metadata
import itertools
import json
import subprocess

import pytest
from benchmarks import kept, players, ratings, trained

from kitchentable import find_game
from kitchentable.core.rng import seeds_for
from kitchentable_training import provenance
from kitchentable_training.algorithms.devices import deals_of
from kitchentable_training.algorithms.vec_env import LearnerVecEnv
from kitchentable_training.cli.main import main
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.runs.settings import load_settings

SHORT = {"cards": 6, "rounds": 1}


def test_the_sets_have_no_deal_in_common_not_even_with_a_run_of_the_same_seed():
    sets = [set(seeds_for(one, 20_000).tolist()) for one in Deals]
    for seed in (0, *Deals):
        sets.append(set(deals_of(load_settings("diddly", [f"seed={int(seed)}"])).tolist()))
        env = LearnerVecEnv.make("diddly", 16, seed=int(seed), opponents={"random": 1.0}, **SHORT)
        assert not any(set(env.batch.states["seed"].tolist()) & one for one in sets[:3])
    assert not any(one & other for one, other in itertools.combinations(sets, 2))


@pytest.mark.parametrize("words", [["evaluate", "random"], ["tournament", "random", "greedy"]])
def test_commands_measure_on_the_report_deals(words, tmp_path, capsys):
    out = tmp_path / "found.json"
    assert main([*words, "--deals", "2", "rounds=1", "--out", str(out)]) == 0
    assert json.loads(out.read_text())["deal_seed"] == Deals.REPORT
    assert "the report deals (seed 20270101)" in capsys.readouterr().out


@pytest.mark.parametrize(("part", "more"), [(players, 2), (ratings, ())])
def test_published_tables_are_on_the_report_deals(part, more, monkeypatch):
    monkeypatch.setattr(part, "TABLES", [("diddly", SHORT, more)])
    monkeypatch.setattr(part, "DEALS", 2, raising=False)
    rows = part.measure()
    assert rows
    assert {row["deal_seed"] for row in rows} == {Deals.REPORT}


def test_trained_players_are_measured_once_for_their_weights(monkeypatch, tmp_path):
    monkeypatch.setattr(kept, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(kept, "LOCK", tmp_path / "lock")
    monkeypatch.setattr(trained, "shipped_players", lambda: ["diddly_2p"])
    monkeypatch.setattr(trained, "DEALS", 2)
    found = trained.measure()
    one = found["diddly_2p"]
    assert list(one["results"]) == list(find_game("diddly").players.scripted)
    assert one["deal_seed"] == Deals.REPORT
    assert (one["results"]["expert"]["deals"], one["commit"]) == (2, kept.source()["commit"])

    again = []
    monkeypatch.setattr(
        trained, "_play", lambda folder, _: again.append(folder.name) or {"results": {}}
    )
    assert trained.measure() == kept.read("trained") == json.loads(json.dumps(found))
    assert again == []
    kept.keep({"trained": {"diddly_2p": one | {"weights": "earlier"}}})
    trained.measure()
    assert again == ["diddly_2p"]


def test_a_wheel_in_somebody_elses_clone_has_a_version_and_no_commit(monkeypatch, tmp_path):
    (tmp_path / "provenance.py").touch()
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    monkeypatch.setattr(provenance, "HERE", tmp_path)
    monkeypatch.setattr(provenance, "__file__", str(tmp_path / "provenance.py"))
    provenance.commit.cache_clear()
    found = provenance.commit()
    provenance.commit.cache_clear()
    assert found == f"version {importlib.metadata.version('kitchentable')}"
