"""Kernels compile for a GPU on a machine without one, to the code that a batch would run."""

import re
from types import SimpleNamespace
from typing import ClassVar

import numba
import pytest
from numba import types

from kitchentable import all_games
from kitchentable.engine.cuda import INSTALL, SIMULATED

pytest.importorskip("torch")
pytestmark = [
    pytest.mark.cuda_ptx,
    pytest.mark.skipif(SIMULATED, reason="the simulator compiles nothing"),
]

HOPPER = (9, 0)
STACK = {"addtoo": 8_192, "fiddlefoo": 4_096, "quiddler": 24_576, "quiddler_solitaire": 8_192}
"""Largest allowed stack of a thread, in bytes."""
SMALL_STACK = 256
"""The same for all other games."""
QUICK = {"diddly", "top_card"}
"""The games that take seconds. The others are compiled by `make test-all`: what may not compile is
the engine's rather than a game's, and that is the same for all."""


class Array(SimpleNamespace):
    """A stand-in for an array that carries only its numba type."""

    def reshape(self, shape):
        return Array(_numba_type_=self._numba_type_.copy(ndim=len(shape)))


def typed(tensor, dtype=None):
    """Return a stand-in for the array that a kernel would receive."""
    kind = tensor.numpy().dtype if dtype is None else dtype
    ndim = tensor.ndim if dtype is None else 1
    return Array(_numba_type_=types.Array(numba.from_dtype(kind), ndim, "C"))


@pytest.fixture
def compiled(monkeypatch):
    """Make batches compile kernels instead of running them; return the code by kernel name."""
    pytest.importorskip("numba_cuda", reason=f"needs numba-cuda: {INSTALL}")
    from numba import cuda
    from numba.cuda import api, compiler, dispatcher

    from kitchentable.engine.cuda import batch, compiling, memory
    from kitchentable.players import cuda as players
    from kitchentable_training.algorithms import gpu

    code = {}

    def compile_only(function, signature, _game, name, allocates):
        with compiling.without_fma(), compiling._set(CUDA_ENABLE_NRT=allocates):
            ptx, _ = cuda.compile_ptx(function, signature, cc=HOPPER)
        code[f"{name}.{function.__name__}"] = ptx

    device = SimpleNamespace(compute_capability=HOPPER, supports_bfloat16=True)
    for module in (api, compiler, dispatcher):
        monkeypatch.setattr(module, "get_current_device", lambda: device, raising=False)
    monkeypatch.setattr(compiling, "_compile", compile_only)
    monkeypatch.setattr(compiling, "launching", lambda *_: lambda *_: None)
    for module in (batch, memory, players, gpu):
        monkeypatch.setattr(module, "for_kernels", typed)
        monkeypatch.setattr(module, "DEVICE", "cpu", raising=False)
    return code


def stack(ptx) -> int:
    return sum(map(int, re.findall(r"\.local .*__local_depot\d+\[(\d+)\]", ptx)))


def farthest(ptx) -> int:
    """Return the largest constant that is added to an address, in bytes."""
    return max(map(int, re.findall(r"\[%rd\d+\+(\d+)\]", ptx)), default=0)


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in all_games()],
)
def test_kernels_compile_for_a_gpu(name, compiled) -> None:
    from kitchentable.engine.cuda.batch import CudaBatch
    from kitchentable.players.cuda import CudaPlayer

    game = all_games()[name]
    batch = CudaBatch(game, 2, seed=1)
    batch.sample_actions()
    batch.standings()
    batch.observe([0, 0])
    if game.rules.observe_state is not None:
        batch.observe_state()
    if game.rules.redeal is not None:
        batch.redeal([0, 0], 1)
    if game.rules.has_knowledge:
        batch.know([0, 0])
    if game.players.action_features is not None:
        batch.describe()
    if game.players.derived_parts is not None:
        batch.derive()
    CudaPlayer(game, "random").act(batch, batch.current_player)
    assert {"loops.step", "loops.observe_seats", "loops.sample", "random.choose"} <= set(compiled)
    for kernel, ptx in compiled.items():
        # A product that is not rounded before an addition (a fused multiply-add) has other bits.
        assert not re.search(r"\bfma\.", ptx), kernel
        assert stack(ptx) <= STACK.get(name, SMALL_STACK), kernel
        assert "NRT_" not in ptx, kernel
        # NVVM once unrolled a loop over Quiddler's seats to addresses 600 million bytes away.
        sizes = game.rules.state_dtype.itemsize, 4 * batch.observation_size, stack(ptx)
        assert farthest(ptx) < max(sizes)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["addtoo", "diddly"])
