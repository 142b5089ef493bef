"""Cooperative tables: all seats win or lose together and are rated as one team."""

import json
import pickle

import numpy as np
import pytest
from tests.conftest import COMPILED, make_table, play_named, scaled
from tests.contract.team_game import BURN, COPIES, DRAW, KEEP, POOL, TURNS, WANTED
from tests.training import tiny_settings
from tests.training.tiny_settings import TAUGHT, check_picked_up, trained_by_command

from kitchentable import Batch, SeatEnv, all_games
from kitchentable.adapters.wrappers import wrap
from kitchentable.core.rng import seeds_for
from kitchentable.players.scripted import play_out
from kitchentable.players.search import SearchPlayer

TEAM = {"cooperative": True, "num_players": 3}
PARAMS = POOL.make_params(**TEAM)
LUCKY, UNLUCKY = ["1", "2", "3", "3", "3", "6"], ["6"] * COPIES + ["5"] * 2
"""Decks with which three seats that keep all cards get the 18 points they want, or too many."""


def test_who_is_a_team():
    assert POOL.is_team(PARAMS)
    assert not POOL.is_team(POOL.make_params(num_players=3))


# --- Environments -------------------------------------------------------------------------------


@pytest.mark.parametrize(("deck", "share"), [(LUCKY, 1.0), (UNLUCKY, 1 - 16 / 18)])
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_all_seats_win_or_lose_together(pool, reward, deck, share):
    table = make_table(pool, **TEAM, reward=reward)
    table.reset(seed=1, options={"deck": deck})
    for _ in range(5):
        play_named(table, "draw", "keep")
    assert table.ranks.tolist() == [2, 2, 2]
    play_named(table, "draw", "keep")
    won, points = share == 1, sum(map(int, deck))
    for agent in table.agents:
        info = table.infos[agent]
        assert (info["rank"], info["is_winner"]) == (1 if won else 2, won)
        assert (info["score"], info["hand_scores"]) == (points, [points])
        assert table.rewards[agent] == pytest.approx(float(won) if reward == "win" else share)


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_an_illegal_action_loses_for_all(pool, reward):
    """Payoffs of earlier hands stay; a table saved afterwards has lost too."""
    table = wrap(make_table(pool, **TEAM, hands=2, reward=reward))
    table.reset(seed=1, options={"deck": LUCKY})
    play_named(table, *["draw", "keep"] * 6, "keep")
    assert set(table.rewards.values()) == {-1.0}
    assert all((i["rank"], i["is_winner"]) == (2, False) for i in table.infos.values())
    restored = pickle.loads(pickle.dumps(table.unwrapped))
    assert restored.ranks.tolist() == [2, 2, 2]
    paid = 0.0 if reward == "win" else 1.0
    assert table.unwrapped._cumulative_rewards["player_2"] == paid - 1.0


def test_a_seat_learns_among_teammates(pool):
    """The other seats play for its win too, and its payoff is that of all."""
    for teammates in ("careful", ["greedy", "careful"]):
        env = SeatEnv(pool.name, opponents=teammates, **TEAM)
        wins = 0
        for seed in range(scaled(60)):
            _, info = env.reset(seed=seed)
            over, handed = False, 0.0
            while not over:
                action = int(np.flatnonzero(info["action_mask"])[0])
                _, paid, over, _, info = env.step(action)
                handed += paid
            assert handed == env.batch.standings()[1][0, 0] % 2 == info["is_winner"]
            wins += info["is_winner"]
        assert wins
    env.reset(seed=1)
    _, paid, over, _, info = env.step(KEEP)
    assert (paid, over, info["rank"], info["is_winner"]) == (-1.0, True, 2, False)


