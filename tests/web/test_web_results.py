"""Pages of results in the browser: the listing, reports, and curves of a run in training."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.templating import Jinja2Templates
from starlette.testclient import TestClient
from tests.web.web_people import person

from kitchentable_training import files as files_module
from kitchentable_training.learn.progress import (
    CURVE_EVALUATIONS,
    cut_progress,
    learning_curve,
    read_since,
)
from kitchentable_training.learn.run import _lock
from kitchentable_training.web import result_index, result_pages
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.result_index import (
    FILES,
    FINISHED,
    PLAYERS,
    RUNS,
    STOPPED,
    TRAINING,
)
from kitchentable_training.web.result_pages import REPORT_POLICY, Results, routes

SHIPPED = Path(__file__).parents[2] / "checkpoints"
TEMPLATES = Path(result_pages.__file__).parent / "templates"
MANY_DEALS = {"win_rate": 0.6, "win_rate_interval": [0.5, 0.7], "deals": 9, "truncated": 0,
              "difference": 1.0, "difference_interval": [0.5, 1.5], "score": 5.0,
              "opponents_score": 4.0}  # fmt: skip


@pytest.fixture(autouse=True)
def undrawn(monkeypatch):
    """Leave a page's pictures empty, which saves most of the time."""
    monkeypatch.setattr("kitchentable_training.report.parts.to_png", lambda _: b"")


def line(step, **more):
    return {"step": step, "evaluation/greedy": step / 1000, "time/seconds": step / 50, **more}


def write_log(run, lines):
    (run / "progress.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))


def a_run(folder, steps=(100, 200), **params):
    """Write the folder of a run in training."""
    folder.mkdir(parents=True)
    settings = {"game": "diddly", "params": {"rounds": 1, **params}, "steps": 1000}
    (folder / "settings.yaml").write_text(yaml.safe_dump(settings))
    write_log(folder, [line(step) for step in steps])
    return folder


def an_evaluation(player="greedy"):
    params = {"num_players": 2, "rounds": 1}
    about = {"player": player, "game": "diddly", "version": 0, "params": params, "deal_seed": 5}
    return about | {"opponents": {"random": MANY_DEALS}}


def a_tournament():
    pair = {"games": 18, "decided": 18, **MANY_DEALS}
    return {
        "game": "diddly", "version": 0, "params": {"num_players": 2, "rounds": 1}, "deals": 9,
        "deal_seed": 5, "players": ["random", "greedy"], "fair": 0.5,
        "pairs": [{"player": "greedy", "opponent": "random", **pair},
                  {"player": "random", "opponent": "greedy", **pair}],
        "ratings": {"greedy": {"rating": 1.0, "interval": [0.5, 1.5]},
                    "random": {"rating": -1.0, "interval": [-1.5, -0.5]}},
    }  # fmt: skip


def grow_old(folder):
    """Make a run look as if it had not been written to for long."""
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, (1e9, 1e9))


@pytest.fixture
def runs(tmp_path):
    """A folder with a run in training, a stopped one, and measurements."""
    found = tmp_path / "runs"
    a_run(found / "new")
    grow_old(a_run(found / "old & odd", (100,)))
    (found / "t.json").write_text(json.dumps(a_tournament()))
    (found / "new" / "e.json").write_text(json.dumps(an_evaluation()))
    (found / "new" / "exploit.json").write_text(json.dumps(an_evaluation()))
    (found / "notes.json").write_text("{}")
    (tmp_path / "secret.json").write_text(json.dumps(an_evaluation("secret")))
    a_run(tmp_path / "secret_run")
    return found


@pytest.fixture
def results(runs):
    return Results(runs, [SHIPPED])


@pytest.fixture
def client(results):
    """A client of an application that has results only."""
    app = Starlette(
        routes=routes(results, Jinja2Templates(TEMPLATES)),
        exception_handlers={
            RefusedError: lambda _, error: JSONResponse({"error": error.message}, error.status)
        },
    )
    return TestClient(app)


# --- What there is --------------------------------------------------------------------------------


