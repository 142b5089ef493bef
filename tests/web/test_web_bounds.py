"""The server behind the page: saved games, stored files, and limits."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import shutil
import socket
import subprocess
import sys
import threading
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient
from tests.web.web_people import (
    HOST,
    about,
    finished,
    frame,
    made,
    my_turn,
    person,
    play,
    seats_of,
    until,
)

from kitchentable import all_games, find_game
from kitchentable.core.saving import LARGEST
from kitchentable_training.files import WEIGHTS
from kitchentable_training.players.checkpoint import read_card, read_tensors, write_checkpoint
from kitchentable_training.session import Session
from kitchentable_training.web import app as web_app
from kitchentable_training.web import connections, player_threads, thoughts
from kitchentable_training.web import seats as seating
from kitchentable_training.web import table as web_table
from kitchentable_training.web import tables as web_tables
from kitchentable_training.web.app import make_app
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.replays import LONGEST_LINK
from kitchentable_training.web.serve import in_background, serve
from kitchentable_training.web.store import ASIDE, SUFFIX, NotKeptError, Store, alone_in
from kitchentable_training.web.table import Table

SHIPPED = Path(__file__).parents[2] / "checkpoints"
every_game = pytest.mark.parametrize("name", list(all_games()))


# --- Saved games ----------------------------------------------------------------------------------


@every_game
def test_a_game_survives_as_a_transcript_and_as_a_link(me, name):
    table = finished(me, ["random" for _ in seats_of(name)], game=name)
    played = about(me, table)
    saved = me.get(f"/api/tables/{table}/transcript").text
    k = min(3, len(played["decisions"]))
    link = me.get(f"/api/tables/{table}/link?k={k}").json()["link"]
    for sent in ({"transcript": saved}, {"link": link.partition("#")[2]}):
        answer = me.post("/api/replays", json=sent)
        assert answer.status_code == 201
        shown = about(me, answer.json()["id"])
        assert shown["kind"] == "replay"
        assert shown["decisions"] == played["decisions"]
        theirs, ours = (frame(me, t, k, view="all").json() for t in (shown["id"], table))
        assert theirs == ours
    assert answer.json()["k"] == k


def changed(saved, key, value):
    """Return a saved game's text with a value changed, and without a checksum, as by hand."""
    kept = {name: one for name, one in saved.items() if name != "check"}
    return json.dumps(kept | {key: value}, separators=(",", ":"))


def packed(content):
    text = json.dumps(content).encode() if not isinstance(content, bytes) else content
    return urlencode({"k": 0, "game": urlsafe_b64encode(zlib.compress(text)).decode()})


@pytest.mark.parametrize(
    ("link", "status"),
    [
        ("", 422), ("k=0", 422), ("game=%%%", 422), ("game=AAAA", 422), ("k=x&game=AAAA", 422),
        ("x" * (LONGEST_LINK + 1), 413), (packed(b" " * (LARGEST + 1)), 422),
        (packed([]), 422), (packed({}), 422), (packed({"game": "chess"}), 422),
        (packed(b"[" * 5000), 422),
    ],
    ids=range(11),
)  # fmt: skip
def test_damaged_links_are_refused(me, link, status):
    answer = me.post("/api/replays", json={"link": link})
    assert answer.status_code == status
    assert answer.json()["error"]
    assert me.get("/api/tables").json()["tables"] == []


IMPOSSIBLE = (
    ("game", "chess"), ("version", 9), ("params", {"cards": 7}), ("params", None),
    ("params", {"lexicon": "/etc/passwd"}), ("deal", -1), ("deal", 2**64), ("deal", "x"),
    ("deck", ["Q"]), ("deck", 5), ("actions", 5), ("actions", ["fly"]), ("actions", [-1]),
    ("actions", [[]]), ("actions", [None]), ("actions", ["slot:0"] * 10_001), ("format", "x"),
    ("players", 5), ("info", {"lexicon": "x"}), ("check", "x"), ("more", 1),
)  # fmt: skip
"""Values of a saved game with which it cannot have been played."""


def test_games_that_cannot_be_are_refused(me):
    saved = me.get(f"/api/tables/{finished(me)}/transcript").json()
    for key, value in IMPOSSIBLE:
        answer = me.post("/api/replays", json={"transcript": changed(saved, key, value)})
        assert answer.status_code == 422, (key, value)
        assert answer.json()["error"]
    assert len(me.get("/api/tables").json()["tables"]) == 1


# --- What it bears --------------------------------------------------------------------------------


