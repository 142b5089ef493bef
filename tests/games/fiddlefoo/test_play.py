"""Whole games of Fiddlefoo: the engine agrees with the plain reference after every action."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import COMPILED, scaled
from tests.games.fiddlefoo.cards import ACTION_CARDS, full_deck, neighbors, notes
from tests.games.fiddlefoo.duel import ASKS, Duel
from tests.games.reference import always_first, always_last, at_random

from kitchentable.games.fiddlefoo import GAME

SHORT = dict.fromkeys(("Y1", "Y8", "Y9", "Y16", "B2", "B3", "B13", "B16", "P1", "P16"), 1)
TABLES = [
    *GAME.rules.variants,
    {"num_players": 3, "map_size": 14, "reward": "margin", "games": 2},
    {"num_players": 2, "cooperative": True, "reward": "margin", "games": 3},
    {"num_players": 6, "talkytoot": "all", "wildcard": True, "map_size": 10},
    {"num_players": 3, "map_size": 6, "hand": 2, "copies": SHORT},
    {"cooperative": True, "map_size": 4, "hand": 1, "copies": SHORT, "talkytoot": ["draw", "move"]},
]


def generous(game, rng):
    """Throws whatever it can, and declines nothing optional."""
    some = [name for name in game.legal if name != "pass"]
    return str(rng.choice(some))


def stubborn(game, rng):
    """Passes whenever it may."""
    return "pass" if "pass" in game.legal else str(rng.choice(game.legal))


def spreads(game, rng):
    """Makes large distances and ranges, for many Safe Songs and throws."""
    if game.asks != "cell":
        return generous(game, rng)
    cells = [tuple(map(int, name[5:].split(","))) for name in game.legal]
    distances = [game.map.pair_at(game.chosen, cell).distance for cell in cells]
    return game.legal[int(np.argmax(distances))]


def fills_piles(game, rng):
    """Puts cards on piles rather than into hands, low ones first."""
    piles = [name for name in game.legal if name.startswith("pile:")]
    return min(piles, key=lambda name: notes(name[5:])) if piles else at_random(game, rng)


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_engine_plays_whole_games_as_the_reference(number):
    params = dict(TABLES[number])
    if not COMPILED:
        params["games"] = min(2, params.get("games", 1)) if number in (1, 6) else 1
    player = spreads if number % 2 else at_random
    duel = Duel(scaled(2), number, **params).play(player, seed=number)
    assert all(len(game.history[0]) == duel.batch.params.games for game in duel.references)


@pytest.mark.parametrize("player", [always_first, always_last, stubborn, fills_piles])
@pytest.mark.parametrize("cooperative", [False, True])
def test_engine_plays_as_the_reference_against_stubborn_players(player, cooperative):
    params = {"cooperative": cooperative, "talkytoot": "all", "num_players": 3, "map_size": 8}
    Duel(scaled(2), 5, **params).play(player, seed=1)


def test_full_talkytoot_asks_for_everything():
    """So duels leave nothing of the expansion untested."""
    duel = Duel(scaled(8), 6, talkytoot="all", num_players=4).play(generous, seed=1)
    if COMPILED:
        assert set(duel.asked) == ASKS.keys() - {"over"}
        assert duel.nested > 2


# --- Positions that short games do not reach ----------------------------------------------------


def some_position(duel, rng, *, low=6, high=30):
    """Return a position with a random connected map, random hands and a short draw pile.

    Colors lie freely, as after `move` and `swap_map`; the map may reach the window's edge.
    """
    size, seats = duel.batch.params.map_size, duel.batch.num_players
    deck = [str(card) for card in rng.permutation(full_deck(duel.batch.params.talkytoot))]
    cells = [(int(rng.integers(size)), int(rng.integers(size)))]
    wanted = int(rng.integers(low, high))
    while len(cells) < wanted:
        start = cells[int(rng.integers(len(cells)))]
        cell = neighbors(start)[int(rng.integers(4))]
        if cell not in cells and all(0 <= place < size for place in cell):
            cells.append(cell)
    placed = {cell: deck.pop() for cell in cells}
    most = min(10, len(deck) // seats)
    hands = [[deck.pop() for _ in range(rng.integers(1, most + 1))] for _ in range(seats)]
    return placed, hands, deck[: int(rng.integers(6))]


def arranged(num_envs, seed, **params):
    """Return a duel whose games begin in positions in which player_0 can play."""
    duel, rng = Duel(num_envs, seed, **params), np.random.default_rng(seed)
    for i in range(num_envs):
        while True:
            position = some_position(duel, rng)
            game = duel.references[i]
            game.map.clear()
            game.map.update(position[0])
            if any(game.map.cells(card) for card in position[1][0]):
                break
        duel.arrange(i, position)
    return duel


@pytest.mark.parametrize("talkytoot", [(), "all"])
@pytest.mark.parametrize(
    ("map_size", "seats", "variant"),
    [
        (8, 2, {"wildcard": True}),
        (12, 4, {}),
        (14, 2, {"cooperative": True}),
        (16, 3, {"wildcard": True}),
    ],
)
def test_engine_plays_on_from_any_position_as_the_reference(map_size, seats, variant, talkytoot):
    params = {"num_players": seats, "map_size": map_size, "talkytoot": talkytoot} | variant
    duel = arranged(scaled(4), map_size, **params)
    duel.play(generous if seats == 2 else at_random, seed=seats, steps=scaled(200))
    assert duel.decisions > 0


PARAMS = st.fixed_dictionaries(
    {
        "num_players": st.integers(2, 6),
        "games": st.integers(1, 2),
        "map_size": st.sampled_from([8, 10, 12, 14, 16]),
        "talkytoot": st.lists(st.sampled_from(list(ACTION_CARDS)), unique=True),
        "reward": st.sampled_from(["win", "margin"]),
    }
)


@settings(max_examples=30 if COMPILED else 4, deadline=None)
@given(
    params=PARAMS,
    variant=st.sampled_from([{}, {"wildcard": True}, {"cooperative": True}]),
    seed=st.integers(0, 2**32),
    picks=st.lists(st.integers(0, 10**4), min_size=1, max_size=100 if COMPILED else 30),
    is_dealt=st.booleans(),
)
def test_any_actions_agree_with_the_reference(params, variant, seed, picks, is_dealt):
    """Games just dealt, and positions that may be reached after `move` and `swap_map`."""
    duel = (Duel if is_dealt else arranged)(1, seed, **params, **variant)
    assert duel.follow(picks).decisions > 0
