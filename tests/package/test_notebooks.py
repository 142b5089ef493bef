"""The notebooks run from top to bottom, and show what they showed when they were written."""

import pytest
from docs import notebooks
from examples import ppo_action_features
from tests.conftest import COMPILED

from kitchentable import diddly_v0, make_batch

pytestmark = pytest.mark.skipif(not COMPILED, reason="notebooks are for compiled rules")


def kinds(notebook):
    """Return the kinds of output of each code cell."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [
        [sorted(out.get("data", out["output_type"])) for out in one["outputs"]] for one in cells
    ]


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_in_the_file(path, monkeypatch):
    """That the example of the third one learns has a test of its own; here it plays few games."""
    monkeypatch.setattr(ppo_action_features, "GAMES", 4)
    notebook = notebooks.read(path)
    shown = kinds(notebook)
    notebooks.run(notebook)
    assert kinds(notebook) == shown
    assert any(shown)


def test_a_notebook_that_fails_fails():
    cells = [{"cell_type": "code", "source": ["1 / 0"], "outputs": []}]
    with pytest.raises(ZeroDivisionError):
        notebooks.run({"cells": cells})


def test_the_pages_have_all_pictures_and_outputs():
    files = notebooks.pages()
    assert "1_first_environment_0.svg" in files
    assert files["2_cfr_0.png"].startswith(b"\x89PNG")
    assert b"<td>936</td>" in files["2_cfr.md"]
    assert all(name in files["index.md"].decode() for name in ("2_cfr", "4_evaluate_and_exploit"))


def test_a_batch_shows_its_game_and_parameters():
    shown = make_batch("kuhn_poker", 1000, reward="margin")._repr_html_()
    assert "1,000 games of kuhn_poker" in shown
    assert "<th>reward</th><td>margin</td>" in shown


def test_environments_show_the_table_as_seen_by_the_seat_to_act():
    env = diddly_v0.env()
    assert env._repr_svg_() is None  # nothing has been dealt
    env.reset(seed=7)
    before = env._repr_svg_()
    assert before.startswith("<svg")
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert env._repr_svg_() != before
