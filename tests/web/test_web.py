"""The server behind the page: access, and what each client may see and do."""

from __future__ import annotations

import json
import stat
import sys
from itertools import islice, product

import numpy as np
import pytest
from starlette.testclient import TestClient
from tests.web.web_people import HOST, Person, refused, seats_of, started, until

from kitchentable import all_games, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.render.rulebook import Rulebook
from kitchentable_training.web import views
from kitchentable_training.web.access import KEYS, MOST_BYTES, Keys
from kitchentable_training.web.seats import PlayerPool
from kitchentable_training.web.table import MOST_NAMES
from kitchentable_training.web.tables import read_params

# --- The rules ------------------------------------------------------------------------------------


def test_the_rules_are_shown_for_the_parameters_of_a_table(me):
    for name, game in all_games().items():
        variant = game.rules.variants[-1]
        given = {one: variant[one] for one in variant if one not in ("lexicon", "copies")}
        answer = me.get(f"/rules/{name}", params={"params": json.dumps(given)})
        assert answer.status_code == 200
        for title in Rulebook(game, game.make_params(**given)).sections:
            assert f"<h2>{title}</h2>" in answer.text


def test_the_lobby_knows_how_many_seats_every_game_has(me):
    """Also of a game that describes none of its parameters."""
    games = {one["name"]: one["params"] for one in me.get("/api/choices").json()["games"]}
    seats = {name: params[0]["default"] for name, params in games.items()}
    assert {params[0]["name"] for params in games.values()} == {"num_players"}
    assert (seats["kuhn_poker"], seats["diddly"], seats["quiddler_solitaire"]) == (2, 2, 1)


ENDLESS = json.dumps({"lexicon": ["qu" * 200, "quit"]})
"""With every pair that a word has, it could be spelled in twice as many ways."""


def test_rules_of_impossible_tables_are_refused(me):
    for address in ("nothing", "diddly?params=x", "diddly?params=[1]", 'diddly?params={"cards":7}',
                    "diddly?params=" + "[" * 2000, f"quiddler?params={ENDLESS}",
                    'quiddler?params={"lexicon":["\\ud800"]}'):  # fmt: skip
        assert me.get(f"/rules/{address}").status_code == 422, address


# --- Who may come in ------------------------------------------------------------------------------


def test_only_the_key_lets_in_and_it_does_not_stay_in_the_address(app, me):
    stranger = Person(app, let_in=False)
    for address in ("/", "/replay", "/table/x", "/results", "/api/tables", "/api/choices"):
        answer = stranger.get(address)
        assert answer.status_code == 403
        assert "open the link" in answer.text
    assert stranger.get("/?key=wrong").status_code == 403
    assert stranger.get("/api/tables").status_code == 403
    answer = stranger.get(f"/replay?key={app.state.server.keys.entry}")
    assert answer.status_code == 200
    assert "key" not in str(answer.url)
    assert stranger.get("/api/tables").json() == {"tables": []}


def test_an_invitation_lets_in_and_offers_the_free_seat(app, me):
    table = me.make(seats=["me", "open"])
    link = me.about(table)["invitation"]
    guest, late = (Person(app, let_in=False) for _ in range(2))
    answer = guest.get(link)
    assert answer.status_code == 200
    assert str(answer.url) == f"{HOST}/table/{table}?invited"
    assert me.about(table)["seats"][1]["open"], "a preview of the link takes no seat"
    assert "invitation" not in guest.about(table)
    assert guest.post(f"/api/tables/{table}/sit", json={}).json() == {"my_seat": 1}
    assert "invitation" not in me.about(table)
    assert late.get(link).status_code == 403
    assert late.get("/api/tables").status_code == 403
    assert guest.get(link).status_code == 200
    assert guest.about(table)["my_seat"] == 1


def test_invitations_that_this_server_did_not_make_are_refused(app, me):
    table, other = (me.make(seats=["me", "open"], rounds=rounds) for rounds in (1, 2))
    token = me.about(other)["invitation"].rpartition("/")[2]
    assert len(token) == 32
    answers = set()
    for name, tried in [
        (table, token), (table, token.lower()), (table, token[:-1]), (table, "x"), (table, "é"),
        ("none", token), ("none", "x"),
    ]:  # fmt: skip
        stranger = Person(app, let_in=False)
        answer = stranger.get(f"/invitation/{name}/{tried}")
        assert answer.status_code == 403
        answers.add(answer.text)
        assert stranger.get(f"/api/tables/{table}").status_code == 403
    assert len(answers) == 1, "nobody learns which tables there are"
    assert Person(app, let_in=False).get(f"/invitation/{table}/").status_code in {403, 404}


