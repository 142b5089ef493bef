"""Whole games of Diddly: the engine agrees with the plain reference after every action."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import COMPILED, scaled
from tests.games.diddly.duel import Duel
from tests.games.diddly.play import SEATS
from tests.games.reference import always_first, always_last, at_random

from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME

SHORTENED = [dict(params) for params in GAME.rules.variants if "copies" in params]


def recycler(game, rng):
    """Recycles whenever possible, keeps its Recycles, otherwise plays at random."""
    kept = [f"slot:{i}" for i, card in enumerate(game.boards[game.player]) if card.kind == "R"]
    best = [name for name in game.legal if name.startswith("recycle:")]
    best = best or [name for name in game.legal if name not in kept]
    return str(rng.choice(best or game.legal))


def hoarder(game, rng):
    """Draws and never replaces a face-down card: rounds do not end, and the deck runs out."""
    if "draw" in game.legal:
        return "draw"
    board = game.boards[game.player]
    up = [f"slot:{i}" for i, card in enumerate(board) if card.face_up]
    return str(rng.choice([name for name in game.legal if name in up] or game.legal))


def hasty(game, rng):
    """Replaces face-down cards only, so that rounds end as soon as possible."""
    board = game.boards[game.player]
    down = [f"slot:{i}" for i, card in enumerate(board) if not card.face_up]
    return str(rng.choice([name for name in game.legal if name in down] or game.legal))


def swapper(game, rng):
    """Obtains Swaps and Peeks wherever possible, and uses them."""
    wanted = ["recycle:S", "recycle:P", *(["take"] if game.pile[-1:] in (["S"], ["P"]) else [])]
    best = [name for name in game.legal if name in wanted]
    return str(rng.choice(best or [name for name in game.legal if name != "pass"]))


@pytest.mark.parametrize(("cards", "seats"), SEATS)
def test_engine_plays_as_the_reference(cards, seats):
    params = {"num_players": seats, "cards": cards, "reward": "margin" if seats % 2 else "win"}
    Duel(1, seats, rounds=2, **params).play(at_random, seed=cards)


@pytest.mark.parametrize("params", SHORTENED)
@pytest.mark.parametrize("player", [at_random, hoarder, recycler])
def test_engine_plays_shortened_decks_as_the_reference(player, params):
    duel = Duel(2, 4, **params).play(player, seed=3, steps=250)
    assert bool(duel.reshuffles) == (duel.batch.num_players == 8)


@pytest.mark.parametrize("player", [always_first, always_last, hasty, recycler, swapper])
@pytest.mark.parametrize("cards", [2, 6, 9])
def test_engine_plays_as_the_reference_against_stubborn_players(player, cards):
    duel = Duel(scaled(3), 5, num_players=2, cards=cards, rounds=2, turn_limit=20, reward="margin")
    duel.play(player, seed=1)
    assert duel.decisions > min(20, 5 * cards)


@pytest.mark.parametrize(("cards", "seats"), [(6, 2), (9, 6)])
def test_games_that_nobody_ends_reshuffle_and_are_truncated(cards, seats):
    duel = Duel(scaled(2), 3, num_players=seats, cards=cards, turn_limit=110 // seats)
    duel.play(hoarder, seed=2)
    assert all(game.truncated and not game.terminated for game in duel.references)
    assert duel.reshuffles >= len(duel.references)


def test_a_hundred_rounds_are_all_kept():
    batch = Batch(GAME, 1, seed=1, autoreset=False, cards=2, rounds=100)
    while not batch.dones[0]:
        batch.step(batch.sample_actions())
    history = [GAME.hand_scores(batch.states[0], seat) for seat in range(2)]
    assert [len(points) for points in history] == [100, 100]
    assert batch.game.scores(batch.states[0]).tolist() == list(map(sum, history))


@settings(max_examples=25 if COMPILED else 5, deadline=None)
@given(
    seats=st.sampled_from(SEATS),
    seed=st.integers(0, 2**32),
    picks=st.lists(st.integers(0, 10**4), min_size=1, max_size=100 if COMPILED else 60),
)
def test_any_actions_agree_with_the_reference(seats, seed, picks):
    duel = Duel(1, seed, cards=seats[0], num_players=seats[1], rounds=2, turn_limit=8)
    duel.follow(picks)