def test_everything_that_can_be_shown_is_listed(results, runs):
    found = results.listing()
    assert [(one.name, one.state, one.steps, one.total) for one in found[RUNS]] == [
        ("new", TRAINING, 200, 1000),
        ("old & odd", STOPPED, 100, 1000),
    ]
    assert found[RUNS][0].rates == {"greedy": 0.2}
    assert {one.name for one in found[FILES]} == {"t.json", "new/e.json"}
    assert {one.name for one in found[PLAYERS]} == {
        one.parent.name for one in SHIPPED.glob("*/*.json")
    }
    by_name = {one.name: one for one in found[FILES] + found[PLAYERS]}
    assert by_name["t.json"].players == ["greedy", "random"]
    assert by_name["new/e.json"].rates == {"random": 0.6}


def test_a_teams_listing_has_each_players_own_wins(runs, tmp_path):
    card = {"game": "fiddlefoo", "params": {"num_players": 4, "cooperative": True}, "steps": 9}
    measured = {"win_rate": 0.3, "opponents_win_rate": 0.1}
    (tmp_path / "players" / "team").mkdir(parents=True)
    text = json.dumps(card | {"results": {"greedy": measured}})
    (tmp_path / "players" / "team" / "card.json").write_text(text)
    (team,) = Results(runs, [tmp_path / "players"]).listing()[PLAYERS]
    assert team.team
    assert team.rates == {"team": 0.3, "greedy": 0.1}


def test_the_listing_follows_a_run(results, runs):
    write_log(runs / "new", [line(step) for step in (100, 200, 300)])
    assert results.listing()[RUNS][0].steps == 300
    shutil.copytree(SHIPPED / "diddly_2p", runs / "new" / "final")
    assert results.listing()[RUNS][0].state == FINISHED
    shutil.rmtree(runs / "old & odd")
    assert [one.name for one in results.listing()[RUNS]] == ["new"]


def test_the_page_links_to_everything(client):
    page = client.get("/results").text
    for address in ("runs/new", "runs/new/live", "runs/old%20%26%20odd", "files/t.json",
                    "files/new/e.json", "players/diddly_2p"):  # fmt: skip
        assert f'href="/results/{address}"' in page
    assert "training now" in page
    assert "200 of 1,000" in page
    assert "2 seats, reward: win, cards: 6, rounds: 1" in page
    assert "hand sizes: 3, 4, 5, 6 … (8), meld: auto" in page
    assert "<style" not in page
    assert not re.search(r"<script(?! [^>]*src=)", page)


def test_nothing_at_all_is_said(tmp_path):
    assert result_pages.Results(tmp_path / "none", []).listing() == {
        RUNS: [],
        PLAYERS: [],
        FILES: [],
    }


# --- Reports --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("runs/new", "Diddly: new"),
        ("runs/old%20%26%20odd", "Diddly: old &amp; odd"),
        ("files/t.json", "Diddly: tournament t"),
        ("files/new/e.json", "Diddly: greedy, e"),
        ("players/diddly_2p", "Diddly: diddly_2p"),
        ("together?what=runs/new&what=files/t.json&what=runs/old%20%26%20odd", "2 runs together"),
    ],
)
def test_reports_are_pages_without_scripts(client, runs, address, words):
    before = sorted(runs.rglob("*"))
    answer = client.get(f"/results/{address}")
    assert answer.status_code == 200
    assert words in answer.text
    assert '<a href="/results">All results</a>' in answer.text
    assert answer.headers["content-security-policy"] == REPORT_POLICY
    assert "<script" not in answer.text
    assert not re.search(r"\son\w+=", re.sub(r">[^<]*<", "><", answer.text))
    assert sorted(runs.rglob("*")) == before


@pytest.fixture
def made(monkeypatch):
    """Count the pages that are made; each contains only its name."""
    made = []

    def make(whats):
        made.append([one.name for one in whats])
        return f"page {len(made)}"

    monkeypatch.setattr(result_pages, "_make", make)
    return made


def test_a_page_is_made_again_only_when_a_file_has_changed(results, runs, made):
    assert results.page(RUNS, "new") == results.page(RUNS, "new") == "page 1"
    write_log(runs / "new", [line(100)])
    assert results.page(RUNS, "new") == "page 2"
    assert results.page(FILES, "t.json") == "page 3"
    assert results.together(["runs/new", "runs/new"]) == "page 2"
    for number in range(result_pages.PAGES_KEPT):
        (runs / f"{number}.json").write_text(json.dumps(a_tournament()))
        results.page(FILES, f"{number}.json")
    assert results.page(RUNS, "new") == f"page {4 + result_pages.PAGES_KEPT}"


