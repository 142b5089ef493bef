"""The scripted players of Fiddlefoo: legal, sensible, and as strong as intended."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.games.fiddlefoo.play import Table, members
from tests.games.positions import taken_back

from kitchentable.engine.batch import Batch
from kitchentable.engine.compiling import loop
from kitchentable.games import fiddlefoo
from kitchentable.games.fiddlefoo import VARIANTS
from kitchentable.games.fiddlefoo.cards import ACTION_CARDS
from kitchentable.games.fiddlefoo.players.reading import look_at
from kitchentable.games.fiddlefoo.state import THROW
from kitchentable.players.scripted import ScriptedPlayer, play_out

GAME = fiddlefoo.GAME
PLAYERS = ("random", "greedy", "expert")
THINKERS = ("greedy", "expert")
RIVALS = [number for number, one in enumerate(VARIANTS) if not one.get("cooperative")]

compiled_only = pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled")


@cache
def player(name: str, number: int) -> ScriptedPlayer:
    return ScriptedPlayer(GAME, name, GAME.make_params(**VARIANTS[number]), seed=3)


def ask(name: str, table: Table) -> str:
    """Return a player's decision at a table."""
    batch = table.env._batch
    action = ScriptedPlayer(GAME, name, batch.params).act(batch, np.arange(1))[0]
    return table.env.action_names[action]


def drifting(name: str, number: int, steps: int):
    """Let a player act at some tables of a variant for some steps, and yield before each."""
    batch = Batch(GAME, 40 if COMPILED else 1, seed=5, **VARIANTS[number])
    for _ in range(steps if COMPILED else 5):
        yield batch
        batch.step(player(name, number).act(batch, np.arange(batch.num_envs)))


# --- What they read -----------------------------------------------------------------------------

AS_IN_THE_RECORD = (
    "num_players", "map_size", "wildcard", "cooperative", "num_cards", "at_throw", "at_pass",
    "at_pile", "at_map", "in_play", "action_cards", "action_places", "boards", "places", "cells",
    "on_map", "chosen", "removed", "phase", "pile_tops",
)  # fmt: skip


@cache
def reader():
    """`look_at`, compiled."""
    return loop(look_at, game=GAME, name="look", allocates=True)


def in_turn(values, me: int, seats: int) -> list:
    """Return the values of the seats, from seat ``me`` on in the order of play."""
    return [np.asarray(values[(me + seat) % seats]).tolist() for seat in range(seats)]


def check_look(batch: Batch, game: int) -> None:
    """Compare what the seat to act reads with the record."""
    state, seats = batch.states[game], batch.num_players
    seen, me = reader()(batch.observations[game], batch.variant), int(state.current_player)
    for name in AS_IN_THE_RECORD:
        np.testing.assert_array_equal(getattr(seen, name), state[name], name)
    assert members(seen.hand) == members(state.hands[me])
    assert in_turn(seen.known, 0, seats) == in_turn(state.known, me, seats)
    sizes = [len(members(hand)) for hand in state.hands]
    assert in_turn(seen.sizes, 0, seats) == in_turn(sizes, me, seats)
    assert seen.pile_notes.tolist() == np.minimum(state.pile_notes, 11).tolist()
    assert (seen.pile, (me + seen.player) % seats) == (state.deck_size, state.player)
    hidden = sum(sizes) - sizes[me] - sum(len(members(hand)) for hand in seen.known[1:])
    assert len(members(seen.unseen)) == hidden + seen.pile
    if state.phase == THROW:
        assert members(seen.fits_range) == members(state.fits_range)


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_the_table_is_read_as_it_lies(number):
    for step, batch in enumerate(drifting("random", number, 150)):
        if step % 3 == 0:
            check_look(batch, 0)


# --- Every player, every variant ----------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", THINKERS)
def test_they_play_to_the_end_with_any_action_cards(name, seed):
    rng = np.random.default_rng(seed)
    names = list(ACTION_CARDS)
    chosen = [str(one) for one in rng.choice(names, rng.integers(1, len(names)), replace=False)]
    seats, wildcard = int(rng.integers(2, 7)), bool(rng.integers(2))
    batch = Batch(
        GAME, 8, seed=6, autoreset=False, talkytoot=chosen, num_players=seats, wildcard=wildcard
    )
    one = ScriptedPlayer(GAME, name, batch.params)
    play_out(batch, [one], np.zeros((8, seats), np.int64))
    assert batch.states.terminated.all()


# --- Positions with an obvious move -------------------------------------------------------------


@pytest.mark.parametrize("name", THINKERS)
def test_they_make_the_pair_with_the_smallest_range(name):
    """Y4 beside Y5 leaves nothing to throw in the range; Y16 allows all of 6 to 15."""
    table = Table.at("Y5@5,5 R1@5,6 B1@6,6 P1@6,5", "Y4 Y16", "Y8 Y9 Y10 R5 B5", pile="R15 R16 B16")
    assert ask(name, table) == "card:Y4"


