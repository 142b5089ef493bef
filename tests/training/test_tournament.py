"""Round robins, ratings, tables and their pictures."""

import json
import pickle
import re
import sys
from itertools import permutations
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from tests.training.tiny_settings import DRAWING, FIRST

from kitchentable import Batch, find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.cli.main import main
from kitchentable_training.cluster import fan_out
from kitchentable_training.evaluate.duplicate import Duplicate, figures, measure, play_duplicate
from kitchentable_training.evaluate.formatting import markdown_table
from kitchentable_training.evaluate.ratings import rate_players
from kitchentable_training.evaluate.tournament import (
    round_robin,
    tournament_table,
    turned_round,
    win_rates,
)
from kitchentable_training.players.by_name import make_player, make_players
from kitchentable_training.report.plots import save_png, tournament_figure

GAME = find_game("diddly")


class Mixed:
    """Plays any legal action, always the same one in the same position."""

    def __init__(self, name, factor):
        self.name, self.factor = name, factor

    def seed(self, seed):
        pass

    def act(self, batch: Batch, games):
        actions = []
        for i in games:
            legal = np.flatnonzero(batch.masks[i])
            weights = np.arange(batch.observations.shape[1]) % 97
            number = int(self.factor * float(batch.observations[i] @ weights))
            actions.append(legal[number % len(legal)])
        return np.array(actions)


def params(seats=2):
    return GAME.make_params(num_players=seats, rounds=1)


def named(players):
    """Name players by their numbers."""
    players = list(players)
    for i, player in enumerate(players):
        player.name = str(i)
    return players


def outcome(wins):
    wins = np.asarray(wins, float)
    zeros = np.zeros(wins.shape)
    return Duplicate(wins, (wins == 0) | (wins == 1), zeros, zeros, zeros, 0)


def test_what_one_wins_the_other_loses():
    one, other = Mixed("one", 3), Mixed("other", 7)
    there = play_duplicate(one, other, GAME, params(), 30)
    back = play_duplicate(other, one, GAME, params(), 30)
    found, wanted = figures(turned_round(there)), figures(back)
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert found[name] == pytest.approx(value), name
    assert figures(turned_round(turned_round(there))) == figures(there)


def test_two_seats_play_each_pair_once_and_show_it_from_both_sides():
    players = [Mixed("a", 3), Mixed("b", 5), Mixed("c", 7)]
    told = []
    results = round_robin(players, GAME, params(), 8, progress=told.append)
    assert told == ["a against b", "a against c", "b against c"]
    _, pairs = win_rates(results)
    assert pairs.keys() == set(permutations("abc", 2))
    for (player, opponent), found in pairs.items():
        assert found["games"] == 16
        assert found["win_rate"] + pairs[opponent, player]["win_rate"] == pytest.approx(1.0)
    assert results["fair"] == 0.5
    assert json.loads(json.dumps(results)) == results


def test_more_seats_are_played_from_both_sides():
    results = round_robin([Mixed("a", 3), Mixed("b", 5)], GAME, params(3), 4)
    assert [(pair["player"], pair["games"]) for pair in results["pairs"]] == [("a", 12), ("b", 12)]
    assert results["fair"] == pytest.approx(1 / 3)


def test_games_that_were_stopped_are_counted():
    table = GAME.make_params(rounds=1, turn_limit=1)
    results = round_robin([Mixed("a", 3), Mixed("b", 5)], GAME, table, 4)
    assert [pair["truncated"] for pair in results["pairs"]] == [8, 8]
    assert [pair["truncated"] for pair in results["statistics"]["pairs"]] == [8]


def test_a_pair_does_not_depend_on_what_was_played_before():
    def drawing():
        return named(ScriptedPlayer(GAME, "random") for _ in range(3))

    players = drawing()
    results = round_robin(players, GAME, params(), 6)
    assert round_robin(players, GAME, params(), 6) == results
    _, one, other = drawing()
    one.seed(1)
    other.seed(2)
    pair = win_rates(results)[1]["1", "2"]
    alone = figures(play_duplicate(one, other, GAME, params(), 6))
    assert {name: pair[name] for name in alone} == alone