def test_pages_are_made_one_at_a_time_and_few_wait(results, runs, monkeypatch):
    names = [f"{number}.json" for number in range(result_pages.MOST_WAITING + 1)]
    for name in names:
        (runs / name).write_text(json.dumps(a_tournament()))
    going, most, leave = [], [], threading.Event()

    def make(whats):
        going.append(whats)
        most.append(len(going))
        leave.wait(5)
        going.pop()
        return "page"

    monkeypatch.setattr(result_pages, "_make", make)
    threads = [threading.Thread(target=results.page, args=(FILES, name)) for name in names[1:]]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 5
    while results._waiting._value and time.monotonic() < deadline:
        time.sleep(0.001)
    with pytest.raises(RefusedError, match="try again in a few seconds") as refused:
        results.page(FILES, names[0])
    assert refused.value.status == 429
    leave.set()
    for thread in threads:
        thread.join()
    assert most == [1] * len(threads)
    assert results.page(FILES, names[0]) == "page"


# --- Names and files that are not as they should be -----------------------------------------------


OUTSIDE = [
    "..", ".", "../secret.json", "../secret_run", "/etc/passwd", "final", "t", "new/../t.json",
    "new\\..", "\0", "new/settings.yaml", "new/exploit.json", "notes.json",
]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("kind", [RUNS, PLAYERS, FILES])
def test_a_name_leads_nowhere_else(client, results, runs, kind, name):
    coded = quote(name, safe="").replace(".", "%2e")  # else a browser would resolve it
    answer = client.get(f"/results/{kind}/{coded}")
    assert answer.status_code == 404
    assert "there is no" in answer.json()["error"]
    for exact in (name, str(runs.parent / "secret.json"), str(runs.parent / "secret_run")):
        with pytest.raises(RefusedError, match=r"there is no .*; there are: .*") as refused:
            results.page(kind, exact)
        assert refused.value.status == 404


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fsecret_run", "none", ""])
def test_progress_of_no_run_is_refused(client, name):
    assert client.get(f"/api/runs/{name}/progress").status_code == 404


def test_what_there_is_is_named(client):
    assert client.get("/results/runs/none").json() == {
        "error": "there is no training run 'none'; there are: new, old & odd"
    }
    assert "runs, players, files" in client.get("/results/trees/none").json()["error"]
    assert "choose 1 to 8" in client.get("/results/together").json()["error"]
    many = "&".join(f"what=runs/{number}" for number in range(9))
    assert client.get(f"/results/together?{many}").status_code == 400
    assert client.get("/results/together?what=none").status_code == 404


def test_damaged_files_are_named_and_hinder_no_others(client, runs):
    (runs / "new" / "progress.jsonl").write_text('{"step": 1}\n{"step": oh}\n')
    (a_run(runs / "bare") / "settings.yaml").write_text("game: diddly\n")
    (a_run(runs / "bytes") / "progress.jsonl").write_bytes(b"\xff\xfe}")
    (runs / "half.json").write_text('{"pairs": [')
    (runs / "less.json").write_text('{"pairs": [], "players": []}')
    page = client.get("/results").text
    assert 'href="/results/runs/old%20%26%20odd"' in page
    for address, words in {
        "runs/new": "line 2 of .*progress.jsonl is damaged",
        "runs/bare": "settings.yaml is damaged: 'params' is missing",
        "runs/bytes": "progress.jsonl is damaged",
        "files/half.json": "half.json is damaged",
        "files/less.json": "less.json is damaged: 'game' is missing",
    }.items():
        answer = client.get(f"/results/{address}")
        assert answer.status_code == 422
        assert re.search(words, answer.json()["error"])
        assert f'href="/results/{address}"' not in page
        assert re.search(words, page.replace("&#39;", "'"))
    answer = client.get("/api/runs/new/progress")
    assert answer.status_code == 422
    assert "line 2" in answer.json()["error"]


def changed(content, **values):
    return json.dumps({**content, **values}).encode()