@pytest.mark.parametrize("name", THINKERS)
def test_they_choose_the_cell_whose_distance_fits_fewer_cards(name):
    """R2 pairs with R1 at a distance of 1 or 2; all of the rival's cards have two notes."""
    table = Table.at(
        "B1@5,4 Y1@5,6 R1@5,5 P1@6,5 Y9@7,4 Y12@7,6 B8@8,4", "R2 R8", "Y3 B3 Y14", pile="B14 Y4"
    )
    table.play("card:R2")
    before = {cell: distance(table, cell) for cell in table.options("cell").split()}
    assert {1, 2} <= set(before.values())
    chosen = ask(name, table).partition(":")[2]
    assert before[chosen] == 1


def distance(table: Table, cell: str) -> int:
    """Return the distance of the pair that the chosen card makes in a cell."""
    with taken_back(table.env):
        return int(table.play(f"cell:{cell}").state.distance)


@pytest.mark.parametrize("name", THINKERS)
def test_they_throw_all_range_cards_and_end_with_pass_or_nothing(name):
    table = Table.at(
        "Y1@5,5 R1@5,6 B1@6,6 P1@6,5", "Y16 R8 B8", "Y8 Y9 Y3 B5 B6", pile="R15 R16"
    ).play("card:Y16")
    table.play(f"cell:{table.options('cell').split()[0]}")
    thrown = []
    while table.asks == "1 throw":
        thrown.append(ask(name, table))
        table.play(thrown[-1])
    assert sorted(thrown) == ["throw:Y3", "throw:Y8", "throw:Y9"]


def test_greedy_throws_most_notes_first():
    table = Table.at(
        "Y1@5,5 R1@5,6 B1@6,6 P1@6,5", "Y16 R8 B8", "Y8 Y2 Y3 B5 B6", pile="R15 R16"
    ).play("card:Y16")
    table.play(f"cell:{table.options('cell').split()[0]}")
    assert ask("greedy", table) == "throw:Y8"


@pytest.mark.parametrize("name", THINKERS)
def test_greedy_and_expert_get_rid_of_the_worst_card(name):
    """With `discard` in the pair, throw away a card that costs four notes and fits nowhere well."""
    table = Table.at(
        "discard@5,5 R1@5,6 B1@6,6 P1@6,5", "Y10 Y12 B16 R2", "R5 R6 B9", pile="R15 R16"
    ).play("card:Y10")
    table.play(f"cell:{table.options('cell').split()[0]}")
    assert table.asks == "0 take a card out of the game"
    assert ask(name, table) in ("card:Y12", "card:B16")


# --- Strength -----------------------------------------------------------------------------------


def win_share(name: str, other: str, deals: int, **params) -> tuple[float, float]:
    """Return the share of wins of a player among others, and its standard error.

    Every deal is played from each seat and counts once in the error.
    """
    seats = params.get("num_players", 2)
    shares = np.zeros((seats, deals))
    for seat in range(seats):
        batch = Batch(GAME, deals, seed=11, autoreset=False, **params)
        players = [ScriptedPlayer(GAME, one, batch.params, seed=3) for one in (name, other)]
        seating = np.full((deals, seats), 1)
        seating[:, seat] = 0
        play_out(batch, players, seating)
        ranks = batch.standings()[1]
        shares[seat] = (ranks[:, seat] == 1) / (ranks == 1).sum(axis=1)
    by_deal = shares.mean(axis=0)
    return float(by_deal.mean()), float(by_deal.std() / np.sqrt(deals))


CLEARLY_MORE = [
    ({}, 0.6),
    ({"wildcard": True}, 0.55),
    ({"talkytoot": "all"}, 0.55),
    ({"num_players": 4}, 0.3),
]


@compiled_only
@pytest.mark.parametrize(("params", "least"), CLEARLY_MORE)
def test_expert_beats_greedy(params, least):
    rate, error = win_share("expert", "greedy", scaled(300), **params)
    assert rate - 3 * error > least


@compiled_only
@pytest.mark.parametrize("params", [params for params, _ in CLEARLY_MORE])
def test_greedy_beats_random(params):
    rate, error = win_share("greedy", "random", scaled(150), **params)
    assert rate - 3 * error > 1.5 / params.get("num_players", 2)


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("seats", [3, 5, 6])
def test_expert_beats_greedy_at_larger_tables(seats):
    rate, error = win_share("expert", "greedy", scaled(400), num_players=seats)
    assert rate - 3 * error > 1.2 / seats


def test_the_players_are_listed_weakest_first():
    assert tuple(GAME.players.scripted) == PLAYERS
