"""Observations of Add-Too: where layouts lie does not matter, and what nobody can know is redealt.

Every duel compares every part of the observations with the reference's table.
"""

from collections import Counter

import numpy as np
import pytest
from tests.contract.redeal_checks import redealings, redealt
from tests.games.addtoo.duel import move
from tests.games.addtoo.layout import DIAMONDS, as_page, neighbors, outside, place_of
from tests.games.addtoo.play import Table, arrange, assert_all_tiles, pile_of, plain
from tests.games.addtoo.test_play import some_position

from kitchentable.core.state import slices
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME, VARIANTS


def test_surroundings_show_all_that_an_attached_diamond_may_touch():
    home = place_of(0, 0, 0, 0)
    touched = {
        triangle
        for spot in outside(home)
        for other in neighbors(spot)
        if other not in home
        for triangle in outside((spot, other))
    }
    cells = [value // 3 for triangle in touched for value in triangle]
    assert GAME.rules.image_parts(GAME.make_params()) == {"around": (4, 5, 5)}
    assert (min(cells), max(cells)) == (-2, 2)


def test_full_state_adds_the_order_of_the_pile():
    batch = Batch(GAME, 3, seed=1)
    for _ in range(9):
        batch.step(batch.sample_actions())
    where = slices(GAME.rules.full_layout(batch.params))
    own = batch.observe(np.zeros(3, np.int64))
    for row, seen, state in zip(batch.observe_state(), own, batch.states, strict=True):
        np.testing.assert_array_equal(row[: len(seen)], seen)
        order = [(DIAMONDS.index(diamond) + 1) / 45 for diamond in pile_of(state)]
        wanted = order + [0.0] * (45 - len(order))
        np.testing.assert_allclose(row[where["deck_order"]], wanted, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_turned_and_moved_layouts_look_alike(seed):
    """The legal actions are the same too: their names do not depend on absolute positions."""
    rng = np.random.default_rng(seed)
    batch = Batch(GAME, 12, seed=1, num_players=3)
    pages, *rest = some_position(rng, batch.params, low=4, high=25)
    for i, state in enumerate(batch.states):
        columns, rows = (int(v) for v in rng.integers(-20, 21, size=2))
        turned = {d: as_page(move(place_of(*p), i % 6, columns, rows)) for d, p in pages.items()}
        arrange(state, batch.tables, turned, *rest)
        state.seed = batch.states[0].seed
    batch.look()
    names = [batch.action_names[action] for action in np.flatnonzero(batch.masks[0])]
    batch.step(np.full(12, batch.action_names.index(names[-1])))
    assert (batch.masks == batch.masks[0]).all()
    for viewer in range(3):
        seen = batch.observe(np.full(12, viewer))
        np.testing.assert_array_equal(seen, np.repeat(seen[:1], 12, axis=0))
    batch.step(np.full(12, np.flatnonzero(batch.masks[0])[-1]))
    np.testing.assert_array_equal(batch.observations, np.repeat(batch.observations[:1], 12, axis=0))
    assert len({state.xs.tobytes() for state in batch.states}) > 6


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_redeal_changes_nothing_but_the_order_of_the_pile(number):
    batch = Batch(GAME, 6, seed=number, **VARIANTS[number])
    rng, hidden = np.random.default_rng(number), {"seed", "rng", "pile"}
    for _, twin in redealings(batch, rng, times=5, most=9, hidden=hidden):
        for old, new in zip(batch.states, map(plain, twin.states), strict=True):
            assert_all_tiles(new)
            assert sorted(pile_of(new)) == sorted(pile_of(old))
            assert new.seed != old.seed


def test_redeal_gives_every_order_of_the_pile_about_as_often():
    hands = ["1-2 2-5 2-7 6-7 5-6", "5-10 7-10 2-9 6-9 5-7"]
    table, runs = Table.at("1-9@0,0,0,0", *hands, pile="8-9 8-10 9-10"), 300
    twin = redealt(table.batch, [0] * runs, 5)
    counts = Counter(tuple(pile_of(state)) for state in twin.states)
    assert len(counts) == 6
    assert all(abs(count - runs / 6) < 5 * (runs / 6) ** 0.5 for count in counts.values())
    assert len({int(state.seed) for state in twin.states}) == runs
