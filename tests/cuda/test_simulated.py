"""A batch on a GPU that numba simulates in plain Python: the same bytes as on the CPU.

`make test-cuda` runs this with ``NUMBA_ENABLE_CUDASIM=1``, which must be set before numba is
imported.
"""

import copy
import pickle
from collections import deque

import numpy as np
import pytest
from tests.conftest import VARIANTS

from kitchentable import Batch, all_games, make_batch
from kitchentable.core.state import NOBODY
from kitchentable.engine.cuda import SIMULATED

pytestmark = [
    pytest.mark.cuda_sim,
    pytest.mark.skipif(not SIMULATED, reason="needs NUMBA_ENABLE_CUDASIM=1: `make test-cuda`"),
    # Integers wrap silently, as in compiled code; test-plain checks that those on the CPU do not.
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]
GAMES = 6
"""More than the threads of a simulated block, and not a multiple of them."""
BEFORE = 12
"""Number of decisions before the end of a game at which play is resumed."""
FIRST = dict(reversed(VARIANTS))


def both(name, params, num_envs=GAMES, **options):
    """Return the same games on the CPU and on the simulated GPU."""
    cpu = Batch(all_games()[name], num_envs, seed=3, **options, **params)
    return cpu, make_batch(name, num_envs, seed=3, device="cuda", **options, **params)


def assert_same(cpu, gpu) -> None:
    for name in ("masks", "observations", "current_player", "rewards", "dones"):
        assert getattr(cpu, name).tobytes() == getattr(gpu, name).numpy().tobytes(), name
    for name in ("states", "final_states"):
        old, new = getattr(cpu, name), getattr(gpu, name).numpy()
        different = [f for f in old.dtype.names if old[f].tobytes() != new[f].tobytes()]
        assert not different, (name, different)


def near_the_end(name, params) -> np.ndarray:
    """Return records of games shortly before the first of them ends."""
    cpu = Batch(all_games()[name], GAMES, seed=3, **params)
    last: deque = deque([cpu.records.copy()], BEFORE)
    while not cpu.dones.any():
        cpu.step(cpu.sample_actions())
        last.append(cpu.records.copy())
    return last[0]


def go_on_from(records, cpu, gpu) -> None:
    cpu.records[:] = records
    rows = records.view(np.uint8).reshape(len(records), -1)
    gpu.states.bytes.copy_(gpu.states.bytes.new_tensor(rows))
    for batch in (cpu, gpu):
        batch.rewards[:], batch.dones[:] = 0.0, False
        batch.look()


def play(cpu, gpu, steps) -> int:
    """Play random actions on both; return how many games ended."""
    ended = 0
    for _ in range(steps):
        actions, same = cpu.sample_actions(), gpu.sample_actions()
        assert actions.tobytes() == same.numpy().tobytes()
        cpu.step(actions)
        gpu.step(same)
        assert_same(cpu, gpu)
        assert cpu.forced_actions().tobytes() == gpu.forced_actions().numpy().tobytes()
        ended += int(cpu.dones.sum())
    gpu.check()
    return ended


@pytest.mark.parametrize(
    ("name", "number"),
    [
        pytest.param(*one, marks=() if one in FIRST.items() else pytest.mark.slow)
        for one in VARIANTS
    ],
)
def test_games_are_the_same_in_every_byte(name, number) -> None:
    params = all_games()[name].rules.variants[number]
    cpu, gpu = both(name, params)
    assert_same(cpu, gpu)
    play(cpu, gpu, 5)
    go_on_from(near_the_end(name, params), cpu, gpu)
    assert play(cpu, gpu, 2 * BEFORE) > 0


@pytest.mark.parametrize("name", sorted(FIRST))
def test_what_is_asked_for_is_the_same(name) -> None:
    """Compare observations, full states, standings, redeals, and the same for selected records."""
    cpu, gpu = both(name, {}, autoreset=False)
    go_on_from(near_the_end(name, {}), cpu, gpu)
    seats = np.arange(GAMES) % cpu.num_players
    assert cpu.observe(seats).tobytes() == gpu.observe(seats).numpy().tobytes()
    if cpu.game.rules.observe_state is not None:
        assert cpu.observe_state().tobytes() == gpu.observe_state().numpy().tobytes()
    if cpu.game.rules.has_knowledge:
        assert cpu.know(seats).tobytes() == gpu.know(seats).numpy().tobytes()
    if cpu.game.players.action_features is not None:
        playing = np.flatnonzero(cpu.masks.any(axis=1))[::-1].copy()
        described = gpu.describe(gpu.current_player.new_tensor(playing))
        for ours, theirs in zip(cpu.describe(playing), described, strict=True):
            assert ours.tobytes() == theirs.numpy().tobytes()
    if cpu.game.players.derived_parts is not None:
        assert cpu.derive().tobytes() == gpu.derive().numpy().tobytes()
    for ours, theirs in zip(cpu.standings(), gpu.standings(), strict=True):
        assert ours.tobytes() == theirs.numpy().tobytes()
    some = np.arange(GAMES) % 2 == 0
    few = gpu.states[gpu.dones.new_tensor(some)]
    assert few.numpy().tobytes() == cpu.states[some].tobytes()
    seen = gpu.observe_records(few, seats[some])
    assert cpu.observe_records(cpu.records[some], seats[some]).tobytes() == seen.numpy().tobytes()
    seats[0] = NOBODY
    for batch in (cpu, gpu):
        batch.redeal(seats, seed=5)
    assert_same(cpu, gpu)
    gpu.check()


