"""The benchmark: statistics by hand, scores, and jobs that are skipped, fail and resume."""

import json
import shutil
import sys
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from benchmarks import coverage

from kitchentable import Batch
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.algorithms.settings import PPOSettings
from kitchentable_training.benchmark import entries, protocol, statistics, tuning
from kitchentable_training.benchmark import results as results_files
from kitchentable_training.benchmark import run as jobs
from kitchentable_training.benchmark.entries import NAMES, Entry, changes_in, find_entry
from kitchentable_training.benchmark.leaderboard import aggregates, environment_rows, improvements
from kitchentable_training.benchmark.protocol import ENVIRONMENTS, Budget
from kitchentable_training.benchmark.results import LEADERBOARD, read_results, write_leaderboard
from kitchentable_training.benchmark.run import Job, Plan, work
from kitchentable_training.benchmark.statistics import aggregate, improvement, interval, profile
from kitchentable_training.cli.main import main
from kitchentable_training.files import EXPLOIT, FINAL
from kitchentable_training.players.checkpoint import read_card
from kitchentable_training.provenance import commit, machine
from kitchentable_training.runs import best_response
from kitchentable_training.runs.run import Run

SMALL = replace(ENVIRONMENTS["fiddlefoo_2p"], deals=10)
SMALLER = replace(
    ENVIRONMENTS["addtoo_small"], deals=10,
    params=ENVIRONMENTS["addtoo_small"].params
    | {"diamonds": ["1-2", "2-7", "2-9", "3-4", "4-7", "6-8"], "turned": False},
    uniform=10 * 1.18055555556 / 2,
)  # fmt: skip
"""Small enough to be walked in a second."""
BRIEF = "ppo+defaults+num_envs=8+n_steps=16+batch_size=64"
OWN = "examples/benchmark_entries.py"


# --- Statistics -----------------------------------------------------------------------------------


def test_the_interquartile_mean_is_that_of_the_middle_half():
    scores = {"a": [0.0, 1.0, 2.0, 100.0], "b": [-50.0, 3.0, 4.0, 5.0]}
    found = aggregate(scores)  # -50 0 | 1 2 3 4 | 5 100
    assert (found["iqm"], found["environments"], found["runs"]) == (2.5, 2, 8)
    low, high = found["interval"]
    assert low < 2.5 < high


def test_only_the_runs_of_each_table_vary():
    """Environments are not a sample: if their runs are equal, the interval has no width."""
    assert interval({"a": [1.0, 1.0], "b": [3.0, 3.0]}) == [2.0, 2.0]
    assert interval({"a": [1.0, 2.0], "b": [3.0]}) is None, "a single run"


def test_the_probability_of_improvement_counts_pairs_and_half_the_ties():
    mine, theirs = {"a": [1.0, 2.0], "b": [5.0], "c": [0.0]}, {"a": [1.0, 3.0], "b": [4.0]}
    found = improvement(mine, theirs)  # a: 1/8 + 1/4 of four pairs; b: all
    assert found["probability"] == pytest.approx((1.5 / 4 + 1) / 2)
    assert found["interval"] is None  # a single run at b says nothing about others
    low, high = improvement({"a": mine["a"]}, {"a": theirs["a"]})["interval"]
    assert 0 <= low <= 1.5 / 4 <= high <= 1


def test_intervals_hold_the_truth_as_often_as_they_say(monkeypatch):
    """The percentile bootstrap does not with two runs, so the simulation can tell."""
    monkeypatch.setattr(statistics, "RESAMPLES", 100)
    monkeypatch.setattr(coverage, "MANY", 2_000)
    case = coverage.cases()["unlike environments"]
    found = coverage.coverage(case, 2, repetitions=200)
    assert 0.88 <= found["interquartile mean"] <= 0.995
    assert 0.88 <= found["improvement"] <= 0.995
    assert found["percentile bootstrap"] < 0.88