def test_tables_go_on_after_a_server_was_killed(tmp_path):
    folder, runs = tmp_path / "tables", tmp_path / "runs"
    seats = ("search:rollouts=20", "random")

    def fresh(where):
        return make_app(where, runs, {"localhost"}, cookie="test")

    with person(fresh(tmp_path / "calm")) as client:
        calm = about(client, finished(client, seats))["decisions"]
    app = fresh(folder)
    with person(app) as client:
        mine = made(client)
        bots = finished(client, seats)
        before = client.cookies
        play(client, mine, "slot:3", 0)
        mine_before = about(client, mine)
    path = folder / f"{bots}{SUFFIX}"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:9]) + b'"slo')  # killed while it wrote
    (folder / f"damaged{SUFFIX}").write_text("{")
    again = fresh(folder)
    assert again.state.server.tables.damaged == [str(folder / f"damaged{SUFFIX}")]
    with TestClient(again, base_url=HOST, headers={"Origin": HOST}, cookies=before) as client:
        assert about(client, mine) == mine_before | {"changes": 0}
        assert my_turn(client, mine)["my_seat"] == 0
        until(lambda: about(client, bots)["over"])
        assert about(client, bots)["decisions"] == calm
    kept = {record.id: record for _, record in Store(folder).read() if record}
    assert len(kept[bots].saved.actions) == len(calm)
    assert kept[mine].owners[0] is not None


def test_finished_tables_give_way_and_those_being_played_do_not(tmp_path):
    app = make_app(tmp_path / "t", tmp_path, {"localhost"}, cookie="test", most_tables=2)
    with person(app) as client:
        first = finished(client)
        second = made(client)
        third = made(client)
        assert {one["id"] for one in client.get("/api/tables").json()["tables"]} == {second, third}
        assert client.get(f"/api/tables/{first}").status_code == 404
        wanted = {"game": "diddly", "seats": ["me", "greedy"]}
        answer = client.post("/api/tables", json=wanted)
        assert answer.status_code == 429
        assert "remove one" in answer.json()["error"]
        assert client.delete(f"/api/tables/{second}").status_code == 204
        assert made(client)
    assert len(list((tmp_path / "t").glob(f"*{SUFFIX}"))) == 2


def test_one_browser_leaves_tables_to_the_others(me, other, monkeypatch):
    monkeypatch.setattr(web_tables, "MOST_OWN", 2)
    over, playing = finished(me), made(me)
    assert made(me)
    assert me.get(f"/api/tables/{over}").status_code == 404
    answer = me.post("/api/tables", json={"game": "diddly", "seats": ["me", "greedy"]})
    assert answer.status_code == 429
    assert "2 tables of yours are being played; remove one first" in answer.json()["error"]
    assert made(other)
    assert me.delete(f"/api/tables/{playing}").status_code == 204
    assert made(me)


def test_what_is_asked_for_again_is_made_once(me, other):
    wanted = {"game": "diddly", "seats": ["me", "greedy"], "seed": None, "token": "1-2"}
    tables = [me.post("/api/tables", json=wanted) for _ in range(2)]
    assert [one.status_code for one in tables] == [201, 201]
    assert len({one.json()["id"] for one in tables}) == 1
    changed = [
        me.post("/api/tables", json={**wanted, "seed": 1}),
        me.post("/api/tables", json={**wanted, "token": "1-3"}),
        other.post("/api/tables", json=wanted),
    ]
    assert len({one.json()["id"] for one in [*tables, *changed]}) == 4
    assert len(me.get("/api/tables").json()["tables"]) == 4


def test_a_table_that_is_made_again_has_thoughts_of_its_own(me, monkeypatch):
    """It has the same name, but its deal or its decisions may differ."""
    number = itertools.count()
    monkeypatch.setattr(thoughts, "_thought", lambda *_: {"number": next(number), "actions": []})
    wanted = {"game": "diddly", "seats": ["greedy", "random"], "token": "1-2"}
    told = []
    for _ in range(2):
        table = me.post("/api/tables", json=wanted).json()["id"]
        told += [me.get(f"/api/tables/{table}/thoughts/0").json()["number"] for _ in range(2)]
        assert me.delete(f"/api/tables/{table}").status_code == 204
    assert told == [0, 0, 1, 1]


def test_people_wait_for_no_tables_of_bots(me, monkeypatch):
    leave, move = threading.Event(), Table.let_player_move

    def slowly(table, *args):
        if not table.has_people:
            leave.wait(60)
        move(table, *args)

    monkeypatch.setattr(Table, "let_player_move", slowly)
    for _ in range(4):
        made(me, seats=["random", "random"])
    mine = made(me, seats=["random", "me"])
    try:
        until(lambda: about(me, mine)["my_turn"], seconds=20)
    finally:
        leave.set()


