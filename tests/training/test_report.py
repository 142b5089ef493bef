"""Reports: statistics of played games, and pages of runs and tournaments."""

import json
import re
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import seats_of, short, two_players, write_run
from tests.contract.team_game import POOL

from kitchentable import Batch, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.engine.batch import GAME_0
from kitchentable.players.scripted import ScriptedPlayer, play_out
from kitchentable_training.cli.main import main
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import play_duplicate
from kitchentable_training.evaluate.sample_game import SAMPLE_SEED, sample_game
from kitchentable_training.evaluate.tournament import round_robin
from kitchentable_training.players.checkpoint import load_player, read_card
from kitchentable_training.report import learner_section, plots
from kitchentable_training.report.page import write_report
from kitchentable_training.session import Session

SHIPPED = Path(__file__).parents[2] / "checkpoints"
DIDDLY, SOLITAIRE = find_game("diddly"), find_game("quiddler_solitaire")
SHORT = DIDDLY.make_params(rounds=2)


def players_of(game, names):
    """Return players that differ by their names only."""
    players = [ScriptedPlayer(game, name, seed=i) for i, name in enumerate(names)]
    for number, player in enumerate(players):
        player.name += f" {number}" if names.count(player.name) > 1 else ""
    return players


def tournament(game, params, deals, names=("random", "greedy")):
    players = players_of(game, names)
    return round_robin(players, game, params, deals)


@pytest.fixture(scope="module")
def diddly():
    return tournament(DIDDLY, SHORT, 6, ("random", "greedy", "expert"))


# --- Statistics -----------------------------------------------------------------------------------


def test_watching_changes_no_choice_and_counts_what_was_played(diddly):
    one, other = (ScriptedPlayer(DIDDLY, n, seed=i) for i, n in ((1, "greedy"), (2, "expert")))
    played = play_duplicate(one, other, DIDDLY, SHORT, 6)
    pair = next(p for p in diddly["pairs"] if (p["player"], p["opponent"]) == ("greedy", "expert"))
    assert pair["score"] == played.scores.mean()
    found = diddly["statistics"]
    means = [
        (p["score"] + q["score"]) / 2
        for p in diddly["pairs"]
        for q in diddly["pairs"]
        if p["player"] == q["player"] == "greedy" and p["opponent"] < q["opponent"]
    ]
    assert found["players"]["greedy"]["score"]["mean"] == pytest.approx(means[0])
    decisions = sum(pair["games"] * pair["decisions"]["mean"] for pair in found["pairs"])
    actions = [sum(one["actions"].values()) for one in found["players"].values()]
    assert sum(actions) == pytest.approx(decisions)
    for player in found["players"].values():
        assert player["hands"] == [2 * 12, 2 * 12]
        assert player["games"] == [12, 12]
        assert 0 <= sum(player["wins"]) <= 2
    out = found["out"]
    assert out["hands"] == 3 * 12 * 2
    assert sum(sum(one["out"]) for one in found["players"].values()) == out["hands"] - out["nobody"]


def test_seats_that_go_out_are_counted_by_each_games_rules(game):
    """Every hand is counted; if its last decision tells who went out, exactly one seat has."""
    if 3 not in seats_of(game):
        pytest.skip("the game has no table for three")
    params = game.make_params(**{**short(game), "num_players": 3})
    deals = 20
    found = tournament(game, params, deals, two_players(game))["statistics"]
    batch = Batch(game, 3 * deals, seed=0, autoreset=False, **params.as_dict())
    players = players_of(game, two_players(game))
    hands = 0
    for (number, other), pair in zip(((0, 1), (1, 0)), found["pairs"], strict=True):
        for seed, player in enumerate(players):
            player.seed(seed)
        batch.deal(np.repeat(seeds_for(Deals.REPORT, deals), 3))
        play_out(batch, players, np.where(np.tile(np.eye(3), (deals, 1)), number, other))
        hands += sum(len(game.hand_scores(state, 0)) for state in batch.states)
        scores, ranks = batch.standings()
        best = np.take_along_axis(scores, ranks.argmin(axis=1)[:, None], axis=1)
        leads = np.sort(np.abs(scores - best))[:, 1]
        assert pair["margin"]["mean"] == pytest.approx(leads.mean())
        assert pair["truncated"] == batch.states.truncated.sum()
    out = found["out"]
    assert out["hands"] == hands
    gone = sum(sum(one["out"]) for one in found["players"].values())
    assert gone > 0
    assert gone >= out["hands"] - out["nobody"]
    if not game.players.out.after:
        assert gone == out["hands"] - out["nobody"]


