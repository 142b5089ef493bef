"""Pages of results in the browser: the listing, and reports."""

import json
import os
import re
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.templating import Jinja2Templates
from starlette.testclient import TestClient
from tests.conftest import write_run
from tests.web.web_people import Person, refused, until

from kitchentable import find_game
from kitchentable_training.benchmark.results import write_leaderboard
from kitchentable_training.evaluate import duplicate
from kitchentable_training.evaluate.tournament import round_robin
from kitchentable_training.players.by_name import make_players
from kitchentable_training.web import results as result_pages
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.results import FILES, PLAYERS, RUNS, Results, routes

pytestmark = pytest.mark.usefixtures("undrawn")

SHIPPED = Path(__file__).parents[2] / "checkpoints"
GAME = find_game("diddly")
PARAMS = GAME.make_params(num_players=2, rounds=1)


@cache
def an_evaluation(player="greedy"):
    players = make_players(["greedy", "random"], GAME, PARAMS)
    return duplicate.measure(players[0], players[1:], GAME, PARAMS, 3, seed=5) | {"player": player}


@cache
def a_tournament():
    return round_robin(make_players(["random", "greedy"], GAME, PARAMS), GAME, PARAMS, 3, seed=5)


@pytest.fixture
def runs(tmp_path):
    """A folder with two runs that have not finished, and measurements."""
    found = tmp_path / "runs"
    write_run(found / "new", [0.1, 0.2])
    old = write_run(found / "old & odd", [0.1])
    for path in old.iterdir():
        os.utime(path, (1e9, 1e9))
    (found / "t.json").write_text(json.dumps(a_tournament()))
    (found / "new" / "e.json").write_text(json.dumps(an_evaluation()))
    (found / "new" / "exploit.json").write_text(json.dumps(an_evaluation()))
    (found / "notes.json").write_text("{}")
    (found / "bench").mkdir()
    write_leaderboard(found / "bench", [])
    (tmp_path / "secret.json").write_text(json.dumps(an_evaluation("secret")))
    write_run(tmp_path / "secret_run", [0.1])
    return found


@pytest.fixture
def results(runs):
    return Results(runs, [SHIPPED])


@pytest.fixture
def client(results):
    """A client of an application that has results only."""
    app = Starlette(
        routes=routes(results, Jinja2Templates(Path(result_pages.__file__).parent / "templates")),
        exception_handlers={
            RefusedError: lambda _, error: JSONResponse({"error": error.message}, error.status)
        },
    )
    return TestClient(app)


def test_everything_that_can_be_shown_is_listed_with_a_link(client):
    page = client.get("/results").text
    listed = re.findall(r'<h3><a href="/results/([^"]+)"', page)
    assert listed[:2] == ["runs/new", "runs/old%20%26%20odd"]
    files = {"files/t.json", "files/new/e.json", "files/bench/leaderboard.json"}
    players = {f"players/{one.parent.name}" for one in SHIPPED.glob("*/*.json")}
    assert {*listed[2:]} == files | players
    assert len(listed) == 2 + len(files) + len(players)
    for told in ("<b>Diddly: tournament</b>", "<b>Diddly: greedy</b>", "<b>Benchmark</b>",
                 "200 of 1,000", "100 of 1,000", "2 seats, rounds: 1",
                 "2 seats; also 7 other tables"):  # fmt: skip
        assert told in page
    assert not re.search(r"<style|<script(?! [^>]*src=)", page)


def test_nothing_at_all_is_said(tmp_path):
    assert Results(tmp_path / "none", []).listing() == {RUNS: [], PLAYERS: [], FILES: []}


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("runs/new", "Diddly: new"),
        ("files/t.json", "Diddly: tournament t"),
        ("files/new/e.json", "Diddly: greedy, e"),
        ("files/bench/leaderboard.json", "Benchmark kitchentable-2"),
        ("players/diddly_2p", "Diddly: diddly_2p"),
        ("together?what=runs/new&what=files/t.json&what=runs/old%20%26%20odd", "2 runs together"),
    ],
)
def test_reports_are_pages_without_scripts(client, runs, address, words):
    before = sorted(runs.rglob("*"))
    answer = client.get(f"/results/{address}")
    assert answer.status_code == 200
    assert words in answer.text
    for link in ('<a href="/">New game</a>', '<a href="/results">Results</a>'):
        assert link in answer.text
    assert answer.headers["content-security-policy"] == result_pages.REPORT_POLICY
    assert "<script" not in answer.text
    assert not re.search(r"\son\w+=", re.sub(r">[^<]*<", "><", answer.text))
    assert sorted(runs.rglob("*")) == before


def test_listing_and_report_follow_a_run_until_it_has_finished(client, results, runs):
    answer = client.get("/results/runs/new")
    assert answer.headers["refresh"] == str(result_pages.RELOAD)
    assert '<a href="/results/runs/new?still">Stop reloading</a>' in answer.text
    assert "200 of 1,000" in answer.text
    assert "refresh" not in client.get("/results/runs/new?still").headers
    write_run(runs / "new", [0.1, 0.2, 0.3])
    assert "300 of 1,000" in client.get("/results/runs/new").text
    assert results.listing()[RUNS][0].steps == 300
    shutil.copytree(SHIPPED / "diddly_2p", runs / "new" / "final")
    assert results.listing()[RUNS][0].total == 0
    for address in ("runs/new", "files/t.json"):
        answer = client.get(f"/results/{address}")
        assert "refresh" not in answer.headers
        assert "Stop reloading" not in answer.text