def test_keys_are_kept_from_others_and_from_one_start_to_the_next(app, tmp_path):
    path = tmp_path / "tables" / KEYS
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert started(tmp_path).state.server.keys.entry == app.state.server.keys.entry


@pytest.mark.parametrize("name", ["entry", "signing"])
@pytest.mark.parametrize("key", ["short", None, ["x" * 32]])
def test_keys_that_can_be_guessed_are_refused(tmp_path, name, key):
    (tmp_path / KEYS).write_text(json.dumps({"entry": "e" * 32, "signing": "s" * 32, name: key}))
    with pytest.raises(ValueError, match=rf"keys\.json: '{name}' must be a text of 16 letters"):
        Keys(tmp_path)


def test_other_names_for_this_server_are_refused(me):
    for host in ("evil.example", "", "localhost.evil.example:80", "evil@localhost",
                 "localhost/static/", "localhost?"):  # fmt: skip
        answer = me.get("/api/tables", headers={"Host": host})
        assert answer.status_code == 403, host
        assert "is not called" in answer.json()["error"]


def test_the_key_leads_to_no_other_host(app):
    answer = Person(app, let_in=False).get(
        f"{HOST}//evil.example/?key={app.state.server.keys.entry}", follow_redirects=False
    )
    assert answer.headers["Location"] == "/evil.example/"


def test_pages_of_other_sites_change_nothing(me):
    table, wanted = me.make(), {"game": "diddly", "seats": ["me", "greedy"]}
    for origin in ("http://evil.example", "null", "", "http://localhost:1", "http://[",
                   "http://localhost/x"):  # fmt: skip
        from_there = {"Origin": origin}
        answer = me.post("/api/tables", json=wanted, headers=from_there)
        assert answer.status_code == 403, origin
        assert "must come from this server's pages" in answer.json()["error"]
        assert me.delete(f"/api/tables/{table}", headers=from_there).status_code == 403
    assert [one["id"] for one in me.get("/api/tables").json()["tables"]] == [table]


def test_every_answer_forbids_scripts_from_elsewhere(app, me, monkeypatch):
    monkeypatch.setattr(app.state.server.tables, "find", lambda _: 1 // 0)
    client = TestClient(app, HOST, raise_server_exceptions=False, cookies=me.cookies)
    statuses = {"/": 200, "/api/tables": 200, "/no": 404, "/static/no": 404, "/api/tables/x": 500}
    for address, status in statuses.items():
        answer = client.get(address)
        assert answer.status_code == status
        headers = answer.headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


# --- What is sent must be possible ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400), (b"[]", "application/json", 400),
        (b"{}", "text/plain", 415), (b" " * (MOST_BYTES + 1), "application/json", 413),
    ],
    ids=["half", "list", "text", "long"],
)  # fmt: skip
def test_impossible_requests_are_refused_with_a_reason(me, body, kind, status):
    refused(me.post("/api/tables", content=body, headers={"Content-Type": kind}), status)


TABLES = (
    {"game": "chess"}, {"seats": "me"}, {"seats": ["me"]}, {"seats": ["me", "me"]},
    {"seats": ["me", {}]}, {"seed": -1}, {"seed": "x"}, {"seed": True}, {"params": []},
    {"params": {"cards": 7}}, {"params": {"cards": {}}}, {"params": {"x": 1}},
    {"seats": ["me", "open"], "seed": 7},  # who knows the deal plays alone
)  # fmt: skip
SPECS = (
    "../diddly_2p", "checkpoints/diddly_2p", "/etc", ".", "", "nobody", "me\n",
    "search:value=../checkpoints/diddly_2p", "search:value=/etc", "search:rollouts=4097",
    "search:rollouts=0", "search:seconds=11", "search:seconds=nan", "search:seconds=inf",
    "search:depth=9", "search:policy=nobody", "search:files=1", "search:", "x" * 300,
    "addtoo_2p",
)  # fmt: skip
"""Tables and players that cannot be."""


def test_impossible_tables_and_players_are_refused_with_a_reason(me):
    possible = {"game": "diddly", "seats": ["me", "greedy"]}
    for wrong in [*TABLES, *({"seats": ["me", spec]} for spec in SPECS)]:
        refused(me.post("/api/tables", json=possible | wrong), 422)
    assert me.get("/api/tables").json()["tables"] == []