def test_a_search_plays_for_the_team():
    """It burns a card that `greedy`, its model of all seats, would keep, losing the hand."""
    count = 40 if COMPILED else 4
    batch = Batch(POOL, count, seed=2, autoreset=False, **TEAM, reward="margin")
    player = SearchPlayer(POOL, rollouts=200, policy="greedy")
    seats = np.zeros((count, 3), int)
    searched = play_out(batch, [player], seats)
    assert max(player.values.values()) <= 1
    batch.seed(2)
    batch.reset()
    assert searched.mean() > play_out(batch, [Keeps()], seats).mean()


# --- Evaluation ---------------------------------------------------------------------------------

DEALS = 300


class Keeps:
    """Keeps all cards, or burns its first one: a team's result can be computed from the deck."""

    def __init__(self, burns=False):
        self.name, self.burns = "burns" if burns else "keeps", burns

    def seed(self, seed):
        pass

    def act(self, batch, games):
        burn = batch.masks[games, BURN] & self.burns
        return np.where(batch.masks[games, DRAW], DRAW, np.where(burn, BURN, KEEP))


def expected(seed, burners):
    """Return whether the team wins each deal, and its points, if these seats burn a card."""
    batch = Batch(POOL, DEALS, **TEAM)
    batch.deal(seeds_for(seed, DEALS))
    values = batch.states.deck[:, : 3 * TURNS].astype(int) + 1
    points = values.sum(axis=1) - values[:, list(burners)].sum(axis=1)
    return abs(points - 3 * WANTED) <= 1, points


training = pytest.mark.skipif(not COMPILED, reason="training is for compiled rules")


@training
@pytest.mark.parametrize("burns", [False, True])
def test_a_team_is_one_player_in_all_seats(burns, monkeypatch):
    from kitchentable_training.evaluate import duplicate
    from kitchentable_training.evaluate.duplicate import own_figures, play_group

    monkeypatch.setattr(duplicate, "GAMES_AT_ONCE", 70)
    won, points = expected(5, range(3) if burns else ())
    played = play_group([Keeps(burns)], POOL, PARAMS, DEALS, seed=5)
    assert played.wins.shape == (DEALS, 1)
    np.testing.assert_array_equal(played.wins[:, 0], won)
    np.testing.assert_array_equal(played.scores[:, 0], points)
    assert played.decided.all()
    found = own_figures(played)
    assert (found["deals"], found["games"]) == (DEALS, DEALS)
    assert found["win_rate"] == found["payoff"] == pytest.approx(won.mean())


@training
def test_a_player_among_other_teammates_sits_in_each_seat_once():
    from kitchentable_training.evaluate.duplicate import figures, play_duplicate

    played = play_duplicate(Keeps(burns=True), Keeps(), POOL, PARAMS, DEALS, seed=5)
    by_seat = np.stack([expected(5, [seat])[0] for seat in range(3)], axis=1)
    np.testing.assert_array_equal(played.wins, by_seat)
    assert played.decided.all()
    found = figures(played)
    assert found["win_rate"] == pytest.approx(by_seat.mean())
    assert found["win_rate_by_seat"] == pytest.approx(by_seat.mean(axis=0))
    low, high = found["win_rate_interval"]
    assert low < found["win_rate"] < high


