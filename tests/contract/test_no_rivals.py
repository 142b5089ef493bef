"""Tables without rivals: one seat alone, and teams that win or lose together."""

import json

import numpy as np
import pytest
from tests.conftest import COMPILED, make_table, play_named
from tests.contract.team_game import BURN, COPIES, DRAW, KEEP, POOL, TURNS, WANTED
from tests.training import tiny_settings
from tests.training.tiny_settings import TAUGHT, trained_by_command

from kitchentable import Batch, find_game
from kitchentable.adapters.wrappers import OrderWrapper
from kitchentable.core.rng import seeds_for
from kitchentable.players.scripted import ScriptedPlayer, play_out
from kitchentable.players.search import SearchPlayer

SOLITAIRE = find_game("quiddler_solitaire")
TEAM = {"cooperative": True, "num_players": 3}
PARAMS = POOL.make_params(**TEAM)
LUCKY, UNLUCKY = ["1", "2", "3", "3", "3", "6"], ["6"] * COPIES + ["5"] * 2
"""Decks with which three seats that keep all cards get the 18 points they want, or too many."""


# --- Environments -------------------------------------------------------------------------------


@pytest.mark.parametrize(("deck", "share"), [(LUCKY, 1.0), (UNLUCKY, 1 - 16 / 18)])
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_all_seats_win_or_lose_together(pool, reward, deck, share):
    table = make_table(pool, **TEAM, reward=reward)
    table.reset(seed=1, options={"deck": deck})
    play_named(table, *["draw", "keep"] * 5)
    assert table.ranks.tolist() == [2, 2, 2]
    play_named(table, "draw", "keep")
    won, points = share == 1, sum(map(int, deck))
    for agent in table.agents:
        info = table.infos[agent]
        assert (info["rank"], info["is_winner"]) == (1 if won else 2, won)
        assert (info["score"], info["hand_scores"]) == (points, [points])
        assert table.rewards[agent] == pytest.approx(float(won) if reward == "win" else share)


def test_an_illegal_action_leaves_the_payoffs_of_earlier_hands(pool):
    table = OrderWrapper(make_table(pool, **TEAM, hands=2, reward="margin"))
    table.reset(seed=1, options={"deck": LUCKY})
    play_named(table, *["draw", "keep"] * 6, "keep")
    assert table.unwrapped.ranks.tolist() == [2, 2, 2]
    assert table.rewards["player_2"] == -1.0
    assert table.unwrapped._cumulative_rewards["player_2"] == 1.0 - 1.0


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


# --- Evaluation of teams ------------------------------------------------------------------------

DEALS = 300
training = pytest.mark.skipif(not COMPILED, reason="training is for compiled rules")


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


@training
def test_a_team_is_one_player_in_all_seats(monkeypatch):
    from kitchentable_training.evaluate import duplicate
    from kitchentable_training.evaluate.duplicate import own_figures, play_group

    monkeypatch.setattr(duplicate, "GAMES_AT_ONCE", 70)
    won, points = expected(5, range(3))
    played = play_group([Keeps(burns=True)], POOL, PARAMS, DEALS, seed=5)
    assert played.wins.shape == (DEALS, 1)
    np.testing.assert_array_equal(played.wins[:, 0], won)
    np.testing.assert_array_equal(played.scores[:, 0], points)
    assert played.decided.all()
    found = own_figures(played)
    assert (found["deals"], found["games"]) == (DEALS, DEALS)
    assert found["win_rate"] == found["payoff"] == pytest.approx(won.mean())


@training
def test_teams_are_measured_beside_each_other():
    """Also a team whose other seats are played by somebody else, in each seat once."""
    from kitchentable_training.evaluate.duplicate import LEARNER_NAME, curve_points, measure
    from kitchentable_training.evaluate.formatting import result_table
    from kitchentable_training.report.plots import evaluation_figure

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
    rows = [row.split("|")[1:3] for row in result_table(results).splitlines()[2:]]
    assert [name.strip() for name, _ in rows] == ["burns", "burns with keeps", "keeps"]
    for (_, shown), rate in zip(rows, (burns.mean(), mixed, keeps.mean()), strict=True):
        assert shown.strip().startswith(f"{100 * rate:.1f}% (")
    bars = evaluation_figure(results).axes[0].patches
    assert bars[2].get_width() == found["opponents_win_rate"]


