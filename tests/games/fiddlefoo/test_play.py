"""Whole games of Fiddlefoo: the engine agrees with the plain reference after every action."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import COMPILED, scaled
from tests.contract.reference_players import always_first, always_last, at_random
from tests.games.fiddlefoo.cards import ACTION_CARDS, full_deck, neighbours, notes
from tests.games.fiddlefoo.duel import Duel

from kitchentable.games.fiddlefoo import GAME

WHOLE = [
    {"num_players": 2, "map_size": 8, "games": 4},
    {"num_players": 3, "map_size": 14, "reward": "margin", "games": 2},
    {"num_players": 4, "wildcard": True, "map_size": 8},
    {"num_players": 2, "cooperative": True, "reward": "margin", "games": 3},
    {"num_players": 6, "cooperative": True},
    {"num_players": 2, "talkytoot": "all", "map_size": 8, "games": 3},
    {"num_players": 6, "talkytoot": "all", "wildcard": True, "map_size": 10},
    {"num_players": 2, "talkytoot": "all", "cooperative": True, "games": 2},
]
"""Parameters that are played in addition to `GAME.rules.variants`."""


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


@pytest.mark.parametrize("number", range(len(GAME.rules.variants)))
@pytest.mark.parametrize("player", [at_random, generous])
def test_engine_plays_every_variant_as_the_reference(number, player):
    params = dict(GAME.rules.variants[number])
    if not COMPILED:
        params |= {"games": 1}
    duel = Duel(scaled(4), number, **params).play(player, seed=number)
    assert all(game.terminated for game in duel.references)
    assert sum(duel.asked.values()) >= 8 * duel.batch.num_envs


@pytest.mark.parametrize("params", WHOLE)
@pytest.mark.parametrize("player", [at_random, spreads])
def test_engine_plays_whole_games_as_the_reference(params, player):
    fewer = {} if COMPILED else {"games": min(2, params.get("games", 1))}
    duel = Duel(scaled(2), 11, **params | fewer).play(player, seed=1)
    assert all(game.terminated for game in duel.references)
    assert all(len(game.history[0]) == duel.batch.params.games for game in duel.references)


@pytest.mark.parametrize("player", [always_first, always_last, stubborn, fills_piles])
@pytest.mark.parametrize("cooperative", [False, True])
def test_engine_plays_as_the_reference_against_stubborn_players(player, cooperative):
    params = {"cooperative": cooperative, "talkytoot": "all", "num_players": 3, "map_size": 8}
    duel = Duel(scaled(10), 5, **params).play(player, seed=1)
    assert all(game.terminated for game in duel.references)


def test_full_talkytoot_asks_for_everything():
    """The games above leave nothing of the expansion untested."""
    duel = Duel(scaled(40), 3, talkytoot="all", num_players=4).play(generous, seed=1)
    wanted = {"card", "cell", "throw", "discard", "move", "move to", "remove", "play again"}
    if COMPILED:
        assert set(duel.asked) == wanted | {"swap", "swap for"}
        assert duel.nested > 5
    assert {"card", "cell", "throw"} <= set(duel.asked)


PARAMS = st.fixed_dictionaries(
    {
        "num_players": st.integers(2, 6),
        "games": st.integers(1, 2),
        "map_size": st.sampled_from([8, 10, 12, 14, 16]),
        "variant": st.sampled_from(["", "wildcard", "cooperative"]),
        "talkytoot": st.lists(st.sampled_from(list(ACTION_CARDS)), unique=True),
        "reward": st.sampled_from(["win", "margin"]),
    }
)


def read(params):
    """Return drawn parameters as the game takes them."""
    variant = params["variant"]
    rest = {name: value for name, value in params.items() if name != "variant"}
    return rest | ({variant: True} if variant else {})


@settings(max_examples=50 if COMPILED else 4, deadline=None)
@given(
    params=PARAMS,
    seed=st.integers(0, 2**32),
    picks=st.lists(st.integers(0, 10**4), min_size=1, max_size=200 if COMPILED else 60),
)
def test_any_actions_agree_with_the_reference(params, seed, picks):
    duel = Duel(1, seed, **read(params))
    game = duel.references[0]
    for pick in picks:
        if not game.legal:
            break
        duel.step([game.legal[pick % len(game.legal)]])
    assert sum(duel.asked.values()) > 0


# --- Positions that short games do not reach ----------------------------------------------------


def some_position(duel, rng, *, low=6, high=30):
    """Return a position with a random connected map, random hands and a short draw pile.

    Colors are placed freely, as after `move` and `swap_map`; the map may reach the window's edge.
    """
    size, seats = duel.batch.params.map_size, duel.batch.num_players
    deck = [str(card) for card in rng.permutation(full_deck(duel.batch.params.talkytoot))]
    cells = [(int(rng.integers(size)), int(rng.integers(size)))]
    wanted = int(rng.integers(low, high))
    while len(cells) < wanted:
        start = cells[int(rng.integers(len(cells)))]
        cell = neighbours(start)[int(rng.integers(4))]
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


@pytest.mark.parametrize("variant", ["", "wildcard", "cooperative"])
@pytest.mark.parametrize("map_size", [8, 10, 12, 14, 16])
def test_engine_plays_on_from_any_position_as_the_reference(map_size, variant):
    options = {variant: True} if variant else {}
    for seats in (2, 4):
        for talkytoot in ((), "all"):
            duel = arranged(
                scaled(8), map_size + seats, num_players=seats, map_size=map_size,
                talkytoot=talkytoot, **options,
            )  # fmt: skip
            duel.play(generous if seats == 2 else at_random, seed=seats, steps=scaled(600))
            assert sum(duel.asked.values()) > 0


@settings(max_examples=50 if COMPILED else 4, deadline=None)
@given(
    params=PARAMS,
    seed=st.integers(0, 2**32),
    picks=st.lists(st.integers(0, 10**4), min_size=1, max_size=60 if COMPILED else 20),
)
def test_any_actions_from_any_position_agree_with_the_reference(params, seed, picks):
    duel = arranged(1, seed, **read(params))
    game = duel.references[0]
    for pick in picks:
        if not game.legal:
            break
        duel.step([game.legal[pick % len(game.legal)]])
    assert sum(duel.asked.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(GAME.rules.variants)))
def test_many_games_agree_with_the_reference(number):
    params = dict(GAME.rules.variants[number])
    for seed, player in enumerate((at_random, generous, spreads, stubborn)):
        for map_size in (8, 12, 16):
            duel = Duel(scaled(40), 100 + seed, **params | {"map_size": map_size})
            duel.play(player, seed=seed)
            assert all(game.terminated for game in duel.references)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_positions_agree_with_the_reference(seed):
    rng = np.random.default_rng(seed)
    variant = [{}, {"wildcard": True}, {"cooperative": True}][seed % 3]
    chosen = [card for card in ACTION_CARDS if rng.random() < 0.7]
    params = {"talkytoot": chosen, "map_size": int(rng.choice([8, 10, 12, 14, 16])), **variant}
    duel = arranged(scaled(100), seed, num_players=2 + seed % 5, **params)
    duel.play(generous, seed=seed, steps=400)
    assert sum(duel.asked.values()) > 0
