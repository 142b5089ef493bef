"""Random play of Fiddlefoo reproduces the figures that its designer published."""

import pytest
from benchmarks import figures
from tests.conftest import COMPILED


@pytest.mark.skipif(not COMPILED, reason="hundreds of games are needed")
def test_random_play_gives_the_published_figures() -> None:
    """Within the error of 600 games; the published throws include those of the active seat."""
    found = figures.measure(games=200)["rows"]["2-4 seats"]
    published = figures.PUBLISHED
    assert found["turns"] == pytest.approx(published["turns"], abs=1.5)
    assert found["turns with cards given, as published"] == pytest.approx(
        published["turns with cards given"], abs=0.03
    )
    assert found["cards given, as published"] == pytest.approx(published["cards given"], abs=0.2)
    assert found["safe songs"] == pytest.approx(published["safe songs"], abs=0.01)


@pytest.mark.skipif(not COMPILED, reason="hundreds of games are needed")
@pytest.mark.slow
def test_more_seats_give_more_cards_in_longer_games() -> None:
    rows = figures.measure(games=100)["rows"]
    two, four = rows["2 seats"], rows["4 seats"]
    assert two["turns"] < four["turns"]
    assert two["cards given"] < four["cards given"]
    assert all(row["cards given, as published"] > row["cards given"] for row in rows.values())