@training
def test_teammates_are_refused_where_nobody_has_any():
    from kitchentable_training.evaluate.duplicate import measure

    rivals = POOL.make_params(num_players=3)
    with pytest.raises(ValueError, match="nobody has teammates"):
        measure(Keeps(), [Keeps()], POOL, rivals, 5, teammates=[Keeps()])


@training
def test_a_tournament_compares_teams_by_the_same_deals():
    from kitchentable_training.evaluate.tournament import round_robin

    results = round_robin([Keeps(), Keeps(burns=True)], POOL, PARAMS, DEALS, seed=5)
    assert json.loads(json.dumps(results)) == results
    rates = {"keeps": expected(5, ())[0].mean(), "burns": expected(5, range(3))[0].mean()}
    assert {n: one["win_rate"] for n, one in results["teams"].items()} == pytest.approx(rates)
    assert len(results["pairs"]) == 2
    for pair in results["pairs"]:
        difference = rates[pair["player"]] - rates[pair["opponent"]]
        assert pair["win_rate_difference"] == pytest.approx(difference)


# --- Evaluation of one seat ---------------------------------------------------------------------


def duplicate(wins, scores):
    """Return duplicate-deal results of a one-seat game."""
    from kitchentable_training.evaluate.duplicate import Duplicate

    wins, scores = (np.array(values, float)[:, None] for values in (wins, scores))
    return Duplicate(wins, np.ones(wins.shape, bool), scores, np.zeros(wins.shape), wins, 0)


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


# --- Training and the commands --------------------------------------------------------------------


CASES = {
    "team": {
        "game": "pool",
        "params": {**TEAM, "hands": 1, "reward": "win"},
        "steps": 2048,
        "behavior_cloning": TAUGHT | {"decisions": 40_000},
        "opponents": {"scripted": {"careful": 1, "random": 0.5}, "past_selves": 1},
        "evaluation": {
            "every": 1024, "deals": 50, "final_deals": 200, "opponents": ["random", "careful"],
        },
    },
    "alone": {
        "game": "quiddler_solitaire",
        "params": {"num_players": 1, "reward": "win"},
        "steps": 1024,
        "behavior_cloning": TAUGHT | {"player": "greedy", "decisions": 4000},
        "opponents": {"scripted": {}, "past_selves": 0},
        "evaluation": {"every": 512, "deals": 20, "final_deals": 50, "opponents": ["random"]},
    },
}  # fmt: skip


def settings_of(name, **opponents):
    common = tiny_settings.TINY | {"num_envs": 16, "network": {"layers": [32]}}
    opponents = CASES[name]["opponents"] | {"past_every": 512, "past_kept": 2} | opponents
    return common | CASES[name] | {"opponents": opponents}


@pytest.mark.parametrize("reward", ["win", "margin"])
@training
def test_the_learner_gets_all_that_is_paid_and_has_teammates_of_one_kind(reward):
    from kitchentable_training.algorithms.league import OpponentPool
    from kitchentable_training.algorithms.settings import OpponentSettings
    from kitchentable_training.algorithms.vec_env import LEARNER, LearnerVecEnv

    settings = OpponentSettings.model_validate(settings_of("team")["opponents"])
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
def test_demonstrations_tell_what_the_team_was_paid(pool):
    from kitchentable_training.algorithms.behavior_cloning import Demonstrator
    from kitchentable_training.runs.settings import parse_settings

    settings = parse_settings(settings_of("team"), "here")
    own = settings.behavior_cloning
    demonstrator = Demonstrator(pool, settings, ScriptedPlayer(pool, own.player), own.lesson)
    shown = demonstrator.demonstrate(4000)
    assert set(np.unique(shown.payoffs)) == {0.0, 1.0}
    # The same payoff follows all twelve decisions of a game, whichever seat made them.
    assert shown.payoffs.mean() > 0.5


