"""Intervals of means and of win rates over duplicate deals, some without a decided game."""

import numpy as np
import pytest
from scipy import stats

from kitchentable_training.evaluate import duplicate
from kitchentable_training.evaluate.duplicate import Duplicate, figures, mean_interval
from kitchentable_training.evaluate.formatting import DECIDED, result_table
from kitchentable_training.report.plots import evaluation_figure, to_png


def interval(won, decided):
    return duplicate._ratio_interval(np.array(won, float), np.array(decided, float))


def wilson(won, deals):
    low, high = stats.binomtest(won, deals).proportion_ci(method="wilson")
    return pytest.approx([low, high])


def test_deals_that_all_went_the_same_way_count_if_a_game_was_decided():
    assert interval([2, 2, 0], [2, 2, 0]) == interval([2, 2], [2, 2]) == wilson(2, 2)
    assert interval([0, 0, 0, 0], [2, 0, 1, 0]) == wilson(0, 2)
    assert interval([1, 1, 0], [2, 2, 0]) == wilson(1, 2)
    assert interval([0, 0], [0, 0]) is None
    # Among ten resampled deals these two are often missing.
    assert interval([2, 1] + 8 * [0], [2, 2] + 8 * [0]) == [0.5, 1.0]


def test_the_interval_is_the_bootstraps_where_deals_differ():
    won, decided = np.tile([[2, 0, 1, 1, 0], [2, 2, 1, 2, 0]], 20)
    found = stats.bootstrap(
        (won, decided), lambda a, b, axis: a.sum(axis) / b.sum(axis), paired=True,
        method="percentile", rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    assert interval(won, decided) == pytest.approx([found.low, found.high], abs=0.02)


@pytest.mark.parametrize("at_once", [1, 7_000])
def test_a_bootstrap_in_parts_is_the_same_to_the_last_bit(at_once, monkeypatch):
    won, decided = np.random.default_rng(0).random((2, 1_001))
    whole = interval(won * decided, decided)
    monkeypatch.setattr(duplicate, "DRAWS_AT_ONCE", at_once)
    assert interval(won * decided, decided) == whole


def test_without_a_decided_game_there_is_no_win_rate():
    """Neither 0% nor anything between 0 and 100%: null in files, a dash in tables."""
    tied = Duplicate(
        wins=np.full((2, 2), 0.5), decided=np.zeros((2, 2), bool), scores=np.ones((2, 2)),
        others=np.ones((2, 2)), payoffs=np.zeros((2, 2)), truncated=0,
    )  # fmt: skip
    found = figures(tied)
    assert found["win_rate"] is found["win_rate_interval"] is None
    assert found["win_rate_by_seat"] == [None, None]
    results = {"player": "a", "params": {"num_players": 2}, "opponents": {"b": found}}
    cells = [cell.strip() for cell in result_table(results).splitlines()[2].split("|")]
    assert cells[1:4] == ["b", "-", "100.0%"]
    assert duplicate.curve_points(results) == {}
    assert to_png(evaluation_figure(results)).startswith(b"\x89PNG")


@pytest.mark.parametrize(("sign", "word"), [(1, "positive"), (-1, "negative")])
def test_tables_say_which_games_count_and_what_is_good(sign, word):
    won = Duplicate(
        wins=np.array([[1.0, 0.5]]), decided=np.array([[True, False]]),
        scores=sign * np.array([[9.0, 4.0]]), others=sign * np.array([[2.0, 4.0]]),
        payoffs=np.array([[1.0, 0.0]]), truncated=0,
    )  # fmt: skip
    table = result_table({"player": "a", "opponents": {"b": figures(won)}})
    assert f"score difference ({word} is good)" in table
    assert DECIDED in table
    assert "50.0%" in table  # ties


def test_the_interval_of_a_mean_is_students():
    """For the numbers 1 to 5, with Student's 2.776 for 4 degrees of freedom."""
    reach = 2.776 * (2.5 / 5) ** 0.5
    found = mean_interval(np.arange(1.0, 6.0))
    assert found == pytest.approx([3 - reach, 3 + reach], abs=1e-3)
    assert mean_interval(np.full(3, 7.0)) == mean_interval(np.array([7.0])) == [7.0, 7.0]
