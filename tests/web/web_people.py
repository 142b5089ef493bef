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


def refused(answer, status, words=""):
    """Check that a request was refused, with a reason that has these words."""
    assert answer.status_code == status, (answer.url, answer.request.content)
    reason = answer.json()["error"]
    assert words in reason
    assert len(reason) > 10


def until(condition, seconds=200):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


class Person(TestClient):
    """A browser, and what somebody does in it."""

    def __init__(self, app, *, let_in=True, **options):
        super().__init__(app, base_url=HOST, headers={"Origin": HOST}, **options)
        if let_in:
            self.get(f"/?key={app.state.server.keys.entry}")

    def ask(self, game="diddly", seats=("me", "greedy"), **more):
        """Ask for a table; return the answer."""
        return self.post("/api/tables", json={"game": game, "seats": list(seats), **more})

    def make(self, game="diddly", seats=("me", "greedy"), seed=7, **params):
        """Return a new table."""
        seed = None if "open" in seats else seed
        answer = self.ask(game, seats, params=short(find_game(game)) | params, seed=seed)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def finish(self, seats=("greedy", "random"), **wanted):
        """Return a new table at which bots have finished their game."""
        table = self.make(seats=seats, **wanted)
        until(lambda: self.about(table)["over"])
        return table

    def about(self, table):
        return self.get(f"/api/tables/{table}").json()

    def my_turn(self, table):
        """Wait until it is my turn; return the table."""
        until(lambda: (now := self.about(table))["my_turn"] or now["over"] or now["failed"])
        return self.about(table)

    def frame(self, table, k, **query):
        return self.get(f"/api/tables/{table}/frames/{k}", params=query)

    def play(self, table, action, k):
        return self.post(f"/api/tables/{table}/play", json={"action": action, "k": k})

    def play_on(self, table, rng, decisions=10_000):
        """Play random legal actions; return the frames before each decision."""
        shown = []
        while len(shown) < decisions and not (now := self.my_turn(table))["over"]:
            assert not now["failed"]
            shown.append(self.frame(table, now["moves"]).json())
            offered = [one["action"] for one in shown[-1]["legal"]]
            assert self.play(table, rng.choice(offered), now["moves"]).status_code == 200
        return shown
