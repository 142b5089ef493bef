"""Bit operations: the compiled versions do the same as the plain functions."""

import platform
import subprocess
import sys

import numpy as np
import pytest
from tests.conftest import COMPILED

from kitchentable.core.bits import count_bits, lowest_bit, read_eight, small, write_bits
from kitchentable.engine.compiling import loop


def _use_all(bits, floats, flags):
    write_bits(bits, 54, floats, 3)
    write_bits(bits, 1, flags, 0)
    write_bits(bits, 64, flags, 1)
    seen = read_eight(flags, 1), read_eight(flags, 58)
    return lowest_bit(bits), count_bits(bits), small(np.int8(bits & np.uint64(127))), *seen


_compiled = loop(_use_all, game=None, name="tests")


@pytest.mark.parametrize("bits", [1, 2**63, 0x123456789ABCDEF0, 2**64 - 1])
def test_compiled_and_plain_do_the_same(bits) -> None:
    flags = [bits >> i & 1 for i in range(64)]
    floats, marks = np.full(60, 7, np.float32), np.ones(66, np.bool_)
    found = _compiled(np.uint64(bits), floats, marks)
    seen = [int.from_bytes(bytes(eight), "little") for eight in (flags[:8], [*flags[57:], 1])]
    assert found == (flags.index(1), sum(flags), bits & 127, *seen)
    assert floats.tolist() == [7] * 3 + flags[:54] + [7] * 3
    assert marks.tolist() == [flags[0], *flags, True]

    plain = np.full(60, 7, np.float32)
    write_bits(np.uint64(bits), 54, plain, 3)
    assert plain.tobytes() == floats.tobytes()
    assert (lowest_bit(bits), count_bits(bits), small(bits & 127)) == found[:3]
    assert [read_eight(marks, at) for at in (1, 58)] == seen


ELSEWHERE = """
import sys
import numba
from llvmlite import binding
from kitchentable.core.bits import write_bits

lines = [f" write_bits(bits, {size}, out, {64 * size})" for size in range(1, 65)]
names = {"write_bits": write_bits}
exec("\\n".join(["def write_all(bits, out):", *lines]), names)
write_all = numba.njit(names["write_all"])
binding.initialize_all_targets()
binding.initialize_all_asmprinters()
for dtype in numba.float32, numba.boolean:
    write_all.compile((numba.uint64, dtype[::1]))
for code in write_all.inspect_llvm().values():
    target = binding.Target.from_default_triple().create_target_machine(cpu=sys.argv[1])
    assert target.emit_object(binding.parse_assembly(code))
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the code has this processor's operations"
)
@pytest.mark.parametrize("processor", ["x86-64", "haswell"])
def test_bits_are_written_on_other_processors(processor) -> None:
    # LLVM aborts the whole process on vector operations that it cannot compile for a processor.
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, processor], check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
