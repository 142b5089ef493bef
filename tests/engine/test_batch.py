"""What a batch refuses, and what it accepts: masks, indices and any kind of integers."""

import copy
import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from examples import top_card

from kitchentable import Batch, make_batch
from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import available_threads

SIZE = 6


@pytest.fixture
def batch():
    """A batch with three seats, some steps into its games."""
    made = Batch(top_card.GAME, SIZE, seed=3, num_players=3)
    for _ in range(4):
        made.step(made.sample_actions())
    return made


def seeds(batch):
    return batch.states.seed.copy()


@pytest.mark.parametrize(
    ("which", "games"),
    [
        (np.arange(SIZE) % 3 == 1, [1, 4]),
        ([i % 3 == 1 for i in range(SIZE)], [1, 4]),
        (np.array([4, 1, 4], np.int8), [1, 4]),
        ((1, 4), [1, 4]),
        *((none, []) for none in ([], np.zeros(SIZE, np.bool_), np.empty(0, np.int64))),
    ],
    ids=["mask", "flags", "an index twice", "tuple", "none", "no mask", "no index"],
)
def test_games_to_reset_are_given_by_a_mask_or_by_indices(batch, which, games):
    twin, before = copy.deepcopy(batch), seeds(batch)
    batch.reset(which)
    assert np.flatnonzero(seeds(batch) != before).tolist() == games
    assert not batch.rewards[games].any()
    for seat in games:
        twin.reset([seat])
    assert twin.states.tobytes() == batch.states.tobytes(), "each is dealt once"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.reset(np.ones(5, np.bool_)), r"which: give a boolean mask of shape \(6,\)"),
        (lambda b: b.reset([0.0, 1.0]), "which: .* not float64 of shape"),
        (lambda b: b.reset([6]), r"which: the games are 0 to 5, not \[6\]"),
        (lambda b: b.reset(top=np.array([9], np.int8)), "top: the deck has no card 9"),
        (lambda b: b.reset(top=np.array([1] * 5, np.int8)), "top: .* not so many"),
        (lambda b: b.reset(top=np.array([0.5])), "top: give the numbers of cards"),
        (lambda b: b.step(np.full(SIZE, 1.9)), "actions: give whole numbers .* not float64"),
        (lambda b: b.step([1, 2]), r"actions: .* of shape \(6,\), not int64 of shape \(2,\)"),
        (lambda b: b.observe([0.0] * SIZE), "players: .* not float64"),
        (lambda b: b.observe([0, 0, 3, 0, 0, 0]), "players: there is no seat 3; 0 to 2"),
        (lambda b: b.observe([0] * SIZE, np.zeros((6, 2), np.float32)), "out: give a contiguous"),
        (lambda b: b.observe_records(b.states[:2], [0]), r"players: .* of shape \(2,\)"),
        (lambda b: b.redeal([ALL_SEEING] * SIZE, 1), "players: there is no seat"),
        (lambda b: b.deal(np.zeros(SIZE, np.uint64)), "seeds: .* none of them 0"),
        (lambda b: b.step(np.full(SIZE, 2**64 - 1, np.uint64)), f"may not play {2**64 - 1} "),
        (lambda b: b.step([[0], [0, 1]]), "actions: give an array, not a ragged list"),
        (lambda b: b.observe_records(None, [0]), r"records: give an array of records of top_card"),
        (lambda b: b.standings([True, False]), "records: .* not bool"),
        (lambda b: b.standings(b.records[:0].reshape(0, 1)), "records: .* not records of shape"),
        (lambda b: b.redeal([0] * SIZE, -1), "seed: give a whole number from 0 on, not -1"),
        (lambda b: b.images([0.0]), r"observations: give an array of shape \(\.\.\., \d+\)"),
    ],
)
def test_what_is_impossible_is_named_and_changes_nothing(batch, call, message):
    before = batch.states.tobytes(), batch.observations.tobytes(), batch.masks.tobytes()
    with pytest.raises(ValueError, match=message):
        call(batch)
    assert (batch.states.tobytes(), batch.observations.tobytes(), batch.masks.tobytes()) == before


