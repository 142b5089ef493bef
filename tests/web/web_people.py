"""What people do in their browsers, for tests of the server."""

from __future__ import annotations

import time

from starlette.testclient import TestClient
from tests.conftest import short, two_players

from kitchentable import find_game
from kitchentable_training.web.app import make_app

HOST = "http://localhost"


def seats_of(name):
    """Return the players by seat when I play: alone, or against scripted players."""
    game = find_game(name)
    return ["me", *two_players(game)[1:] * (game.make_params().num_players - 1)]


def started(tmp_path, **options):
    """Return a server that has all its files in a folder, as another one may have had before."""
    folders = tmp_path / "tables", tmp_path / "runs"
    return make_app(*folders, {"localhost"}, cookie="test", **options)


def person(app, *, let_in=True):
    client = TestClient(app, base_url=HOST, headers={"Origin": HOST})
    if let_in:
        client.get(f"/?key={app.state.server.keys.entry}")
    return client


def asked(client, game="diddly", seats=("me", "greedy"), **more):
    """Ask for a table; return the answer."""
    return client.post("/api/tables", json={"game": game, "seats": list(seats), **more})


def refused(answer, status, words=""):
    """Check that a request was refused, with a reason that has these words."""
    assert answer.status_code == status, (answer.url, answer.request.content)
    reason = answer.json()["error"]
    assert words in reason
    assert len(reason) > 10


def made(client, game="diddly", seats=("me", "greedy"), seed=7, **params):
    seed = None if "open" in seats else seed
    answer = asked(client, game, seats, params=short(find_game(game)) | params, seed=seed)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def about(client, table):
    return client.get(f"/api/tables/{table}").json()


def until(condition, seconds=200):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


def my_turn(client, table):
    """Wait until it is my turn; return the table."""
    until(lambda: (now := about(client, table))["my_turn"] or now["over"] or now["failed"])
    return about(client, table)


def frame(client, table, k, **query):
    return client.get(f"/api/tables/{table}/frames/{k}", params=query)


def play(client, table, action, k):
    return client.post(f"/api/tables/{table}/play", json={"action": action, "k": k})


def play_on(client, table, rng, decisions=10_000):
    """Play random legal actions; return the frames before each decision."""
    shown = []
    while len(shown) < decisions and not (now := my_turn(client, table))["over"]:
        assert not now["failed"]
        shown.append(frame(client, table, now["moves"]).json())
        offered = [one["action"] for one in shown[-1]["legal"]]
        assert play(client, table, rng.choice(offered), now["moves"]).status_code == 200
    return shown


def finished(client, seats=("greedy", "random"), **wanted):
    table = made(client, seats=seats, **wanted)
    until(lambda: about(client, table)["over"])
    return table