def test_a_profile_is_the_share_of_runs_above_each_score():
    shares, (low, high) = profile({"a": [0.0, 1.0], "b": [0.5, 0.5]}, np.array([-1.0, 0.0, 0.7]))
    assert shares.tolist() == [1.0, 0.75, 0.25]
    assert (low <= shares).all()
    assert (shares <= high).all()


# --- The protocol ---------------------------------------------------------------------------------


def test_scores_are_made_by_what_the_held_deals_say():
    environment = ENVIRONMENTS["kuhn_poker"]
    found = environment.references()
    assert found["random_payoff"] == environment.random_payoff
    assert found["reference_payoff"] == environment.reference_payoff
    assert [environment.score(found[f"{name}_payoff"]) for name in ("random", "reference")] == [
        0,
        1,
    ]


def test_a_small_table_says_how_exploitable_a_player_is():
    """The environment's deck is small enough to be walked at once."""
    game, _ = SMALLER.load()
    measured = {name: SMALLER.measure(ScriptedPlayer(game, name)) for name in ("random", "expert")}
    found = {name: one["exploitability"] for name, one in measured.items()}
    assert measured["random"]["distance"] == pytest.approx(1.0)
    assert measured["expert"]["distance"] == pytest.approx(found["expert"] / found["random"])
    assert SMALLER.references()["uniform"] == pytest.approx(found["random"], abs=1e-4)
    # OpenSpiel reports half of NashConv, in points: `python -m benchmarks exact`
    assert found == pytest.approx({"random": 10 * 1.18055555556 / 2, "expert": 10 / 180})
    assert "exploitability" not in SMALL.measure(ScriptedPlayer(SMALL.load()[0], "greedy"))


def test_the_command_tells_exact_figures(monkeypatch, capsys):
    monkeypatch.setitem(ENVIRONMENTS, "addtoo_small", SMALLER)
    words = ["random", "cfr+:1", "expert", "cfr+:100"]
    assert main(["exploit", "--exact", "addtoo_small", *words]) == 0
    said = capsys.readouterr().out
    rows = [line.strip("| ").split("|") for line in said.splitlines() if line.startswith("|")][2:]
    lost = {row[0].strip(): float(row[-1]) for row in rows}
    assert [*lost] == words
    assert lost["cfr+:1"] > lost["cfr+:100"] == pytest.approx(0, abs=0.01)
    assert "11.805556" in said.splitlines()[2]  # NashConv of `random`
    assert "0.111111" in said.splitlines()[4]
    assert "7,872 nodes" in said
    assert main(["exploit", "--exact", "kuhn_poker", "examples/own_player.py:honest"]) == 0
    assert "of 100 actions in each" in capsys.readouterr().out
    honest = ["kuhn_poker", "examples/own_player.py:honest", "--draws", "20"]
    assert main(["exploit", "--exact", *honest]) == 0
    assert "of 20 actions in each" in capsys.readouterr().out
    params = [f"{name}={json.dumps(value)}" for name, value in SMALLER.params.items()]
    assert main(["exploit", "--exact", "addtoo", "random", *params]) == 0
    assert "11.805556" in capsys.readouterr().out, "any game with any parameters"


def test_budgets_are_decisions_or_minutes():
    assert [Budget.parse(text).decisions for text in ("1M", "1.001k", "7")] == [1_000_000, 1001, 7]
    assert Budget.parse("0.5min")[1:] == (None, 0.5)
    assert [len(Budget.parse(text).seeds) for text in ("1M", "10M", "5min")] == [10, 5, 5]
    for text in ("", "M", "1G", "0", "0min", "-1", "1e6"):
        with pytest.raises(ValueError, match="write decisions as in 10M"):
            Budget.parse(text)


