"""Language models as players, with a stand-in for the endpoint; tests/frameworks has a real one."""

import json
import pickle
import re
import sys
import threading

import numpy as np
import pytest

from kitchentable import Batch, find_game
from kitchentable.engine.batch import GAME_0
from kitchentable.text import TextEnv
from kitchentable.text.moves import RecordedBatch
from kitchentable_training.cli.main import main
from kitchentable_training.evaluate.duplicate import measure
from kitchentable_training.players import llm_requests
from kitchentable_training.players.by_name import make_player
from kitchentable_training.players.llm import Llm, LlmPlayer
from kitchentable_training.players.llm_options import Options
from kitchentable_training.players.llm_requests import Reply, Requests
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.seats import PlayerPool

GAME = find_game("kuhn_poker")
PARAMS = GAME.make_params()


class Model:
    """Answers by a function of the conversation."""

    def __init__(self, answer):
        self.answer, self.asked, self.lock = answer, [], threading.Lock()

    def ask(self, _, messages):
        with self.lock:
            self.asked.append(list(messages))
        return Reply(self.answer(messages), 100, 10)


def last(messages):
    return messages[-1]["content"]


def careful(messages):
    """Bet with a king only."""
    return "I have a king, [bet]" if "has K." in last(messages) else '{"action": "PASS"}'


@pytest.fixture
def options(tmp_path):
    def make(spec=""):
        return Options.read(f"llm:model=toy:transcript={tmp_path / 'asked.jsonl'}{spec}")

    return make


def player(options, model):
    return LlmPlayer(Requests(options, model.ask), GAME, PARAMS)


def dealt(*names, games=1):
    batch = Batch(GAME, games, autoreset=False, seed=1)
    batch.reset(top=GAME.read_deck(PARAMS, names))
    return batch


def rows(options):
    return [json.loads(line) for line in options.transcript.read_text("utf-8").splitlines() if line]


def test_it_plays_what_the_model_answers_to_what_the_seat_knows(options):
    model = Model(careful)
    one = player(options(), model)
    assert one.act(dealt("K", "J"), GAME_0) == [1]
    assert one.act(dealt("J", "K"), GAME_0) == [0]
    rules, asked = model.asked[1]
    assert rules["role"] == "system"
    assert "Kuhn poker" in rules["content"]
    assert "You are player_0" in asked["content"]
    assert "has J." in asked["content"]
    assert not re.search(r"\bK\b", asked["content"])
    first = rows(options())[0]
    assert first["messages"] == model.asked[0]
    assert (first["answer"], first["tokens"]) == ("I have a king, [bet]", [100, 10])


def test_an_interrupted_evaluation_goes_on_without_asking_again(options):
    """Also after the last line was torn off; the result is that of an evaluation in one piece."""
    model, broken = Model(careful), Model(careful)

    def fails(messages):
        if len(broken.asked) > 3:
            raise ValueError("the model cannot be asked")
        return careful(messages)

    broken.answer = fails

    def evaluated(one):
        return measure(one, [make_player("random", GAME, PARAMS, 1)], GAME, PARAMS, 40)

    with pytest.raises(ValueError, match="cannot be asked"):
        evaluated(player(options(), broken))
    torn = options().transcript.read_text("utf-8")[:-20]
    options().transcript.write_text(torn, "utf-8")
    again = player(options(), model)
    found = evaluated(again)
    assert again.random_actions == 0
    assert f"{len(model.asked)} requests sent" in again.usage()
    third = player(options(), Model(lambda _: 1 / 0))
    assert evaluated(third) == found
    assert f"0 requests sent, {third._requests.kept} answers" in third.usage()
    options().transcript.unlink()  # while it is used
    assert evaluated(again) == found


def test_equal_prompts_are_asked_once_or_anew_with_a_temperature(options):
    for spec, times in (("", 1), (":temperature=0.7", 3)):
        model = Model(careful)
        one = player(options(spec), model)
        for _ in range(3):
            one.act(dealt("K", "J"), GAME_0)
        assert len(model.asked) == times