def test_a_page_is_made_again_only_when_a_file_has_changed(results, runs, monkeypatch):
    made = []
    monkeypatch.setattr(
        "kitchentable_training.report.page.make_page", lambda *_, **__: made.append(1) or "page"
    )
    for _ in range(2):
        results.page(results.find(RUNS, "new"))
    assert len(made) == 1
    write_run(runs / "new", [0.1])
    results.page(results.find(RUNS, "new"))
    assert len(made) == 2


def test_pages_are_made_one_at_a_time_and_few_wait(results, monkeypatch):
    found = results.find(FILES, "t.json")
    going, most, leave = [], [], threading.Event()

    def make(whats):
        going.append(whats)
        most.append(len(going))
        leave.wait(5)
        going.pop()
        return "page"

    monkeypatch.setattr(result_pages, "_make", make)
    with ThreadPoolExecutor(result_pages.MOST_WAITING) as threads:
        pages = [threads.submit(results.page, found) for _ in range(result_pages.MOST_WAITING)]
        until(lambda: results._waiting._value == 0)
        with pytest.raises(RefusedError, match="try again in a few seconds") as error:
            results.page(found)
        leave.set()
    assert error.value.status == 429
    assert [one.result() for one in pages] == ["page"] * result_pages.MOST_WAITING
    assert most == [1] * result_pages.MOST_WAITING
    assert results.page(found) == "page"


OUTSIDE = [
    "..", ".", "../secret.json", "../secret_run", "/etc/passwd", "final", "t", "new/../t.json",
    "new\\..", "\0", "new/settings.yaml", "new/exploit.json", "notes.json",
]  # fmt: skip


@pytest.mark.parametrize("kind", [RUNS, PLAYERS, FILES])
def test_a_name_leads_nowhere_else(client, results, runs, kind):
    for name in OUTSIDE:
        coded = quote(name, safe="").replace(".", "%2e")  # else a browser would resolve it
        refused(client.get(f"/results/{kind}/{coded}"), 404, "there is no")
    secret = [str(runs.parent / name) for name in ("secret.json", "secret_run")]
    for exact in [*OUTSIDE, *secret]:
        with pytest.raises(RefusedError, match=r"there is no .*; there are: .*") as error:
            results.find(kind, exact)
        assert error.value.status == 404


def test_what_there_is_is_named(client):
    wanted = "there is no training run 'none'; there are: new, old & odd"
    assert client.get("/results/runs/none").json() == {"error": wanted}
    assert "runs, players, files" in client.get("/results/trees/none").json()["error"]
    assert "choose 1 to 8" in client.get("/results/together").json()["error"]
    many = "&".join(f"what=runs/{number}" for number in range(9))
    assert client.get(f"/results/together?{many}").status_code == 400
    assert client.get("/results/together?what=none").status_code == 404


def changed(content, **values):
    return json.dumps({**content, **values}).encode()


def damaged():
    """Return contents of files by address of the result, each with its error message."""
    card = json.loads((SHIPPED / "diddly_2p" / "card.json").read_text())
    settings = b"game: diddly\nparams: {rounds: 1}\nsteps: "
    return {
        "files/half.json": (b'{"pairs": [', "half.json is damaged"),
        "files/less.json": (b'{"pairs": [], "players": []}', "is damaged: 'game' is missing"),
        "files/game.json": (changed(a_tournament(), game=[]), "there is no game"),
        "files/params.json": (changed(a_tournament(), params=None), "mapping"),
        "files/ratings.json": (changed(a_tournament(), ratings=5), "ratings.json is damaged"),
        "files/rivals.json": (changed(an_evaluation(), opponents=[1]), "rivals.json is damaged"),
        "files/\udcff.json": (changed(an_evaluation()), "surrogates"),
        "runs/bare/settings.yaml": (b"game: diddly", "settings.yaml is damaged: 'params' is "),
        "runs/endless/settings.yaml": (settings + b".inf", "infinity"),
        "runs/line/progress.jsonl": (b'{"step": 1}\n{"step": oh}\n', "line 2 of "),
        "runs/bytes/progress.jsonl": (b"\xff\xfe}", "progress.jsonl is damaged"),
        "runs/folder/progress.jsonl": (None, "directory"),
        "runs/rates/progress.jsonl": (b'{"step": 1, "evaluation/greedy": []}\n', "is damaged"),
        "runs/card/final/card.json": (b"{}", "card.json is damaged: 'game' is missing"),
        "runs/steps/final/card.json": (changed(card, steps="x"), "invalid literal"),
    }


def test_damaged_files_are_named_and_hinder_no_others(client, runs, app):
    for place, (content, _) in damaged().items():
        kind, _, path = place.partition("/")
        if kind == RUNS:
            write_run(runs / path.partition("/")[0], [0.1])
        file = runs / path
        file.unlink(missing_ok=True)
        file.parent.mkdir(exist_ok=True)
        file.mkdir() if content is None else file.write_bytes(content)
    page = client.get("/results")
    assert page.status_code == 200
    assert 'href="/results/runs/new"' in page.text
    assert 'class="problem">Cannot be shown: line 2 of' in page.text
    for place, (_, words) in damaged().items():
        kind, name, *_ = place.replace("\udcff", "\ufffd").split("/")
        refused(client.get(f"/results/{kind}/{quote(name)}"), 422, words)
    assert client.get("/results/runs/new").status_code == 200
    with Person(app) as me:
        assert me.get("/api/choices").status_code == 200
        assert me.get("/results").status_code == 200


@pytest.mark.parametrize("seconds", [-(10**12), 10**12])
def test_a_file_may_be_of_any_time(client, monkeypatch, seconds):
    stamps = [("t.json", seconds * 10**9, 5)]
    monkeypatch.setattr(result_pages, "_stamps", lambda _: iter(stamps))
    assert client.get("/results").status_code == 200