def test_players_that_make_arrays_compile_for_a_gpu(name, compiled) -> None:
    from kitchentable.engine.cuda.batch import CudaBatch
    from kitchentable.players.cuda import CudaPlayer

    batch = CudaBatch(all_games()[name], 2, seed=1)
    CudaPlayer(all_games()[name], "expert").act(batch, batch.current_player)
    assert "NRT_MemInfo_alloc" in compiled["expert.choose"]


def test_what_self_play_does_by_game_compiles_for_a_gpu(compiled) -> None:
    import numpy as np
    import torch

    from kitchentable_training.algorithms.advantages import advantages
    from kitchentable_training.algorithms.gpu import Kernels
    from kitchentable_training.algorithms.ppo_loss import draw
    from kitchentable_training.algorithms.rnad import v_trace

    steps, games, seats, num_actions = 2, 3, 2, 5
    by_seat, by_step = torch.zeros(steps, games, seats), torch.zeros(steps + 1, games)
    masks, actions = torch.ones(games, num_actions).bool(), torch.zeros(games).long()
    logits, streams = torch.zeros(games, num_actions), torch.zeros(games, dtype=torch.uint64)
    kernels, one = Kernels(), np.float32(1.0)
    kernels.run(draw, logits, masks, streams, actions, by_step[0])
    ends, out = by_step[:-1].bool(), by_step[:-1].clone()
    played = (by_seat, ends, by_step.long(), ends.clone(), by_step)
    kernels.run(advantages, *played, one, one, out)
    kernels.run(v_trace, *played, out.clone(), out.clone(), one, one, one, out.clone(), out)
    names = [name.partition("-")[0] for name in compiled]
    assert names == ["draw_in", "advantages_in", "v_trace_in"]
    for name, ptx in compiled.items():
        assert stack(ptx) == 0, name
        assert "NRT_" not in ptx, name
        # Those of the device's own exponentials and logarithms.
        assert ("draw_in" in name) == bool(re.search(r"\bfma\.", ptx)), name


def test_a_product_is_fused_where_that_is_not_forbidden(compiled) -> None:
    """Plant the fault that the test above looks for."""
    from numba import cuda

    def kernel(out, numbers):
        out[0] = numbers[0] * numbers[1] + numbers[2]

    signature = (types.float32[::1], types.float32[::1])
    assert re.search(r"\bfma\.", cuda.compile_ptx(kernel, signature, cc=HOPPER)[0])


def test_functions_that_a_gpu_has_no_code_for_are_an_error_of_compiling(monkeypatch) -> None:
    pytest.importorskip("numba_cuda", reason=f"needs numba-cuda: {INSTALL}")
    from kitchentable.engine.compiling import CompileError
    from kitchentable.engine.cuda import compiling

    def jit(*_, **__):
        raise KeyError("ufunc")

    monkeypatch.setattr(compiling.cuda, "jit", jit)
    with pytest.raises(CompileError, match=r"loop choose of diddly: .*ufunc"):
        compiling.compile_kernel(SimpleNamespace(__name__="choose"), (), all_games()["diddly"], "x")


class StandIn:
    """In place of a compiled kernel, which needs a GPU."""

    launch_config_sensitive = False
    target_context = SimpleNamespace(
        refresh=lambda: None, codegen=lambda: StandIn.codegen, remove_user_function=lambda _: None
    )
    codegen = SimpleNamespace(magic_tuple=lambda: HOPPER)
    entry_point = None
    compiled: ClassVar[list] = []

    def __init__(self, function, *_, **__):
        self.compiled.append(function)

    def bind(self):
        pass

    def _reduce_states(self):
        return {"code": "x" * 1000}

    @classmethod
    def _rebuild(cls, code):  # noqa: ARG003
        return cls.__new__(cls)


def test_a_kernel_is_kept_and_damage_costs_its_compiling(monkeypatch, tmp_path, caplog) -> None:
    pytest.importorskip("numba_cuda", reason=f"needs numba-cuda: {INSTALL}")
    from numba.cuda import dispatcher

    from kitchentable.core import user_cache
    from kitchentable.engine.code_cache import cache_folder
    from kitchentable.engine.cuda.compiling import compile_kernel

    def kernel(out):
        out[0] = 1

    context = property(lambda _: StandIn.target_context, lambda *_: None)
    monkeypatch.setattr(dispatcher.CUDADispatcher, "targetctx", context, raising=False)
    monkeypatch.setattr(dispatcher, "_Kernel", StandIn)
    user_cache.told.clear()
    monkeypatch.setattr(StandIn, "compiled", [])
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache_folder.cache_clear()
    for damage in (b"", None):
        for _ in range(2):
            assert compile_kernel(kernel, (types.float32[::1],), None, "kernel").specialized
        if damage is not None:
            (file,) = cache_folder(None).rglob("*.code")
            file.write_bytes(damage)
    assert StandIn.compiled == [kernel, kernel]
    (line,) = caplog.messages
    assert str(cache_folder(None)) in line
    cache_folder.cache_clear()