def bad_files():
    """Return files by path, each with its error message."""
    card = json.loads((SHIPPED / "diddly_2p" / "card.json").read_text())
    settings = b"game: diddly\nparams: {rounds: 1}\nsteps: "
    junk, deep = b"\x89PNG\r\n\x1a\n\x00\xff\xfe", b"[" * 100_000
    files = {
        "f.json": [
            (junk, "decode"), (b"", "Expecting value"), (b"[]", "a mapping"), (deep, "too deep"),
            (b" " * (files_module.LARGEST_JSON + 1), "too large"),
            (changed(a_tournament(), game=[]), "there is no game"),
            (changed(a_tournament(), params=None), "mapping"),
            (changed(a_tournament(), ratings=5), "not iterable"),
            (changed(an_evaluation(), opponents=[1]), "items"),
            (changed(an_evaluation(), opponents={"a": 5}), "no attribute"),
            (changed(an_evaluation(), opponents={"a": {"win_rate": 10**400}}), "too large"),
            (changed(an_evaluation(), player="\ud800"), "surrogates"),
            (changed(an_evaluation()).replace(b"0.6", b"1e999"), "not JSON compliant"),
        ],
        "r/settings.yaml": [
            (junk, "unacceptable character"), (b"", "not a mapping"), (b"a: [", "while parsing"),
            (b"a: " + deep[:1000], "too deep"), (settings + b".inf", "infinity"),
            (settings + b"[]", "int"), (b"{game: [], params: {}}", "there is no game"),
            (settings.replace(b"{rounds: 1}", b"null") + b"5", "mapping"),
            (b" " * (files_module.LARGEST_YAML + 1), "too large"),
        ],
        "r/progress.jsonl": [
            (b"}" + junk + b"}", "decode"), (b'{"step": 1e999}\n', "JSON compliant"),
            (b'{"a": ' + deep + b"}\n", "too deep"), (b"[{}\n{}", "line 1"),
            (b'{"step": 1, "evaluation/greedy": []}\n', "float"), (b"{}\n", "whole number"),
            (None, "directory"),
        ],
        "r/final/card.json": [
            (junk, "decode"), (deep, "too deep"), (changed(card, game=[]), "there is no game"),
            (changed(card, params=None), "mapping"), (changed(card, steps="x"), "invalid literal"),
            (b"{}", "is missing"),
        ],
        "\udcff.json": [(changed(an_evaluation()), "surrogates")],
    }  # fmt: skip
    return [(path, *one) for path, found in files.items() for one in found]


@pytest.mark.parametrize(("path", "content", "words"), bad_files())
def test_one_bad_file_hinders_no_others(client, runs, app, path, content, words):
    a_run(runs / "r")
    file = runs / path
    file.unlink(missing_ok=True)
    file.parent.mkdir(exist_ok=True)
    file.mkdir() if content is None else file.write_bytes(content)
    page = client.get("/results")
    assert page.status_code == 200
    assert 'href="/results/runs/new"' in page.text
    assert re.search(f'class="problem">Cannot be shown: [^<]*{words}', page.text)
    name = quote(path.replace("\udcff", "\ufffd"))
    answer = client.get(f"/results/files/{name}" if "/" not in path else "/results/runs/r")
    assert answer.status_code == 422
    assert words in answer.json()["error"]
    assert client.get("/results/runs/new").status_code == 200
    assert client.get("/api/runs/r/progress").status_code in {200, 422}
    with person(app) as me:
        assert me.get("/api/choices").status_code == 200
        assert me.get("/results").status_code == 200


@pytest.mark.parametrize("seconds", [-(10**12), 10**12])
def test_a_file_may_be_of_any_time(client, monkeypatch, seconds):
    stamps = [("t.json", seconds * 10**9, 5)]
    monkeypatch.setattr(result_index, "_stamps", lambda _: iter(stamps))
    assert client.get("/results").status_code == 200


def test_a_file_that_is_too_large_is_not_read(results, runs, monkeypatch):
    monkeypatch.setattr(files_module, "LARGEST_JSON", 10)
    problems = [one.problem for one in results.listing()[FILES]]
    assert all("up to 10 bytes are read" in problem for problem in problems)


# --- A run that is training -----------------------------------------------------------------------