@training
def test_teams_are_measured_beside_each_other(tmp_path):
    from kitchentable_training.evaluate.duplicate import (
        LEARNER_NAME,
        curve_points,
        measure,
        summary,
    )
    from kitchentable_training.evaluate.formatting import result_table
    from kitchentable_training.report.plots import evaluation_figure, save_png

    mates = [Keeps()]
    results = measure(Keeps(burns=True), mates, POOL, PARAMS, DEALS, teammates=mates, seed=5)
    assert json.loads(json.dumps(results)) == results
    burns, keeps = expected(5, range(3))[0], expected(5, ())[0]
    mixed = np.mean([expected(5, [seat])[0] for seat in range(3)])
    found = results["opponents"]["keeps"]
    assert found["win_rate"] == pytest.approx(burns.mean())
    assert found["opponents_win_rate"] == pytest.approx(keeps.mean())
    assert found["win_rate_difference"] == pytest.approx(burns.mean() - keeps.mean())
    assert results["teammates"]["keeps"]["win_rate"] == pytest.approx(mixed)
    assert curve_points(results) == {
        LEARNER_NAME: found["win_rate"],
        "keeps": found["opponents_win_rate"],
    }
    assert summary(results)["keeps"]["win_rate_difference"] == found["win_rate_difference"]
    rows = [row.split("|")[1:3] for row in result_table(results).splitlines()[2:]]
    assert [name.strip() for name, _ in rows] == ["burns", "burns with keeps", "keeps"]
    for (_, shown), rate in zip(rows, (burns.mean(), mixed, keeps.mean()), strict=True):
        assert shown.strip().startswith(f"{100 * rate:.1f}% (")
    figure = evaluation_figure(results)
    assert "each player in all seats" in figure.axes[0].get_xlabel()
    assert [bar.get_width() for bar in figure.axes[0].patches][2] == found["opponents_win_rate"]
    save_png(figure, tmp_path / "teams.png")


@training
def test_teammates_are_refused_where_nobody_has_any():
    from kitchentable_training.evaluate.duplicate import measure

    rivals = POOL.make_params(num_players=3)
    with pytest.raises(ValueError, match="nobody has teammates"):
        measure(Keeps(), [Keeps()], POOL, rivals, 5, teammates=[Keeps()])


@training
def test_a_tournament_compares_teams():
    from kitchentable_training.evaluate.tournament import round_robin, tournament_table
    from kitchentable_training.report.plots import tournament_figure

    told, players = [], [Keeps(), Keeps(burns=True)]
    results = round_robin(players, POOL, PARAMS, DEALS, seed=5, progress=told.append)
    assert told == ["keeps in all seats", "burns in all seats"]
    rates = {"keeps": expected(5, ())[0].mean(), "burns": expected(5, range(3))[0].mean()}
    assert {n: one["win_rate"] for n, one in results["teams"].items()} == pytest.approx(rates)
    assert f"same {DEALS} of the deals of seed 5, each player in all seats" in tournament_table(
        results
    )
    assert "in all seats" in tournament_figure(results).axes[0].get_xlabel()


# --- Training and the commands --------------------------------------------------------------------

TINY = tiny_settings.TINY | {
    "game": POOL.name,
    "params": {**TEAM, "hands": 1, "reward": "win"},
    "steps": 2048,
    "num_envs": 16,
    "behavior_cloning": TAUGHT | {"decisions": 40_000},
    "network": {"layers": [32]},
    "opponents": {
        "scripted": {"careful": 1, "random": 0.5},
        "past_selves": 1,
        "past_every": 512,
        "past_kept": 2,
    },
    "evaluation": {
        "every": 1024, "deals": 50, "final_deals": 200, "opponents": ["random", "careful"],
    },
}  # fmt: skip


@pytest.mark.parametrize("reward", ["win", "margin"])
@training
def test_the_learner_gets_all_that_is_paid_and_has_teammates_of_one_kind(reward):
    from kitchentable_training.algorithms.league import OpponentPool
    from kitchentable_training.algorithms.settings import OpponentSettings
    from kitchentable_training.algorithms.vec_env import LEARNER, LearnerVecEnv

    settings = OpponentSettings.model_validate(TINY["opponents"])
    pool = OpponentPool.make(POOL, PARAMS, settings, seed=0)
    env = LearnerVecEnv(POOL, 8, pool, seed=3, **TEAM, hands=2, reward=reward)
    env.reset()
    handed = 0.0
    for _ in range(300):
        env.step_async(env.batch.sample_actions().copy())
        _, rewards, _, _ = env.step_wait()
        handed += rewards.sum()
        assert (rewards >= 0).all()
        assert ((env.seating.numbers.numpy() == LEARNER).sum(axis=1) == 1).all()
    assert {result.opponents for result in env.seating.results} == {(0, 0), (1, 1)}
    unfinished = env.seating.payoffs.sum().item()
    total = sum(result.payoff for result in env.seating.results) + unfinished
    assert handed + env._owed.sum() == pytest.approx(total)
    assert handed > 0


