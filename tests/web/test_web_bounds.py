"""The server behind the page: saved games, stored files, and limits."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import re
import shutil
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import DEFAULT, MagicMock

import pytest
from tests.web.web_people import Person, refused, seats_of, started, until

from kitchentable import find_game
from kitchentable_training.files import WEIGHTS
from kitchentable_training.players.checkpoint import read_card, read_tensors, write_checkpoint
from kitchentable_training.session import Session
from kitchentable_training.web import app as web_app
from kitchentable_training.web import connections, player_threads, thoughts
from kitchentable_training.web import seats as seating
from kitchentable_training.web import store as web_store
from kitchentable_training.web import table as web_table
from kitchentable_training.web import tables as web_tables
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.replays import LONGEST_LINK
from kitchentable_training.web.serve import in_background, serve
from kitchentable_training.web.store import ASIDE, SUFFIX, NotKeptError, Store, alone_in
from kitchentable_training.web.table import Table

SHIPPED = Path(__file__).parents[2] / "checkpoints"


# --- Saved games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["diddly", "quiddler_solitaire"])
def test_a_game_survives_as_a_transcript_and_as_a_link(me, name):
    table = me.finish(["random" for _ in seats_of(name)], game=name)
    played = me.about(table)
    saved = me.get(f"/api/tables/{table}/transcript").text
    link = me.get(f"/api/tables/{table}/link?k=3").json()["link"]
    for sent in ({"transcript": saved}, {"link": link.partition("#")[2]}):
        answer = me.post("/api/replays", json=sent)
        assert answer.status_code == 201
        shown = me.about(answer.json()["id"])
        assert shown["kind"] == "replay"
        assert shown["decisions"] == played["decisions"]
        theirs, ours = (me.frame(t, 3, view="all").json() for t in (shown["id"], table))
        assert theirs == ours
    assert answer.json()["k"] == 3
    wrong = sent["link"].replace("k=3", "k=x")
    assert me.post("/api/replays", json={"link": wrong}).status_code == 422


def changed(saved, key, value):
    """Return a saved game's text with a value changed, and without a checksum, as by hand."""
    kept = {name: one for name, one in saved.items() if name != "check"}
    return json.dumps(kept | {key: value}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("link", "status"),
    [("", 422), ("k=0", 422), ("game=AAAA", 422), ("x" * (LONGEST_LINK + 1), 413)],
    ids=["empty", "no game", "damaged", "long"],
)
def test_damaged_links_are_refused(me, link, status):
    refused(me.post("/api/replays", json={"link": link}), status)
    assert me.get("/api/tables").json()["tables"] == []


IMPOSSIBLE = (
    ("game", "chess"), ("params", {"cards": 7}), ("params", None),
    ("params", {"lexicon": "/etc/passwd"}), ("deal", -1), ("deal", 2**64), ("deck", ["Q"]),
    ("deck", 5), ("actions", 5), ("actions", ["fly"]), ("actions", [[]]), ("actions", [None]),
    ("actions", ["slot:0"] * 10_001), ("players", 5), ("players", ["\ud800", "x"]),
    ("more", 1),
)  # fmt: skip
"""Values of a saved game with which it cannot have been played."""


def test_games_that_cannot_be_are_refused(me):
    saved = me.get(f"/api/tables/{me.finish()}/transcript").json()
    for key, value in IMPOSSIBLE:
        refused(me.post("/api/replays", json={"transcript": changed(saved, key, value)}), 422)
    assert len(me.get("/api/tables").json()["tables"]) == 1


# --- What it bears --------------------------------------------------------------------------------


