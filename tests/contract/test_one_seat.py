"""One-seat games: no opponents; the seat wins or loses alone."""

import json

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.training import tiny_settings
from tests.training.tiny_settings import TAUGHT, check_picked_up, trained_by_command

from kitchentable import Batch, SeatEnv, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.players.scripted import ScriptedPlayer, play_out

GAME = find_game("quiddler_solitaire")
PARAMS = GAME.make_params()


@pytest.mark.parametrize("opponents", ["random", (), []])
def test_a_seat_without_opponents_plays(opponents):
    env = SeatEnv(GAME.name, opponents=opponents)
    _, info = env.reset(seed=3)
    over, handed, rng = False, 0.0, np.random.default_rng(0)
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, paid, over, _, info = env.step(action)
        handed += paid
    assert handed == (info["rank"] == 1) == info["is_winner"]


# --- Evaluation ---------------------------------------------------------------------------------

DEALS = 100


def scripted(*names):
    return [ScriptedPlayer(GAME, name, seed=1) for name in names]


def win_rate(name, seed):
    """Return how many of the deals a player wins."""
    batch = Batch(GAME, DEALS, autoreset=False)
    batch.deal(seeds_for(seed, DEALS))
    return play_out(batch, scripted(name), np.zeros((DEALS, 1), int)).mean()


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
    center = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert found["win_rate_interval"] == pytest.approx([center - reach, center + reach], abs=1e-5)
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


@training
def test_a_tournament_has_everybody_play_the_same_deals():
    from kitchentable_training.evaluate.tournament import round_robin, tournament_table

    told = []
    players = scripted("greedy", "quick")
    results = round_robin(players, GAME, PARAMS, DEALS, seed=5, progress=told.append)
    assert told == ["greedy alone", "quick alone"]
    assert json.loads(json.dumps(results)) == results
    rates = {name: win_rate(name, 5) for name in ("quick", "greedy")}
    assert list(results["teams"]) == sorted(rates, key=rates.get, reverse=True)
    for name, found in results["teams"].items():
        assert found["win_rate"] == pytest.approx(rates[name])
    pairs = {(one["player"], one["opponent"]): one for one in results["pairs"]}
    assert len(pairs) == 2
    for (one, other), found in pairs.items():
        assert found["win_rate_difference"] == pytest.approx(rates[one] - rates[other])
    table = tournament_table(results)
    assert f"same {DEALS} of the deals of seed 5, each alone" in table
    assert "rating" not in table
    assert all(f"{100 * rate:.1f}% (" in table for rate in rates.values())


@training
def test_the_pictures_show_own_win_rates_and_say_so(tmp_path):
    from kitchentable_training.evaluate.duplicate import measure
    from kitchentable_training.evaluate.tournament import round_robin
    from kitchentable_training.report.plots import evaluation_figure, save_png, tournament_figure

    quick, *others = scripted("quick", "random", "greedy")
    measured = measure(quick, others, GAME, PARAMS, 50)
    greedy = measured["opponents"]["greedy"]
    axes = evaluation_figure(measured).axes[0]
    widths = [bar.get_width() for bar in axes.patches]
    assert len(widths) == 3
    assert widths[0] == greedy["win_rate"]
    assert widths[2] == greedy["opponents_win_rate"]
    results = round_robin([quick, others[1]], GAME, PARAMS, 50)
    for figure in (evaluation_figure(measured), tournament_figure(results)):
        assert "same 50 deals, each alone" in figure.axes[0].get_xlabel()
        assert not any("equals" in text.get_text() for text in figure.axes[0].texts)
        save_png(figure, tmp_path / "one.png")


# --- Training and the commands --------------------------------------------------------------------

TINY = tiny_settings.TINY | {
    "params": {"num_players": 1, "reward": "win"},
    "steps": 1024,
    "num_envs": 16,
    "behavior_cloning": TAUGHT | {"player": "greedy", "decisions": 4000},
    "network": {"layers": [32]},
    "opponents": {"scripted": {}, "past_selves": 0, "past_every": 256, "past_kept": 2},
    "evaluation": {"every": 512, "deals": 20, "final_deals": 50, "opponents": ["random"]},
}


