"""Whole games of Diddly: the engine agrees with the plain reference after every action."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.reference_players import always_first, always_last, at_random
from tests.games.diddly.duel import Duel
from tests.games.diddly.play import (
    COMPILED,
    SEATS,
    SHORTENED,
    Table,
    assert_all_cards,
    games,
    plain,
)

from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME


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
@pytest.mark.parametrize("player", [at_random, hasty])
def test_engine_plays_as_the_reference(player, cards, seats):
    rounds = 3 if COMPILED else 2
    reward = "margin" if seats % 2 else "win"
    duel = Duel(
        games(6 // seats + 1), seats, num_players=seats, cards=cards, rounds=rounds, reward=reward
    )
    duel.play(player, seed=cards)
    assert all(game.terminated for game in duel.references)
    assert duel.decisions > min(20, 3 * cards) * seats


@pytest.mark.parametrize("params", SHORTENED)
@pytest.mark.parametrize("player", [at_random, hasty, hoarder, recycler])
def test_engine_plays_shortened_decks_as_the_reference(player, params):
    duel = Duel(games(24), 4, **params).play(player, seed=3, steps=300)
    assert duel.decisions >= 6 * len(duel.references)
    assert bool(duel.reshuffles) == (duel.batch.num_players == 8)


@pytest.mark.parametrize("player", [always_first, always_last, recycler, swapper])
@pytest.mark.parametrize("cards", [2, 6, 8, 9])
def test_engine_plays_as_the_reference_against_stubborn_players(player, cards):
    duel = Duel(games(6), 5, num_players=2, cards=cards, rounds=2, turn_limit=30, reward="margin")
    duel.play(player, seed=1)
    assert duel.decisions > min(20, 5 * cards)


@pytest.mark.parametrize(("cards", "seats"), [(6, 2), (6, 8), (8, 3), (9, 6)])
def test_games_that_nobody_ends_reshuffle_and_are_truncated(cards, seats):
    turn_limit = 110 // seats
    duel = Duel(games(6), 3, num_players=seats, cards=cards, turn_limit=turn_limit)
    duel.play(hoarder, seed=2)
    assert all(game.truncated and not game.terminated for game in duel.references)
    assert duel.reshuffles >= len(duel.references)


def test_a_hundred_rounds_are_all_kept():
    rounds = 100 if COMPILED else 3
    batch = Batch(GAME, 1, seed=1, autoreset=False, num_players=3, rounds=rounds)
    dealers = []
    while not batch.dones[0]:
        batch.step(batch.sample_actions())
        if batch.states[0].hand_over:
            dealers.append(int(batch.states[0].dealer))
    state = batch.states[0]
    assert batch.scores(state).tolist() == [sum(GAME.hand_scores(state, i)) for i in range(3)]
    assert [len(GAME.hand_scores(state, i)) for i in range(3)] == [rounds] * 3
    assert dealers[:-1] == [i % 3 for i in range(rounds - 1)]


@settings(max_examples=60 if COMPILED else 5, deadline=None)
@given(
    seats=st.sampled_from(SEATS),
    seed=st.integers(0, 2**32),
    picks=st.lists(st.integers(0, 10**4), min_size=1, max_size=150 if COMPILED else 60),
)
def test_any_actions_agree_with_the_reference(seats, seed, picks):
    duel = Duel(1, seed, cards=seats[0], num_players=seats[1], rounds=2, turn_limit=8)
    game = duel.references[0]
    for pick in picks:
        if not game.legal:
            break
        duel.step([game.legal[pick % len(game.legal)]])


@pytest.mark.parametrize(("cards", "seats"), [(6, 2), (8, 4), (9, 3)])
def test_restarted_games_keep_all_cards(cards, seats):
    batch = Batch(GAME, games(24), seed=9, cards=cards, num_players=seats, rounds=1, turn_limit=12)
    finished = 0
    for _ in range(250 if COMPILED else 150):
        batch.step(batch.sample_actions())
        for state in batch.states:
            assert_all_cards(plain(state))
        finished += int(batch.dones.sum())
    assert finished > 0


def test_restarted_game_is_new_and_the_finished_one_kept():
    batch = Batch(GAME, 4, seed=3, rounds=1, turn_limit=40)
    first = batch.states.copy()
    restarted = set()
    while len(restarted) < 4:
        batch.step(batch.sample_actions())
        for i in np.flatnonzero(batch.dones):
            restarted.add(int(i))
            final = batch.final_states[i]
            assert final.terminated or final.truncated
            new = batch.states[i]
            assert not new.terminated
            assert not new.truncated
            assert new.rounds_done == 0
            assert new.turns.sum() == new.totals.sum() == new.face_up.sum() == 0
            assert new.seed != first[i].seed
            assert new.deck.tolist() != first[i].deck.tolist()
            names = [batch.action_names[a] for a in np.flatnonzero(batch.masks[i])]
            assert names == [f"slot:{slot}" for slot in range(6)]
        assert not batch.rewards[~batch.dones].any()


def test_a_game_without_action_stays_as_it_is_and_pays_nothing():
    batch = Batch(GAME, 2, seed=3, autoreset=False, rounds=1)
    while not batch.dones[0]:
        actions = batch.sample_actions().copy()
        actions[1] = -1
        before = batch.states[1].tobytes()
        batch.step(actions)
        assert batch.states[1].tobytes() == before
    batch.step(np.array([-1, -1]))
    assert not batch.dones.any()
    assert not batch.rewards.any()
    assert not batch.masks[0].any()


def test_illegal_action_is_refused_by_name_and_changes_nothing():
    table = Table()
    table.play("0")
    before = table.state.tobytes()
    named = [(0, "draw"), (18, "slot:0"), (17, "pass")]
    for action, name in [*named, (99, "no action at all"), (-2, "no action at all")]:
        with pytest.raises(ValueError, match=rf"{action} \({name}\); legal: slot:1, slot:2"):
            table.batch.step(np.array([action]))
    assert table.state.tobytes() == before
