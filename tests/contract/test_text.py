"""Every game as text: what a seat is told follows from what it knows, and answers are played."""

import copy
import importlib
import pickle
import sys

import numpy as np
import pytest
from tests.conftest import FEW_VARIANTS, short, two_players

from kitchentable import Batch, SeatEnv, find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.view import View
from kitchentable.text import TextEnv
from kitchentable.text.answers import READ, read_answer
from kitchentable.text.moves import since_last_turn
from kitchentable.text.prompts import PromptWriter

LONGEST_RULES, LONGEST_TABLE = 9_000, 5_000
"""Characters of the rules, and of an observation without them."""
GAMES, MOMENTS = 2, 8


def short_of(game, params):
    """Return a game with few decisions for these parameters."""
    return {**params, **{k: v for k, v in short(game).items() if k != "num_players"}}


def test_words_follow_from_what_a_seat_knows_and_are_few(variant):
    """At moments of a random game, and at its end: a redeal of what the seat cannot know changes no
    word, not even of the legal actions; and nothing is lost that the seat is shown."""
    game, params = variant
    batch = Batch(game, 1, seed=2, autoreset=False, **params)
    writers = [PromptWriter(game, batch.params, compact=compact) for compact in (False, True)]
    rng = np.random.default_rng(1)
    assert len(writers[0].rules) <= LONGEST_RULES
    for number in range(MOMENTS):
        state, seat = batch.states[0].copy(), int(batch.current_player[0])
        told = [writer.table(writer.view(state, seat)) for writer in writers]
        shown = View(game, state, batch.params, seat)
        assert all(shown.text() in one and len(one) <= LONGEST_TABLE for one in told)
        assert all(all(action in one for action in shown.offered) for one in told)
        assert len(told[1]) <= len(told[0])
        if game.rules.redeal is not None:
            batch.redeal([seat], number)
            other = batch.states[0].copy()
            assert [writer.table(writer.view(other, seat)) for writer in writers] == told
            batch.states[0] = state
            batch.look()
        for _ in range(rng.integers(1, 40) if number < MOMENTS - 2 else 10_000):
            if batch.dones[0]:
                break
            batch.step(batch.sample_actions())
    assert batch.dones[0]


def test_the_same_seed_is_the_same_game_as_of_one_seat(kind):
    game, params = kind[0], short_of(*kind)
    opponents = two_players(game)[-1]
    options = {"opponents": opponents if game.make_params(**params).num_players > 1 else None}
    one, text = SeatEnv(game.name, **options, **params), TextEnv(game.name, **options, **params)
    rng = np.random.default_rng(3)
    for number in range(GAMES):
        seed = 5 if number == 0 else None
        (_, info), _, over = one.reset(seed=seed), text.reset(seed=seed), False
        paid = [0.0, 0.0]
        while not over:
            assert (text.seat, text.table.batch.states.tobytes()) == (
                one.seat, one.batch.states.tobytes(),
            )  # fmt: skip
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            _, reward, ended, stopped, info = one.step(action)
            _, *told, news = text.step(f"I think [{text.table.action_names[action]}] is best.")
            assert told == [reward, ended, stopped]
            over, paid = ended or stopped, [paid[0] + reward, paid[1] + told[0]]
        assert news["payoffs"][text.seat] == pytest.approx(paid[1])
        assert {key: news[key] for key in ("score", "rank", "is_winner")} == {
            key: info[key] for key in ("score", "rank", "is_winner")
        }


def test_a_copy_at_any_moment_goes_on_alike_and_on_its_own(kind):
    """So does another environment with the same seed and answers."""
    game, params = kind[0], short_of(*kind)
    text, twin = (TextEnv(game.name, compact=True, rules=False, **params) for _ in range(2))
    assert text.reset(seed=8) == twin.reset(seed=8)
    rng, over = np.random.default_rng(1), False
    while not over:
        answer = str(rng.choice([*text.table.legal_actions(), "nothing"]))
        others = [copy.copy(text), copy.deepcopy(text), pickle.loads(pickle.dumps(text))]
        told = text.step(answer)
        assert all(other.step(answer) == told for other in (*others, twin))
        over = told[2] or told[3]
    assert others[0].reset(seed=2) == others[1].reset(seed=2) == text.reset(seed=2)


def test_an_unusable_answer_is_helped_with_and_the_last_one_loses(kind):
    game, params = kind
    text = TextEnv(game.name, tries=3, seat="all", **params)
    text.reset(seed=1)
    before = text.table.batch.states.tobytes()
    for left in (2, 1):
        told, reward, ended, _, info = text.step("No idea." * 1000)
        assert (reward, ended, info["tries_left"], info["action"]) == (0.0, False, left, None)
        assert "names no action" in told
        assert told.count(".") == 1
    assert text.table.batch.states.tobytes() == before
    loser = text.seat
    told, reward, ended, _, info = text.step("I shall not obey!")
    assert ended
    assert not any("obey" in one for one in (told, text.observe(), *text.table.transcript[-1]))
    assert info["illegal"]
    assert reward == info["payoffs"][loser] == -text.table.stake
    assert "chose an illegal action" in told
    assert info["rank"] > 1
    with pytest.raises(RuntimeError, match="reset"):
        text.step("[pass]")
    assert text.reset(seed=1)
    assert text.tries_left == 3


