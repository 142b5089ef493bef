"""Copies and pickles of objects that hold games go on as the original does, and on their own."""

import copy
import hashlib
import pickle
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

import numba
import numpy as np
import pytest
from examples import top_card
from tests.conftest import COMPILED, short
from tests.contract.holders import HOLDERS, played

from kitchentable import Batch, Game, all_games, find_game
from kitchentable.core.registry import game_at, place_of
from kitchentable.core.state import NO_CARDS
from kitchentable.engine.batch import PARALLEL_FROM, available_threads
from kitchentable.render.window import Window

TABLES = ("tables", "_step_arguments", "_look_arguments")
"""Attributes with the game's read-only arrays, which copies share."""
STEPS = 60 if COMPILED else 40
HOLDER = pytest.mark.parametrize("name", HOLDERS)
WAYS = [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]


def arrays_in(holder, seen: dict) -> list[np.ndarray]:
    """Return all arrays in an object's attributes, except what belongs to its game."""
    if id(holder) in seen or isinstance(holder, Game) or callable(holder):
        return []
    seen[id(holder)] = holder
    if isinstance(holder, memoryview):
        holder = np.asarray(holder)
    if isinstance(holder, np.ndarray):
        return [holder]
    if isinstance(holder, list | tuple):
        inside = list(holder)
    else:
        attributes = holder if isinstance(holder, dict) else getattr(holder, "__dict__", {})
        inside = [one for name, one in attributes.items() if name not in TABLES]
    return [array for one in inside for array in arrays_in(one, seen)]


def share_memory(one, other) -> bool:
    """Return whether writing to an array of one object could change the other."""
    mine, theirs = ([a for a in arrays_in(x, {}) if a is not NO_CARDS] for x in (one, other))
    assert mine
    return any(np.may_share_memory(a, b) for a in mine for b in theirs)


@HOLDER
def test_copies_go_on_as_the_original_does_and_apart(game, name) -> None:
    """Before the first deal, and after one or more ends."""
    holder = HOLDERS[name][0](game, short(game))
    for steps in (0, STEPS):
        played(name, holder, steps)
        copies = [way(holder) for way in (copy.deepcopy, *WAYS)]
        assert not any(share_memory(holder, one) for one in copies)
        expected = played(name, copies[0], STEPS)
        assert played(name, copies[1], STEPS) == expected, "the first copy changed the second"
        assert played(name, copies[2], STEPS) == expected
    assert played(name, holder, STEPS) == expected, "a copy changed the original"
    assert len({str(one) for one in expected}) > 1, "nothing happens"


@pytest.mark.parametrize("name", [name for name in HOLDERS if name != "made"])
def test_a_shallow_copy_shares_no_game(game, name) -> None:
    """Gymnasium's own wrappers share theirs."""
    holder = HOLDERS[name][0](game, short(game))
    assert not share_memory(holder, copy.copy(holder))