def test_a_game_that_does_not_end_is_stopped(me, monkeypatch):
    monkeypatch.setattr(web_table, "MOST_DECISIONS", 12)
    table = made(me, seats=["random", "random"])
    until(lambda: about(me, table)["failed"])
    now = about(me, table)
    assert "12 decisions" in now["failed"]
    assert now["moves"] == 12


def test_few_players_are_kept_in_memory(app, me, monkeypatch):
    monkeypatch.setattr(seating, "MOST_PLAYERS", 3)
    for rollouts in range(1, 8):
        made(me, seats=["me", f"search:rollouts={rollouts}"])
    assert len(app.state.server.bench._players) == 3


def test_pages_are_told_of_changes_and_that_the_server_is_there(app, me, monkeypatch):
    table = made(me)
    server = app.state.server

    async def listen():
        events = server._changes(server.tables.find(table))
        told = [await anext(events)]
        play(me, table, "slot:0", 0)
        told.append(await anext(events))
        monkeypatch.setattr(web_app, "ALIVE_EVERY", 0.0)  # a silent table is told of too
        told.append(await anext(events))
        server.is_closing = lambda: True
        return told + [event async for event in events]

    told = [json.loads(event.removeprefix("data:")) for event in asyncio.run(listen())]
    assert [one["moves"] for one in told] == [0, 1, 1]
    assert server._listeners == 0


def let_in(link):
    """Return the host of a server, and the cookie of a browser that it has let in."""
    address, _, key = link.partition("/?key=")
    where = address.removeprefix("http://")
    asked = http.client.HTTPConnection(where)
    asked.request("GET", f"/?key={key}")
    cookie = asked.getresponse().getheader("Set-Cookie").partition(";")[0]
    asked.close()
    return where, cookie


def test_what_players_draw_tells_nothing_of_the_deal(app, me):
    tables = app.state.server.tables
    drawn = [tables.find(made(me, seats=["me", "open"])).record for _ in range(2)]
    assert len({number for one in drawn for number in (one.saved.deal, one.draws)}) == 4
    given = tables.find(made(me, seed=7)).record
    diddly = find_game("diddly")
    assert given.saved.deal == Session(diddly, diddly.make_params(), 7).deal
    assert given.draws == 7


# --- What is sent and kept ------------------------------------------------------------------------


def test_half_a_letter_is_refused(me):
    saved = me.get(f"/api/tables/{finished(me)}/transcript").json()
    for key in ("players", "version", "format", "game"):
        half = changed(saved, key, ["\ud800", "x"] if key == "players" else "\ud800")
        for sent in ({"transcript": half}, {"link": packed(half.encode())}):
            answer = me.post("/api/replays", json=sent)
            assert answer.status_code == 422, key
            assert "it is not JSON" in answer.json()["error"]


def test_nobody_sits_down_at_a_replay(me, tmp_path):
    saved = me.get(f"/api/tables/{finished(me)}/transcript").json()
    content = {"transcript": changed(saved, "players", ["me", "open"])}
    table = me.post("/api/replays", json=content).json()["id"]
    assert me.post(f"/api/tables/{table}/sit", json={"seat": 1}).status_code == 409
    assert not (tmp_path / "tables" / f"{table}{SUFFIX}").exists()


def test_who_knows_the_seed_of_a_deal_plays_alone(me):
    wanted = {"game": "diddly", "seats": ["me", "open"], "seed": 7}
    assert me.post("/api/tables", json=wanted).status_code == 422
    assert me.post("/api/tables", json={**wanted, "seats": ["me", "greedy"]}).status_code == 201


@pytest.mark.parametrize(
    "k", ["x", "-1", "1_0", " 5", "9" * 5000], ids=["letter", "negative", "line", "space", "long"]
)
def test_numbers_of_decisions_that_cannot_be_are_refused(me, k):
    table = made(me)
    for what in (f"/frames/{k}", f"/thoughts/{k}?by=greedy", f"?since={k}"):
        answer = me.get(f"/api/tables/{table}{what}")
        assert answer.status_code == 400
        assert "is a whole number, 0 or more" in answer.json()["error"]


