"""The errors about code that cannot be compiled."""

import numba
import numpy as np
import pytest
from examples import top_card

from kitchentable.core.kernels import kernel
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


def test_a_record_in_an_error_is_one_word():
    long = "Record(seed[type=uint64;offset=0],rng[type=uint64;offset=8];16;True)"
    text = f"Failed in nopython mode pipeline (step: x)\nNo field 'a' of {long}, int64\n"
    assert innermost(text)[0] == "No field 'a' of record, int64"