def test_progress_brings_what_is_new_and_starts_over_when_the_log_was_cut(client, runs):
    run = runs / "new"

    def ask(known):
        answer = client.get(f"/api/runs/new/progress?since={known['next']}&seal={known['seal']}")
        assert answer.status_code == 200
        return answer.json()

    def steps(found):
        return [one["step"] for one in found["lines"]]

    first = ask({"next": 0, "seal": 0})
    assert (steps(first), first["first"], first["next"]) == ([100, 200], 0, 2)
    assert first["lines"][0]["evaluation/greedy"] == 0.1
    assert (first["state"], first["total"], first["fair"]) == (TRAINING, 1000, 0.5)
    same = ask(first)
    assert (steps(same), same["first"], same["next"]) == ([], 2, 2)
    with (run / "progress.jsonl").open("a") as log:
        log.write(json.dumps(line(300, **{"train/value_loss": None, "note": "x"})))
        log.write('\n{"step": 400, "time/sec')  # a line being written
    more = ask(first)
    assert (steps(more), more["first"], more["next"]) == ([300], 2, 3)
    assert "train/value_loss" not in more["lines"][0]
    assert "note" not in more["lines"][0]
    cut_progress(run / "progress.jsonl", 200)
    again = ask(more)
    assert (steps(again), again["first"]) == ([100, 200], 0)
    # A resumed run has as many lines again, with other times.
    write_log(run, [line(100), line(200), line(300, **{"time/seconds": 9.0})])
    anew = ask(more)
    assert (steps(anew), anew["first"]) == ([100, 200, 300], 0)
    (run / "progress.jsonl").unlink()
    assert (ask(anew)["lines"], ask(anew)["first"]) == ([], 0)


HOLDING = "from filelock import FileLock\nwith FileLock('.lock'): print('locked'); input()"


def test_a_run_trains_as_long_as_its_lock_is_held(results, runs):
    """It may write nothing for long, and be killed right after it has written."""

    def state():
        return results.find(RUNS, "new").state

    command = [sys.executable, "-u", "-c", HOLDING]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=runs / "new", stdin=pipe, stdout=pipe) as process:
        assert process.stdout.readline() == b"locked\n"
        grow_old(runs / "new")
        assert state() == TRAINING
        process.kill()
    assert state() == STOPPED
    os.utime(runs / "new" / "progress.jsonl")
    assert state() == STOPPED


def test_where_locks_are_refused_a_run_trains_if_it_has_written_lately(results, runs, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    for run in ("new", "old & odd"):
        (runs / run / ".lock").touch()
    assert results.find(RUNS, "new").state == TRAINING
    assert results.find(RUNS, "old & odd").state == STOPPED


def test_a_run_starts_while_the_page_looks_at_its_lock(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        leave = threading.Timer(0.1, fcntl.flock, (file, fcntl.LOCK_UN))
        leave.start()
        _lock(tmp_path).release()
        leave.join()


def test_a_long_log_is_thinned_out(client, runs):
    count = 4 * result_pages.POINTS
    lines = [{"step": step, "payoff/all": 0.5, "games/all": 7} for step in range(count)]
    write_log(runs / "new", lines)
    found = client.get("/api/runs/new/progress").json()
    assert found["next"] == count
    assert len(found["lines"]) == result_pages.POINTS
    assert set(found["lines"][0]) == {"step", "payoff/all"}


def test_very_many_evaluations_are_thinned_out_up_to_the_last():
    few = [line(step) for step in range(CURVE_EVALUATIONS)]
    assert learning_curve(few, 1) == few
    many = learning_curve([line(step) for step in range(10 * CURVE_EVALUATIONS + 1)], 1)
    assert len(many) == pytest.approx(CURVE_EVALUATIONS, rel=0.1)
    assert many[-1] == line(10 * CURVE_EVALUATIONS)


@pytest.mark.parametrize("query", ["since=x", "since=-1", "seal=1e9", "since=9999999999999"])
def test_counts_that_are_none_are_refused(client, query):
    answer = client.get(f"/api/runs/new/progress?{query}")
    assert answer.status_code == 400
    assert "is a whole number, 0 or more" in answer.json()["error"]


def test_the_page_of_a_run_names_it_and_links_to_its_report(client):
    page = client.get("/results/runs/old%20%26%20odd/live").text
    assert 'data-name="old &amp; odd"' in page
    assert 'href="/results/runs/old%20%26%20odd"' in page
    assert "100 of 1,000" in page
    assert client.get("/results/runs/none/live").status_code == 404


def test_a_log_is_read_on_from_a_line(tmp_path):
    run = a_run(tmp_path / "run", (100, 200, 300))
    tail = read_since(run / "progress.jsonl")
    assert [one["step"] for one in tail.lines] == [100, 200, 300]
    assert read_since(run / "progress.jsonl", 3, tail.seal) == (3, [], tail.seal)
    assert read_since(run / "progress.jsonl", 2, tail.seal).first == 0
    assert read_since(run / "progress.jsonl", 9, tail.seal).first == 0