def test_a_full_disk_changes_nothing(app, me, tmp_path, monkeypatch):
    table = made(me)
    path = tmp_path / "tables" / f"{table}{SUFFIX}"
    before = path.read_bytes()

    class Full:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def __getattr__(self, name):
            return getattr(self.file, name)

        def write(self, data):
            return self.file.write(data[:3])

    opened = type(path).open
    with monkeypatch.context() as patch:
        patch.setattr(type(path), "open", lambda *args, **how: Full(opened(*args, **how)))
        answer = play(me, table, "slot:0", 0)
    assert answer.status_code == 507
    assert "full" in answer.json()["error"]
    assert path.read_bytes() == before
    assert about(me, table)["moves"] == 0
    assert play(me, table, "slot:0", 0).status_code == 200


def test_players_go_on_when_the_disk_is_ready_again(app, me, monkeypatch):
    refused = []

    def add(*_):
        refused.append(1)
        raise NotKeptError(507, "the disk is full")

    monkeypatch.setattr(player_threads, "AGAIN_AFTER", 0.01)
    with monkeypatch.context() as patch:
        patch.setattr(app.state.server.tables.store, "add", add)
        table = made(me, seats=["random", "greedy"])
        until(lambda: len(refused) > 2)
    until(lambda: about(me, table)["over"])


def test_files_of_something_else_stay_as_they_are(tmp_path):
    table = Store(tmp_path)
    others = {"notes": b'{"a": 1}\nno end', "deep": b"[" * 100_000 + b"\n", "list": b"[]\n"}
    for name, content in others.items():
        (tmp_path / f"{name}{SUFFIX}").write_bytes(content)
    (tmp_path / f"folder{SUFFIX}").mkdir()
    assert [record for _, record in table.read()] == [None] * 4
    for name, content in others.items():
        assert (tmp_path / f"{name}{SUFFIX}").read_bytes() == content


def test_a_table_whose_player_has_gone_says_so_and_goes_on_when_it_is_back(tmp_path):
    def fresh():
        return make_app(tmp_path / "t", tmp_path / "runs", {"localhost"}, cookie="test")

    final = tmp_path / "runs" / "mine" / "final"
    shutil.copytree(SHIPPED / "diddly_2p", final)
    with person(fresh()) as client:
        cookies = client.cookies
        tables = [
            made(client, seats=["me", spec], rounds=5)
            for spec in ("mine", "search:value=mine:rollouts=2", "greedy")
        ]
    final.rename(tmp_path / "elsewhere")
    with TestClient(fresh(), base_url=HOST, headers={"Origin": HOST}, cookies=cookies) as client:
        failed = [about(client, table)["failed"] for table in tables]
        assert failed[0].startswith("mine cannot be found any more; put it back")
        assert failed[1].startswith("search:value=mine:rollouts=2 cannot be found")
        assert failed[2] is None
        answer = play(client, tables[0], "slot:0", 0)
        assert answer.status_code == 409
        assert "mine cannot be found" in answer.json()["error"]
        assert client.delete(f"/api/tables/{tables[1]}").status_code == 204
    (tmp_path / "elsewhere").rename(final)
    with TestClient(fresh(), base_url=HOST, headers={"Origin": HOST}, cookies=cookies) as client:
        assert about(client, tables[0])["failed"] is None
        assert play(client, tables[0], "slot:0", 0).status_code == 200


@pytest.mark.parametrize("spec", ["mine", "search:value=mine:rollouts=20"])
def test_a_player_that_was_trained_anew_plays_and_thinks_anew(me, tmp_path, spec):
    final = tmp_path / "runs" / "mine" / "final"
    shutil.copytree(SHIPPED / "diddly_2p", final)
    table = made(me, seats=[spec, "random"], rounds=5)
    until(lambda: about(me, table)["moves"] > 20)
    places = [one["k"] for one in about(me, table)["decisions"] if one["seat"] == 0][5:8]

    def thoughts():
        return [me.get(f"/api/tables/{table}/thoughts/{k}").json()["actions"] for k in places]

    before = thoughts()
    assert about(me, table)["retrained"] == []
    card = read_card(final)
    weights = read_tensors(final, WEIGHTS)
    write_checkpoint(final, card, {name: -one for name, one in weights.items()})
    after = thoughts()
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert about(me, table)["retrained"] == [spec]
    shutil.rmtree(final)  # to be trained once more
    assert thoughts() == after
    assert about(me, table)["retrained"] == [spec]
    assert made(me, seats=[spec, "me"], rounds=5)


