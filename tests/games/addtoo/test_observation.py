"""What an observation of Add-Too has room for, and redealing what nobody can know.

Duels compare every part of the observations with the reference's table, turned and moved.
"""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from tests.contract.redeal_checks import assert_fair, redealings, redealt
from tests.games.addtoo.layout import neighbors, outside, place_of
from tests.games.addtoo.play import Table, assert_all_tiles, pile_of, plain

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
    assert_fair(counts, Counter(permutations(("8-9", "8-10", "9-10"))))
    assert len({int(state.seed) for state in twin.states}) == runs
