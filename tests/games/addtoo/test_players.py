"""The scripted players of Add-Too: what they know, choose and search."""

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.games.addtoo.play import Table, members, plain
from tests.games.addtoo.searching import found_by_search, layer
from tests.games.addtoo.test_ending import CELL, FAR, POCKET
from tests.games.addtoo.test_play import arranged

from kitchentable.core.state import for_loops
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME, VARIANTS
from kitchentable.games.addtoo.players.lookahead import RECORD
from kitchentable.games.addtoo.state import ACTION_NAMES, TILE
from kitchentable.players.scripted import ScriptedPlayer

THINKERS = ("greedy", "expert")

every_variant = pytest.mark.parametrize("number", range(len(VARIANTS)))


def ask(name: str, table: Table) -> str:
    """Return a player's decision at a table: a diamond and where it lays it."""
    tile = table.ask(name).removeprefix("tile:")
    with table.taken_back():
        place = table.play(tile).ask(name)
    return f"{tile}@{place}"


def drifting(number: int, steps: int = 60, games: int = 6):
    """Play at random at some tables of a variant; yield before each step."""
    batch = Batch(GAME, games if COMPILED else 1, seed=5, **VARIANTS[number])
    for _ in range(steps if COMPILED else 6):
        yield batch
        batch.step(batch.sample_actions())


# --- What they know -----------------------------------------------------------------------------


@every_variant
def test_the_table_laid_out_from_what_is_known_allows_the_same_actions(number):
    """Whatever the record held before: another table or, at first, random bytes."""
    games = 6 if COMPILED else 1
    records = np.full(games * RECORD.itemsize, 85, np.uint8).view(RECORD).view(np.recarray)
    tables, masks = for_loops(records), np.zeros((games, len(ACTION_NAMES)), np.bool_)
    for batch in drifting(number, 120):
        layer()(for_loops(batch.know(batch.current_player)), tables, masks, *batch.tables)
        np.testing.assert_array_equal(masks, batch.masks)


# --- Greedy -------------------------------------------------------------------------------------


def scored(before, after) -> int:
    """Return the points that the last play scored, without those at the hand's end."""
    me = before.current_player
    if not after.hand_over:
        return int(after.points[me] - before.points[me])
    left = len(members(before.hands[me])) - 1
    return int(after.last_scores[me] + 10 * left - before.points[me])


def gains(batch: Batch, i: int) -> dict[int, int]:
    """Return the highest score of each legal action of a game, found by trying them all."""
    before, options = plain(batch.states[i]), np.flatnonzero(batch.masks[i])
    trial = Batch(GAME, len(options), seed=0, autoreset=False, **batch.params.as_dict())
    trial.states[:] = batch.states[i]
    trial.look()
    trial.step(options)
    if before.phase == TILE:
        best = [max(gains(trial, k).values()) for k in range(len(options))]
    else:
        best = [scored(before, plain(state)) for state in trial.states]
    return dict(zip(map(int, options), best, strict=True))


@every_variant
def test_greedy_takes_what_scores_most(number):
    choices, greedy = 0, ScriptedPlayer(GAME, "greedy", seed=3)
    for step, batch in enumerate(drifting(number)):
        if step % 4 == 0:
            chosen = greedy.act(batch, np.arange(batch.num_envs))
            for i in np.flatnonzero(batch.states.num_laid > 0)[:2]:
                paid = gains(batch, i)
                assert paid[int(chosen[i])] == max(paid.values())
                choices += len(set(paid.values())) > 1
    assert choices or not COMPILED


def test_greedy_begins_with_any_diamond():
    batch = Table("", "").batch
    first = [ScriptedPlayer(GAME, "greedy", seed=seed) for seed in range(50)]
    begun = {int(one.act(batch, np.arange(1))[0]) for one in first}
    assert begun == set(np.flatnonzero(batch.masks[0]))


# --- Looking ahead ------------------------------------------------------------------------------