def test_a_trained_player_may_never_have_been_measured(me, tmp_path):
    """Players of RLlib and of behavior cloning have no results; damaged cards are left out."""
    card = json.loads((SHIPPED / "diddly_2p" / "card.json").read_text())
    del card["results"]
    for name, more in {"fresh": {}, "damaged": {"results": {"expert": 5}}}.items():
        folder = tmp_path / "runs" / name / "final"
        folder.mkdir(parents=True)
        (folder / "card.json").write_text(json.dumps(card | more))
    offered = {one["name"]: one for one in me.get("/api/choices").json()["checkpoints"]}
    (table,) = offered["diddly_2p"]["tables"]
    assert table["beats_scripted"]
    assert offered["fresh"] == offered["diddly_2p"] | {
        "name": "fresh", "tables": [table | {"beats_scripted": False}], "shipped": False,
    }  # fmt: skip
    assert "damaged" not in offered


@pytest.fixture
def kept(tmp_path):
    """The file of a table whose server has ended, and a function that starts another server."""

    def fresh():
        return make_app(tmp_path / "t", tmp_path, {"localhost"}, cookie="test")

    with person(fresh()) as client:
        table = made(client)
    return tmp_path / "t" / f"{table}{SUFFIX}", fresh


def is_set_aside(path, fresh):
    """Start a server with a damaged table beside a sound one; nothing is lost."""
    damaged = path.read_bytes()
    app = fresh()
    aside = path.with_name(path.name + ASIDE)
    assert app.state.server.tables.damaged == [str(aside)]
    assert aside.read_bytes() == damaged
    with person(app) as client:
        assert client.get("/api/tables").json() == {"tables": []}
        assert made(client)
    assert fresh().state.server.tables.damaged == []


@pytest.mark.parametrize("line", ['"fly"', '"draw"', '{"sit": 5, "owner": "x"}', "7", '{"x": 1}'])
def test_a_table_whose_file_has_a_wrong_line_is_set_aside(kept, line):
    path, fresh = kept
    path.write_text(path.read_text() + line + "\n")
    is_set_aside(path, fresh)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", []), ("game", "chess"), ("version", 9), ("params", None), ("params", [1]),
        ("deal", "x"), ("deal", -1), ("draws", None), ("players", None),
        ("players", [[], {}]), ("players", ["me"]), ("owners", 5), ("owners", [None]),
        ("created", 5),
    ],
)  # fmt: skip
def test_a_table_whose_file_has_a_wrong_value_is_set_aside(kept, key, value):
    path, fresh = kept
    saved, about, *rest = path.read_text().splitlines()
    if key in json.loads(saved):
        saved = changed(json.loads(saved), key, value)
    else:
        about = json.dumps(json.loads(about) | {key: value})
    path.write_text("\n".join([saved, about, *rest]) + "\n")
    is_set_aside(path, fresh)


def test_one_server_at_a_time_uses_a_folder(tmp_path):
    pytest.importorskip("fcntl")
    with alone_in(tmp_path), pytest.raises(OSError, match="--tables-folder"), alone_in(tmp_path):
        pass
    with alone_in(tmp_path):
        pass


def test_the_link_is_in_a_log_while_the_server_runs(tmp_path):
    command = [sys.executable, "-m", "kitchentable_training", "serve", "--port", "0"]
    log = tmp_path / "log"
    with log.open("w") as out, subprocess.Popen(command, cwd=tmp_path, stdout=out) as process:
        until(lambda: "/?key=" in log.read_text() or process.poll() is not None)
        assert process.poll() is None
        process.terminate()


def test_only_where_the_port_is_taken_another_one_is_recommended(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port}: .* in use.*; try --port 0"):
            serve("127.0.0.1", port, tmp_path / "t", tmp_path, print)
    assert not (tmp_path / "t").exists()


POST = "POST /api/tables HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"


@pytest.mark.parametrize(
    "said", ["", "GET / HT", "GET / HTTP/1.1\r\nX: y\r\n", POST + "{head}\r\n{{"],
    ids=["nothing", "half a line", "half a head", "half a body"],
)  # fmt: skip
def test_half_a_request_is_not_waited_for(tmp_path, monkeypatch, caplog, said):
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    with in_background(tmp_path / "t", tmp_path) as (link, _):
        where, cookie = let_in(link)
        head = f"Host: {where}\r\nOrigin: http://{where}\r\nCookie: {cookie}\r\n"
        with socket.create_connection(where.split(":"), timeout=20) as half:
            half.sendall(said.format(head=head).encode())
            assert half.recv(1) == b""
    assert caplog.text == ""


def test_two_who_remove_a_table_at_once(app, me):
    tables = app.state.server.tables
    table = tables.find(made(me))
    answers = []

    def remove():
        try:
            answers.append(tables.remove(table.id, table.record.creator))
        except RefusedError as error:
            answers.append(error.status)

    threads = [threading.Thread(target=remove) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers, key=str) == [*[404] * 7, None]