def test_a_budget_of_minutes_is_as_many_decisions_as_fit(tmp_path, monkeypatch):
    monkeypatch.setattr(entries, "TRIED", 2_000)
    monkeypatch.setattr(entries, "CURVE_POINTS", 1)
    find_entry(BRIEF).train(SMALL, Budget.parse("0.01min"), 1, tmp_path / "player")
    card = read_card(tmp_path / "player" / FINAL)
    assert card["steps"] == card["settings"]["steps"] > 500
    assert 0.1 < card["processor_seconds"] < 3, "0.6 seconds were allowed"


def test_variants_differ_only_in_what_they_are_named_for():
    def settings(word):
        return find_entry(word).train.settings(SMALL, 1_000_000, 1)

    base = settings("ppo")
    rollout = base.num_envs * base.training.n_steps
    assert base.steps <= 1_000_000 < base.steps + rollout
    assert base.evaluation.every == base.steps // 10
    training = base.training.model_copy(update={"magnet_coef": 0.1})
    assert settings("ppo+magnet_coef=0.1") == base.model_copy(update={"training": training})
    network = base.network.model_copy(update={"action_features": True})
    assert settings("ppo+features") == base.model_copy(update={"network": network})
    assert settings("ppo+features+network.layers=[8]").network.layers == [8]
    assert settings("ppo+evaluation.every=7").evaluation.every == 7
    assert settings("ppo+defaults+num_envs=64").training == PPOSettings(bfloat16=True)
    for word, message in (
        ("ppo+featuers", "'featuers' is no change; write features, or a setting as in"),
        ("ppo+../x=1", "is no change"),
        ("ppo+ent_coeff=0.1", r"training\.ent_coeff: .* did you mean ent_coef\?"),
        ("behavior_cloning+behavior_cloning.lr=1", r"behavior_cloning\.lr: there is no such"),
        ("ppo+learning_rate=0", r"training\.learning_rate: .* greater than 0"),
    ):
        with pytest.raises(ValueError, match=message):
            find_entry(word)
    assert find_entry("ppo+features+network.reply_rounds=1"), "possible in some environments"


def test_the_search_chooses_the_fastest_of_the_best_trials(tmp_path):
    words = tuning.trials("ppo")
    assert words == tuning.trials("ppo"), "drawn from a seed"
    assert len({*words}) == tuning.TRIALS
    assert not {one.name for one in tuning.TUNING} & {*ENVIRONMENTS}
    assert tuning.SEED not in protocol.SEEDS
    scores, seconds = [0.0, 0.0, 0.1, 0.09, 0.09, 0.05], [9, 1, 9, 5, 6, 1]
    results = [
        {"entry": word, "environment": one.name, "commit": "a1", "score": score}
        | {"processor_seconds": spent}
        | ({} if one.uniform is None else {"distance": 1 - score})
        for word, score, spent in zip(words, scores, seconds, strict=True)
        for one in tuning.TUNING
    ]
    path = tmp_path / "tuned.json"
    tuning.write_chosen(results[:-1], ["ppo"], path)
    assert json.loads(path.read_text())["entries"] == {}, "a trial is missing"
    tuning.write_chosen(results, ["ppo"], path)
    found = json.loads(path.read_text())["entries"]["ppo"]
    assert found["chosen"] == changes_in(words[3])
    assert found["commits"] == ["a1"]
    assert [*found["trials"]] == words


@pytest.mark.parametrize("name", NAMES)
def test_what_the_search_draws_is_possible(name, tmp_path, monkeypatch):
    monkeypatch.setattr(entries, "load_player", lambda *_: None)
    monkeypatch.setattr(entries, "clone_behavior", lambda *_: None)
    monkeypatch.setattr(entries, "Run", lambda *_: SimpleNamespace(train=lambda: None))
    find_entry(tuning.trials(name)[1]).train(SMALL, Budget.parse("10k"), 1, tmp_path)


# --- Jobs -----------------------------------------------------------------------------------------


def expert(environment, budget, seed, folder):
    """Train nothing."""
    return ScriptedPlayer(environment.load()[0], "expert")


