"""Parts derived from observations with ``meld="spell"``; the engine writes them with "auto"."""

import numpy as np
import pytest

from kitchentable import Batch, find_game
from kitchentable.core.state import slices
from kitchentable.games.quiddler.players import derived_parts

GAME = find_game("quiddler")


@pytest.mark.parametrize(
    "more",
    [{}, {"forbid_returning_discard": True, "num_players": 3}, {"two_player_bonus": "most"}],
    ids=str,
)
def test_derived_parts_are_those_of_observations_with_meld_auto(more):
    batch = Batch(GAME, 10, seed=4, meld="auto", **more)
    where = slices(GAME.rules.observation_layout(batch.params))
    parts = derived_parts.layout(GAME.make_params(**more))
    assert parts == {"worth": 31, "out_without": 31, "best": 1, "taking": 2}
    assert [*where][-len(parts) :] == [*parts]
    first, size = where["worth"].start, sum(parts.values())
    variant, tables = GAME.rules.record(batch.params), GAME.rules.tables(batch.params)
    told = np.zeros(size, bool)
    for _ in range(60):
        for observation, mask in zip(batch.observations, batch.masks, strict=True):
            found = np.zeros(size, np.float32)
            derived_parts.write(observation, mask, variant, found, *tables)
            np.testing.assert_allclose(found, observation[first : first + size], atol=1e-6)
            told |= found > 0
        batch.step(batch.sample_actions())
    assert told[31:].any()
    assert told[[-3, -2, -1]].all()


def test_derived_parts_with_meld_spell_are_those_of_the_same_hand_with_auto():
    """Compare the same deals before anything is laid."""
    spelled = Batch(GAME, 50, seed=9, meld="spell")
    laid = Batch(GAME, 50, seed=9, meld="auto")
    for name in ("hands", "pile_counts"):
        np.testing.assert_array_equal(spelled.states[name], laid.states[name])
    tables = GAME.rules.tables(spelled.params)
    size = sum(derived_parts.layout(spelled.params).values())
    assert derived_parts.layout(laid.params) == {}
    for i in range(50):
        found = np.zeros(size, np.float32)
        variant = GAME.rules.record(spelled.params)
        derived_parts.write(spelled.observations[i], spelled.masks[i], variant, found, *tables)
        np.testing.assert_allclose(found, laid.observations[i, -size:], atol=1e-6)