def test_tables_go_on_after_a_server_was_killed(tmp_path):
    folder, seats = tmp_path / "tables", ("search:rollouts=20", "random")
    with Person(started(tmp_path / "calm")) as client:
        calm = client.about(client.finish(seats))["decisions"]
    with Person(started(tmp_path)) as client:
        mine = client.make()
        bots = client.finish(seats)
        before = client.cookies
        client.play(mine, "slot:3", 0)
        mine_before = client.about(mine)
    path = folder / f"{bots}{SUFFIX}"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:9]) + b'"slo')  # killed while it wrote
    (folder / f"damaged{SUFFIX}").write_text("{")
    app = started(tmp_path)
    assert app.state.server.tables.damaged == [str(folder / f"damaged{SUFFIX}")]
    with Person(app, let_in=False, cookies=before) as client:
        assert client.about(mine) == mine_before | {"changes": 0}
        assert client.my_turn(mine)["my_seat"] == 0
        until(lambda: client.about(bots)["over"])
        assert client.about(bots)["decisions"] == calm
    kept = {record.id: record for _, record in Store(folder).read() if record}
    assert len(kept[bots].saved.actions) == len(calm)
    assert kept[mine].owners[0] is not None


def test_finished_tables_give_way_and_those_being_played_do_not(tmp_path):
    with Person(started(tmp_path, most_tables=2)) as client:
        first = client.finish()
        second, third = client.make(), client.make()
        assert {one["id"] for one in client.get("/api/tables").json()["tables"]} == {second, third}
        assert client.get(f"/api/tables/{first}").status_code == 404
        refused(client.ask(), 429, "remove one")
        assert client.delete(f"/api/tables/{second}").status_code == 204
        assert client.make()
    assert len(list((tmp_path / "tables").glob(f"*{SUFFIX}"))) == 2


def test_only_what_is_over_gives_way_and_only_to_what_is_saved(tmp_path, monkeypatch):
    """A player that failed may play again after the next start of the server."""
    app = started(tmp_path, most_tables=2)
    tables = app.state.server.tables
    with Person(app) as client:
        stopped = client.make()
        tables.find(stopped).fail("a player failed")
        over = client.finish()
        with monkeypatch.context() as patch:
            patch.setattr(web_store, "write_text", MagicMock(side_effect=OSError(28, "full")))
            assert client.ask().status_code == 507
        assert {table.id for table in tables.all()} == {stopped, over}
        new = client.make()
        assert {table.id for table in tables.all()} == {stopped, new}


def test_one_browser_leaves_tables_to_the_others(me, other, monkeypatch):
    monkeypatch.setattr(web_tables, "MOST_OWN", 1)
    over = me.finish()
    assert me.make()
    assert me.get(f"/api/tables/{over}").status_code == 404
    refused(me.ask(), 429, "your limit of 1 unfinished table is reached; remove one first")
    assert other.make()


def test_what_is_asked_for_again_is_made_once(me, other):
    tables = [me.ask(token="1-2") for _ in range(2)]
    assert [one.status_code for one in tables] == [201, 201]
    assert len({one.json()["id"] for one in tables}) == 1
    changed = [me.ask(seed=1, token="1-2"), me.ask(token="1-3"), other.ask(token="1-2")]
    assert len({one.json()["id"] for one in [*tables, *changed]}) == 4
    assert len(me.get("/api/tables").json()["tables"]) == 4


def test_a_table_that_is_made_again_has_thoughts_of_its_own(me, monkeypatch):
    """It has the same name, but its deal or its decisions may differ."""
    number = itertools.count()
    monkeypatch.setattr(thoughts, "_thought", lambda *_: {"number": next(number), "actions": []})
    told = []
    for _ in range(2):
        table = me.ask(seats=["greedy", "random"], token="1-2").json()["id"]
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
        me.make(seats=["random", "random"])
    mine = me.make(seats=["random", "me"])
    try:
        until(lambda: me.about(mine)["my_turn"], seconds=20)
    finally:
        leave.set()


def test_a_game_that_does_not_end_is_stopped(me, monkeypatch):
    monkeypatch.setattr(web_table, "MOST_DECISIONS", 12)
    table = me.make(seats=["random", "random"])
    until(lambda: me.about(table)["failed"])
    now = me.about(table)
    assert "12 decisions" in now["failed"]
    assert now["moves"] == 12


def test_few_players_are_kept_in_memory(app, me, monkeypatch):
    monkeypatch.setattr(seating, "MOST_PLAYERS", 3)
    for rollouts in range(1, 8):
        me.make(seats=["me", f"search:rollouts={rollouts}"])
    assert len(app.state.server.pool._players) == 3