def test_teams_and_one_seat_have_the_statistics_that_fit():
    team = tournament(POOL, POOL.make_params(num_players=3, cooperative=True), 8)["statistics"]
    assert [pair["players"] for pair in team["pairs"]] == [["random"], ["greedy"]]
    assert team["out"]["words"] == "made the last decision of a hand"
    assert sum(team["players"]["random"]["out"]) == 8
    assert "margin" not in team["pairs"][0]
    alone = tournament(SOLITAIRE, SOLITAIRE.make_params(), 8)["statistics"]
    assert "out" not in alone
    assert "wins" not in alone["players"]["greedy"]


# --- Pages ----------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Checks that a page is well-formed: elements closed, pictures inline and with alt texts."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.images, self.headings = [], [], [], 0, []
        self.feed(text)
        assert self.open == []
        assert len(set(self.ids)) == len(self.ids)
        assert set(self.links) <= {f"#{one}" for one in self.ids}
        assert not re.search(r'(src|href)="(?!data:|#)', text)
        assert "<script" not in text

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag not in {"meta", "img"}:
            self.open.append(tag)
        if "svg" not in self.open:
            self.ids += [values["id"]] if "id" in values else []
            self.links += [values["href"]] if "href" in values else []
        if tag == "img":
            assert values["alt"]
            self.images += 1

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in {"h1", "h2", "h3"}:
            self.headings.append(data)


def write(path, content):
    path.write_text(json.dumps(content))
    return path


@pytest.mark.usefixtures("undrawn")
def test_runs_and_tournaments_become_one_page(diddly, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "one", [0.25, 0.5])
    write_run(tmp_path / "two", [0.3, 0.4, 0.35])
    write(tmp_path / "t.json", diddly)
    assert main(["report", "one", "two", "t.json"]) == 0
    assert "The report: report.html" in capsys.readouterr().out
    text = (tmp_path / "report.html").read_text()
    page = Page(text)
    assert "Diddly: 2 runs together" in page.headings
    assert {"Diddly: one", "Diddly: two", "Diddly: tournament t"} <= set(page.headings)
    assert {"Length of games", "Scores", "Margins", "Wins by seat", "Who goes out"} <= set(
        page.headings
    )
    row = "two against expert</th><td>300</td><td>0.3</td><td>35.0%</td><td>40.0%"
    assert row in text
    assert page.images == 2 + 2 * 5 + 1 + 6
    assert not (tmp_path / "one" / "report.html").exists()
    assert f"{diddly['ratings']['greedy']['rating']:+.0f}" in text


@pytest.mark.usefixtures("undrawn")
def test_a_run_alone_has_its_page_in_its_folder_or_where_it_is_wanted(tmp_path):
    run = write_run(tmp_path / "one", [0.5])
    assert write_report(run) == run / "report.html"
    page = (run / "report.html").read_text()
    assert Page(page).headings[0] == "Diddly: one"
    out = tmp_path / "there" / "page.html"
    assert main(["report", str(run), "--out", str(out)]) == 0
    assert out.read_text() == page


@pytest.mark.usefixtures("undrawn")
def test_a_card_need_not_say_how_long_its_player_learned(tmp_path, monkeypatch):
    monkeypatch.setattr(learner_section, "sample_game", lambda *_: None)
    card = json.loads((SHIPPED / "diddly_2p" / "card.json").read_text())
    del card["seconds"]
    (tmp_path / "mine").mkdir()
    write(tmp_path / "mine" / "card.json", card)
    text = write_report(tmp_path / "mine", out=tmp_path / "p.html").read_text()
    assert "decisions of the learner" in text
    assert "training time" not in text


@pytest.mark.parametrize("name", ["diddly_2p", "diddly_2p_dmc"])
def test_a_sample_game_tells_what_the_player_thinks_of_its_actions(name):
    """Its probabilities or, if it learned action values, these."""
    player, params = load_player(SHIPPED / name), read_card(SHIPPED / name)["params"]
    params = DIDDLY.make_params(**params)
    found = sample_game(SHIPPED / name, name, DIDDLY, params, "expert")
    session = Session(DIDDLY, params, SAMPLE_SEED)
    shown = session.batch, GAME_0
    thought, words = f"{player.probabilities(*shown).max():.0%}", "probability of the action"
    if player.gives_action_values:
        thought, words = f"{player.logits(*shown).max():+.2f}", "expects the action to pay"
    assert words in found["told"]
    (agent, first), *_ = found["hands"][0]
    assert agent == "player_0"
    assert first.startswith(f"{session.choose(player)} ({thought})")
    for agent, text in chain.from_iterable(found["hands"]):
        assert text.count("(") == (text.count(",") + 1 if agent == "player_0" else 0)