def test_a_copied_batch_is_whole(game) -> None:
    """Its records can be read and changed, and it keeps arrays that the caller has given."""
    batch = Batch(game, 8, seed=2)
    own = np.zeros_like(batch.observations), np.zeros_like(batch.masks)
    batch.step(batch.sample_actions(), into=own)
    twin = pickle.loads(pickle.dumps(batch))
    assert (twin.params, twin.game) == (batch.params, game)
    assert twin.records.dtype == batch.records.dtype
    for one in (batch, twin):
        one.states.seed[:5] += np.uint64(1)
        assert (one.records["seed"] == one.states.seed).all()
        one.seed_game(7, 3)
        one.reset([7])
        one.redeal(one.current_player, 4)
        one.step(one.sample_actions())
    assert twin.states.tobytes() == batch.states.tobytes()
    assert twin.observations.tobytes() == batch.observations.tobytes()
    for one, other in zip(twin.tables, batch.tables, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.skipif(available_threads() < 2, reason="one thread is all there is")
@pytest.mark.parametrize(("most", "kept"), [(2, 2), (1, 1)])
def test_a_copy_has_no_more_threads_than_its_process(monkeypatch, most, kept) -> None:
    batch = Batch(find_game("kuhn_poker"), PARALLEL_FROM, seed=2, threads=2)
    sent = pickle.dumps(batch)
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", most)
    twin = pickle.loads(sent)
    assert twin.threads == kept
    for one in (batch, twin):
        one.step(one.sample_actions())
    assert twin.observations.tobytes() == batch.observations.tobytes()


def test_another_process_goes_on_with_what_was_pickled(tmp_path) -> None:
    """A game of one's own too, which that process has neither imported nor registered."""
    holders = []
    for name in HOLDERS:
        for game in (all_games()["diddly"], top_card.GAME):
            holder = HOLDERS[name][0](game, short(game))
            played(name, holder, 9)
            holders.append((name, holder))
    found = [by for by in ("pickle", "cloudpickle") if find_spec(by)]  # one is not required
    for by in found:
        (tmp_path / by).write_bytes(import_module(by).dumps(holders))
    expected = [played(name, holder, 30) for name, holder in holders]
    code = (
        "import hashlib, pathlib, pickle, sys\n"
        "for file in sys.argv[1:]:\n"
        "    holders = pickle.loads(pathlib.Path(file).read_bytes())\n"
        "    assert 'tests.conftest' not in sys.modules\n"
        "    from tests.contract.holders import played\n"
        "    found = [played(name, holder, 30) for name, holder in holders]\n"
        "    print(hashlib.sha256(repr(found).encode()).hexdigest())"
    )
    command = [sys.executable, "-c", code, *(str(tmp_path / by) for by in found)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    due = hashlib.sha256(repr(expected).encode()).hexdigest()
    assert told.stdout.splitlines() == [due] * len(found), told.stderr


# --- Games -------------------------------------------------------------------------------------


def test_a_game_is_pickled_by_its_place(game) -> None:
    module, variable, registered = place_of(game)
    assert registered
    assert getattr(sys.modules[module], variable) is game
    assert pickle.loads(pickle.dumps(game)) is copy.deepcopy(game) is copy.copy(game) is game


def test_a_game_without_a_place_is_copied_and_its_pickle_says_what_is_missing() -> None:
    nowhere = replace(top_card.GAME, about="A game that no module has.")
    batch = Batch(nowhere, 2, seed=1)
    twin = copy.deepcopy(batch)
    assert twin.game is nowhere
    assert twin.states.tobytes() == batch.states.tobytes()
    with pytest.raises(pickle.PicklingError, match="top_card cannot be pickled, because no impor"):
        pickle.dumps(batch)


def test_a_game_that_is_not_there_is_named() -> None:
    for place in (("no_such_module", "GAME"), ("examples.top_card", "NO_GAME")):
        with pytest.raises(pickle.UnpicklingError, match=f"the game {place[1]} .*{place[0]}"):
            game_at(*place, True)


def test_a_variation_of_a_game_is_not_taken_for_it(monkeypatch) -> None:
    """A game of the same name in another module stays what it is, and does not take the name."""
    other = replace(find_game("diddly"), about="Another game.")
    monkeypatch.setattr(sys.modules[__name__], "OTHER", other, raising=False)
    assert place_of(other) == (__name__, "OTHER", False)
    assert pickle.loads(pickle.dumps(Batch(other, 2, seed=1))).game is other
    assert find_game("diddly") is not other


# --- Windows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["env", "made"])
def test_copies_do_not_draw(monkeypatch, name) -> None:
    shown = []
    monkeypatch.setattr(Window, "show", lambda _, rgb: shown.append(rgb))
    holder = HOLDERS[name][0](top_card.GAME, {"render_mode": "human"})
    played(name, holder, 3)
    drawn = len(shown)
    assert drawn
    for way in WAYS:
        twin = way(holder)
        assert (twin.render_mode, holder.render_mode) == (None, "human")
        played(name, twin, 5)
    assert len(shown) == drawn
    played(name, holder, 5)
    assert len(shown) > drawn
