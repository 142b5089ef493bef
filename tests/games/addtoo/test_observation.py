"""Observations of Add-Too: every part is decoded and compared with the reference's table.

Also redealing the one thing no seat can know, the order of the pile.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.games.addtoo.duel import Duel, deck_of
from tests.games.addtoo.layout import DIAMONDS, as_page, neighbours, outside, place_of
from tests.games.addtoo.play import Table, arrange, assert_all_tiles, members, pile_of, plain
from tests.games.addtoo.test_play import (
    CHANGES,
    ONE_HAND,
    arranged,
    at_random,
    clusters,
    seals,
    some_position,
)

from kitchentable import addtoo_v0
from kitchentable.core.state import NOBODY, slices
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME

VARIANTS = [
    {},
    {"num_players": 3, "turned": False, "target": 120},
    {"num_players": 4, "strict_colors": True, "max_hands": 2},
    {"num_players": 6, "fifth_draw_plays": False, "max_hands": 1},
    {"num_players": 5, "sealed_ends_hand": False, "orange": CHANGES[5]["orange"], "max_hands": 3},
    {"num_players": 3, "diamonds": DIAMONDS[::3], "hand": 2, "max_hands": 4},
]


def rotate(triangle, turns):
    """Rotate a triangle, the sum of its corners, around the origin by 60 degrees per turn."""
    x, y = triangle
    for _ in range(turns):
        x, y = -y, x + y
    return x, y


def move(place, turns, columns=0, rows=0):
    """Rotate a place around the origin and move it by whole cells."""
    (a, b), (c, d) = (rotate(triangle, turns) for triangle in place)
    return (a + 3 * columns, b + 3 * rows), (c + 3 * columns, d + 3 * rows)


def seen_from_last(layout):
    """Return every place, rotated and moved so that the last diamond lies at (0, 0, 0, 0)."""
    home, last = place_of(0, 0, 0, 0), layout.places[layout.last]
    for turns in range(6):
        columns, rows = ((a - b) / 3 for a, b in zip(home[0], rotate(last[0], turns), strict=True))
        whole = columns == int(columns) and rows == int(rows)
        if whole and move(last, turns, int(columns), int(rows)) == home:
            return {
                diamond: move(place, turns, int(columns), int(rows))
                for diamond, place in layout.places.items()
            }
    raise AssertionError("no turn and move brings the last diamond home")


def one_hot(size, place=None):
    return [float(i == place) for i in range(size)]


def marks(diamonds):
    return [float(diamond in diamonds) for diamond in DIAMONDS]


def flat(*rows):
    return [float(value) for row in rows for value in row]


class Seen:
    """The expected observation of a reference game, part by part."""

    def __init__(self, game, viewer):
        self.game, self.viewer, self.seats = game, viewer, game.num_players
        self.order = [(viewer + i) % self.seats for i in range(self.seats)]
        self.laid = seen_from_last(game.layout) if game.layout.places else {}

    def parts(self):
        """Return every part by name."""
        return self.decision() | self.last() | self.table() | self.scores()

    def decision(self):
        game, over = self.game, not self.game.legal
        sizes = [len(game.hands[seat]) for seat in self.order]
        return {
            "phase": one_hot(2, None if over else int(game.chosen is not None)),
            "to_act": one_hot(self.seats, None if over else self.order.index(game.player)),
            "hands": flat(*(marks(game.hands[seat]) for seat in self.order)),
            "hand_sizes": flat(*(one_hot(5, size - 1) for size in sizes)),
            "unseen": marks(game.pile),
            "draw_pile": [len(game.pile) / 45],
            "chosen": marks([game.chosen]),
        }

    def last(self):
        layout = self.game.layout
        if not self.laid:
            nothing = {"last": marks([]), "last_numbers": [0.0] * 20}
            return nothing | {
                "open": [0.0] * 4,
                "room": [0.0] * 8,
                "playable": marks(self.game.diamonds),
            }
        orange, blue = layout.numbers[layout.last]
        free = [diamond for diamond in self.game.diamonds if diamond not in layout.places]
        return {
            "last": marks([layout.last]),
            "last_numbers": one_hot(10, orange - 1) + one_hot(10, blue - 1),
            "open": [float(side in layout.open_sides()) for side in range(4)],
            "room": [float(self.has_room(side, turn)) for side in range(4) for turn in range(2)],
            "playable": marks({play.diamond for play in layout.plays(free)}),
        }

    def has_room(self, side, turn):
        """Return whether a diamond fits on a side with its first or second side of that color."""
        layout = self.game.layout
        place, half = layout.places[layout.last], side // 2
        spot = outside(place)[side]
        for other in neighbours(spot):
            new = (spot, other) if half == 0 else (other, spot)
            if outside(new)[2 * half + turn] == place[half]:
                return layout.allowed(new)
        raise AssertionError("no way to touch that side")

    def table(self):
        around, layout = np.zeros((4, 5, 5)), []
        for diamond, place in self.laid.items():
            for color, triangle in enumerate(place):
                x, y, is_down = triangle[0] // 3, triangle[1] // 3, triangle[0] % 3 == 2
                if -2 <= x <= 2 and -2 <= y <= 2:
                    number = self.game.layout.numbers[diamond][color]
                    around[color + 2 * is_down, y + 2, x + 2] = number / 10
        for diamond in DIAMONDS:
            x, y, k, c = as_page(self.laid[diamond]) if diamond in self.laid else (0, 0, 0, 0)
            place = [(x + 48) / 96, (y + 48) / 96, *one_hot(3, k), c]
            layout.append(place if diamond in self.laid else [0] * 6)
        return {"layout": flat(*layout), "around": around.ravel().tolist()}

    def scores(self):
        game, done = self.game, len(self.game.ends)
        points, totals = ([values[seat] for seat in self.order] for values in self.values())
        lowest = 50 * game.max_hands
        now = [t + (p if game.legal else 0) for t, p in zip(totals, points, strict=True)]
        leads = [max(-100, min(100, now[0] - other)) for other in now[1:]]
        missing = [max(0, min(100, game.target - points)) for points in now]
        return {
            "passes": [game.passes / self.seats],
            "hands_done": [done / game.max_hands, float(done == game.max_hands - 1)],
            "points": flat(*((min(p, 100) / 100, p / 1490) for p in points)),
            "totals": [(total + lowest) / (game.target + 1490 + lowest) for total in totals],
            "to_go": [points / 100 for points in missing],
            "lead": [0.5 + lead / 200 for lead in leads],
        }

    def values(self):
        return self.game.points, self.game.totals


def assert_seen(duel):
    """Compare every part for every viewer."""
    batch = duel.batch
    where = slices(GAME.rules.observation_layout(batch.params))
    for viewer in range(batch.num_players):
        seen = batch.observe(np.full(batch.num_envs, viewer))
        for row, game in zip(seen, duel.references, strict=True):
            wanted = Seen(game, viewer).parts()
            assert set(wanted) == set(where)
            for name, place in where.items():
                np.testing.assert_allclose(row[place], wanted[name], atol=1e-6, err_msg=name)


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_every_seat_sees_what_it_may_know(number):
    duel = Duel(2, number, **VARIANTS[number])
    rng, steps = np.random.default_rng(number), 0
    assert_seen(duel)
    while any(game.legal for game in duel.references) and steps < 60:
        player = (at_random, clusters, seals)[steps % 3]
        duel.step([player(game, rng) if game.legal else "" for game in duel.references])
        if steps % 3 == 0 or not all(game.legal for game in duel.references):
            assert_seen(duel)
        steps += 1
    mover = duel.batch.observe(duel.batch.current_player)
    np.testing.assert_array_equal(mover, duel.batch.observations)


@pytest.mark.parametrize("change", [{}, {"strict_colors": True, "num_players": 3}])
def test_every_seat_sees_dense_layouts(change):
    duel = arranged(8, 3, **change)
    assert_seen(duel)
    rng = np.random.default_rng(1)
    duel.step([at_random(game, rng) for game in duel.references])
    assert_seen(duel)


def test_surroundings_show_all_that_an_attached_diamond_may_touch():
    home = place_of(0, 0, 0, 0)
    touched = {
        triangle
        for spot in outside(home)
        for other in neighbours(spot)
        if other not in home
        for triangle in outside((spot, other))
    }
    cells = [value // 3 for triangle in touched for value in triangle]
    assert GAME.rules.image_parts(GAME.make_params()) == {"around": (4, 5, 5)}
    assert (min(cells), max(cells)) == (-2, 2)


def test_everything_seen_is_from_0_to_1_and_the_sizes_agree():
    for params in (*GAME.rules.variants, *VARIANTS):
        batch = Batch(GAME, 4, seed=1, **params)
        size = sum(GAME.rules.observation_layout(batch.params).values())
        assert batch.observations.shape == (4, size)
        for _ in range(20):
            batch.step(batch.sample_actions())
            assert (batch.observations >= 0).all()
            assert (batch.observations <= 1).all()


def test_full_state_adds_the_order_of_the_pile():
    for params in VARIANTS[:3]:
        batch = Batch(GAME, 3, seed=1, **params)
        for _ in range(9):
            batch.step(batch.sample_actions())
        rows = batch.observe_state()
        where = slices(GAME.rules.state_layout(batch.params))
        own = batch.observe(np.zeros(3, np.int64))
        for row, seen, state in zip(rows, own, batch.states, strict=True):
            np.testing.assert_array_equal(row[: len(seen)], seen)
            order = [(DIAMONDS.index(diamond) + 1) / 45 for diamond in pile_of(state)]
            wanted = order + [0.0] * (45 - len(order))
            np.testing.assert_allclose(row[where["deck_order"]], wanted, atol=1e-6)


# --- Where it lies does not matter ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
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


def test_other_layouts_look_different():
    """Shifting a diamond by one side changes the observation."""
    seen = [
        Table.at(lying, "3-6 5-6", "8-9", park=False).env._batch.observations[0].tobytes()
        for lying in ("1-2@0,0,0,0 1-9@-1,0,0,1", "1-2@0,0,0,0 1-9@0,-1,0,1")
    ]
    assert seen[0] != seen[1]


# --- What nobody knows ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_redeal_changes_nothing_but_the_order_of_the_pile(number):
    rng = np.random.default_rng(number)
    batch = Batch(GAME, 6, seed=number, **VARIANTS[number])
    for seed in range(5):
        for _ in range(rng.integers(1, 9)):
            batch.step(batch.sample_actions())
        viewers = rng.integers(NOBODY, batch.num_players, size=6)
        seen, masks = batch.observe(np.maximum(viewers, 0)), batch.masks.copy()
        before = [plain(state.copy()) for state in batch.states]
        batch.redeal(viewers, seed)
        np.testing.assert_array_equal(batch.observe(np.maximum(viewers, 0)), seen)
        np.testing.assert_array_equal(batch.masks, masks)
        for old, state in zip(before, map(plain, batch.states), strict=True):
            assert_all_tiles(state)
            assert sorted(pile_of(state)) == sorted(pile_of(old))
            assert state.seed != old.seed
            for name in set(GAME.rules.state_dtype.names or ()) - {"seed", "rng", "pile"}:
                assert np.array_equal(getattr(state, name), getattr(old, name)), name


def test_redeal_gives_every_order_of_the_pile_about_as_often():
    hands = ["1-2 2-5 2-7 6-7 5-6", "5-10 7-10 2-9 6-9 5-7"]
    table = Table.at("1-9@0,0,0,0", *hands, pile="8-9 8-10 9-10")
    runs = 300
    twin = Batch(GAME, runs, seed=0)
    twin.states[:] = table.env._batch.states
    twin.redeal(np.zeros(runs, np.int64), seed=5)
    counts = Counter(tuple(pile_of(state)) for state in twin.states)
    assert len(counts) == 6
    assert all(abs(count - runs / 6) < 5 * (runs / 6) ** 0.5 for count in counts.values())
    assert len({int(state.seed) for state in twin.states}) == runs


def test_redeal_gives_other_later_hands():
    """A searching player cannot learn from the seed what the next hand deals."""
    table = Table("1-2", "9-10")
    env = table.env
    seeds = [int(table.state.seed)]
    for seed in (1, 2):
        copy = addtoo_v0.raw_env()
        copy.load(env.save())
        copy.redeal("player_0", seed)
        seeds.append(int(copy._batch.states[0].seed))
    assert len({tuple(deck_of(seed, 1)) for seed in seeds}) == 3


# --- Saving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_a_game_saved_at_any_moment_goes_on_alike(number):
    """After every step a copy is loaded, and both play the same game to its end."""
    params = VARIANTS[number] | ONE_HAND
    env, copy = addtoo_v0.raw_env(**params), addtoo_v0.raw_env(**params)
    env.reset(seed=number)
    rng = np.random.default_rng(number)
    while env.legal_actions():
        copy.load(env.save())
        assert copy._batch.states.tobytes() == env._batch.states.tobytes()
        action = env.action_names.index(str(rng.choice(env.legal_actions())))
        env.step(action)
        copy.step(action)
        assert copy._batch.states.tobytes() == env._batch.states.tobytes()
        np.testing.assert_array_equal(copy._batch.masks, env._batch.masks)
        np.testing.assert_array_equal(copy._batch.observations, env._batch.observations)
    assert members(env._batch.states[0].lying)
    assert env.transcript == copy.transcript
