"""Bits of numbers: what the compiler is told to do is what the plain functions do."""

import numpy as np
import pytest

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
