"""Parts derived from observations with ``meld="spell"``; the engine writes them with "auto"."""

import numpy as np
import pytest

from kitchentable import Batch, find_game
from kitchentable.core.state import slices
from kitchentable.engine.loops import make_loops
from kitchentable.games.quiddler.players import derived_parts

GAME = find_game("quiddler")


@pytest.mark.parametrize(
    "more",
    [{"forbid_returning_discard": True, "num_players": 3}, {"two_player_bonus": "most"}],
    ids=str,
)
def test_derived_parts_are_those_of_observations_with_meld_auto(more):
    batch = Batch(GAME, 10, seed=4, meld="auto", **more)
    where = slices(GAME.rules.observation_layout(batch.params))
    parts = derived_parts.layout(GAME.make_params(**more))
    assert parts == {"worth": 31, "out_without": 31, "best": 1, "taking": 2}
    assert [*where][-len(parts) :] == [*parts]
    first, size = where["worth"].start, sum(parts.values())
    told, games = np.zeros(size, bool), np.arange(10)
    derive, known = make_loops(GAME).derive, GAME.rules.blank(10)
    found = np.zeros((10, size), np.float32)
    for _ in range(60):
        derive(batch.records, games, batch.current_player, batch.masks, known, found, batch.tables)
        np.testing.assert_allclose(found, batch.observations[:, first : first + size], atol=1e-6)
        told |= (found > 0).any(axis=0)
        batch.step(batch.sample_actions())
    assert told[31:].any()
    assert told[[-3, -2, -1]].all()


def test_derived_parts_with_meld_spell_are_those_of_the_same_hand_with_auto():
    """Compare the same deals before anything is laid."""
    spelled = Batch(GAME, 50, seed=9, meld="spell")
    laid = Batch(GAME, 50, seed=9, meld="auto")
    for name in ("hands", "pile_counts"):
        np.testing.assert_array_equal(spelled.states[name], laid.states[name])
    assert derived_parts.layout(laid.params) == {}
    size = sum(derived_parts.layout(spelled.params).values())
    np.testing.assert_allclose(spelled.derive(), laid.observations[:, -size:], atol=1e-6)
