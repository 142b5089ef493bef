"""An endpoint with OpenAI's protocol, asked by the real client: what can go wrong there."""

import json
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

pytest.importorskip("openai")

from kitchentable import Batch, find_game
from kitchentable_training.cli.main import main
from kitchentable_training.players import llm_requests
from kitchentable_training.players.by_name import make_player

pytestmark = pytest.mark.frameworks
GAME = find_game("kuhn_poker")
PARAMS = GAME.make_params()
SECRET = "sk-this-is-secret"
MEGABYTE = 2**20


def completion(answer):
    message = {"role": "assistant", "content": answer}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}
    about = {"id": "1", "object": "chat.completion", "created": 1, "model": "toy"}
    return json.dumps({**about, "choices": [choice], "usage": usage}).encode()


class Server(ThreadingHTTPServer):
    """Gives the responses in ``script``, and then usable answers; a response is a status and a
    body, or None for none at all."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.asked, self.keys = [], [], []
        self.pause, self.wait = 0.0, None

    @property
    def spec(self):
        return f"llm:model=toy:url=http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.server.keys.append(self.headers["authorization"])
        time.sleep(self.server.pause)
        status, body = 200, completion("[bet]")
        if self.server.script:
            response = self.server.script.pop(0)
            if response is None:
                time.sleep(2)
                return
            status, body = response
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        if self.server.wait:
            self.send_header("retry-after", self.server.wait)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(llm_requests, "PAUSE", 0.01)
    with Server() as one:
        threading.Thread(target=one.serve_forever, daemon=True).start()
        yield one
        one.shutdown()


def act(server, tmp_path, options=""):
    one = make_player(
        f"{server.spec}:transcript={tmp_path / 'asked.jsonl'}:retries=2{options}", GAME, PARAMS
    )
    return GAME.rules.action_names(PARAMS)[one.act(Batch(GAME, 1, seed=1), np.array([0]))[0]]


ERROR = json.dumps({"error": {"message": f"the key {SECRET} is wrong"}}).encode()
FAULTS = {
    "timeout": None,
    "too many requests": (429, ERROR),
    "server error": (500, ERROR),
    "garbage": (200, b"<html>no</html>"),
    "half a JSON": (200, completion("[bet]")[:70]),
    "nothing": (200, b""),
    "no choices": (200, b'{"choices": []}'),
    "another JSON": (200, b"[1, 2]"),
    "null": (200, b'{"choices": [{"message": null}]}'),
    "content that is no text": (200, b'{"choices": [{"message": {"content": {"a": 1}}}]}'),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failed_request_is_repeated(fault, server, tmp_path):
    server.script = [FAULTS[fault]]
    assert act(server, tmp_path, ":timeout=0.5") == "bet"
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("timeout", "APITimeoutError"),
        ("too many requests", "HTTP status 429"),
        ("server error", "HTTP status 500"),
        ("garbage", "its responses are damaged"),
    ],
)
def test_a_request_that_keeps_failing_stops_in_one_sentence(fault, why, server, tmp_path):
    server.script = [FAULTS[fault]] * 20
    with pytest.raises(ValueError, match=why) as failed:
        act(server, tmp_path, ":timeout=0.3")
    assert SECRET not in str(failed.value)
    assert failed.value.__cause__ is None
    assert len(server.asked) == 3


def test_a_refused_key_is_told_at_once_and_without_it(server, tmp_path, capsys):
    server.script = [(401, ERROR)]
    words = ["evaluate", f"{server.spec}:transcript={tmp_path / 'asked.jsonl'}"]
    assert main([*words, "--game", "kuhn_poker", "--deals", "2"]) == 2
    told = capsys.readouterr().err
    assert "HTTP status 401" in told
    assert SECRET not in told
    assert len(server.asked) == 1


def test_answers_of_a_megabyte_are_read_at_their_end_and_kept_short(server, tmp_path):
    server.script = [(200, completion("x " * MEGABYTE + "[pass]"))]
    assert act(server, tmp_path) == "pass"
    assert (tmp_path / "asked.jsonl").stat().st_size < MEGABYTE / 16


def test_answers_that_cannot_be_written_or_counted_are_answers(server, tmp_path):
    """Lone surrogates are in the next request, and control characters in the transcript."""
    odd = json.loads(completion("\ud800\x00\x1b[2J\u2028\n what?"))
    odd["usage"] = {"prompt_tokens": None, "completion_tokens": -5}
    server.script = [(200, json.dumps(odd).encode())]
    for _ in range(2):
        assert act(server, tmp_path) == "bet"
        assert len(server.asked) == 2
    roles = [message["role"] for message in server.asked[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


def test_a_wait_that_the_server_asks_for_is_kept(server, tmp_path):
    server.script, server.wait = [FAULTS["too many requests"]], "1"
    start = time.monotonic()
    assert act(server, tmp_path) == "bet"
    assert 1 <= time.monotonic() - start < 10


def test_nobody_at_the_address_is_one_sentence(server, tmp_path):
    server.shutdown()
    server.server_close()
    with pytest.raises(ValueError, match=r"^llm:toy cannot be asked: APIConnectionError$"):
        act(server, tmp_path)


def test_a_killed_evaluation_goes_on_from_its_transcript(server, tmp_path):
    """Only the requests under way when it was killed are sent again, and the result is the same."""
    words = ["evaluate", f"{server.spec}:transcript={tmp_path / 'asked.jsonl'}:games=2"]
    words += ["--game", "leduc_poker", "--against", "random", "--deals", "40", "--out"]
    server.pause = 0.05
    process = subprocess.Popen(
        [sys.executable, "-m", "kitchentable_training", *words, tmp_path / "never.json"]
    )
    while len(server.asked) < 20:
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    server.pause, killed, results = 0.0, len(server.asked), []
    for name in ("resumed", "whole"):
        assert main([*words, str(tmp_path / name)]) == 0
        results.append(json.loads((tmp_path / name).read_text("utf-8"))["opponents"])
        if name == "resumed":
            resumed = len(server.asked) - killed
            (tmp_path / "asked.jsonl").unlink()
    whole = len(server.asked) - killed - resumed
    assert whole <= killed + resumed <= whole + 2
    assert results[0] == results[1]


def test_the_key_is_sent_and_never_written(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OTHER_KEY", "another secret")
    words = ["evaluate", f"{server.spec}:key=OTHER_KEY:transcript={tmp_path / 'asked.jsonl'}"]
    assert main([*words, "--game", "kuhn_poker", "--against", "random", "--deals", "20"]) == 0
    assert set(server.keys) == {"Bearer another secret"}
    assert server.asked[0]["max_tokens"] == 1024
    assert server.asked[0]["temperature"] == 0
    told = capsys.readouterr()
    written = (tmp_path / "asked.jsonl").read_text("utf-8")
    assert "another secret" not in told.out + told.err + written
    assert "llm:toy" in told.out
