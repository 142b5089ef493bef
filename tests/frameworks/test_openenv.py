"""The games in OpenEnv: its server and its client play over HTTP."""

import socket
import threading
import urllib.request

import pytest
from tests.conftest import short

pytest.importorskip("openenv")
import uvicorn

from kitchentable import find_game
from kitchentable.core.registry import shipped_versions
from kitchentable.text import TextEnv
from kitchentable.text.openenv import TextAction, TextClient, make_app

pytestmark = pytest.mark.frameworks


@pytest.fixture
def serve():
    servers = []

    def start(game, **options):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        app = make_app(game, **options)
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
        threading.Thread(target=server.run, daemon=True).start()
        servers.append(server)
        while not server.started:
            threading.Event().wait(0.05)
        return f"http://127.0.0.1:{port}"

    yield start
    for server in servers:
        server.should_exit = True


@pytest.mark.parametrize("name", shipped_versions())
def test_a_client_plays_the_same_game_over_http(name, serve):
    game = find_game(name)
    known = game.make_params().plain()
    options = {"seat": 0, **{k: v for k, v in short(game).items() if k in known}}
    here = TextEnv(name, **options)
    told = here.reset(seed=4)
    with TextClient(base_url=serve(name, **options)).sync() as client:
        found = client.reset(seed=4, episode_id="one")
        answers, over = 0, False
        while not over:
            assert (found.observation.text, found.observation.seat) == (told, here.seat)
            answer = f"[{here.table.legal_actions()[0]}]"
            told, reward, ended, stopped, info = here.step(answer)
            over, answers = ended or stopped, answers + 1
            found = client.step(TextAction(text=answer))
            assert (found.reward, found.done) == (reward, over)
            assert found.observation.info == info
        state = client.state()
        assert (state.episode_id, state.step_count) == ("one", answers)


def test_every_client_has_a_table_of_its_own(serve):
    url = serve("kuhn_poker", seat=0, tries=1)
    assert urllib.request.urlopen(f"{url}/health").status == 200
    with TextClient(base_url=url).sync() as one, TextClient(base_url=url).sync() as two:
        first = one.reset(seed=1)
        other = two.reset(seed=2)
        lost = one.step(TextAction(text="I give up"))
        assert lost.done
        assert lost.observation.info["illegal"]
        assert two.step(TextAction(text="pass")).observation.info["action"] == "pass"
        assert one.reset(seed=1).observation.text == first.observation.text
        assert two.reset(seed=2).observation.text == other.observation.text


def test_what_is_impossible_is_refused_before_anybody_connects():
    with pytest.raises(ValueError, match="tries=0 is not possible"):
        make_app("kuhn_poker", tries=0)
