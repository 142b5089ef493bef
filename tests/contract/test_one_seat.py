"""One-seat games: no opponents; the seat wins or loses alone."""

import copy
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import COMPILED, make_table, play_named, scaled
from tests.contract.one_seat_game import DRAW, KEEP, LUCK, STOP
from tests.training import tiny_settings
from tests.training.tiny_settings import TAUGHT, check_picked_up, trained_by_command

from kitchentable import Batch, SeatEnv, all_games
from kitchentable.core.rng import seeds_for
from kitchentable.players.scripted import ScriptedPlayer, play_out
from kitchentable.players.search import SearchPlayer

PARAMS = LUCK.make_params()
RIGGED = {"deck": ["6", "4", "6"]}
"""Two kept cards make 10, which is lucky; all three exceed the limit."""


# --- Environments -------------------------------------------------------------------------------


def test_scripted_players_know_the_tables():
    """`greedy` stops at lucky sums, which only the lookup tables tell."""
    for lucky in ((9,), (4, 5)):
        batch = Batch(LUCK, scaled(400), seed=1, autoreset=False, lucky=lucky)
        player = ScriptedPlayer(LUCK, "greedy", batch.params)
        paid = play_out(batch, [player], np.zeros((batch.num_envs, 1), int))
        won = paid[:, 0] == 1
        assert won.any()
        assert set(batch.states.total[won]) <= set(lucky)
        np.testing.assert_array_equal(won, batch.standings()[1][:, 0] == 1)


def test_a_search_plays_to_the_end_of_the_game():
    """Hands pay nothing here: a search that stopped at a hand's end would keep no card."""
    batch = Batch(LUCK, 40 if COMPILED else 10, seed=2, autoreset=False)
    player = SearchPlayer(LUCK, PARAMS, rollouts=200 if COMPILED else 60, policy="careful")
    paid = play_out(batch, [player], np.zeros((batch.num_envs, 1), int))
    assert paid.mean() > 0.6
    assert all(0 <= value <= 1 for value in player.values.values())


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_a_game_is_won_or_lost_alone(luck, reward):
    table = make_table(luck, reward=reward)
    table.reset(seed=1, options=RIGGED)
    play_named(table, "draw", "keep", "draw", "keep")
    assert table.ranks.tolist() == [2]
    won = copy.deepcopy(table)
    play_named(won, "stop")
    assert won.infos["player_0"]["rank"] == 1
    assert won.infos["player_0"]["is_winner"]
    assert won.infos["player_0"]["hand_scores"] == [6, 4]
    assert won.rewards["player_0"] == pytest.approx(1 if reward == "win" else 10 / 12)
    play_named(table, "draw", "keep")
    assert table.infos["player_0"]["rank"] == 2
    assert not table.infos["player_0"]["is_winner"]
    assert table.rewards["player_0"] == 0


def test_a_tuple_among_the_parameters_goes_through_files(luck):
    table = make_table(luck, lucky=[12])
    table.reset(seed=1)
    assert table.params.lucky == (12,)
    assert PARAMS.plain()["lucky"] == [9, 10, 11]
    other = make_table(luck, lucky=(12,))
    other.load(table.save())
    assert pickle.loads(pickle.dumps(other)).save() == table.save()
    with pytest.raises(ValueError, match=r"'lucky': \[12\].*'lucky': \[9, 10, 11\]"):
        make_table(luck).load(table.save())


def test_a_table_saved_under_other_facts_is_refused(luck, monkeypatch):
    table = make_table(luck)
    table.reset(seed=1)
    saved = table.save()
    rules = replace(luck.rules, info=lambda _: {"motto": "who dares"})
    monkeypatch.setitem(all_games(), luck.name, replace(luck, rules=rules))
    other = make_table(luck)
    other.reset(seed=2)
    assert other.infos["player_0"]["motto"] == "who dares"
    before = other.save()
    with pytest.raises(ValueError, match=r"info is .*fortune.*, here it is .*who dares"):
        other.load(saved)
    assert other.save() == before