def job(train, environment=SMALL):
    return Job(environment, Entry("one", train), Budget.parse("1k"), 1)


def test_done_jobs_are_skipped_and_one_that_fails_stops_no_other(tmp_path, capsys):
    def broken(*_):
        raise RuntimeError("no luck")

    other = job(expert, replace(SMALL, name="other"))
    work([job(broken), other], tmp_path)
    assert "no luck" in capsys.readouterr().err
    (found,) = read_results(tmp_path)
    assert (found["environment"], found["score"], found["decisions"]) == ("other", 1.0, 0)
    work([other._replace(entry=Entry("one", broken))], tmp_path)
    assert "no luck" not in capsys.readouterr().err
    work([job(expert)], tmp_path)
    assert len(read_results(tmp_path)) == 2


def test_a_job_that_was_stopped_goes_on_with_its_run(tmp_path):
    wanted = Job(SMALL, find_entry(BRIEF), Budget.parse("2k"), 1)
    player = wanted.folder(tmp_path) / "player"
    settings = wanted.entry.train.settings(SMALL, 2_000, 1)
    assert Run(settings, player).train(seconds=0) is None
    lines = (player / "progress.jsonl").read_text().splitlines()
    work([wanted], tmp_path)
    after = (player / "progress.jsonl").read_text().splitlines()
    assert 0 < len(lines) < len(after)
    assert after[: len(lines)] == lines
    (found,) = read_results(tmp_path)
    assert found["decisions"] == settings.steps
    left_out = {"game", "params", "seed", "steps"}
    assert found["settings"] == settings.model_dump(exclude=left_out)


@pytest.mark.parametrize("algorithm", ["ppo", "dmc", "psro"])
def test_a_best_response_to_each_player_is_learned_once(algorithm, tmp_path, monkeypatch):
    """Of the weights of these algorithms, only those of ppo are a policy to start as."""
    word, rollouts = BRIEF.replace("ppo", algorithm), {"n_steps": 16, "batch_size": 64}
    for name, more in (("BEST_RESPONSE", {"num_envs": 8}), ("FROM_RANDOM", {})):
        usual = getattr(best_response, name)
        brief = more | {"training": usual["training"] | rollouts}
        monkeypatch.setattr(best_response, name, usual | brief)
    monkeypatch.setattr(best_response, "SEARCH_DEALS", 2)
    monkeypatch.setattr(best_response, "SEARCH_ROLLOUTS", 4)
    jobs = [Job(SMALL, find_entry(word), Budget.parse("2k"), 1), job(expert)]
    answer = jobs[0].folder(tmp_path) / "best_response" / EXPLOIT
    written = []
    for _ in range(2):
        work(jobs, tmp_path, best_response=256)
        written.append(answer.stat().st_mtime_ns)
    assert written[0] == written[1]
    told, results = json.loads(answer.read_text()), read_results(tmp_path)
    found = {one["entry"]: one for one in results}
    assert told["deals"] == SMALL.deals
    assert 256 <= told["steps"] < 256 + 8 * 16
    assert found[word]["best_response"] == {key: told[key] for key in ("steps", "at_least")}
    assert "best_response" not in found["one"], "it has no checkpoint"
    (row,) = environment_rows(results, SMALL.name, "2k")
    assert row[4] == f"{told['at_least']:.1f} or more"


TIMED = ("processor_seconds", "decisions_a_second", "decisions", "counted")
LEARN = """
from kitchentable.players.scripted import ScriptedPlayer

def learn(environment, budget, seed, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "weights").open("a") as notes:
        notes.write("learned")
    return ScriptedPlayer(environment.load()[0], "expert")
"""


