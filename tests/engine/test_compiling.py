"""Compiled code: where it is cached, and the errors about code that cannot be compiled."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from examples import top_card
from filelock import FileLock

import kitchentable
from kitchentable import find_game
from kitchentable.core.kernels import kernel
from kitchentable.engine.compiling import CompileError, bind, game_sources, innermost, loop

compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

# --- Errors ---------------------------------------------------------------------------------------


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


# --- The cache ------------------------------------------------------------------------------------

FOLDERS = """
import json
from kitchentable import all_games
from kitchentable.engine.compiling import cache_folder
print(json.dumps({name: str(cache_folder(game)) for name, game in all_games().items()}))
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package that tests may edit."""
    source = Path(kitchentable.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(source, tmp_path / "copy" / "kitchentable", ignore=ignored)


@pytest.fixture
def folders(package, tmp_path):
    """Return a function that returns the cache folder of each game in the copy."""
    env = {**os.environ, "PYTHONPATH": str(package.parent), "XDG_CACHE_HOME": str(tmp_path)}
    env.pop("NUMBA_CACHE_DIR", None)

    def ask():
        command = [sys.executable, "-c", FOLDERS]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return ask


def add_comment(path):
    path.write_text(path.read_text() + "\n# A comment.\n")


def changed(before, after):
    return {name for name in before if before[name] != after[name]}


def test_an_edit_recompiles_the_game_that_it_is_in_and_no_other(package, folders):
    first = folders()
    add_comment(package / "games" / "diddly" / "rules.py")
    second = folders()
    assert changed(first, second) == {"diddly"}
    add_comment(package / "games" / "diddly" / "render" / "text.py")
    assert folders() == second, "drawings hold no compiled code"
    add_comment(package / "games" / "quiddler" / "cards.py")
    third = folders()
    assert changed(second, third) == {"quiddler", "quiddler_solitaire"}
    add_comment(package / "core" / "rng.py")
    assert changed(third, folders()) == set(third)


def test_what_was_compiled_of_sources_that_are_gone_is_removed(package, folders):
    first = folders()
    add_comment(package / "games" / "diddly" / "rules.py")
    folders()
    assert Path(first["diddly"]).exists(), "a process that runs may still want it"
    os.utime(Path(first["diddly"]) / "origin", (0, 0))
    os.utime(Path(first["addtoo"]) / "origin", (0, 0))
    add_comment(package / "games" / "diddly" / "rules.py")
    after = folders()
    assert not Path(first["diddly"]).exists()
    assert Path(after["diddly"]).exists()
    assert Path(first["addtoo"]).exists(), "its sources are as they were"


def test_the_sources_of_a_game_are_its_own():
    solitaire = {path.as_posix() for path in game_sources(find_game("quiddler_solitaire"))}
    assert any(path.endswith("quiddler/words/solver.py") for path in solitaire)
    assert not any("/render/" in path or "/diddly/" in path for path in solitaire)
    assert [path.name for path in game_sources(top_card.GAME)] == ["top_card.py"]


ONE_LOOP = """
import sys
from kitchentable.engine.compiling import loop
def add(a, b):
    return a + b
run = loop(add, game=None, name="one-loop")
print(run.compiled._cache.cache_path, flush=True)
sys.stdin.readline()
run(1, 2)
print(len(run.compiled.stats.cache_hits), flush=True)
"""


@compiled_only
def test_of_two_processes_one_compiles_and_the_other_waits(tmp_path):
    script = tmp_path / "one_loop.py"
    script.write_text(ONE_LOOP)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, str(script)]
    both = [subprocess.Popen(command, env=env, text=True, **pipes) for _ in range(2)]
    folders = {Path(one.stdout.readline().strip()) for one in both}
    assert len(folders) == 1
    with FileLock(folders.pop() / "lock"):
        for one in both:
            one.stdin.write("\n")
            one.stdin.flush()
        waiting = [one.stderr.readline() for one in both]
    assert waiting == ["kitchentable: waiting for another process to compile one-loop\n"] * 2
    hits = sorted(one.communicate(timeout=100)[0] for one in both)
    assert hits == ["0\n", "1\n"]