@pytest.mark.parametrize("way", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_go_on_as_the_original_does_and_apart(way) -> None:
    from kitchentable.players.cuda import CudaPlayer

    cpu, gpu = both("diddly", {"rounds": 1})
    player = CudaPlayer(cpu.game, "greedy", seed=2)
    games = gpu.current_player.new_tensor(np.arange(GAMES))
    player.act(gpu, games)
    play(cpu, gpu, 3)
    other, twin, same = way(cpu), way(gpu), way(player)
    assert twin.states is twin.records
    play(other, twin, 2 * BEFORE)
    assert same.act(twin, games).tolist() == way(player).act(way(twin), games).tolist()
    play(cpu, gpu, 2 * BEFORE)
    assert player.act(gpu, games).tolist() == same.act(twin, games).tolist()


def test_games_are_dealt_anew_as_on_the_cpu() -> None:
    cpu, gpu = both("diddly", {})
    some = np.arange(GAMES) % 2 == 0
    on_gpu = gpu.dones.new_tensor(some)
    seeds = np.arange(1, GAMES + 1, dtype=np.uint64)
    for ours, theirs in ((some, some), ([1, 1, 4], [1, 1, 4]), (None, None), (some, on_gpu)):
        for batch, which in ((cpu, ours), (gpu, theirs)):
            batch.seed(11)
            batch.reset(which)
        assert_same(cpu, gpu)
    for deal in (
        lambda batch: batch.deal(seeds),
        lambda batch: batch.reset([2], top=np.array([3, 3, 1], np.int8)),
    ):
        deal(cpu)
        deal(gpu)
        assert_same(cpu, gpu)


def test_games_that_are_over_as_dealt_end_with_their_first_step() -> None:
    """They are dealt on the CPU: in plain Python that takes a minute."""
    name = "quiddler_solitaire"
    hopeless = Batch(all_games()[name], 1, seed=3, lexicon=["zzz"])
    for autoreset in (True, False):
        cpu, gpu = both(name, {}, 1, autoreset=autoreset)
        go_on_from(hopeless.records, cpu, gpu)
        assert play(cpu, gpu, 2) == autoreset


def test_movers_are_shown_what_they_see_where_it_is_wanted() -> None:
    cpu, gpu = both("diddly", {})
    first = gpu.masks
    seen, masks = gpu.observations.clone(), gpu.masks.clone()
    cpu.step(cpu.sample_actions())
    gpu.step(gpu.sample_actions(), into=(seen, masks))
    assert gpu.observations is seen
    assert gpu.masks is masks
    assert_same(cpu, gpu)
    assert not (first == masks).all()
    play(cpu, gpu, 2)


def test_what_is_impossible_is_noted_and_left() -> None:
    cpu, gpu = both("diddly", {})
    before = gpu.states.bytes.clone()
    actions = gpu.sample_actions().clone()
    illegal = int(np.flatnonzero(~cpu.masks[2])[0])
    actions[2] = illegal
    gpu.step(actions)
    assert (gpu.states.bytes[2] == before[2]).all()
    assert not (gpu.states.bytes[1] == before[1]).all()
    for wrong in (-2, -3, 10_000):  # -2 and -3 have meanings inside the engine, but are no actions
        actions[4] = wrong
        at = gpu.states.bytes[4].clone()
        gpu.step(actions)
        assert (gpu.states.bytes[4] == at).all()
    with pytest.raises(ValueError, match=f"game 2: player_0 may not play {illegal} .*legal: "):
        gpu.check()
    gpu.check()
    gpu.observe(gpu.current_player + 2)
    with pytest.raises(ValueError, match=r"has no seat \d; 0 to 1"):
        gpu.check()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda gpu: gpu.step(gpu.masks), "actions: give a contiguous tensor of torch.int64"),
        (lambda gpu: gpu.step([0] * GAMES), "actions: give"),
        (lambda gpu: gpu.step(gpu._actions, (gpu.rewards, gpu.masks)), "into: observations"),
        (lambda gpu: gpu.observe([0, 9, 0, 0, 0, 0]), "no seat 9"),
        (lambda gpu: gpu.observe(gpu._actions, gpu.rewards), "out: give"),
        (lambda gpu: gpu.reset(gpu.masks), "which: give"),
        (lambda gpu: gpu.standings(gpu.masks), "records: give Records of diddly"),
        (lambda gpu: gpu.redeal(gpu._actions, -1), "seed: give"),
        (lambda gpu: gpu.states.nothing, "has no field 'nothing'"),
    ],
)
def test_what_is_wrong_at_once_is_refused_at_once(call, said) -> None:
    gpu = make_batch("diddly", GAMES, seed=3, device="cuda")
    before = gpu.states.bytes.clone()
    with pytest.raises((ValueError, AttributeError), match=said):
        call(gpu)
    assert (gpu.states.bytes == before).all()


def test_a_field_is_a_view_of_all_records() -> None:
    cpu, gpu = both("diddly", {})
    for name in cpu.states.dtype.names:
        assert np.array_equal(cpu.states[name], gpu.states[name].numpy()), name
    gpu.states.current_player[:] = 1
    gpu.look()
    assert gpu.current_player.tolist() == [1] * GAMES


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_scripted_players_choose_as_on_the_cpu(name) -> None:
    from kitchentable.players.cuda import CudaPlayer
    from kitchentable.players.scripted import ScriptedPlayer

    cpu, gpu = both("diddly", {})
    ours = ScriptedPlayer(cpu.game, name, seed=4)
    theirs = CudaPlayer(gpu.game, name, seed=4)
    games = np.array([0, 2, 3, 5])
    for _ in range(6):
        cpu.step(cpu.sample_actions())
        gpu.step(gpu.sample_actions())
        chosen = theirs.act(gpu, gpu.current_player.new_tensor(games))
        assert ours.act(cpu, games).tolist() == chosen.tolist()