@pytest.mark.parametrize(
    "opponents",
    [{"scripted": {"greedy": 1}}, {"past_selves": 1}, {"scripted": {}, "past_selves": 2}],
)
@training
def test_opponents_are_refused_where_nobody_else_sits(opponents):
    from kitchentable_training.runs.settings import parse_settings

    settings = TINY | {"game": GAME.name, "opponents": TINY["opponents"] | opponents}
    with pytest.raises(ValueError, match="a game for one seat has none"):
        parse_settings(settings, "here")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a tiny run."""
    return trained_by_command(GAME, TINY, tmp_path_factory.mktemp("trained"))


@training
def test_a_run_logs_the_learner_beside_the_scripted_players(trained):
    lines = [json.loads(line) for line in (trained / "progress.jsonl").read_text().splitlines()]
    measured = [line for line in lines if "evaluation/learner" in line]
    assert measured
    assert all(0 <= line["evaluation/random"] < 0.5 for line in measured)
    paid = [line["payoff/learner"] for line in lines if "payoff/learner" in line]
    assert paid, "games ended in most rollouts"
    assert all(0 <= one <= 1 for one in paid)
    found = json.loads((trained / "evaluation.json").read_text())["opponents"]["random"]
    low, high = found["win_rate_difference_interval"]
    assert low <= found["win_rate"] - found["opponents_win_rate"] <= high


@training
def test_a_run_is_picked_up_from_its_checkpoint(trained, tmp_path):
    check_picked_up(trained, tmp_path / GAME.name)


@training
def test_the_report_says_what_it_shows(trained):
    from kitchentable_training.report.page import write_report

    page = " ".join(write_report(trained).read_text().split())
    assert "played the same deals, each alone" in page
    assert "Alone; the first deal of seed" in page
    assert "in each seat" not in page
    assert "won: player_0" in page or "lost: player_0" in page


@training
def test_the_trained_player_is_measured_and_compared(trained, tmp_path, capsys):
    from kitchentable_training.cli.main import main
    from kitchentable_training.players.checkpoint import CheckpointError, load_player

    out, plot = tmp_path / "out.json", tmp_path / "plot.png"
    assert main(["evaluate", str(trained), "--deals", "50", "--plot", str(plot)]) == 0
    words = ["tournament", str(trained), "random", "greedy", "--deals", "50", "--out", str(out)]
    assert main([*words, "--plot", str(plot)]) == 0
    assert set(json.loads(out.read_text())["teams"]) == {GAME.name, "random", "greedy"}
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert f"lead of {GAME.name} (points)" in capsys.readouterr().out
    with pytest.raises(CheckpointError, match="needs lexicon=scowl60; this table"):
        load_player(trained / "final", GAME, GAME.make_params(lexicon="scowl35"))


def test_a_game_is_watched_and_played_again(tmp_path, capsys):
    from kitchentable_training.cli.main import main

    file = str(tmp_path / "g.json")
    words = ["watch", "greedy", "--game", GAME.name, "--seed", "4"]
    assert main([*words, "--save", file]) == 0
    shown = capsys.readouterr().out
    assert "player_0 (greedy): " in shown
    assert ("won: player_0" in shown) != ("lost: player_0" in shown)
    assert main(["watch", "--replay", file]) == 0
    assert capsys.readouterr().out == shown


def test_a_person_plays_alone(monkeypatch, capsys):
    from kitchentable_training.cli.main import main

    monkeypatch.setattr("builtins.input", lambda _: "1")
    words = ["play", "--game", GAME.name, "--seed", "1"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert ("won: player_0 (you)" in shown) != ("lost: player_0 (you)" in shown)
    assert main([*words, "greedy"]) == 2
    told = "Quiddler Solitaire is a game for one player; leave out the opponents"
    assert told in capsys.readouterr().err