def test_while_a_player_is_made_the_others_play_on(app, me, monkeypatch):
    made_one, leave, make = threading.Event(), threading.Event(), seating.make_player

    def slowly(spec, *args, **options):
        if spec == "random":
            made_one.set()
            assert leave.wait(60)
        return make(spec, *args, **options)

    monkeypatch.setattr(seating, "make_player", slowly)
    asking = threading.Thread(target=lambda: me.ask(seats=["me", "random"]))
    asking.start()
    game = find_game("diddly")
    try:
        assert made_one.wait(60)
        other = threading.Thread(
            target=lambda: app.state.server.pool.check("greedy", game, game.make_params())
        )
        other.start()
        other.join(20)
        assert not other.is_alive()
    finally:
        leave.set()
        asking.join()


def test_pages_are_told_of_changes_and_that_the_server_is_there(app, me, monkeypatch):
    table = me.make()
    server = app.state.server

    async def listen():
        events = server._changes(server.tables.find(table))
        told = [await anext(events)]
        me.play(table, "slot:0", 0)
        told.append(await anext(events))
        monkeypatch.setattr(web_app, "ALIVE_EVERY", 0.0)  # a silent table is told of too
        told.append(await anext(events))
        server.is_closing = lambda: True
        return told + [event async for event in events]

    told = [json.loads(event.removeprefix("data:")) for event in asyncio.run(listen())]
    assert [one["moves"] for one in told] == [0, 1, 1]
    assert server._listeners == 0


def test_what_players_draw_tells_nothing_of_the_deal(app, me):
    tables = app.state.server.tables
    drawn = [tables.find(me.make(seats=["me", "open"])).record for _ in range(2)]
    assert len({number for one in drawn for number in (one.saved.deal, one.draws)}) == 4
    given = tables.find(me.make(seed=7)).record
    diddly = find_game("diddly")
    assert given.saved.deal == Session(diddly, diddly.make_params(), 7).deal
    assert given.draws == 7


# --- What is sent and kept ------------------------------------------------------------------------


def test_nobody_sits_down_at_a_replay(me, tmp_path):
    saved = me.get(f"/api/tables/{me.finish()}/transcript").json()
    content = {"transcript": changed(saved, "players", ["me", "open"])}
    table = me.post("/api/replays", json=content).json()["id"]
    assert me.post(f"/api/tables/{table}/sit", json={"seat": 1}).status_code == 409
    assert not (tmp_path / "tables" / f"{table}{SUFFIX}").exists()


def test_numbers_of_decisions_that_cannot_be_are_refused(me):
    table = me.make()
    for k in ("x", "-1", "1_0", " 5", "9" * 5000):
        for what in (f"/frames/{k}", f"/thoughts/{k}?by=greedy", f"?since={k}"):
            answer = me.get(f"/api/tables/{table}{what}")
            refused(answer, 400, "must be a whole number, 0 or more")


def test_a_full_disk_changes_nothing(me, tmp_path, monkeypatch):
    table = me.make()
    path = tmp_path / "tables" / f"{table}{SUFFIX}"
    before, really_open = path.read_bytes(), type(path).open

    def opened(*args, **how):
        file = really_open(*args, **how)
        full = MagicMock(wraps=file)
        full.__enter__.return_value = full
        full.__exit__.side_effect = lambda *_: file.close()
        full.write.side_effect = lambda data: file.write(data[:3])
        return full

    with monkeypatch.context() as patch:
        patch.setattr(type(path), "open", opened)
        refused(me.play(table, "slot:0", 0), 507, "full")
    assert path.read_bytes() == before
    assert me.about(table)["moves"] == 0
    assert me.play(table, "slot:0", 0).status_code == 200


