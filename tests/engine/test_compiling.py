"""The errors about code that cannot be compiled."""

import numba
import numpy as np
import pytest
from examples import top_card

from kitchentable.core.kernels import kernel
from kitchentable.core.scratch import scratch_bits, scratch_int16s, scratch_ints, scratch_shorts
from kitchentable.engine.compiling import CompileError, bind, innermost, loop

compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


@kernel
def there(number):
    return back(number) if number > 0 else 0


@kernel
def back(number):
    return there(number - 1)


@kernel
def makes_an_array(number):
    return np.zeros(3)[number]


@kernel
def needs_a_constant(number):
    return scratch_ints(number)[0]


@kernel
def fill_buffers(found):
    """Write different numbers to buffers of all kinds, and only then read them."""
    bits, ints, shorts = scratch_bits(2), scratch_ints(2), scratch_shorts(2)
    int16s, more = scratch_int16s(2), scratch_ints(3)
    for i in range(2):
        bits[i], ints[i], shorts[i], int16s[i], more[i] = 10 + i, 20 + i, 30 + i, 40 + i, 50 + i
    ints[0] = -(2**40)
    found[0] = len(bits) + len(ints) + len(shorts) + len(int16s) + len(more)
    for i in range(2):
        at = 1 + 5 * i
        found[at], found[at + 1], found[at + 2] = bits[i], ints[i], shorts[i]
        found[at + 3], found[at + 4] = int16s[i], more[i]


def undecorated(number):
    return number + 1


@kernel
def calls_it(number):
    return undecorated(number)


@kernel
def looks_for_a_field(number):
    return number.no_such_field


@kernel
def three_calls_deep(number):
    return looks_for_a_field(number)


@compiled_only
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (there, "may not call each other in a circle"),
        (makes_an_array, "a kernel makes no arrays: use kitchentable.core.scratch"),
        (needs_a_constant, "needs_a_constant|scratch_ints"),
        (calls_it, r"'undecorated'.* \(a function that kernels call must be a @kernel itself\)"),
        (three_calls_deep, r"Unknown attribute 'no_such_field' .*\(run with NUMBA_DISABLE_JIT=1"),
    ],
)
def test_compile_errors_say_the_innermost_sentence_and_a_hint(rule, said):
    def around(number):
        return rule(number)

    compiled = loop(around, game=top_card.GAME, name=f"error-{rule.__name__}")
    for call in (compiled, lambda number: bind(compiled, number)):
        with pytest.raises(CompileError, match=said) as error:
            call(2)
        message = str(error.value)
        assert message.startswith("loop around of top_card: ")
        assert "test_compiling.py:" in message
        assert len(message) < 300
        assert "\n" not in message


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "No field 'a' of Record(seed[type=uint64;offset=0],rng[type=uint64;offset=8];16;True)",
            "No field 'a' of record",
        ),
        (
            "No implementation of function sin found for signature:\n \n >>> sin(str)",
            "No implementation of function sin found for signature: sin(str)",
        ),
    ],
    ids=["record", "signature"],
)
def test_what_numba_says_is_one_short_sentence(lines, said):
    assert innermost(f"Failed in nopython mode pipeline (step: x)\n{lines}\n")[0] == said


def test_buffers_have_their_sizes_and_keep_apart_what_is_written():
    def around(found):
        fill_buffers(found)

    found = np.zeros(11, np.int64)
    loop(around, game=top_card.GAME, name="buffers")(found)
    assert found.tolist() == [11, 10, -(2**40), 30, 40, 50, 11, 21, 31, 41, 51]