@pytest.mark.parametrize(
    "wrong",
    [{"num_envs": 0}, {"num_envs": True}, {"threads": 0}, {"threads": 1.5}, {"autoreset": 1}],
)
def test_counts_are_whole_numbers_and_flags_flags(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        make_batch("top_card", **{"num_envs": 2, **wrong})


def test_actions_are_described_by_what_the_seat_to_act_knows():
    batch = make_batch("diddly", 3, seed=3, action_features=True)
    for _ in range(12):
        batch.step(batch.sample_actions())
    write = batch.game.players.action_features.write
    known = batch.know(batch.current_player)
    for i, described in enumerate(batch.rows):
        rows = np.zeros_like(described)
        write(known[i], batch.masks[i], batch.row_actions[i], rows, *batch.tables)
        np.testing.assert_array_equal(rows, described)
    assert batch.rows.any()


def test_without_action_features_there_are_no_rows():
    batch = make_batch("diddly", 3)
    assert batch.rows.shape[:2] == batch.row_actions.shape == (3, 0)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_loops_are_not_compiled_again_for_strided_or_read_only_arrays():
    batch = make_batch("diddly", SIZE, seed=3)
    calls = {
        "observe": batch.observe,
        "know": batch.know,
        "describe": batch.describe,
        "redeal": lambda seats: batch.redeal(seats, seed=1),
    }
    seats = np.arange(SIZE) % 2
    frozen = seats.copy()
    frozen.flags.writeable = False
    for name, call in calls.items():
        loop = getattr(batch._loops, name)
        call(seats)
        before = len(loop.compiled.signatures)
        call(seats[::-1])
        call(frozen)
        assert len(loop.compiled.signatures) == before, name


def test_numpy_s_numbers_are_taken_wherever_python_s_are():
    batch = make_batch("top_card", np.int64(2), seed=np.int64(4), num_players=np.int8(3))
    same = make_batch("top_card", 2, seed=4, num_players=3)
    assert batch.params == same.params
    assert batch.params.plain() == same.params.plain()
    assert batch.states.tobytes() == same.states.tobytes()
    assert batch.observe(np.zeros(2, np.int8)).tobytes() == same.observe([0, 0]).tobytes()


@pytest.mark.parametrize(("cores", "most", "threads"), [(8, 2, 2), (2, 8, 2), (None, 4, 1)])
def test_as_many_threads_as_there_are_cores_and_numba_may_use(monkeypatch, cores, most, threads):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", most)
    assert available_threads() == threads
    with pytest.raises(ValueError, match=f"threads={most + 1} .* choose 1 to {most}"):
        make_batch("top_card", 1, threads=most + 1)


def test_dones_and_rewards_are_those_of_the_last_step_alone():
    """Each step reports only what it has ended and paid itself, also without autoreset."""
    made = Batch(top_card.GAME, SIZE, seed=3, autoreset=False)
    while not made.dones.any():
        made.step(made.sample_actions())
    assert made.rewards.any()
    made.step(np.full(SIZE, -1))
    assert not made.dones.any()
    assert not made.rewards.any()


def test_a_game_that_is_over_as_dealt_ends_with_its_first_step():
    """No action is legal in it; with autoreset it restarts like any other finished game."""
    made = make_batch("quiddler_solitaire", 1, seed=3, lexicon=["zzz"])
    for _ in range(2):
        before = seeds(made)
        assert (made.sample_actions() == -1).all()
        made.step(made.sample_actions())
        assert made.dones.all()
        assert not made.rewards.any()
        assert made.final_states.terminated.all()
        assert made.final_states.seed.tolist() == before.tolist()
        assert (seeds(made) != before).all()
    left = make_batch("quiddler_solitaire", 1, seed=3, lexicon=["zzz"], autoreset=False)
    before = left.states.tobytes()
    left.step(left.sample_actions())
    assert not left.dones.any()
    assert left.states.tobytes() == before


def test_a_forced_action_is_the_only_legal_one():
    """Solitaire games, where often only one card can continue a word, and one finished game."""
    made = make_batch("quiddler_solitaire", 64, seed=3, autoreset=False)
    made.states.terminated[5] = True
    made.look()
    seen = set()
    for _ in range(40):
        forced = made.forced_actions()
        for mask, action in zip(made.masks, forced.tolist(), strict=True):
            legal = np.flatnonzero(mask).tolist()
            assert action == (legal[0] if len(legal) == 1 else -1)
            seen.add(min(len(legal), 2))
        assert forced[5] == -1
        made.step(made.sample_actions())
    assert seen == {0, 1, 2}


def test_games_that_are_left_show_what_they_showed_in_new_arrays_too(batch):
    observations, masks, states = batch.observations.copy(), batch.masks.copy(), batch.states.copy()
    into = (np.full_like(observations, 9), np.full_like(masks, fill_value=True))
    actions = np.where(np.arange(SIZE) < 2, batch.sample_actions(), -1)
    batch.step(actions, into=into)
    assert (batch.observations is into[0]) & (batch.masks is into[1])
    assert batch.states[2:].tobytes() == states[2:].tobytes()
    np.testing.assert_array_equal(into[0][2:], observations[2:])
    np.testing.assert_array_equal(into[1][2:], masks[2:])
    assert (into[0][:2] <= 1).all()
    assert not batch.rewards[2:].any()


FORKING = """
import multiprocessing
import numba
from kitchentable import make_batch

def play(threads):
    try:
        batch = make_batch("kuhn_poker", 256, seed=1, threads=threads)
        batch.step(batch.sample_actions())
        print("played", flush=True)
    except RuntimeError as error:
        print(error, flush=True)

play(2)
for threads in (1, 2):
    child = multiprocessing.get_context("fork").Process(target=play, args=(threads,))
    child.start()
    child.join()
    print(child.exitcode, flush=True)
print(numba.threading_layer())
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="other systems do not fork, or use clang's OpenMP"
)
@pytest.mark.skipif(available_threads() < 2, reason="there is only one thread")
def test_threads_in_a_forked_process_are_an_error_not_its_death():
    """GNU OpenMP ends a process that was forked after threads had run."""
    command = [sys.executable, "-W", "ignore", "-c", FORKING]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *said, last, code, layer = done.stdout.splitlines()
    assert said == ["played", "played", "0"]
    assert code == "0"
    assert last.startswith("threads: this process was forked" if layer == "omp" else "played")