@pytest.mark.parametrize(("name", "number"), FEW_VARIANTS)
def test_every_action_is_read_however_it_is_spelled(name, number):
    game = find_game(name)
    names = tuple(game.rules.action_names(game.make_params(**game.rules.variants[number])))
    for action in names:
        spaced = action.replace(":", " : ").replace(",", " , ").upper()
        for answer in (action, f"**{spaced}**", f"[{spaced}] or {names[0]}", f"so {action}."):
            assert read_answer(answer, names) == action
        other = f'{{"thought": "[{names[-1]}]", "action": "{action}"'
        assert read_answer(other, names) == action
        assert read_answer(f"[{action}]" + "x" * READ, names) is None
        assert read_answer(f"<think>{'x' * READ} [{action}]", names) is None
        assert read_answer(f"[{action}] <think>[{names[0]}]</think>", names) == action
        assert read_answer(f"[{names[0]}]</think>{action}<think>[{names[-1]}]", names) == action
        assert read_answer(action.replace("s", "\N{LATIN SMALL LETTER LONG S}"), names) == action


def test_shaped_rewards_differ_by_the_first_estimate_alone():
    sums = {}
    for shaping in (0, 64):
        text = TextEnv("leduc_poker", seat=1, shaping=shaping, reward="margin")
        rng, over, total = np.random.default_rng(2), False, 0.0
        text.reset(seed=2)
        first = text._value
        while not over:
            legal = text.table.legal_actions()
            _, reward, over, _, info = text.step(str(rng.choice(legal)))
            total += reward
        sums[shaping] = total + first
    assert sums[0] == pytest.approx(sums[64]) == info["payoffs"][1]
    assert first


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seat": 2}, "seat=2 is not possible; choose from 0 to 1, 'all' or None"),
        ({"seat": "both"}, "seat='both' is not possible"),
        ({"tries": 0}, "tries=0 is not possible; choose 1 or more"),
        ({"shaping": 9, "seat": "all"}, "shaped for one seat"),
        ({"opponents": "random", "seat": "all"}, "opponents: there are none with seat='all'"),
        ({"opponents": "nobody"}, "no player 'nobody'"),
        ({"compact": "yes"}, "compact='yes' is not possible; choose True or False"),
        ({"rules": 1}, "rules=1 is not possible"),
    ],
)
def test_what_is_impossible_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        TextEnv("kuhn_poker", **given)


def test_what_is_no_answer_changes_nothing():
    text = TextEnv("kuhn_poker")
    for early in (lambda: text.step("pass"), text.observe, text.situation):
        with pytest.raises(RuntimeError, match="reset"):
            early()
    with pytest.raises(ValueError, match="seat=2 is not possible; choose from 0 to 1"):
        text.introduce(2)
    told = text.reset(seed=1)
    for answer in (None, b"[pass]", 1):
        with pytest.raises(ValueError, match=r"^an answer is a text, not .+$"):
            text.step(answer)
    with pytest.raises(ValueError, match="seed"):
        text.reset(seed=-1)
    assert told.endswith(text.observe())
    assert text.step("pass")


def test_after_a_player_has_failed_nothing_goes_on_but_a_new_game():
    class Failing(ScriptedPlayer):
        failing = True

        def act(self, batch, games):
            if self.failing:
                raise OSError("failed")
            return super().act(batch, games)

    player = Failing(find_game("kuhn_poker"), "random")
    text = TextEnv("kuhn_poker", seat=0, opponents=player)
    text.reset(seed=1)
    with pytest.raises(OSError, match="failed"):
        text.step("pass")
    with pytest.raises(RuntimeError, match="reset"):
        text.step("pass")
    player.failing = False
    assert text.reset(seed=1)


@pytest.mark.parametrize(("name", "package"), [("textarena", "textarena"), ("openenv", "openenv")])
def test_without_its_package_an_adapter_says_how_to_install_it(name, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"kitchentable.text.{name}", raising=False)
    with pytest.raises(ImportError, match=rf'need it: pip install "kitchentable\[{name}\]"'):
        importlib.import_module(f"kitchentable.text.{name}")


@pytest.mark.parametrize(
    ("moves", "told"),
    [("", ""), ("1", "1"), ("11", "1"), ("0", "0"), ("01", "01"), ("1001", "001"), ("1100", "00"),
     ("01011", "011"), ("020", "020")],
)  # fmt: skip
def test_news_begin_after_the_last_turn(moves, told):
    moves = [(f"player_{seat}", "pass") for seat in moves]
    assert since_last_turn(moves, 1) == moves[len(moves) - len(told) :]


def test_long_news_are_cut():
    game = find_game("kuhn_poker")
    writer = PromptWriter(game, game.make_params())
    state = TextEnv("kuhn_poker").table
    state.reset(seed=1)
    view = writer.view(state.batch.states[0], 0)
    told = writer.table(view, [("player_1", "pass")] * 50)
    assert "(10 decisions are left out)" in told
    assert told.count("pass, pass") == 20
