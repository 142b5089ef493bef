"""Random play gives the figures that others have published of the same games."""

import pytest
from benchmarks import addtoo_figures, figures
from tests.conftest import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="hundreds of games are needed")

ROUNDING = {"plays": 0.05, "legal plays": 0.05, "turns that draw": 0.005, "hand score": 0.5}
"""Precision to which each figure of Add-Too is known."""


def test_add_too_has_the_figures_of_another_simulation() -> None:
    """Within rounding and the error of 300 games: one figure in 20 is 2 errors off, none 3.5."""
    measured = addtoo_figures.measure(hands=300, seed=1)
    for seats, row in measured["rows"].items():
        for name, rounding in ROUNDING.items():
            found, half = row[name]
            known = measured["published"][seats][name]
            assert found == pytest.approx(known, abs=rounding + 3.5 / 1.96 * half), name
        out, half = row["ends with an empty hand"]
        low, high = addtoo_figures.PUBLISHED_ENDS
        assert low - 2 * half <= out <= high + 2 * half
        assert row["most legal plays"][0] <= addtoo_figures.PUBLISHED_MOST


def test_fiddlefoo_has_the_figures_of_its_designer() -> None:
    """Within the error of 600 games; the published throws include those of the active seat.

    More seats give more cards in longer games.
    """
    rows = figures.measure(games=200)["rows"]
    found, published = rows["2 to 4 seats"], figures.PUBLISHED
    assert found["turns"] == pytest.approx(published["turns"], abs=1.5)
    assert found["turns with cards given, as published"] == pytest.approx(
        published["turns with cards given"], abs=0.03
    )
    assert found["cards given, as published"] == pytest.approx(published["cards given"], abs=0.2)
    assert found["safe songs"] == pytest.approx(published["safe songs"], abs=0.01)
    assert rows["2 seats"]["turns"] < rows["4 seats"]["turns"]
    assert rows["2 seats"]["cards given"] < rows["4 seats"]["cards given"]