@training
def test_a_lesson_tells_what_the_team_was_paid():
    from kitchentable_training.algorithms.behavior_cloning import Teacher
    from kitchentable_training.runs.settings import parse_settings

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(all_games(), POOL.name, POOL)
        settings = parse_settings(TINY, "here")
    lesson = Teacher(POOL, settings, settings.behavior_cloning).lesson(4000)
    assert set(np.unique(lesson.payoffs)) == {0.0, 1.0}
    # The same payoff follows all twelve decisions of a game, whichever seat made them.
    assert lesson.payoffs.mean() > 0.5


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a tiny run."""
    return trained_by_command(POOL, TINY, tmp_path_factory.mktemp("trained"))


@training
def test_a_run_logs_the_team_beside_the_scripted_ones(trained):
    lines = [json.loads(line) for line in (trained / "progress.jsonl").read_text().splitlines()]
    measured = [line for line in lines if "evaluation/learner" in line]
    assert measured
    assert measured[0]["evaluation/careful"] > measured[0]["evaluation/random"]
    for mates in ("careful", "random", "past selves"):
        assert any(0 <= line.get(f"payoff/{mates}", -1) <= 1 for line in lines)
    found = json.loads((trained / "evaluation.json").read_text())["opponents"]["random"]
    assert found["win_rate_difference_interval"][0] > 0, "it has not learned anything"


@training
def test_a_run_is_picked_up_from_its_checkpoint(pool, trained, tmp_path):
    check_picked_up(trained, tmp_path / "pool")


@training
def test_the_report_says_what_it_shows(pool, trained):
    from kitchentable_training.report.page import write_report

    page = " ".join(write_report(trained).read_text().split())
    assert "played the same deals, each player in all seats" in page
    assert "In all seats; the first deal of seed" in page
    assert "here its teammates" in page
    assert "Against" not in page
    assert "won: player_0 (pool), player_1 (pool)" in page or "lost: player_0 (pool)" in page


@training
def test_the_trained_team_is_measured_and_mixed(pool, trained, tmp_path, capsys):
    from kitchentable_training.cli.main import main

    out = tmp_path / "out.json"
    words = ["evaluate", str(trained), "--against", "greedy", "--with", "random,careful"]
    assert main([*words, "--deals", "50", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "pool with random" in shown
    assert "lead of pool (points)" in shown
    assert set(json.loads(out.read_text())["teammates"]) == {"random", "careful"}
    words = ["tournament", str(trained), "random", "--deals", "50", "--out", str(out)]
    assert main(words) == 0
    assert set(json.loads(out.read_text())["teams"]) == {"pool", "random"}


def test_a_team_is_watched_and_played_in(pool, tmp_path, monkeypatch, capsys):
    from kitchentable_training.cli.main import main

    file = str(tmp_path / "g.json")
    words = ["watch", "careful", "--game", pool.name, "--seed", "4", "cooperative=true"]
    assert main([*words, "num_players=3", "--save", file]) == 0
    shown = capsys.readouterr().out
    assert shown.count("player_0 (careful), player_1 (careful), player_2 (careful): ") == 1
    assert ("  won: player_0" in shown) != ("  lost: player_0" in shown)
    assert main(["watch", "--replay", file]) == 0
    assert capsys.readouterr().out == shown
    monkeypatch.setattr("builtins.input", lambda _: "1")
    words = ["play", "careful", "--game", pool.name, "--seed", "1", "cooperative=true"]
    assert main(words) == 0
    assert "player_0 (you), player_1 (careful): " in capsys.readouterr().out