HOSTILE = (
    "{tmp}/evil.py:f", "evil:f", "evil.py:f", "./evil.py:f", "../{tmp}/evil.py:f", "evil.py",
    "file://{tmp}/evil.py:f", "search:value={tmp}/evil.py:f", "search:value=evil:f", "evil",
    "search:value={tmp}/evil.py", "search:policy={tmp}/evil.py", "search:rollouts={tmp}/evil.py",
    "search:value=evil:f:rollouts=5", "search:policy=evil:f", "search:value=mine:x=5:evil:f",
    "mine:f", "mine.py:mine", "{tmp}/mine.py:mine", "{tmp}/mine.py:other", "mine@evil", "this:d",
    "\uff45vil:f", "evil\uff1af", "evil\u2024py:f", "evil\0:f", "evil:f\n", "\u202eevil:f", "é:f",
    "antigravity:geohash", "os:system", "kitchentable_training.players.own:source_of",
    "x" * 150 + ":f", "{tmp}/evil.py:" + "f" * 300,
)  # fmt: skip
"""Names in requests that would let code run, if they reached the importer."""


def test_no_name_in_a_request_is_imported(tmp_path, monkeypatch):
    """The host's own player is offered by its name; its file and all others stay out of reach."""
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nf = print")
    (tmp_path / "mine.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    app, before = started(tmp_path, players=["mine.py:mine"]), {*sys.modules}
    with Person(app) as client:
        table = client.make(seats=["mine", "greedy"], rounds=1)
        until(lambda: client.about(table)["over"])
        for spec in [one.replace("{tmp}", str(tmp_path)) for one in HOSTILE]:
            answer = client.ask(seats=["me", spec], params={"rounds": 1}, seed=1)
            assert answer.status_code == 422, spec
            answer = client.get(f"/api/tables/{table}/thoughts/0", params={"by": spec})
            assert 400 <= answer.status_code < 500, spec
        assert len(client.get("/api/tables").json()["tables"]) == 1
    new = {*sys.modules} - before
    assert not (tmp_path / "ran").exists()
    assert not [one for one in new if one.startswith(("evil", "this", "antigravity"))]


OWN = """
import numpy as np

class Mine:
    def seed(self, seed): pass
    def act(self, batch, games): return batch.masks[games].argmax(axis=1)
    def evaluate(self, batch, games):
        masks = batch.masks[games]
        return masks / masks.sum(axis=1, keepdims=True), np.full(len(masks), 0.5)

def mine(game, params, seed):
    if game.name != "diddly":
        raise ValueError("it knows only diddly")
    return Mine()

def bad(game, params, seed):
    player = Mine()
    player.act = lambda batch, games: batch.masks[games].argmin(axis=1)
    return player

greedy = mine
"""


def test_the_page_offers_the_hosts_own_players(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    place = f"{tmp_path}/mine.py:mine"
    with Person(started(tmp_path, players=[place, place[:-4] + "bad"])) as client:
        assert client.get("/api/choices").json()["own"] == ["mine", "bad"]
        table = client.make(seats=["mine", "search:value=mine:rollouts=4"], turn_limit=3)
        until(lambda: client.about(table)["over"] or client.about(table)["failed"])
        assert client.about(table)["failed"] is None
        thought = client.get(f"/api/tables/{table}/thoughts/0").json()
        assert (thought["by"], thought["kind"], thought["value"]) == ("mine", "policy", 0.5)
        assert client.about(table)["retrained"] == []
        answer = client.ask("addtoo", ["me", "mine"])
        refused(answer, 422, "mine.py, line 13: ValueError: it knows only diddly")
        assert str(tmp_path) not in answer.text
        (tmp_path / "mine.py").write_text("the server does not read it again")
        other = client.make(seats=["bad", "greedy"], rounds=1)
        until(lambda: client.about(other)["failed"])
        assert "player bad: act chose " in client.about(other)["failed"]
        assert client.about(table)["retrained"] == []
    (tmp_path / "mine.py").write_text(OWN + "# edited")
    with Person(started(tmp_path, players=[place])) as client:
        assert client.about(table)["retrained"] == ["mine", "search:value=mine:rollouts=4"]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("diddly_2p", "--player 'diddly_2p' is not possible; give file.py:function"),
        ("{tmp}/mine.py:greedy", "there is a player greedy already; rename this one"),
    ],
)
def test_own_players_that_cannot_be_offered_are_refused_at_the_start(place, message, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    with pytest.raises(ValueError, match=message):
        PlayerPool(tmp_path, [place.replace("{tmp}", str(tmp_path))])


def test_a_browser_names_no_files(me):
    for words in ("/etc/passwd", "words.txt", "scowl60@1234"):
        answer = me.ask("quiddler_solitaire", ["me"], params={"lexicon": words})
        refused(answer, 422, 'choose "scowl60" or')


def test_words_are_so_few_that_the_table_can_be_made_again(me):
    game = find_game("quiddler_solitaire")
    words = ["".join(letters) for letters in islice(product("abcdefghij", repeat=4), 1_001)]
    kept = read_params(game, {"lexicon": words[:-1]})
    assert read_params(game, kept.plain()) == kept
    answer = me.ask(game.name, ["me"], params={"lexicon": words})
    possible = "at most 1,000 items, each of at most 50 letters, or"
    refused(answer, 422, possible)


def test_what_there_is_to_choose_can_be_chosen(me):
    """Of one game: each player is loaded."""
    offered = me.get("/api/choices").json()
    assert [game["name"] for game in offered["games"]] == list(all_games())
    checkpoints = [one for one in offered["checkpoints"] if one["game"] == "diddly"]
    assert {one["searches"] for one in checkpoints} == {True, False}
    for checkpoint, table in [(c, t) for c in checkpoints for t in c["tables"]]:
        seats = ["open"] * table["params"]["num_players"]
        assert me.ask(seats=seats, params=table["params"]).status_code == 201
        seats[0] = f"search:value={checkpoint['name']}:rollouts=1"
        can_search = me.ask(seats=seats, params=table["params"]).status_code == 201
        assert can_search == checkpoint["searches"]


# --- Whole games, and what is told in them --------------------------------------------------------


@pytest.mark.parametrize("name", list(all_games()))
def test_a_whole_game_can_be_played_and_tells_only_what_the_seat_may_know(app, me, name):
    table = me.make(name, seats_of(name))
    rng = np.random.default_rng(3)
    server = app.state.server
    while not (now := me.my_turn(table))["over"]:
        kept = server.tables.find(table)
        session = kept.seen_by(kept.record.creator)
        before = me.frame(table, now["moves"]).json()
        records, state = session.batch.records.copy(), session.batch.states[0]
        state.rng = seeds_for(now["moves"], 1)[0]
        session.game.rules.redeal(state, 0, *session.batch.tables)
        assert me.frame(table, now["moves"]).json() == before
        session.batch.records[:] = records
        for shown in me.play_on(table, rng, 5):
            assert len(shown["legal"]) > 1 or shown["drafted"], "what is forced plays itself"
    now = me.about(table)
    end = me.frame(table, now["moves"]).json()
    assert end["over"]
    assert end["view"] == "all"
    assert "over" in end["result"]
    assert end["legal"] == []


def test_decisions_are_told_from_any_number_on(me):
    table = me.finish()
    everything = me.about(table)["decisions"]
    later = me.get(f"/api/tables/{table}?since=5").json()["decisions"]
    assert later == everything[5:]


# --- Seats of others ------------------------------------------------------------------------------


def test_nobody_looks_into_or_acts_for_the_seat_of_another(me, other):
    table = me.make(seats=["me", "open"])
    for view in ("", "me", "all", "mover", "player_0", "player_1"):
        answer = other.frame(table, 0, view=view)
        assert answer.status_code in {403, 404}
        assert "svg" not in answer.text
    assert other.play(table, "slot:0", 0).status_code == 403
    for what in ("transcript", "link", "thoughts/0?by=greedy", "thoughts/0"):
        assert other.get(f"/api/tables/{table}/{what}").status_code == 403
    assert other.delete(f"/api/tables/{table}").status_code == 403
    assert other.get("/api/tables").json()["tables"][0]["open"] == [1]
    assert other.post(f"/api/tables/{table}/sit", json={"seat": 0}).status_code == 409
    assert other.post(f"/api/tables/{table}/sit", json={"seat": True}).status_code == 409
    assert other.post(f"/api/tables/{table}/sit", json={"seat": 1}).json() == {"my_seat": 1}
    assert me.post(f"/api/tables/{table}/sit", json={"seat": 1}).status_code == 409
    assert other.frame(table, 0).json()["view"] == "player_1"
    assert other.frame(table, 0).json()["legal"] == []
    for client, view in ((other, "player_0"), (me, "player_1"), (me, "all")):
        assert client.frame(table, 0, view=view).status_code == 403
    assert other.play(table, "slot:0", 0).status_code == 409
    assert me.about(table)["moves"] == 0


def test_people_who_play_again_meet_again(app, me, other, tmp_path):
    def again(person, table):
        return person.post(f"/api/tables/{table}/again", json={})

    table = me.make("kuhn_poker", ["me", "open"])
    refused(again(me, table), 409, "played to its end")
    other.post(f"/api/tables/{table}/sit", json={"seat": 1})
    rng = np.random.default_rng(0)
    while not (now := me.about(table))["over"]:
        (me, other)[now["mover"]].play_on(table, rng, 1)
    for client in (me, other):
        assert client.frame(table, 0).json()["view"] == "all"
        assert client.get(f"/api/tables/{table}/transcript").status_code == 200
    onlooker, guest = Person(app), Person(app)
    own = again(onlooker, table).json()
    assert own["people"]
    assert onlooker.about(own["id"])["my_seat"] == 0
    removed = again(other, table).json()
    assert again(me, table).json() == again(other, table).json() == removed != own
    assert [one.about(removed["id"])["my_seat"] for one in (me, other)] == [0, 1]
    assert not me.about(removed["id"])["can_delete"]
    other.delete(f"/api/tables/{removed['id']}")
    # Where somebody else has got the seat, or the game is over, they meet at a further table.
    made = again(other, table).json()
    assert made not in (own, removed)
    guest.post(f"/api/tables/{made['id']}/sit", json={"seat": 0})
    further = again(me, table).json()
    assert further not in (own, made, removed)
    assert me.about(further["id"])["params"] == me.about(table)["params"]
    while not (now := guest.about(made["id"]))["over"]:
        (guest, other)[now["mover"]].play_on(made["id"], rng, 1)
    other.delete(f"/api/tables/{made['id']}")
    restarted = Person(started(tmp_path), cookies=other.cookies)
    for client in (other, restarted):
        assert again(client, table).json() == further
    assert other.about(further["id"])["my_seat"] == 1


def test_people_have_the_names_that_they_give_themselves(me, other, tmp_path):
    table = me.make(seats=["me", "open"])
    name = f"/api/tables/{table}/name"
    refused(other.post(name, json={"name": "Eve"}), 403, "other people")
    other.post(f"/api/tables/{table}/sit", json={"seat": 1})
    assert me.about(table)["my_name"] == ""
    assert other.post(name, json={"name": " Bob\u00a0 "}).status_code == 204
    refused(me.post(name, json={"name": "You"}), 422, "another name")
    again = Person(started(tmp_path), cookies=me.cookies)
    for person in (me, again):
        seats = person.about(table)["seats"]
        assert [(one["short"], one["name"]) for one in seats] == [("You", "you"), ("Bob",) * 2]
        assert ">Bob<" in person.frame(table, 0).json()["svg"]
    assert other.about(table)["my_name"] == "Bob"
    me.post(name, json={"name": "bob"})
    assert me.about(table)["seats"][1]["short"] == "Bob 2"
    for i in range(MOST_NAMES - 1):
        assert other.post(name, json={"name": "Bob"[: i % 2]}).status_code == 204
    refused(other.post(name, json={"name": "Rob"}), 429, "10 times")


def test_alone_among_bots_nobody_has_a_name(me):
    table = me.make()
    assert me.about(table)["my_name"] is None
    refused(me.post(f"/api/tables/{table}/name", json={"name": "Ann"}), 403, "other people")


def test_what_comes_late_twice_or_is_illegal_changes_nothing(me):
    table = me.make()
    refused(me.play(table, "draw", 0), 422, "slot:0")
    assert me.play(table, "slot:0", 1).status_code == 409
    assert me.post(f"/api/tables/{table}/play", json={"k": 0}).status_code == 400
    assert me.play(table, "slot:0", 0).status_code == 200
    assert me.play(table, "slot:1", 0).status_code == 409
    assert me.play("no", "slot:0", 0).status_code == 404
    assert me.frame(table, 99).status_code == 404
    assert me.about(table)["moves"] == 1


def test_players_go_on_although_the_answer_to_a_decision_fails(app, me, monkeypatch):
    table = me.make(seats=["me", "greedy"], rounds=5)
    monkeypatch.setattr(views, "frame", lambda *_, **__: 1 // 0)
    client = Person(app, let_in=False, raise_server_exceptions=False, cookies=me.cookies)
    while (now := me.about(table))["my_turn"]:
        legal = app.state.server.tables.find(table).session().legal_actions()
        assert client.play(table, legal[0], now["moves"]).status_code == 500
    assert not me.my_turn(table)["failed"]


def test_letters_may_be_taken_back_and_nobody_else_sees_them(me, other):
    """Only until the word is laid; the rules know of none of it, so then all of it is played."""
    table = me.make("quiddler", ["me", "open"], meld="spell", hand_sizes=[3, 3, 3], max_turns=1)
    other.post(f"/api/tables/{table}/sit", json={})
    rng, clients = np.random.default_rng(0), (me, other)
    while True:
        now = me.about(table)
        client = clients[now["mover"]]
        legal = [one["action"] for one in client.frame(table, now["moves"]).json()["legal"]]
        letters = [action for action in legal if action.startswith("spell")]
        if letters:
            break
        assert client.play(table, rng.choice(legal), now["moves"]).status_code == 200
    k, watching = now["moves"], clients[1 - now["mover"]]
    before = [one.frame(table, k).json() for one in (client, watching)]
    answer = client.play(table, letters[0], k).json()
    assert answer["table"]["moves"] == k
    assert answer["frame"]["drafted"] == 1
    assert answer["frame"] == client.frame(table, k).json()
    assert watching.frame(table, k).json() == before[1]
    late = {"action": letters[0], "k": k, "drafted": 0}
    assert client.post(f"/api/tables/{table}/play", json=late).status_code == 409
    assert watching.play(table, None, k).status_code == 409
    assert client.play(table, None, k).json()["frame"] == before[0]
    assert client.play(table, None, k).status_code == 409
    assert client.play(table, letters[0], k).status_code == 200
    last = client.frame(table, k).json()
    while last["moves"] == k:
        legal = [one["action"] for one in last["legal"]]
        last = client.play(table, "word" if "word" in legal else legal[0], k).json()["frame"]
    played = [one["action"] for one in watching.about(table)["decisions"][k:]]
    assert played[0] == letters[0]
    assert "word" in played


# --- Players --------------------------------------------------------------------------------------


def test_a_player_that_cannot_go_on_stops_its_table_alone(app, me, monkeypatch):
    table = me.make(seats=["me", "greedy"])
    game = find_game("diddly")
    with app.state.server.pool.seated("greedy", game, game.make_params(rounds=1)) as player:
        monkeypatch.setattr(player, "act", lambda *_: 1 // 0)
    while not (now := me.my_turn(table))["failed"]:
        assert now["moves"] < 3
        action = me.frame(table, now["moves"]).json()["legal"][0]["action"]
        me.play(table, action, now["moves"])
    assert "by zero" in now["failed"]
    assert me.about(me.finish(("random", "random")))["over"]


def test_thoughts_are_those_of_the_player_who_sat_there(me):
    table = me.finish(("diddly_2p", "search:rollouts=10"), rounds=5)
    decisions = me.about(table)["decisions"]

    def thought_at(k, **query):
        return me.get(f"/api/tables/{table}/thoughts/{k}", params=query)

    for k in range(4):
        thought = thought_at(k).json()
        told = thought["actions"]
        assert thought["choice"] == decisions[k]["action"] == told[0]["action"]
        if decisions[k]["seat"] == 0:
            assert thought["kind"] == "policy"
            assert sum(one["probability"] for one in told) == pytest.approx(1)
            assert isinstance(thought["value"], float)
        else:
            assert thought["kind"] == "search"
            assert len(told) == 1 or sum(one["visits"] for one in told) >= 10
    asked = thought_at(0, by="expert").json()
    assert (asked["kind"], asked["by"]) == ("scripted", "expert")
    asked = thought_at(0, by="diddly_2p_dmc").json()
    assert asked["kind"] == "action_values"
    assert all(one["probability"] is None for one in asked["actions"])
    action_values = {one["action"]: one["value"] for one in asked["actions"]}
    assert action_values[asked["choice"]] == asked["value"] == max(action_values.values())
    assert thought_at(0, by="nobody").status_code == 422
    assert thought_at(len(decisions)).status_code == 404


def test_too_many_thoughts_at_once_are_refused(app, me):
    table = me.finish()
    thoughts = app.state.server.thoughts
    while thoughts._waiting.acquire(blocking=False):
        pass
    assert me.get(f"/api/tables/{table}/thoughts/0").status_code == 429