@pytest.mark.parametrize("opponents", ["random", (), []])
def test_a_seat_without_opponents_plays(luck, opponents):
    env = SeatEnv(luck.name, opponents=opponents)
    _, info = env.reset(seed=3)
    assert info["motto"]
    over, handed, rng = False, 0.0, np.random.default_rng(0)
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, paid, over, _, info = env.step(action)
        handed += paid
    assert handed == (info["rank"] == 1) == info["is_winner"]


# --- Evaluation ---------------------------------------------------------------------------------

DEALS = 300


class Keeps:
    """Keeps a given number of cards, then stops: its result can be computed from the deck."""

    def __init__(self, count):
        self.name, self.count = f"keeps {count}", count

    def seed(self, seed):
        pass

    def act(self, batch, games):
        more = batch.states.drawn[games] < self.count
        return np.where(batch.masks[games, KEEP], KEEP, np.where(more, DRAW, STOP))

    def expected(self, seed):
        """Return whether it wins each deal, and its points."""
        batch = Batch(LUCK, DEALS)
        batch.deal(seeds_for(seed, DEALS))
        points = (batch.states.deck[:, : self.count] + 1).sum(axis=1)
        return np.isin(points, PARAMS.lucky), points


def duplicate(wins, scores=None):
    """Return duplicate-deal results of a one-seat game."""
    from kitchentable_training.evaluate.duplicate import Duplicate

    wins = np.array(wins, float)[:, None]
    scores = np.zeros(wins.shape) if scores is None else np.array(scores, float)[:, None]
    return Duplicate(wins, np.ones(wins.shape, bool), scores, np.zeros(wins.shape), wins, 0)


training = pytest.mark.skipif(not COMPILED, reason="training is for compiled rules")


@training
def test_the_interval_of_a_win_rate_is_wilsons():
    """25 wins of 100, by the textbook formula."""
    from kitchentable_training.evaluate.duplicate import own_figures

    found = own_figures(duplicate([1] * 25 + [0] * 75))
    z, n, p = 1.959964, 100, 0.25
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert found["win_rate_interval"] == pytest.approx([centre - reach, centre + reach], abs=1e-5)
    low, high = own_figures(duplicate([0] * 10))["win_rate_interval"]
    assert low == pytest.approx(0, abs=1e-9)
    assert 0.2 < high < 0.4


@training
def test_differences_are_taken_deal_by_deal():
    """Of ten deals, two were won by both, four by the first alone, one by the second alone."""
    from kitchentable_training.evaluate.duplicate import compare_teams, own_figures

    mine = duplicate([1, 1, 1, 1, 1, 1, 0, 0, 0, 0], range(10))
    theirs = duplicate([1, 1, 0, 0, 0, 0, 1, 0, 0, 0], range(3, 13))
    found = compare_teams(mine, theirs)
    assert found["win_rate"] == pytest.approx(0.6)
    assert found["opponents_win_rate"] == pytest.approx(0.3)
    assert found["opponents_win_rate_interval"] == own_figures(theirs)["win_rate_interval"]
    assert found["win_rate_difference"] == pytest.approx(0.3)
    # 4 + 1/2 and 1 + 1/2 of 10 + 2 deals differ.
    reach = 1.959964 * np.sqrt(6 / 12 - (3 / 12) ** 2) / np.sqrt(12)
    interval = found["win_rate_difference_interval"]
    assert interval == pytest.approx([3 / 12 - reach, 3 / 12 + reach], abs=1e-5)
    assert found["difference"] == -3
    assert found["difference_interval"] == pytest.approx([-3, -3])
    low, high = compare_teams(mine, mine)["win_rate_difference_interval"]
    assert -0.5 < low < 0 < high < 0.5


def scripted(*names):
    return [ScriptedPlayer(LUCK, name, PARAMS, seed=1) for name in names]


