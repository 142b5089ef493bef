"""What a seat knows, as a record: it hides what is hidden, and says what the observation says."""

import numpy as np
import pytest
from tests.conftest import COMPILED, play_batch, scaled

from kitchentable import Batch, Game, SeatEnv, TableEnv, all_games, make_batch
from kitchentable.adapters.vector import SeatVectorEnv
from kitchentable.core.state import NO_ACTION, NOBODY, for_loops
from kitchentable.engine.loops import make_loops

GROUPS: dict[str, list[set[str]]] = {
    "addtoo": [{"laid", "num_laid", "xs", "ys", "axes", "flips"}],
    "diddly": [{"abilities", "num_abilities"}, {"pile", "pile_size"}],
    "fiddlefoo": [
        {"boards", "places", "cells", "on_map", "phase", "chosen", "legal"},
        {"card", "cell", "partner_cell"},
    ],
    "quiddler": [{"pile", "pile_size"}],
    "quiddler_solitaire": [{"placed", "num_placed"}, {"stacks", "heights"}],
}
"""Fields that mean nothing without each other: they are changed together."""


def needs_knowledge(game: Game) -> None:
    if not game.rules.has_knowledge:
        with pytest.raises(NotImplementedError, match=r"defines no rules.knowledge and rules.know"):
            Batch(game, 1).know([0])
        pytest.skip("the game does not define what a seat knows")


def some_viewers(batch: Batch, step: int) -> np.ndarray:
    """Return the seat to act, another seat or an onlooker in turn, a different one in each game."""
    turns = (np.arange(batch.num_envs) + step) % 3
    other = (batch.current_player + 1 + step % 2) % batch.num_players
    return np.choose(turns, [batch.current_player, other, NOBODY])


# --- The record ---------------------------------------------------------------------------------


def test_a_record_says_the_same_whatever_it_held_before(variant) -> None:
    """Players, search and the engine write one record again and again."""
    game, params = variant
    needs_knowledge(game)
    batch = Batch(game, scaled(30), seed=8, **params)
    used = game.rules.blank(batch.num_envs)
    for step, _ in enumerate(play_batch(batch, 40 if COMPILED else 20)):
        viewers = some_viewers(batch, step)
        make_loops(game).know(batch.records, viewers, used, batch.tables)
        assert used.tobytes() == batch.know(viewers).tobytes()


@pytest.mark.skipif(not COMPILED, reason="the functions that it calls often are run in others")
def test_the_record_and_the_observation_say_the_same(variant) -> None:
    """What changes the observation changes the record, and nothing changes the record alone.

    Each field of a table in turn gets its content from another moment of the same games. Such a
    table may be impossible; then the record may tell what the observation does not.
    """
    game, params = variant
    needs_knowledge(game)
    batch = Batch(game, 30, seed=9, autoreset=False, **params)
    moments = [batch.states.copy() for _ in play_batch(batch, 60)]
    rng = np.random.default_rng(1)
    here, there = (
        np.concatenate([moments[i] for i in rng.permutation(len(moments))]) for _ in "ab"
    )
    seats = rng.integers(batch.num_players, size=len(here))
    observed, known = batch.observe_records(here, seats), known_in(batch, here, seats)
    groups = GROUPS.get(game.name, [])
    for name in here.dtype.names:
        changed = here.copy()
        for one in next((group for group in groups if name in group), {name}):
            changed[one] = there[one]
        is_observed = (batch.observe_records(changed, seats) != observed).any(axis=1)
        is_known = (known_in(batch, changed, seats) != known).any(axis=1)
        assert not (is_observed & ~is_known).any(), name
        assert is_observed.any() == is_known.any(), name


def known_in(batch: Batch, records: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return what seats know in records, as a row of bytes each."""
    known = batch.game.rules.blank(len(records))
    make_loops(batch.game).know(for_loops(records), seats, known, batch.tables)
    return known.view(np.uint8, np.ndarray).reshape(len(records), -1)


# --- Action features ------------------------------------------------------------------------------


def needs_features(game: Game) -> None:
    if game.players.action_features is None:
        for use in (lambda: Batch(game, 1, action_features=True), Batch(game, 1).describe):
            with pytest.raises(NotImplementedError, match=r"defines no players.action_features"):
                use()
        pytest.skip("the game has no action features")


def test_each_legal_action_is_described_in_every_step(variant) -> None:
    """Rows without an action are zero, also where they were used for an earlier decision."""
    game, params = variant
    needs_features(game)
    batch = Batch(game, scaled(20), seed=3, action_features=True, **params)
    names = game.feature_names(batch.params)
    assert len(set(names)) == len(names) == batch.rows.shape[2]
    several = game.name in {"addtoo", "quiddler_solitaire"}  # rows an action; some may be cut off
    for _ in play_batch(batch, 40 if COMPILED else 10):
        assert 0.0 <= batch.rows.min() <= batch.rows.max() <= 1.0
        for mask, actions, rows in zip(batch.masks, batch.row_actions, batch.rows, strict=True):
            legal, count = np.flatnonzero(mask)[: len(actions)], int((actions != NO_ACTION).sum())
            assert (actions[:count] != NO_ACTION).all()
            assert not rows[count:].any()
            told = actions[:count]
            if several:
                assert set(told) == set(legal) if count < len(actions) else set(told) <= set(legal)
            else:
                np.testing.assert_array_equal(told, np.flatnonzero(mask))
        some = np.flatnonzero(batch.masks.any(axis=1))[::-2]
        rows, actions = batch.describe(some)
        np.testing.assert_array_equal(rows, batch.rows[some])
        np.testing.assert_array_equal(actions, batch.row_actions[some])


@pytest.mark.parametrize("name", [n for n, g in all_games().items() if g.players.action_features])
def test_every_adapter_describes_the_actions_of_the_seat_to_act(name) -> None:
    table = TableEnv(name, action_features=True)
    table.reset(seed=3)
    batch = make_batch(name, 1, seed=3, action_features=True)
    many = SeatVectorEnv(name, 1, seat=0, action_features=True)
    one = SeatEnv(name, seat=0, action_features=True)
    for _ in range(3):
        if table.is_over:
            break
        mover, *others = [table.agent_selection, *set(table.agents) - {table.agent_selection}]
        seen = table.observe(mover)
        assert table.observation_space(mover).contains(seen)
        np.testing.assert_array_equal(seen["action_features"], batch.rows[0])
        np.testing.assert_array_equal(seen["row_actions"], batch.row_actions[0])
        assert (seen["row_actions"] != NO_ACTION).any()
        for other in others:
            hidden = table.observe(other)
            assert table.observation_space(other).contains(hidden)
            assert (hidden["row_actions"] == NO_ACTION).all()
            assert not hidden["action_features"].any()
        action = int(batch.sample_actions()[0])
        batch.step([action])
        table.step(action)
    loaded = TableEnv(name, action_features=True)
    loaded.load(table.save())
    assert loaded.observe(loaded.agent_selection).keys() == seen.keys()
    (there, _), (here, _) = many.reset(seed=5), one.reset(seed=5)
    for _ in range(400):
        assert one.observation_space.contains(here)
        for key, value in here.items():
            np.testing.assert_array_equal(there[key][0], value)
        assert (here["row_actions"] != NO_ACTION).any(), "no game ends in this position"
        action = here["row_actions"].max()
        there, here, ended = many.step(np.array([action]))[0], *one.step(action)[:3:2]
        if ended:
            break
    assert ended
    assert (here["row_actions"] == NO_ACTION).all()
    assert not here["action_features"].any()
