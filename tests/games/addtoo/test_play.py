"""Whole games of Add-Too: the engine agrees with the plain reference after every action.

The reference takes most of the time, so uncompiled tests play as many games.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import COMPILED, scaled
from tests.games.addtoo.duel import Duel
from tests.games.addtoo.layout import DIAMONDS, Layout, as_page, neighbors, outside, place_of
from tests.games.addtoo.play import in_play
from tests.games.reference import always_first, always_last, at_random

HIGHER = [int(diamond.split("-")[1]) for diamond in DIAMONDS]
ONE_HAND = {"max_hands": 1}
CHANGES = [
    {},
    {"turned": False},
    {"strict_colors": True},
    {"fifth_draw_plays": False},
    {"sealed_ends_hand": False, "reward": "margin"},
    {"orange": HIGHER, "reward": "margin"},
    {"turned": False, "strict_colors": True, "fifth_draw_plays": False, "sealed_ends_hand": False},
    {"diamonds": DIAMONDS[::2], "hand": 3},
]


def best_by(key):
    """Return a player that makes the play with the highest ``key(play, layout)``."""

    def player(game, rng):
        if not game.plays:
            return at_random(game, rng)
        best = max(game.plays, key=lambda play: key(play, game.layout))
        return best.name if game.chosen else f"tile:{best.diamond}"

    return player


def room_after(play, layout):
    """Return the number of ways in which a diamond could be laid beside this play."""
    covered = {*layout.at, *play.place}
    spots = [triangle for triangle in outside(play.place) if triangle not in covered]
    return sum(other not in covered for spot in spots for other in neighbors(spot))


clusters = best_by(lambda play, _: (play.sides, play.is_bonus, play.score))
"""Touches as many sides as possible, so that layouts become dense and full of bonus plays."""
stretches = best_by(lambda play, _: (-play.sides, *map(abs, as_page(play.place)[:2])))
"""Plays as far away from the start as possible."""
seals = best_by(lambda play, layout: -room_after(play, layout))
"""Leaves as little room as possible."""


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_engine_plays_as_the_reference(number):
    """Each change with another number of seats."""
    seats = 2 + number % 5
    options = {"num_players": seats, "max_hands": 2, **CHANGES[number]}
    duel = Duel(scaled(2), seats, **options).play(at_random, seats)
    assert len(duel.ends) >= len(duel.references)


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_engine_plays_as_the_reference_against_stubborn_players(number):
    """Each change with one of them."""
    player = (clusters, stretches, always_first, always_last)[number % 4]
    duel = Duel(scaled(3), 5, num_players=6, **(ONE_HAND | CHANGES[number])).play(player, seed=1)
    if player is clusters and COMPILED:  # uncompiled there is only one game
        assert duel.bonuses > 0


def test_whole_games_reach_their_targets():
    duel = Duel(1, 1, num_players=2).play(at_random, seed=3)
    assert all(game.terminated and max(game.totals) >= 200 for game in duel.references)
    assert len(duel.ends) > len(duel.references)
    duel = Duel(1, 2, num_players=3, target=10_000, max_hands=4).play(clusters, seed=3)
    assert all(game.truncated and len(game.ends) == 4 for game in duel.references)


def test_these_games_reach_everything():
    """These games have every ending, draws, an empty pile, and plays on three and four sides."""
    duels = [
        arranged(games, seed, num_players=2, **ONE_HAND).play(seals, 1)
        for games, seed in ((8, 8), (12, 4))
    ]
    assert {end for duel in duels for end in duel.ends} == {"out", "four", "sealed", "passes"}
    assert max(duel.most_sides for duel in duels) == 4
    assert min(duel.bonuses for duel in duels) > 0
    assert min(duel.draws for duel in duels) > 0


PARAMS = st.fixed_dictionaries(
    {
        "num_players": st.integers(2, 6),
        "target": st.integers(1, 120),
        "max_hands": st.integers(1, 3),
        "turned": st.booleans(),
        "strict_colors": st.booleans(),
        "fifth_draw_plays": st.booleans(),
        "sealed_ends_hand": st.booleans(),
        "lower": st.integers(0, 2**45 - 1),
        "out": st.sets(st.sampled_from(DIAMONDS), max_size=15),
        "hand": st.integers(1, 5),
        "reward": st.sampled_from(["win", "margin"]),
    }
)


def read(params):
    """Return drawn parameters as the game takes them.

    Bit i of ``lower`` decides which number of diamond i is orange; the diamonds ``out`` are not in
    play.
    """
    pairs = [tuple(map(int, diamond.split("-"))) for diamond in DIAMONDS]
    orange = [pair[params["lower"] >> i & 1] for i, pair in enumerate(pairs)]
    rest = {name: value for name, value in params.items() if name not in {"lower", "out"}}
    diamonds = [diamond for diamond in DIAMONDS if diamond not in params["out"]]
    return rest | {"diamonds": diamonds} | ({"orange": orange} if params["lower"] else {})


@settings(max_examples=25 if COMPILED else 4, deadline=None)
@given(
    params=PARAMS,
    seed=st.integers(0, 2**32),
    picks=st.lists(st.integers(0, 10**4), min_size=1, max_size=80),
)
def test_any_actions_agree_with_the_reference(params, seed, picks):
    game = Duel(1, seed, **read(params)).follow(picks).references[0]
    assert game.legal or game.ends


# --- Positions that short games do not reach ----------------------------------------------------


def some_layout(rng, diamonds, params):
    """Return a random layout of some diamonds, in which any number may touch any other.

    Of several random places, the one with the most contacts is taken: few tries give a long chain,
    many a dense cluster.
    """
    tries = int(rng.integers(1, 8))
    layout = Layout(turned=params.turned, strict_colors=False, orange="parity")
    layout.lay(diamonds[0], place_of(0, 0, 0, 0))
    for diamond in diamonds[1:]:
        places = list(layout.touching_places())
        some = [places[i] for i in rng.integers(len(places), size=tries)]
        layout.lay(diamond, max(some, key=lambda place: len(layout.contacts(place))))
    return layout


def some_position(rng, params, low, high):
    """Return a random layout, hands of which the first can play, and a pile."""
    seats, diamonds = params.num_players, in_play(params)
    while True:
        deck = [str(diamond) for diamond in rng.permutation(diamonds)]
        laid = int(rng.integers(low, min(high, len(deck) - 2 * seats) + 1))
        layout = some_layout(rng, deck[:laid], params)
        layout.strict_colors, rest = params.strict_colors, deck[laid:]
        most = min(params.hand, len(rest) // seats)
        hands = [[rest.pop() for _ in range(rng.integers(1, most + 1))] for _ in range(seats)]
        goes_on = layout.has_room() or (layout.open_sides() and not params.sealed_ends_hand)
        if goes_on and layout.plays(hands[0]):
            pages = {diamond: as_page(place) for diamond, place in layout.places.items()}
            return pages, hands, rest


def arranged(num_envs, seed, *, low=3, high=40, **params):
    """Return a duel whose games begin in random positions."""
    duel, rng = Duel(num_envs, seed, **params), np.random.default_rng(seed)
    for i in range(num_envs):
        duel.arrange(i, *some_position(rng, duel.batch.params, low, high))
    return duel


@pytest.mark.parametrize(
    "number", [i for i, change in enumerate(CHANGES) if "orange" not in change]
)
def test_engine_plays_on_from_any_position_as_the_reference(number):
    seats, player = (4, at_random) if number % 2 else (2, clusters)
    duel = arranged(scaled(6), number, num_players=seats, **(ONE_HAND | CHANGES[number]))
    duel.play(player, seed=seats)
    assert all(game.ends for game in duel.references)


def test_hands_go_on_without_a_pile():
    """Nearly all diamonds are on the table or in hands."""
    duel = arranged(8, 2, low=35, high=38, num_players=2, **ONE_HAND).play(at_random, seed=1)
    assert duel.without_pile > 0
    assert all(game.ends for game in duel.references)
