"""A batch on a real GPU: the same bytes as on the CPU over thousands of games, and no copies."""

import hashlib

import numpy as np
import pytest
from tests.conftest import VARIANTS

from kitchentable import Batch, all_games, make_batch
from kitchentable.engine.cuda import SIMULATED, check_usable


def why_not() -> str:
    """Return why these tests cannot run here; empty if they can."""
    if SIMULATED:
        return "the GPU is simulated"
    try:
        check_usable()
    except (ImportError, ValueError) as error:
        return str(error)
    return ""


pytestmark = [pytest.mark.cuda, pytest.mark.skipif(bool(why_not()), reason=why_not())]
GAMES = 4099
"""Not a multiple of a block's threads."""
STEPS = 300
FIRST = dict(reversed(VARIANTS))
SEEN = ("masks", "observations", "current_player", "rewards", "dones")


def digest(batch) -> str:
    """Return a hash of all arrays that a batch exposes, on either device."""
    found = hashlib.sha256()
    for name in SEEN:
        array = getattr(batch, name)
        found.update(np.ascontiguousarray(array if isinstance(batch, Batch) else array.cpu()))
    for records in (batch.states, batch.final_states):
        found.update((records if isinstance(batch, Batch) else records.numpy()).tobytes())
    return found.hexdigest()


def addresses(gpu) -> list[int]:
    tensors = [getattr(gpu, name) for name in SEEN]
    return [t.data_ptr() for t in (*tensors, gpu.states.bytes, gpu.final_states.bytes)]


@pytest.mark.parametrize(("name", "number"), VARIANTS)
def test_thousands_of_games_are_the_same_in_every_byte(name, number) -> None:
    params = all_games()[name].rules.variants[number]
    cpu = Batch(all_games()[name], GAMES, seed=7, **params)
    gpu = make_batch(name, GAMES, seed=7, device="cuda", **params)
    assert digest(cpu) == digest(gpu)
    for step in range(STEPS):
        cpu.step(cpu.sample_actions())
        gpu.step(gpu.sample_actions())
        if step % 50 == 49:
            assert digest(cpu) == digest(gpu), step
    gpu.check()
    seats = np.arange(GAMES) % cpu.num_players
    assert np.array_equal(cpu.observe(seats), gpu.observe(seats).cpu())
    for ours, theirs in zip(cpu.standings(), gpu.standings(), strict=True):
        assert np.array_equal(ours, theirs.cpu())
    if cpu.game.rules.observe_state is not None:
        assert cpu.observe_state().tobytes() == gpu.observe_state().cpu().numpy().tobytes()
    if cpu.game.rules.redeal is not None:
        for batch in (cpu, gpu):
            batch.redeal(seats, seed=2)
        assert digest(cpu) == digest(gpu)


@pytest.mark.filterwarnings("ignore:Synchronization debug mode:UserWarning")
@pytest.mark.parametrize("name", sorted(FIRST))
def test_a_step_copies_nothing_and_waits_for_nothing(name) -> None:
    import torch

    gpu = make_batch(name, GAMES, seed=7, device="cuda")
    gpu.step(gpu.sample_actions())
    before = addresses(gpu)
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        for _ in range(5):
            gpu.step(gpu.sample_actions())
            gpu.reset(gpu.dones)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    assert addresses(gpu) == before
    seen, masks = torch.zeros_like(gpu.observations), torch.zeros_like(gpu.masks)
    gpu.step(gpu.sample_actions(), into=(seen, masks))
    assert gpu.observations.data_ptr() == seen.data_ptr()
    assert masks.any(dim=1).all()


def test_kernels_run_on_the_current_stream() -> None:
    """A step waits for the work on its own stream only."""
    import torch

    gpu = make_batch("diddly", GAMES, seed=7, device="cuda")
    cpu = Batch(gpu.game, GAMES, seed=7)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(20):
            torch.cuda._sleep(1_000_000)
            gpu.step(gpu.sample_actions())
        assert not stream.query()
        late = gpu.observations.clone()
    stream.synchronize()
    for _ in range(20):
        cpu.step(cpu.sample_actions())
    assert digest(cpu) == digest(gpu)
    assert np.array_equal(cpu.observations, late.cpu())


@pytest.mark.parametrize(
    ("name", "player"),
    [(name, "random") for name in sorted(FIRST)] + [("addtoo", "greedy"), ("diddly", "greedy")],
)
def test_scripted_players_choose_as_on_the_cpu(name, player) -> None:
    from kitchentable.players.cuda import CudaPlayer
    from kitchentable.players.scripted import ScriptedPlayer

    gpu = make_batch(name, GAMES, seed=7, device="cuda")
    cpu = Batch(gpu.game, GAMES, seed=7)
    ours = ScriptedPlayer(cpu.game, player, seed=4)
    theirs = CudaPlayer(gpu.game, player, seed=4)
    games = np.arange(0, GAMES, 2)
    for _ in range(20):
        cpu.step(cpu.sample_actions())
        gpu.step(gpu.sample_actions())
        chosen = theirs.act(gpu, gpu.current_player.new_tensor(games))
        assert np.array_equal(ours.act(cpu, games), chosen.cpu())
