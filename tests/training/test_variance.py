"""The variance that duplicate deals save, on figures with known answers."""

import numpy as np
import pytest
from benchmarks.variance import saved

DEALS = 3_000


def games(luck: float, seats: int = 2):
    """Return the points of each game; shape (deals, seats).

    The luck of the cards favors the player in one seat and harms it in the other; the rest differs
    from game to game.
    """
    rng = np.random.default_rng(1)
    cards = rng.normal(size=(DEALS, 1)) * np.resize([1.0, -1.0], seats)
    return 5.0 + luck * cards + rng.normal(size=(DEALS, seats))


@pytest.mark.parametrize("seats", [2, 4])
def test_deals_that_do_not_matter_save_nothing(seats):
    found = saved(games(0.0, seats))
    low, high = found["interval"]
    assert low < 1.0 < high
    assert 0.9 < low < found["ratio"] < high < 1.1


@pytest.mark.parametrize("seats", [2, 4])
def test_luck_that_cancels_is_saved(seats):
    """The cards' variance is 3 and the rest's 1: one game saves four plain ones."""
    found = saved(games(3**0.5, seats))
    low, high = found["interval"]
    assert low < 4.0 < high < low + 1.0
    assert found["plain"] == pytest.approx(4.0, rel=0.1)
    assert found["duplicate"] == pytest.approx(1.0, rel=0.1)


def test_variances_are_those_of_numpy_and_of_no_advantage_of_a_seat():
    values = np.add(games(1.0), [100.0, 0.0])  # plain play alternates the seats too
    found = saved(values)
    assert found["plain"] == pytest.approx(values.var(axis=0, ddof=1).mean())
    assert found["duplicate"] == pytest.approx(2 * values.mean(axis=1).var(ddof=1))