def test_a_full_disk_leaves_no_half_of_a_word(app, me, monkeypatch):
    variant = {"meld": "spell", "challenges": True, "hand_sizes": [3], "max_turns": 1}
    table = me.make("quiddler", ["me", "random"], **variant)
    legal, letters = [], []
    while "word" not in legal:
        now = me.my_turn(table)
        legal = [one["action"] for one in me.frame(table, now["moves"]).json()["legal"]]
        letters += [action for action in legal if action.startswith("spell")][:1]
        if "word" not in legal:
            assert me.play(table, [*legal, *letters][-1], now["moves"]).status_code == 200
    store = app.state.server.tables.store
    full = MagicMock(wraps=store.add, side_effect=[DEFAULT, NotKeptError(507, "the disk is full")])
    monkeypatch.setattr(store, "add", full)
    assert me.play(table, "word", now["moves"]).status_code == 200
    decisions = me.about(table)["decisions"][now["moves"] :]
    assert "word" in [one["action"] for one in decisions]


def test_players_go_on_when_the_disk_is_ready_again(app, me, monkeypatch):
    refused = []

    def add(*_):
        refused.append(1)
        raise NotKeptError(507, "the disk is full")

    monkeypatch.setattr(player_threads, "AGAIN_AFTER", 0.01)
    with monkeypatch.context() as patch:
        patch.setattr(app.state.server.tables.store, "add", add)
        table = me.make(seats=["random", "greedy"])
        until(lambda: len(refused) > 2)
    until(lambda: me.about(table)["over"])


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
    final = tmp_path / "runs" / "mine" / "final"
    shutil.copytree(SHIPPED / "diddly_2p", final)
    specs = "mine", "search:value=mine:rollouts=2", "greedy"
    with Person(started(tmp_path)) as client:
        cookies = client.cookies
        tables = [client.make(seats=["me", spec], rounds=5) for spec in specs]
    final.rename(tmp_path / "elsewhere")
    with Person(started(tmp_path), let_in=False, cookies=cookies) as client:
        failed = [client.about(table)["failed"] for table in tables]
        assert failed[0].startswith("mine cannot be found; put it back")
        assert failed[1].startswith("search:value=mine:rollouts=2 cannot be found")
        assert failed[2] is None
        refused(client.play(tables[0], "slot:0", 0), 409, "mine cannot be found")
        assert client.delete(f"/api/tables/{tables[1]}").status_code == 204
    (tmp_path / "elsewhere").rename(final)
    with Person(started(tmp_path), let_in=False, cookies=cookies) as client:
        assert client.about(tables[0])["failed"] is None
        assert client.play(tables[0], "slot:0", 0).status_code == 200


@pytest.mark.parametrize("spec", ["my own, für Köln", "search:value=my own, für Köln:rollouts=20"])
def test_a_player_that_was_trained_anew_plays_and_thinks_anew(me, tmp_path, spec):
    final = tmp_path / "runs" / "my own, für Köln" / "final"
    shutil.copytree(SHIPPED / "diddly_2p", final)
    table = me.make(seats=[spec, "random"], rounds=5)
    until(lambda: me.about(table)["moves"] > 20)
    places = [one["k"] for one in me.about(table)["decisions"] if one["seat"] == 0][5:8]

    def thoughts():
        return [me.get(f"/api/tables/{table}/thoughts/{k}").json()["actions"] for k in places]

    before = thoughts()
    assert me.about(table)["retrained"] == []
    card = read_card(final)
    weights = read_tensors(final, WEIGHTS)
    write_checkpoint(final, card, {name: -one for name, one in weights.items()})
    after = thoughts()
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert me.about(table)["retrained"] == [spec]
    shutil.rmtree(final)  # to be trained once more
    assert thoughts() == after
    assert me.about(table)["retrained"] == [spec]
    assert me.make(seats=[spec, "me"], rounds=5)


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
    assert re.fullmatch(r"wins 5\d\.\d% \(.+\) of decided games against expert", table["strength"])
    not_measured = {"beats_scripted": False, "strength": ""}
    assert offered["fresh"] == offered["diddly_2p"] | {
        "name": "fresh", "tables": [table | not_measured], "shipped": False,
    }  # fmt: skip
    assert "damaged" not in offered