def test_unusable_answers_are_helped_with_and_then_a_random_action_is_counted(options):
    model = Model(lambda messages: "raise" if len(messages) < 6 else "[bet]")
    one = player(options(), model)
    assert one.act(dealt("J", "K"), GAME_0) == [1]
    assert "one of the 2 legal actions in brackets: pass, bet." in last(model.asked[2])
    lost = player(options(":compact=1:tries=2"), Model(lambda _: ""))
    batch = dealt("J", "K", games=30)
    actions = lost.act(batch, np.arange(30))
    assert set(actions) == {0, 1}
    assert lost.random_actions == 30
    lost.seed(0)
    assert (lost.act(batch, np.arange(30)) == actions).all()
    assert "60 of 60 actions were random" in lost.usage()


def test_it_is_told_what_the_environment_tells(options):
    """In the batches of evaluations, and as an opponent in `TextEnv`."""
    game = find_game("diddly")
    params = game.make_params()
    text = TextEnv("diddly", seat="all", rules=False)
    text.reset(seed=3)
    batch = RecordedBatch(game, 2, seed=3)
    model = Model(lambda _: "")
    one = LlmPlayer(Requests(options(":tries=1"), model.ask), game, params)
    rng, news = np.random.default_rng(1), 0
    for _ in range(60):
        seen = text.observe()
        if len(text.table.legal_actions()) > 1:
            one.act(batch, np.array([0]))
            assert last(model.asked[-1]) == f"{one._prompts.who(text.seat)}\n\n{seen}"
            news += "What has happened" in seen
        action = str(rng.choice(text.table.legal_actions()))
        text.step(action)
        batch.step([batch.action_names.index(action), -1])
    assert news > 20
    assert batch.moves == [text.table.transcript, []]
    batch.reset([0])
    assert batch.moves == [[], []]
    against = TextEnv("diddly", seat=1, opponents=one)
    for seed in (1, 2):
        against.reset(seed=seed)
        for _ in range(2):
            against.step(against.table.legal_actions()[0])
        assert "\n\nWhat has happened:\nplayer_1: slot:0, slot:1\n" in last(model.asked[-1])


def test_players_that_share_a_transcript_share_its_answers_and_limits(options):
    first, second = (player(options(":budget=200"), Model(careful)) for _ in range(2))
    first.act(dealt("K", "J"), GAME_0)
    second.act(dealt("K", "J"), GAME_0)
    assert "0 requests sent, 1 answers" in second.usage()
    second.act(dealt("J", "K"), GAME_0)
    with pytest.raises(ValueError, match="after 220 tokens"):
        first.act(dealt("Q", "K"), GAME_0)


def test_limits_stop_before_the_next_request_and_hold_for_the_transcript(options):
    one = player(options(":budget=110"), Model(careful))
    one.act(dealt("K", "J"), GAME_0)
    for spec in (":budget=110", ":dollars=0.0001:price=1/2"):
        with pytest.raises(ValueError, match="a limit is reached, after 110 tokens"):
            player(options(spec), Model(careful)).act(dealt("J", "K"), GAME_0)
    more = player(options(":price=1/2"), Model(careful))
    more.act(dealt("J", "K"), GAME_0)
    assert "200 tokens of prompts and 20 of answers, 0.00 dollars" in more.usage()


def test_games_are_asked_at_the_same_time(options):
    together = threading.Barrier(4, timeout=30)

    def answer(messages):
        together.wait()
        return careful(messages)

    one = player(options(":games=4:temperature=1"), Model(answer))
    assert (one.act(dealt("K", "J", games=8), np.arange(8)) == 1).all()


def test_a_decision_without_a_choice_is_not_asked(options):
    game = find_game("quiddler")
    params = game.make_params()
    model = Model(lambda _: "")
    one = LlmPlayer(Requests(options(":tries=1"), model.ask), game, params)
    batch = Batch(game, 16, seed=1)
    for _ in range(40):
        before, forced = len(model.asked), (batch.masks.sum(axis=1) == 1).sum()
        one.seed(0)
        batch.step(one.act(batch, np.arange(16)))
        assert len(model.asked) - before <= 16 - forced
        if forced:
            break
    assert forced