def test_opponents_do_not_depend_on_each_other():
    def found(step):
        player, *opponents = named(ScriptedPlayer(GAME, "random", seed=seed) for seed in range(3))
        return measure(player, opponents[::step], GAME, params(), 6)["opponents"]

    assert found(1) == found(-1)


def test_an_own_player_can_be_sent_elsewhere(tmp_path, monkeypatch):
    """As pickled by cloudpickle, which Ray uses."""
    place = own(tmp_path, OWN, "drawing")
    sent = cloudpickle.dumps(make_player(place, GAME, params(), seed=3))
    monkeypatch.setattr("kitchentable_training.players.own._sources", set())
    for name in [name for name in sys.modules if name.startswith("own_")]:
        monkeypatch.delitem(sys.modules, name)

    def play(player):
        return figures(play_duplicate(player, ScriptedPlayer(GAME, "greedy"), GAME, params(), 2))

    assert play(pickle.loads(sent)) == play(make_player(place, GAME, params(), seed=3))


def test_namesakes_draw_lots_of_their_own():
    batch = Batch(GAME, 64, seed=1, **params().as_dict())
    one, other = make_players(["random", "random"], GAME, params())
    assert (one.act(batch, np.arange(64)) != other.act(batch, np.arange(64))).any()


def test_a_player_is_measured_against_somebody():
    with pytest.raises(ValueError, match="give at least one opponent"):
        measure(make_player("random", GAME, params()), [], GAME, params(), 1)
    player, *namesakes = make_players(3 * ["random"], GAME, params())
    with pytest.raises(ValueError, match=r"different players, not random and random"):
        measure(player, namesakes, GAME, params(), 1)


# --- Own players ----------------------------------------------------------------------------------

OWN = f"""{DRAWING}{FIRST}
def drawing(game, params, seed):
    player = Drawing()
    player.seed(seed)
    return player
"""
"""The file of two own players."""


def own(folder, source: str, name: str = "mine") -> str:
    """Write the file of an own player, and return its place."""
    folder.mkdir(exist_ok=True)
    (folder / "own.py").write_text(source)
    return f"{folder}/own.py:{name}"


def test_own_players_play_and_are_told_apart_by_their_source(tmp_path, capsys, monkeypatch):
    one, other = own(tmp_path / "a", OWN, "first"), own(tmp_path / "b", "# other\n" + OWN, "first")
    words = [one, other, "greedy", "--deals", "2", "--game", "diddly", "rounds=1"]
    assert main(["tournament", *words, "--out", str(tmp_path / "t.json")]) == 0
    results = json.loads((tmp_path / "t.json").read_text())
    names = results["players"]
    assert [name.partition("@")[0] for name in names] == ["first", "first", "greedy"]
    assert len(set(names)) == 3
    pair = next(one for one in results["pairs"] if [one["player"], one["opponent"]] == names[:2])
    assert pair["difference"] == 0, "they choose alike"
    assert names[0] in capsys.readouterr().out
    own(tmp_path / "a", "# other\n" + OWN)
    assert make_player(one, GAME, params()).name == names[1], "a source of the same content"

    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "a.own:first", "--against", "b.own:drawing", "--deals", "2"]) == 0
    assert main(["watch", f"{one}", "b.own:first", "--save", "g.json", "rounds=1"]) == 0
    assert json.loads(Path("g.json").read_text())["players"] == [one, "b.own:first"]


FACTORY = "def mine(game, params, seed):\n    return Mine()\n"
MISTAKES = {
    "def mine(:": "line 1: invalid syntax",
    "import nothing_here": "own.py, line 1: ModuleNotFoundError: No module named 'nothing_here'",
    "theirs = 1": "own.py has no 'mine'",
    "def mine(batch, games): return 5": "mine must be a function (game, params, seed)",
    "def mine(game, params, seed): return None": "a NoneType, has no method act(batch, games)",
    "def mine(game, params, seed):\n    return game.nothing": "own.py, line 2: AttributeError",
    "def mine(game, params, seed): return lambda seen, masks: 5": "such as a FunctionPlayer",
}
"""Sources of own players that cannot be made, and what is said of them."""