@pytest.mark.parametrize(("game", "params"), [(POOL, {"cooperative": True}), (SOLITAIRE, {})])
@pytest.mark.usefixtures("undrawn")
def test_teams_have_the_words_that_fit(game, params, pool, tmp_path):
    played = tournament(game, game.make_params(**params), 6)
    text = write_report(write(tmp_path / "t.json", played), out=tmp_path / "p.html").read_text()
    headings = Page(text).headings
    assert "Who is ahead" in headings
    assert "Wins by seat" not in headings
    assert ("Who goes out" in headings) == (game is POOL)
    assert ("each player in all seats" if game is POOL else "each alone") in text


@pytest.mark.usefixtures("undrawn")
def test_an_evaluation_has_a_page(tmp_path):
    file = tmp_path / "e.json"
    words = ["evaluate", "greedy", "--against", "random", "--deals", "3", "rounds=1"]
    assert main([*words, "--out", str(file)]) == 0
    found = json.loads(file.read_text())["opponents"]["random"]
    text = write_report(file, out=tmp_path / "p.html").read_text()
    assert Page(text).images == 1
    assert f"{100 * found['win_rate']:.1f}%" in text


def test_what_is_no_number_is_left_out_of_a_curve():
    lines = [{"step": i, "a": value} for i, value in enumerate((1.0, np.nan, np.inf, None, 2.0))]
    assert [one.tolist() for one in plots.series([*lines, {"step": 9}], "a")] == [[0, 4], [1, 2]]


def test_a_curve_by_the_clock_stands_where_its_time_is():
    lines = [{"step": 5, "a": 1.0, "time/seconds": 90.0}, {"step": 6, "a": 2.0}]
    minutes, values = plots.series(lines, "a", plots.MINUTES)
    assert (minutes.tolist(), values.tolist()) == ([1.5, 0.0], [1.0, 2.0])


def test_lessons_of_behavior_cloning_are_a_curve_of_their_own():
    lines = [{"step": 0, "behavior_cloning/agreement": rate} for rate in (0.5, 0.75, np.nan)]
    drawn = plots.learning_figures(lines, 2, 100)
    (title,) = (one for one in drawn if "agreement" in one)
    (curve,) = drawn[title].axes[0].lines
    assert curve.get_xydata().tolist() == [[1, 0.5], [2, 0.75]]
    assert not any("agreement" in one for one in plots.learning_figures([{"step": 0}], 2, 100))


def test_names_are_escaped(diddly, tmp_path):
    """The pictures of this page are drawn."""
    strange = json.loads(json.dumps(diddly).replace('"random"', '"<b>&"'))
    text = write_report(write(tmp_path / "t.json", strange), out=tmp_path / "p.html").read_text()
    Page(text)
    assert "&lt;b&gt;&amp;" in text
    assert "<b>&" not in text


@pytest.mark.usefixtures("undrawn")
def test_what_is_wrong_is_named_and_nothing_is_written(diddly, tmp_path, capsys):
    run = write_run(tmp_path / "run", [0.5])
    (run / "progress.jsonl").write_text('{"step": 1}\n{"step": oh}\n')
    write(tmp_path / "other.json", {"a": 1})
    write(tmp_path / "odd.json", diddly | {"statistics": {"pairs": 5, "players": {}}})
    (tmp_path / "exploit.json").write_text('{"player": "a", "opponents": {}, "at_least": 0}')
    out = tmp_path / "page.html"
    for what, message in (
        (run, "line 2 of .*progress.jsonl is damaged"),
        (tmp_path / "other.json", "other.json is neither a tournament nor an evaluation"),
        (tmp_path / "exploit.json", "exploit.json is neither a tournament nor an evaluation"),
        (tmp_path / "odd.json", "odd.json is damaged"),
        (tmp_path / "none", "none is not a training run .*, a checkpoint, a JSON file"),
    ):
        assert main(["report", str(what), "--out", str(out)]) == 2
        assert re.search(message, capsys.readouterr().err)
    assert not out.exists()