@pytest.mark.parametrize("shared", [True, False])
def test_jobs_of_a_cluster_come_to_the_folder_of_results(shared, tmp_path, monkeypatch):
    """Without Ray: the tasks run one after the other."""
    if not shared:  # the tasks find nothing at the folder's path
        elsewhere = SimpleNamespace(name=str(tmp_path / "elsewhere" / "mark"))
        monkeypatch.setattr(jobs, "NamedTemporaryFile", lambda **_: nullcontext(elsewhere))
    (tmp_path / "entry.py").write_text(LEARN)
    plan = Plan([SMALL], [f"{tmp_path / 'entry.py'}:learn"], ["1k"], [1])
    out, (wanted,) = tmp_path / "out", plan.jobs()
    kept = wanted.folder(out) / "player" / "weights"
    kept.parent.mkdir(parents=True)
    kept.write_text("begun, ")
    for _ in range(2):  # finished jobs are not repeated
        assert jobs.run_on_cluster(plan, out, None, None) == []
        assert kept.read_text() == "begun, learned"
    (found,) = read_results(out)
    work([wanted], tmp_path / "alone")
    (alone,) = read_results(tmp_path / "alone")
    assert {**alone, **dict.fromkeys(TIMED)} == {**found, **dict.fromkeys(TIMED)}
    assert not (tmp_path / "elsewhere").exists()
    assert [path.name for path in out.iterdir()] == ["kitchentable-2"]


def test_only_whole_lessons_are_imitated(tmp_path, monkeypatch):
    monkeypatch.setattr(entries, "LESSON", 2_000)
    cloning = find_entry("behavior_cloning")
    cloning.train(SMALL, Budget.parse("2.5k"), 1, tmp_path)
    assert read_card(tmp_path / FINAL)["steps"] == 2_000
    assert cloning.shown


def test_cloning_has_features_where_the_game_has_any(tmp_path, monkeypatch):
    monkeypatch.setattr(entries, "clone_behavior", lambda *_: None)
    cloning = find_entry("behavior_cloning+features")
    for environment in (SMALL, ENVIRONMENTS["kuhn_poker"]):
        folder = tmp_path / environment.name
        cloning.train(environment, Budget.parse("1k"), 1, folder)
        network = read_card(folder / FINAL)["network"]
        assert network["action_features"] == (environment is SMALL)


def test_a_damaged_best_response_is_named(tmp_path):
    done = job(expert)
    work([done], tmp_path)
    answer = done.folder(tmp_path) / "best_response" / EXPLOIT
    answer.parent.mkdir()
    answer.write_text('{"steps": 1}')
    with pytest.raises(ValueError, match=f"{EXPLOIT} is damaged: 'at_least' is missing"):
        read_results(tmp_path)


def test_results_of_another_protocol_are_refused(tmp_path):
    other = json.dumps({"protocol": "kitchentable-0"})
    for file, content in ((results_files.RESULT, other), (LEADERBOARD, other)):
        (tmp_path / file).write_text(content)
        with pytest.raises(ValueError, match=f"{file} is not a result of kitchentable-2"):
            read_results(tmp_path)
        (tmp_path / file).unlink()


def test_the_leaderboard_keeps_the_results_without_their_folders(tmp_path):
    done = job(expert)
    work([done], tmp_path)
    results = read_results(tmp_path)
    write_leaderboard(tmp_path, results)
    shutil.rmtree(tmp_path / protocol.PROTOCOL)
    assert read_results(tmp_path) == results
    assert done.is_done(tmp_path)
    assert not done._replace(seed=2).is_done(tmp_path)
    done.folder(tmp_path).mkdir(parents=True)
    newer = json.dumps({**results[0], "score": 2.0})
    (done.folder(tmp_path) / results_files.RESULT).write_text(newer)
    assert [one["score"] for one in read_results(tmp_path)] == [2.0], "the folder's is newer"