@pytest.mark.parametrize("source", MISTAKES)
def test_what_is_no_own_player_is_refused_in_a_sentence(source, tmp_path):
    place = own(tmp_path, source)
    with pytest.raises(ValueError, match=re.escape(MISTAKES[source])) as refused:
        make_player(place, GAME, params())
    assert str(refused.value).startswith(f"player {place!r}: ")


GOOD = "masks / masks.sum(1, keepdims=True)"
ANSWERS = [
    ("act", "None", "act returned object of shape (); it must return whole numbers"),
    ("act", "games * 1.0", "act returned float64 of shape (2,)"),
    ("act", "masks.argmax(1)[:, None]", "act returned int64 of shape (2, 1)"),
    ("act", "masks.argmin(1)", "), but legal are "),
    ("act", "[18, -1]", "act chose -1, but legal are "),
    ("act", "[18, 10**6]", "act chose 1000000, but legal are "),
    ("act", "batch.masks.fill(True) or batch.masks[games].argmin(1) - 1", "act chose -1"),
    ("act", "self.nothing", "own.py, line 7: AttributeError: 'Mine' object has no attribute 'noth"),
    ("probabilities", "masks * 1.0", "whose sums are"),
    ("probabilities", "masks / masks.sum(1) * np.nan", "shape"),
    ("probabilities", "np.full(masks.shape, np.nan)", "probabilities that are not all finite"),
    ("probabilities", "np.eye(masks.shape[1])[masks.argmin(1)]", "a chance where it is not legal"),
    ("probabilities", "np.where(masks, 1.0, 0.0) - 2.0 * masks", "must be at least 0"),
    ("evaluate", "masks * 1.0, np.zeros(len(masks))", "whose sums are"),
    ("evaluate", f"{GOOD}, np.zeros((len(masks), 1))", "evaluate returned float64 of shape (2, 1)"),
    ("evaluate", f"{GOOD}, np.full(len(masks), np.inf)", "values that are not all finite"),
    ("evaluate", f"{GOOD}, 5, 5", "evaluate must return two arrays, probabilities and values"),
]
"""What a method of an own player returns of two games, and what is said of it."""


@pytest.mark.parametrize(("method", "answer", "message"), ANSWERS)
def test_what_is_no_answer_is_refused_in_a_sentence(method, answer, message, tmp_path):
    source = "import numpy as np\nclass Mine:\n    def seed(self, seed): pass\n"
    source += "    def act(self, batch, games): pass\n"
    source += f"    def {method}(self, batch, games):\n        masks = batch.masks[games]\n"
    source += f"        return {answer}\n" + FACTORY
    player, batch = make_player(own(tmp_path, source), GAME, params()), Batch(GAME, 3, seed=1)
    before, ask = batch.states.tobytes(), player.act if method == "act" else player.probabilities
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        ask(batch, np.array([0, 2]))
    assert str(refused.value).startswith(f"player {player.name}: ")
    assert batch.states.tobytes() == before


def test_a_source_that_differs_elsewhere_is_refused(tmp_path, monkeypatch):
    sent = pickle.dumps(make_player(own(tmp_path, OWN, "drawing"), GAME, params()))
    own(tmp_path, OWN + "# edited")
    monkeypatch.setattr("kitchentable_training.players.own._sources", set())
    with pytest.raises(ValueError, match=r"own\.py:drawing': its source is another one here"):
        pickle.loads(sent)


# --- Clusters -------------------------------------------------------------------------------------


def test_tasks_without_a_cluster_are_done_in_order_one_by_one():
    done = []
    found = fan_out(lambda task: done.append(task) or -task, [3, 1, 2])
    assert next(found) == (3, -3)
    assert done == [3]
    assert list(found) == [(1, -1), (2, -2)]


@pytest.mark.parametrize(
    ("players", "deals", "message"),
    [
        ([Mixed("a", 3)], 5, "two or more"),
        ([Mixed("a", 3), Mixed("a", 5)], 5, "different"),
        ([Mixed("a", 3), Mixed("b", 5)], 0, "deals=0"),
    ],
)
def test_impossible_tournaments_are_refused(players, deals, message):
    with pytest.raises(ValueError, match=message):
        round_robin(players, GAME, params(), deals)