@pytest.mark.parametrize("opponents", [{"scripted": {"greedy": 1}}, {"past_selves": 1}])
@training
def test_opponents_are_refused_where_nobody_else_sits(opponents):
    from kitchentable_training.runs.settings import parse_settings

    with pytest.raises(ValueError, match="a game for one seat has none"):
        parse_settings(settings_of("alone", **opponents), "here")


@training
@pytest.mark.parametrize("name", CASES)
def test_a_trained_player_is_measured_beside_scripted_ones_and_compared(name, pool, tmp_path):
    from kitchentable_training.cli.main import main
    from kitchentable_training.players.checkpoint import CheckpointError, load_player

    settings, out = settings_of(name), tmp_path / "out.json"
    folder = trained_by_command(find_game(settings["game"]), settings, tmp_path)
    lines = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
    measured = [line for line in lines if "evaluation/learner" in line]
    assert measured
    assert all(0 <= line["evaluation/random"] < 0.5 for line in measured)
    for who in ("careful", "random", "past selves") if name == "team" else ("learner",):
        paid = [line[f"payoff/{who}"] for line in lines if f"payoff/{who}" in line]
        assert paid
        assert all(0 <= one <= 1 for one in paid if one is not None)
    found = json.loads((folder / "evaluation.json").read_text())["opponents"]["random"]
    low, high = found["win_rate_difference_interval"]
    assert low <= found["win_rate"] - found["opponents_win_rate"] <= high
    words = ["evaluate", str(folder), "--deals", "50", "--out", str(out)]
    if name == "team":
        assert measured[0]["evaluation/careful"] > measured[0]["evaluation/random"]
        assert low > 0, "it has not learned anything"
        words += ["--against", "greedy", "--with", "random,careful"]
    assert main(words) == 0
    if name == "team":
        assert set(json.loads(out.read_text())["teammates"]) == {"random", "careful"}
    assert main(["tournament", str(folder), "random", "--deals", "50", "--out", str(out)]) == 0
    assert set(json.loads(out.read_text())["teams"]) == {settings["game"], "random"}
    if name == "alone":
        with pytest.raises(CheckpointError, match="needs lexicon=scowl60; this table"):
            load_player(folder / "final", SOLITAIRE, SOLITAIRE.make_params(lexicon="scowl35"))


@pytest.mark.parametrize(
    ("words", "seats"),
    [(["careful", "--game", "pool", "cooperative=true", "num_players=3"], 3),
     (["greedy", "--game", "quiddler_solitaire"], 1)],
)  # fmt: skip
def test_a_game_is_watched_and_watched_again(words, seats, pool, tmp_path, capsys):
    from kitchentable_training.cli.main import main

    file = str(tmp_path / "g.json")
    assert main(["watch", *words, "--seed", "4", "--save", file]) == 0
    shown = capsys.readouterr().out
    assert ", ".join(f"player_{seat} ({words[0]})" for seat in range(seats)) + ": " in shown
    assert ("won: player_0" in shown) != ("lost: player_0" in shown)
    assert main(["watch", "--replay", file]) == 0
    assert capsys.readouterr().out == shown


def test_a_person_plays_alone_and_in_a_team(pool, monkeypatch, capsys):
    from kitchentable_training.cli.main import main

    monkeypatch.setattr("builtins.input", lambda _: "1")
    words = ["play", "careful", "--game", pool.name, "--seed", "1", "cooperative=true"]
    assert main(words) == 0
    assert "player_0 (you), player_1 (careful): " in capsys.readouterr().out
    words = ["play", "--game", SOLITAIRE.name, "--seed", "1"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert ("won: player_0 (you)" in shown) != ("lost: player_0 (you)" in shown)
    assert main([*words, "greedy"]) == 2
    told = "Quiddler Solitaire is a game for one player; leave out the opponents"
    assert told in capsys.readouterr().err