def test_own_results_are_set_beside_the_published_ones(tmp_path, monkeypatch):
    """Of the same environments and budgets; without the speeds of another machine."""
    work([job(expert)], tmp_path / "mine")
    (mine,) = read_results(tmp_path / "mine")
    other = {**mine, "entry": "theirs", "machine": {"processor": "another"}}
    elsewhere = [{**mine, "budget": "1M"}, {**mine, "environment": "addtoo_2p"}]
    board = tmp_path / "published"
    board.mkdir()
    write_leaderboard(board, [mine, {**other, "decisions_a_second": 7}, *elsewhere])
    monkeypatch.setattr(results_files, "PUBLISHED", board / LEADERBOARD)
    assert results_files.beside_published([mine]) == [mine, {**other, "decisions_a_second": None}]


def test_entries_of_most_environments_come_first():
    one = {"budget": "1M", "opponents": {}, "entry": "a", "environment": "x", "score": 9.0}
    results = [one, one | {"entry": "b", "score": 1.0}, one | {"entry": "b", "environment": "y"}]
    assert list(aggregates(results, "1M")) == ["b", "a"]
    assert improvements(results, "1M")["a"]["b"]["probability"] == 1.0


# --- The command ----------------------------------------------------------------------------------


def test_a_tiny_benchmark_from_end_to_end(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(protocol.ENVIRONMENTS, "fiddlefoo_2p", SMALL)
    own = [f"{OWN}:{name}" for name in ("my_sb3", "my_torch")]
    words = [
        "benchmark", "--environments", "fiddlefoo_2p", "--entries", ",".join([BRIEF, *own]),
        "--budgets", "2k", "--seeds", "1", "--out", str(tmp_path),
    ]  # fmt: skip
    assert main([*words, "--dry-run"]) == 0
    names = {find_entry(word).name for word in own}
    assert f"fiddlefoo_2p {min(names)} 2k seed 1\n" in capsys.readouterr().out
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "0 of 3 jobs done" in out
    assert "| my_torch@" in out
    found = {one["entry"]: one for one in read_results(tmp_path)}
    assert found.keys() == {BRIEF, *names}
    assert list(found[BRIEF]["opponents"]) == ["random", "expert"]
    board = json.loads((tmp_path / LEADERBOARD).read_text())["results"]
    assert {one["entry"] for one in board} == found.keys()
    assert b"\r" not in (tmp_path / "results.csv").read_bytes()
    folder = tmp_path / "kitchentable-2" / "fiddlefoo_2p"
    assert (folder / BRIEF / "2k" / "1" / "player" / FINAL).is_dir()
    assert main([*words, "--dry-run"]) == 0
    assert "3 of 3 jobs done" in capsys.readouterr().out
    assert main(["report", str(tmp_path), "--out", str(tmp_path / "page.html")]) == 0
    assert "fiddlefoo_2p, 2k" in (tmp_path / "page.html").read_text()


def test_own_entries_are_found_in_files_and_modules():
    for place in (OWN, "examples.benchmark_entries"):
        found = find_entry(f"{place}:my_torch")
        assert found.name == f"my_torch@{found.source[:8]}"
    plan = Plan([SMALL], [f"{OWN}:my_torch", "dmc"], ["10M", "1M"], [2, 1])
    assert [(one.budget.name, one.seed) for one in plan.jobs()][::2] == [
        ("1M", 2), ("1M", 1), ("10M", 2), ("10M", 1),
    ]  # fmt: skip


# --- Entries from outside -------------------------------------------------------------------------


HELPED = """
from kitchentable.players.scripted import ScriptedPlayer
from helping_here import PLAYER

def learn(environment, budget, seed, folder):
    return ScriptedPlayer(environment.load()[0], PLAYER)
"""


def test_an_entry_is_its_source_and_not_its_name(tmp_path, monkeypatch):
    """Results of one file are not those of another, or of the file before it was edited."""
    monkeypatch.setattr("sys.path", sys.path[:])
    here, other = tmp_path / "here", tmp_path / "other"
    for folder, content in ((here, HELPED), (other, LEARN)):
        folder.mkdir()
        (folder / "mine.py").write_text(content)
    (here / "helping_here.py").write_text('PLAYER = "random"')
    names = [find_entry(f"{folder / 'mine.py'}:learn").name for folder in (here, other, here)]
    assert names[0] == names[2] != names[1]
    (here / "helping_here.py").write_text('PLAYER = "greedy"')  # what it imports is its source too
    assert find_entry(f"{here / 'mine.py'}:learn").name not in names
    one, two = Plan([SMALL], [f"{f / 'mine.py'}:learn" for f in (here, other)], ["1k"], [1]).jobs()
    work([two], tmp_path / "out")
    assert (one.is_done(tmp_path / "out"), two.is_done(tmp_path / "out")) == (False, True)
    (other / "helping_here.py").write_text('PLAYER = "expert"')
    (other / "mine.py").write_text(HELPED)
    with pytest.raises(ValueError, match=r"other/helping_here\.py is hidden by .*here"):
        find_entry(f"{other / 'mine.py'}:learn")


def test_decisions_are_counted_and_what_cannot_be_is_declared(tmp_path):
    def plays(environment, budget, seed, folder):
        game, params = environment.load()
        batch = Batch(game, 3, seed=0, **params.as_dict())
        for _ in range(5):
            batch.step(batch.sample_actions())
        batch.step(np.array([-1, -1, -1]))  # which leaves the games as they are
        player = ScriptedPlayer(game, "expert")
        player.settings = {"rate": 0.5}
        return player

    job = Job(SMALL, Entry("plays", plays, source="x"), Budget.parse("10k"), 1)
    found = jobs.learn_and_measure(job, tmp_path / "new")
    assert (found["decisions"], found["counted"]) == (15, True)
    assert found["settings"] == {"rate": 0.5}
    assert (found["threads"], found["machine"]) == (torch.get_num_threads(), machine())
    assert found["commit"] == commit()
    idle = job._replace(entry=Entry("idle", lambda *_: ScriptedPlayer(
        SMALL.load()[0], "expert")))  # fmt: skip
    nothing = jobs.learn_and_measure(idle, tmp_path / "new")
    assert (nothing["decisions"], nothing["decisions_a_second"]) == (0, None)
    none = job._replace(entry=Entry("none", lambda *_: None))
    with pytest.raises(ValueError, match=r"entry none: what it returned, a NoneType, has no meth"):
        jobs.learn_and_measure(none, tmp_path / "new")
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "weights").touch()  # what an earlier start played was not counted here
    assert jobs.learn_and_measure(job, tmp_path / "begun")["counted"] is False
    result = found | {"counted": False}
    (row,) = environment_rows([result], SMALL.name, "10k")
    assert "15 (declared)" in row
    assert Batch.step.__module__ == "kitchentable.engine.batch"


DIES = """
import os, signal, sys

def fails(environment, budget, seed, folder):
    raise RuntimeError("no luck")

def killed(environment, budget, seed, folder):
    os.kill(os.getpid(), signal.SIGKILL)

def leaves(environment, budget, seed, folder):
    sys.exit(3)
"""


def test_a_worker_that_dies_takes_no_other_job_along(tmp_path, capsys):
    """One worker does all jobs in a large environment."""
    for name, content in (("dies", DIES), ("learns", LEARN)):
        (tmp_path / f"{name}.py").write_text(content)
    words = [f"{tmp_path / 'dies.py'}:{name}" for name in ("fails", "killed", "leaves")]
    environments = [replace(SMALL, is_large=True)]
    plan = Plan(environments, [*words, f"{tmp_path / 'learns.py'}:learn"], ["1k"], [1])
    left = jobs.run(plan, tmp_path / "out", 1, None)
    assert [job.entry.name.partition("@")[0] for job in left] == ["fails", "killed", "leaves"]
    said = capsys.readouterr().err
    assert said.count(" died: ") == 2
    assert f"{left[1]} died: its process ended by signal 9" in said
    assert f"{left[2]} died: its process ended with exit code 3" in said