def rated(wins):
    """Rate players by the wins of each pair, by deal and seat."""
    played = {pair: outcome(one) for pair, one in wins.items()}
    names = [str(i) for i in range(1 + max(max(pair) for pair in played))]
    return rate_players(played, names)


def test_ratings_are_the_most_likely_ones():
    """Of all ratings near them, and for two players the odds of a win, with a drawn game added."""
    found = rated({(0, 1): [[1, 1]] * 5 + [[0, 0.5]]})
    assert found["0"]["rating"] == -found["1"]["rating"]
    difference = found["0"]["rating"] - found["1"]["rating"]
    assert difference == pytest.approx(400 * np.log10(10.5 / 1.5))  # the game shared is not decided
    rng = np.random.default_rng(1)
    wins = {pair: rng.random((9, 4)) < 0.2 * (2 + pair[0]) for pair in permutations(range(3), 2)}
    found = rated(wins)
    at = np.array([found[str(i)]["rating"] for i in range(3)]) * np.log(10) / 400

    def likelihood(strengths):
        total = 0.0
        for (i, j), one in wins.items():
            seat, others = np.exp(strengths[i]), 3 * np.exp(strengths[j])
            won = one.sum() + 1 / 8  # and half a game that four seats draw
            total += won * np.log(seat / (seat + others))
            total += (one.size + 1 / 2 - won) * np.log(others / (seat + others))
        return total

    near = [at + 0.05 * step for step in rng.normal(size=(50, 3))]
    assert max(likelihood(one) for one in near) < likelihood(at)


def test_neither_the_order_of_games_nor_unfinished_ones_change_ratings():
    wins = np.random.default_rng(2).random((40, 2)).round()
    found, turned = rated({(0, 1): wins}), rated({(0, 1): wins[::-1]})
    assert found["0"]["rating"] == pytest.approx(turned["0"]["rating"])
    stopped = outcome(np.vstack([wins, np.zeros((9, 2))]))
    stopped.decided[40:] = False
    unfinished = rate_players({(0, 1): stopped}, ["0", "1"])
    assert unfinished["0"]["rating"] == pytest.approx(found["0"]["rating"])


def test_who_loses_every_game_has_a_rating():
    found = rated({(0, 1): np.ones((500, 2)), (0, 2): np.ones((500, 2)), (1, 2): np.ones((500, 2))})
    assert list(found) == ["0", "1", "2"]
    assert 1_000 < found["0"]["rating"] - found["2"]["rating"] < 10_000


@pytest.mark.slow  # 300 tournaments
@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_of_ratings_cover_the_true_one(seats):
    """With 60 deals, whose luck both players of a pair share; simulated. The last player loses
    nearly every game, so that only how the others differ is known."""
    rng, strengths, inside = np.random.default_rng(3), np.array([0.3, 0.1, 0.0, -0.3, -7.0]), []
    for _ in range(300):
        luck = rng.normal(0, 0.5, size=(60, seats))
        played = {}
        for i, j in permutations(range(5), 2):
            odds = strengths[i] - strengths[j] - np.log(seats - 1) + luck
            if seats > 2 or i < j:
                played[i, j] = rng.random((60, seats)) < 1 / (1 + np.exp(-odds))
        for name, one in rated(played).items():
            low, high = one["interval"]
            if name != "4":
                inside.append(low <= strengths[int(name)] * 400 / np.log(10) <= high)
    assert 0.92 <= np.mean(inside) <= 0.98


def test_tables_line_up():
    table = markdown_table(["player", "rate"], [["a|b", 1], ["long name", 22]])
    assert table.splitlines() == [
        "| player    | rate |",
        "| --------- | ---: |",
        "| a\\|b      |    1 |",
        "| long name |   22 |",
    ]


def test_the_pictures_show_the_figures(tmp_path):
    results = round_robin([Mixed("a", 3), Mixed("b", 5)], GAME, params(), 8)
    figure = tournament_figure(results)
    written = [text.get_text() for text in figure.axes[0].texts]
    for pair in results["pairs"]:
        shown = f"{100 * pair['win_rate']:.1f}%"
        assert any(text.startswith(shown) for text in written)
        assert shown in tournament_table(results)
    save_png(figure, tmp_path / "t.png")
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["t.png"]