WRONG_LINES = ('{"sit": 5, "owner": "x"}', "7", '{"x": 1}')
WRONG_VALUES = (
    ("game", []), ("params", None), ("params", [1]), ("deal", "x"), ("deal", -1), ("draws", None),
    ("players", None), ("players", [[], {}]), ("owners", 5), ("created", 5),
)  # fmt: skip
"""What the file of a table at which one person sits cannot contain."""
OTHER_LINES = ('"fly"', '"draw"')
OTHER_VALUES = (
    ("game", "chess"), ("version", 9), ("params", {"speed": 1}), ("info", {"words": "few"}),
    ("players", ["me"]), ("owners", [None]),
)  # fmt: skip
"""What another start of the server, or another version, may understand."""


@pytest.mark.parametrize(
    ("lines", "values", "suffix"),
    [(WRONG_LINES, WRONG_VALUES, ASIDE), (OTHER_LINES, OTHER_VALUES, "")],
    ids=["damaged", "other"],
)
def test_tables_that_cannot_be_shown_are_kept_and_damaged_ones_set_aside(
    lines, values, suffix, tmp_path
):
    with Person(started(tmp_path)) as client:
        sound = client.make()
    path = tmp_path / "tables" / f"{sound}{SUFFIX}"
    kept = path.read_text()
    damaged = [f"{kept}{line}\n" for line in lines]
    saved, facts, *rest = kept.splitlines(keepends=True)
    for key, value in values:
        if key in json.loads(saved):
            text = [changed(json.loads(saved), key, value) + "\n", facts, *rest]
        else:
            text = [saved, json.dumps(json.loads(facts) | {key: value}) + "\n", *rest]
        damaged.append("".join(text))
    contents = {str(i): text.replace(sound, str(i)) for i, text in enumerate([kept, *damaged])}
    for name, content in contents.items():
        path.with_name(name + SUFFIX).write_text(content)
    del contents["0"]  # a sound copy
    app = started(tmp_path)
    now = {str(path.with_name(name + SUFFIX + suffix)): text for name, text in contents.items()}
    assert sorted(app.state.server.tables.damaged) == sorted(now)
    assert {name: Path(name).read_text() for name in now} == now, "nothing is lost"
    with Person(app) as client:
        tables = client.get("/api/tables").json()["tables"]
        assert {one["id"] for one in tables} == {sound, "0"}
        assert client.make()
    assert len(started(tmp_path).state.server.tables.damaged) == (0 if suffix else len(now))


def test_one_server_at_a_time_uses_a_folder(tmp_path):
    pytest.importorskip("fcntl")
    with alone_in(tmp_path), pytest.raises(OSError, match="--tables-folder"), alone_in(tmp_path):
        pass
    with alone_in(tmp_path):
        pass


def test_only_where_the_port_is_taken_another_one_is_recommended(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port}: .* in use.*; try --port 0"):
            serve("127.0.0.1", port, tmp_path / "t", tmp_path, print)
    assert not (tmp_path / "t").exists()


POST = "POST /api/tables HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"


def test_half_a_request_is_not_waited_for(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT", 0.3)
    with in_background(tmp_path / "t", tmp_path) as (link, _):
        address, _, key = link.partition("/?key=")
        where = address.removeprefix("http://")
        asked = http.client.HTTPConnection(where)
        asked.request("GET", f"/?key={key}")
        cookie = asked.getresponse().getheader("Set-Cookie").partition(";")[0]
        asked.close()
        head = f"Host: {where}\r\nOrigin: http://{where}\r\nCookie: {cookie}\r\n"
        for said in ("", "GET / HT", "GET / HTTP/1.1\r\nX: y\r\n", f"{POST}{head}\r\n{{"):
            with socket.create_connection(where.split(":"), timeout=20) as half:
                half.sendall(said.encode())
                assert half.recv(1) == b"", said
    assert caplog.text == ""


def test_two_who_remove_a_table_at_once(app, me):
    tables = app.state.server.tables
    table = tables.find(me.make())

    def remove(_):
        try:
            return tables.remove(table.id, table.record.creator)
        except RefusedError as error:
            return error.status

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(remove, range(8)))
    assert sorted(answers, key=str) == [*[404] * 7, None]
