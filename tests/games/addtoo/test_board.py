"""Places in Add-Too: every legal play has exactly one action name, and illegal ones have none."""

import numpy as np
import pytest
from tests.games.addtoo.layout import DIAMONDS, as_page, beside
from tests.games.addtoo.play import Table, members
from tests.games.addtoo.test_play import some_layout

from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.board import lay
from kitchentable.games.addtoo.geometry import triangle

NAMES = GAME.rules.action_names(GAME.make_params())


@pytest.mark.parametrize("change", [{}, {"turned": False}, {"strict_colors": True}])
def test_dense_layouts_have_every_bonus_play_under_one_name(change):
    """Dense clusters of random diamonds; every diamond not on the table is tried."""
    params = GAME.make_params(**change)
    rng, bonuses = np.random.default_rng(5), 0
    for size in (3, 6, 8, 10, 12, 14, 16, 18, 20, 24):
        table = Table("", "", **change)
        order = [str(diamond) for diamond in rng.permutation(DIAMONDS)][:size]
        layout = some_layout(rng, order, params)
        layout.strict_colors = params.strict_colors
        for diamond, place in layout.places.items():
            lay(table.state, DIAMONDS.index(diamond), as_page(place), *table.batch.tables)
        assert_offers(table.state, layout)
        plays = layout.plays([diamond for diamond in DIAMONDS if diamond not in order])
        bonuses += sum(play.is_bonus for play in plays)
    assert bonuses > 9


def assert_offers(state, layout):
    """Check which diamonds the engine allows at which places, whoever holds them."""
    free = [diamond for diamond in members(state.in_play) if diamond not in layout.places]
    wanted = {(play.name, play.diamond) for play in layout.plays(free)}
    spots = range(int(state.num_spots))
    offered = [(NAMES[state.spot_actions[i]], members(state.spot_tiles[i])) for i in spots]
    offered += [(NAMES[45 + way], members(tiles)) for way, tiles in enumerate(state.last_tiles)]
    assert len({name for name, _ in offered}) == len(offered)
    assert {(name, diamond) for name, tiles in offered for diamond in tiles} == wanted
    assert set(members(state.playable)) == {diamond for _, diamond in wanted}
    assert all(int(state.spot_tiles[i]) for i in spots)
    for way, room in enumerate(state.room):
        place = beside(layout.places[layout.last], *divmod(way, 2))
        assert bool(room) == layout.allowed(place)


def test_a_bonus_play_needs_two_diamonds_that_are_not_the_last():
    """Without the last diamond, 3-6 would meet 7-10, which would then be the last one."""
    lying = "3-10@0,0,0,0 5-9@0,1,0,1 7-10@-1,1,0,0"
    last = "3-8@-2,1,0,1"
    assert Table.at(f"{lying} {last}", "3-6 6-8", "1-2").play("3-6").legal[-1] == "on:3-10,0,0"
    names = Table.at(lying, "3-6 6-8", "1-2").play("3-6").legal
    assert all(name.startswith("last:") for name in names)


def test_triangles_with_the_same_number_are_far_apart():
    cells = [(x, y) for x in range(-49, 50) for y in range(-49, 50) if abs(x + y) < 50]
    assert [cell for cell in cells if triangle(*cell) == triangle(0, 0)] == [(0, 0)]