def test_a_copy_keeps_its_name_and_transcript(options, monkeypatch):
    monkeypatch.setattr(llm_requests, "ask", Model(careful).ask)
    one = Llm(f"llm:model=toy:transcript={options().transcript}").player(GAME, PARAMS, 3)
    one._requests._ask, one.name = None, "another name"
    copied = pickle.loads(pickle.dumps(one))
    assert copied.name == "another name"
    assert copied._requests.options == one._requests.options


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("llm:model=a:speed=9", "speed is unknown or given twice; there are model, url"),
        ("llm:model=a:model=b", "model is unknown or given twice"),
        ("llm:model=a:timeout=inf", "timeout: Input should be a finite number"),
        ("llm:model=a:price=3", "price: give two numbers"),
        ("llm:model=a:url=http://me:secret@x/v1", "keys are in the environment"),
        ("llm:model=a:url=http://x/v1?key=secret", "keys are in the environment"),
        ("llm:model=a:url=http://[secret/v1", "url: .+"),
        ("llm:model=a:url=127.0.0.1/v1", "url: .+"),
        ("llm:model=a:key=sk-secret", "key: give the name of an environment variable"),
        ("llm:model=a:speed=9:url=http://me:secret@x/v1", "speed is unknown"),
        ("llm:url=http://me:secret@x/v1", "name the model"),
    ],
)
def test_impossible_options_are_refused(spec, message):
    with pytest.raises(ValueError, match=message) as refused:
        make_player(spec, GAME, PARAMS)
    assert "secret" not in str(refused.value)


def test_without_the_client_it_says_how_to_install_it(options, monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    one = make_player(f"llm:model=toy:transcript={options().transcript}", GAME, PARAMS)
    with pytest.raises(ValueError, match=r'OpenAI client: pip install "kitchentable\[llm\]"'):
        one.act(dealt("K", "J"), GAME_0)


def test_names_and_urls_may_have_colons():
    read = Options.read("llm:model=org/qwen:7b:url=http://127.0.0.1:8000/v1:games=2")
    assert (read.model, read.url, read.games) == ("org/qwen:7b", "http://127.0.0.1:8000/v1", 2)
    assert read.transcript.name == "org_qwen_7b.jsonl"


def test_commands_take_it_like_every_player(options, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(llm_requests, "ask", Model(careful).ask)
    spec = f"llm:model=toy:transcript={options().transcript}"
    for words in (["evaluate", spec, "--against", "random"], ["tournament", spec, "random"]):
        out = tmp_path / "results.json"
        assert main([*words, "--game", "kuhn_poker", "--deals", "9", "--out", str(out)]) == 0
        told, kept = capsys.readouterr().out, json.loads(out.read_text("utf-8"))["usage"]["llm:toy"]
        assert kept in told
        assert re.search(r"llm:toy: \d+ requests sent, .* 0 of \d\d actions were random", kept)
        asked = [row["messages"][-1]["content"] for row in rows(options())]
        assert any("What has happened:\nplayer_0" in one for one in asked)


def test_the_browser_offers_only_models_that_the_host_has_named(options, tmp_path, monkeypatch):
    monkeypatch.setattr(llm_requests, "ask", Model(careful).ask)
    pool = PlayerPool(tmp_path, [f"llm:model=toy:transcript={options().transcript}"])
    assert list(pool.own) == ["llm:toy"]
    with pool.seated("llm:toy", GAME, PARAMS) as one:
        assert one.act(dealt("K", "J"), GAME_0) == [1]
    for spec in ("llm:other", "llm:model=toy:url=http://10.0.0.1/v1"):
        with pytest.raises(RefusedError, match="there is no player"):
            pool.check(spec, GAME, PARAMS)