def check_search(batch: Batch, depth: int) -> int:
    """Check that leaving out what cannot be better changes nothing; return the number of plays."""
    plays, values, best = found_by_search(batch, 0, depth, every=True)
    scores = [points for *_, points in plays]
    assert scores == sorted(scores, reverse=True)
    assert best == values.index(max(values))
    again, bounds, number = found_by_search(batch, 0, depth, every=False)
    assert again == plays
    assert number == best
    assert bounds[best] == pytest.approx(values[best])
    assert all(a >= b - 1e-9 for a, b in zip(bounds, values, strict=True))
    assert max(bounds) == bounds[best]
    return len(plays)


@pytest.mark.parametrize(
    ("params", "depth"),
    [
        ({}, 4), ({"turned": False, "sealed_ends_hand": False}, 4),
        ({"num_players": 3, "sealed_ends_hand": False}, 5), ({"num_players": 6}, 6),
    ],
)  # fmt: skip
def test_a_search_that_leaves_plays_out_finds_the_same(params, depth):
    several, batch = 0, Batch(GAME, 1, seed=depth, **params)
    for _ in range(30 if COMPILED else 3):
        batch.step(batch.sample_actions())
        if batch.states[0].num_laid > 0:
            several += check_search(batch, depth) > 1
    assert several > 5 or not COMPILED


def test_the_search_lists_the_plays_of_the_reference():
    duel = arranged(6 if COMPILED else 1, 4)
    for i, game in enumerate(duel.references):
        plays, *_ = found_by_search(duel.batch, i, 2, every=True)
        wanted = game.layout.plays(game.hands[game.player])
        assert sorted(plays) == sorted((play.diamond, play.name, play.score) for play in wanted)


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("around", [CELL + " 6-7@1,1,0,0", f"{CELL} {POCKET}"])
def test_the_search_sees_that_a_play_leaves_no_room(around, sealed):
    """3-8 has neighbors on all sides or all but one; then the hand may be over."""
    lying = f"{FAR} {around} 1-2@0,0,0,0"
    batch = Table.at(lying, "3-8 6-8", "3-6 5-7", sealed_ends_hand=sealed).batch
    check_search(batch, 3)
    plays, values, _ = found_by_search(batch, 0, 3, every=True)
    closing = plays.index(("3-8", "last:2,0", 10))
    assert (values[closing] == 10 + 10 * (2 - 1)) == (sealed or POCKET not in around)


# --- Positions with an obvious move -------------------------------------------------------------


@pytest.mark.parametrize("name", THINKERS)
def test_they_go_out_with_the_highest_score(name):
    """8 on 7 scores 15, 1 on 4 only 5; the diamond is the last either way."""
    table = Table.at("4-7@0,0,0,0", "1-8", "9-10 1-10")
    while not table.state.hands_done:
        table.play(ask(name, table))
    assert table.state.last_scores[:2].tolist() == [15, -20]


def test_expert_declines_a_score_that_lets_the_rival_go_out():
    """6-10 scores 15, but so does the rival's last diamond, 3-5, on it.

    After 8-9, which scores 10, the rival cannot play, and 6-10 follows.
    """
    table = Table.at("1-5@0,0,0,0", "8-9 6-10", "3-5")
    assert ask("greedy", table).startswith("6-10@")
    assert ask("expert", table).startswith("8-9@")
    plays, values, best = found_by_search(table.batch, 0, 4, every=True)
    worth = [(play[0], play[2], value) for play, value in zip(plays, values, strict=True)]
    assert ("6-10", 15, 15 - 15 - 10) in worth
    assert plays[best][0] == "8-9"


def test_expert_thinks_of_every_rival():
    """8-9 scores 15, but then the next seat's play lets the seat after it go out."""
    table = Table.at("1-6@0,0,0,0", "8-9 5-6", "3-10 2-8", "1-7")
    assert ask("greedy", table).startswith("8-9@")
    assert ask("expert", table).startswith("5-6@")
    table.play(ask("greedy", table))
    table.play(ask("greedy", table))
    assert (table.asks, table.tiles) == ("2 choose a diamond", "1-7")