@training
def test_a_tournament_has_everybody_play_the_same_deals():
    from kitchentable_training.evaluate.tournament import round_robin, tournament_table

    told, players = [], [Keeps(1), Keeps(2), Keeps(3)]
    results = round_robin(players, LUCK, PARAMS, DEALS, seed=5, progress=told.append)
    assert told == ["keeps 1 alone", "keeps 2 alone", "keeps 3 alone"]
    assert json.loads(json.dumps(results)) == results
    expected = {one.name: one.expected(5)[0].mean() for one in players}
    assert list(results["teams"]) == sorted(expected, key=lambda name: -expected[name])
    for name, found in results["teams"].items():
        assert found["win_rate"] == pytest.approx(expected[name])
    pairs = {(one["player"], one["opponent"]): one for one in results["pairs"]}
    assert len(pairs) == 6
    for (one, other), found in pairs.items():
        assert found["win_rate_difference"] == pytest.approx(expected[one] - expected[other])
    table = tournament_table(results)
    assert f"same {DEALS} of the deals of seed 5, each alone" in table
    assert "rating" not in table
    assert all(f"{100 * rate:.1f} % (" in table for rate in expected.values())


@training
def test_the_pictures_show_own_win_rates_and_say_so(tmp_path):
    from kitchentable_training.evaluate.duplicate import measure
    from kitchentable_training.evaluate.tournament import round_robin
    from kitchentable_training.report.plots import evaluation_figure, save_png, tournament_figure

    measured = measure(Keeps(2), scripted("random", "careful"), LUCK, PARAMS, 50)
    careful = measured["opponents"]["careful"]
    axes = evaluation_figure(measured).axes[0]
    widths = [bar.get_width() for bar in axes.patches]
    assert len(widths) == 3
    assert widths[0] == careful["win_rate"]
    assert widths[2] == careful["opponents_win_rate"]
    results = round_robin([Keeps(1), Keeps(2)], LUCK, PARAMS, 50)
    for figure in (evaluation_figure(measured), tournament_figure(results)):
        assert "same 50 deals, each alone" in figure.axes[0].get_xlabel()
        assert not any("equals" in text.get_text() for text in figure.axes[0].texts)
        save_png(figure, tmp_path / "one.png")


# --- Training and the commands --------------------------------------------------------------------

TINY = tiny_settings.TINY | {
    "params": {"num_players": 1, "lucky": [9, 10, 11], "reward": "win"},
    "steps": 1024,
    "num_envs": 16,
    "imitation": TAUGHT,
    "network": {"layers": [32]},
    "opponents": {"scripted": {}, "past_selves": 0, "past_every": 256, "past_kept": 2},
    "evaluation": {"every": 512, "deals": 20, "final_deals": 200, "opponents": ["random"]},
}


@pytest.mark.parametrize("episode", ["game", "hand"])
@training
def test_the_learner_gets_all_that_is_paid(episode):
    from kitchentable_training.learn.league import OpponentPool, OpponentSettings
    from kitchentable_training.learn.vec_env import LEARNER, LearnerVecEnv

    settings = OpponentSettings.model_validate(TINY["opponents"])
    pool = OpponentPool.make(LUCK, PARAMS, settings, seed=0)
    env = LearnerVecEnv(LUCK, 8, pool, seed=3, episode=episode)
    env.reset()
    handed = 0.0
    for _ in range(300):
        env.step_async(env.batch.sample_actions().copy())
        _, rewards, _, _ = env.step_wait()
        handed += rewards.sum()
    assert (env.seating.numbers == LEARNER).all()
    assert len(env.seating.results) > 100
    assert {result.opponents for result in env.seating.results} == {()}
    assert handed == sum(result.payoff for result in env.seating.results) > 0


@pytest.mark.parametrize(
    "opponents",
    [{"scripted": {"greedy": 1}}, {"past_selves": 1}, {"scripted": {}, "past_selves": 2}],
)
@training
def test_opponents_are_refused_where_nobody_else_sits(luck, opponents):
    from kitchentable_training.learn.settings import parse_settings

    settings = TINY | {"game": luck.name, "opponents": TINY["opponents"] | opponents}
    with pytest.raises(ValueError, match="a game for one seat has none"):
        parse_settings(settings, "here")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a tiny run."""
    return trained_by_command(LUCK, TINY, tmp_path_factory.mktemp("trained"))


@training
def test_a_run_logs_the_learner_beside_the_scripted_players(trained):
    lines = [json.loads(line) for line in (trained / "progress.jsonl").read_text().splitlines()]
    measured = [line for line in lines if "evaluation/learner" in line]
    assert measured
    assert all(0 <= line["evaluation/random"] < 0.5 for line in measured)
    paid = [line["payoff/learner"] for line in lines if "payoff/learner" in line]
    assert len(paid) == 1024 // 256
    results = json.loads((trained / "evaluation.json").read_text())
    found = results["opponents"]["random"]
    assert found["win_rate_difference_interval"][0] > 0, "it has not learned anything"


@training
def test_a_run_is_picked_up_from_its_checkpoint(luck, trained, tmp_path):
    check_picked_up(trained, tmp_path / "luck")


@training
def test_the_report_says_what_it_shows(luck, trained):
    from kitchentable_training.report.page import write_report

    page = " ".join(write_report(trained).read_text().split())
    assert "played the same deals, each alone" in page
    assert "Alone; the first deal of seed" in page
    assert "in each seat" not in page
    assert "won: player_0" in page or "lost: player_0" in page


@training
def test_the_trained_player_is_measured_and_compared(luck, trained, tmp_path, capsys):
    from kitchentable_training.cli.main import main
    from kitchentable_training.players.checkpoint import CheckpointError, load_player, read_card

    card = read_card(trained / "final")
    assert card["info"] == {"motto": "fortune favours the brave"}
    assert card["params"]["lucky"] == [9, 10, 11]
    out, plot = tmp_path / "out.json", tmp_path / "plot.png"
    assert main(["evaluate", str(trained), "--deals", "50", "--plot", str(plot)]) == 0
    words = ["tournament", str(trained), "random", "greedy", "--deals", "50", "--out", str(out)]
    assert main([*words, "--plot", str(plot)]) == 0
    assert set(json.loads(out.read_text())["teams"]) == {"luck", "random", "greedy"}
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert "lead of luck (points)" in capsys.readouterr().out
    with pytest.raises(CheckpointError, match=r"'lucky': \[9, 10, 11\].*'lucky': \[12\]"):
        load_player(trained / "final", luck, luck.make_params(lucky=[12]))
    other = replace(luck, rules=replace(luck.rules, info=lambda _: {"motto": "who dares"}))
    with pytest.raises(CheckpointError, match=r"info is .*fortune.*, here it is .*who dares"):
        load_player(trained / "final", other, PARAMS)


def test_a_game_is_watched_and_played_again(luck, tmp_path, capsys):
    from kitchentable_training.cli.main import main

    file = str(tmp_path / "g.json")
    words = ["watch", "careful", "--game", luck.name, "--seed", "4", "lucky=[8, 9, 10]"]
    assert main([*words, "--save", file]) == 0
    shown = capsys.readouterr().out
    assert "player_0 (careful): " in shown
    assert ("won: player_0" in shown) != ("lost: player_0" in shown)
    assert main(["watch", "--replay", file]) == 0
    assert capsys.readouterr().out == shown


def test_a_person_plays_alone(luck, monkeypatch, capsys):
    from kitchentable_training.cli.main import main

    answers = iter(["draw", "keep", "stop"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    words = ["play", "--game", luck.name, "--seed", "1"]
    assert main([*words, "lucky=[1, 2, 3, 4, 5, 6]"]) == 0
    assert "won: player_0 (you)" in capsys.readouterr().out
    assert main([*words, "greedy"]) == 2
    assert "Luck is a game for one player; leave out the opponents" in capsys.readouterr().err


def test_speed_is_measured(luck, capsys):
    from kitchentable_training.cli.main import main

    assert main(["bench", "--game", luck.name, "--seconds", "0.01", "--runs", "1"]) == 0
    assert "lucky=[9, 10, 11]" in capsys.readouterr().out
