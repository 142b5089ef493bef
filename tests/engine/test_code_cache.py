"""The cache of compiled code: what it is kept by, its failures, and what is said about it."""

import errno
import fcntl
import hashlib
import importlib
import io
import json
import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest
from examples import top_card
from filelock import FileLock

import kitchentable
from kitchentable.core import user_cache
from kitchentable.engine import code_cache
from kitchentable.engine.code_cache import cache_folder
from kitchentable.engine.compiling import loop
from kitchentable.engine.sources import digest, game_sources

compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

# --- The folder of a game -------------------------------------------------------------------------

FOLDERS = """
import json, sys
from kitchentable import all_games
from kitchentable.engine.code_cache import cache_folder
for _ in sys.stdin:
    cache_folder.cache_clear()
    print(json.dumps({name: str(cache_folder(game)) for name, game in all_games().items()}))
    sys.stdout.flush()
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package that tests may edit."""
    source = Path(kitchentable.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    copied = shutil.copytree(source, tmp_path / "copy" / "kitchentable", ignore=ignored)
    (copied / "games" / "top_card").mkdir()
    shutil.copy(top_card.__file__, copied / "games" / "top_card" / "__init__.py")
    shutil.copy(copied / "diddly_v0.py", copied / "top_card_v0.py")
    return copied


@pytest.fixture
def folders(package, tmp_path):
    """A function that returns the cache folder of each game in the copy."""
    env = {**os.environ, "PYTHONPATH": str(package.parent), "XDG_CACHE_HOME": str(tmp_path)}
    env.pop("NUMBA_CACHE_DIR", None)
    command, pipe = [sys.executable, "-c", FOLDERS], subprocess.PIPE
    with subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, text=True) as process:

        def ask():
            process.stdin.write("\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


def add_comment(path):
    path.write_text(path.read_text() + "\n# A comment.\n")


def changed(before, after):
    return {name for name in before if before[name] != after[name]}


def age(folder, hours):
    """Let a folder have been used some hours ago for the last time."""
    os.utime(Path(folder) / "origin", (time.time() - hours * 60 * 60,) * 2)


def test_an_edit_recompiles_the_game_that_it_is_in_and_no_other(package, folders):
    """What was compiled of sources that are gone is removed after a day."""
    first = folders()
    add_comment(package / "games" / "diddly" / "rules.py")
    age(first["diddly"], 23)
    second = folders()
    assert changed(first, second) == {"diddly"}
    assert Path(first["diddly"]).exists(), "a process that runs may still want it"
    age(first["diddly"], 25)
    age(first["addtoo"], 1000)
    add_comment(package / "games" / "diddly" / "render" / "text.py")
    assert folders() == second, "drawings hold no compiled code"
    add_comment(package / "games" / "quiddler" / "cards.py")
    third = folders()
    assert changed(second, third) == {"quiddler", "quiddler_solitaire"}
    assert not Path(first["diddly"]).exists()
    assert Path(second["diddly"]).exists()
    assert Path(first["addtoo"]).exists(), "its sources are as they were"
    add_comment(package / "games" / "top_card" / "__init__.py")
    fourth = folders()
    assert changed(third, fourth) == {"top_card"}
    add_comment(package / "core" / "rng.py")
    assert changed(fourth, folders()) == set(fourth)


def test_a_renamed_source_is_another(tmp_path):
    write(tmp_path / "a.py", "A = 1")
    before = digest("", [tmp_path / "a.py"])
    assert digest("", [(tmp_path / "a.py").rename(tmp_path / "b.py")]) != before


def test_edited_helpers_of_a_game_outside_the_package_change_its_folder(tmp_path, monkeypatch):
    """Of a package, every module that its functions' files import; no other module of the disk."""
    own = own_game(tmp_path / "own_game", "from .parts import cards\nfrom own_game.parts import N")
    (own / "parts").mkdir()
    write(own / "parts" / "__init__.py", "from own_game.parts.cards import HAND as N")
    write(own / "parts" / "cards.py", "from .. import numbers\nHAND = numbers.HAND")
    write(own / "numbers.py", "import sys, numpy.linalg, diddly\nHAND = 3")
    write(own / "unused.py", "import own_game")
    write(tmp_path / "diddly.py", "")
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("own_game").GAME
    helpers = ["numbers.py", "parts/__init__.py", "parts/cards.py"]
    sources = [path.relative_to(own).as_posix() for path in game_sources(game)]
    assert sources == ["__init__.py", *helpers]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    seen = {cache_folder.__wrapped__(game)}
    for count, helper in enumerate(helpers, 2):
        add_comment(own / helper)
        seen.add(cache_folder.__wrapped__(game))
        assert len(seen) == count, helper
    add_comment(own / "unused.py")
    assert cache_folder.__wrapped__(game) in seen
    monkeypatch.setattr(Path, "read_bytes", vanished)
    assert cache_folder.__wrapped__(game) not in seen


@pytest.mark.parametrize("how", [["own/__init__.py"], ["-m", "own"], ["-c", "import own"]])
def test_a_script_is_known_by_what_lies_beside_it(how, tmp_path):
    own = own_game(tmp_path / "own", "import helper\nfrom tools import cards\nimport numpy")
    if how[0] != "own/__init__.py":
        (own / "__init__.py").rename(tmp_path / "own.py")
        own = tmp_path
    write(own / "helper.py", "import json")
    write(own / "json.txt", "")
    (own / "tools").mkdir()
    write(own / "tools" / "cards.py", "import helper")
    end = "\nfrom kitchentable.engine.sources import game_sources\nprint(*game_sources(GAME))\n"
    script = next(tmp_path.glob("own*/__init__.py"), tmp_path / "own.py")
    script.write_text(script.read_text() + end)
    done = subprocess.run(
        [sys.executable, *how], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    found = {Path(path).relative_to(own).as_posix() for path in done.stdout.split()}
    assert found == {script.name, "helper.py", "tools/cards.py"}


def own_game(folder, imports):
    """Write the template as a package whose `__init__.py` also has these imports."""
    folder.mkdir(parents=True)
    text = Path(top_card.__file__).read_text()
    write(folder / "__init__.py", text.replace("import sys\n", f"import sys\n{imports}\n", 1))
    return folder


def write(path, text):
    path.write_text(text)


def vanished(path):
    raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))


# --- Several processes ----------------------------------------------------------------------------

ONE_LOOP = """
import sys
from kitchentable.engine import code_cache
from kitchentable.engine.compiling import loop
def add(a, b):
    return a + b
code_cache.PATIENCE = 0.1
run = loop(add, game=None, name="one-loop")
print(run.compiled._cache.cache_path, flush=True)
sys.stdin.readline()
run(1, 2)
print(len(run.compiled.stats.cache_hits), flush=True)
sys.stdin.readline()
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
    folder = folders.pop()
    folder.mkdir(parents=True)
    with FileLock(folder / "lock"):
        for one in both:
            one.stdin.write("\n")
            one.stdin.flush()
        waiting = [one.stderr.readline() for one in both]
    said = "kitchentable: waiting for another process to compile the loops of all games\n"
    assert waiting == [said] * 2
    assert sorted(one.stdout.readline() for one in both) == ["0\n", "1\n"]
    with FileLock(folder / "lock", timeout=10):
        pass  # they go on, and neither keeps others from compiling
    assert [one.communicate(timeout=100) for one in both] == [("", "")] * 2


# --- Failures -------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """An empty cache that only the test uses; its lines are not logged yet."""
    use(tmp_path / "cache", monkeypatch)
    yield tmp_path / "cache"
    forget()


def use(folder, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    user_cache.told.clear()
    monkeypatch.setattr(code_cache, "PATIENCE", 1000.0)
    forget()


def forget():
    cache_folder.cache_clear()
    code_cache._stopwatch.cache_clear()


def add(a, b):
    return a + b


def found_by_a_new_process() -> bool:
    """Whether loops are in the cache; make and call them, as a new process would."""
    hits = []
    for name in ("one", "another"):
        run = loop(add, game=None, name=name)
        assert run(1, 2) == 3
        hits.append(len(run.compiled.stats.cache_hits))
    assert len(set(hits)) == 1
    return bool(hits[0])


def code_files(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size > 500]


def pickled(code: bytes) -> bytes:
    """Return a file that is whole, but whose code is of another numba or Python."""
    return hashlib.sha256(code).digest() + code


DAMAGES = {
    "cut off": lambda whole: whole[: len(whole) // 2],
    "with one wrong bit": lambda whole: whole[:700] + bytes([whole[700] ^ 1]) + whole[701:],
    "of a module that is gone": lambda _: pickled(b"cno_such_module\nThing\n."),
    "of another shape": lambda _: pickled(pickle.dumps(3)),
    "of another pickle": lambda _: pickled(b"\x80\x99"),
}


@compiled_only
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_code_is_compiled_and_replaced(damage, kept, caplog):
    assert not found_by_a_new_process()
    files = code_files(kept)
    assert len(files) >= 2
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    assert not found_by_a_new_process()
    (line,) = caplog.messages
    assert line.startswith(f"kitchentable: going on without the cache {cache_folder(None)}: ")
    caplog.clear()
    assert found_by_a_new_process()
    assert not caplog.messages
    assert code_files(kept) == files


REFUSALS = [
    (os, "mkdir", errno.EROFS),
    (os, "replace", errno.ENOSPC),
    (io, "open", errno.EACCES),
    (os, "open", errno.ENOSPC),
    (fcntl, "flock", errno.ENOTSUP),
    (fcntl, "flock", None),
]


def refuse(monkeypatch, module, name, number):
    """Let a function of the system fail, as far as it changes a disk."""
    real = getattr(module, name)

    def refused(*args, **kwargs):
        if name == "open" and args[1] in ("r", "rb", os.O_RDONLY):
            return real(*args, **kwargs)
        raise NotImplementedError("refused") if number is None else OSError(number, "refused")

    monkeypatch.setattr(module, name, refused)


@compiled_only
@pytest.mark.parametrize(("module", "name", "number"), REFUSALS)
def test_a_cache_that_fails_costs_one_line(module, name, number, kept, caplog, monkeypatch):
    with monkeypatch.context() as failing:
        refuse(failing, module, name, number)
        found_by_a_new_process()
    (line,) = caplog.messages
    assert line.startswith(f"kitchentable: going on without the cache {kept / 'kitchentable'}: ")
    assert "refused" in line
    found_by_a_new_process()
    assert found_by_a_new_process()
    assert len(caplog.messages) == 1


@compiled_only
def test_a_cache_that_can_only_be_read_is_used(kept, caplog, monkeypatch):
    found_by_a_new_process()
    before = sorted(kept.rglob("*"))
    forget()
    for module, name in ((os, "mkdir"), (os, "replace"), (io, "open"), (os, "open")):
        refuse(monkeypatch, module, name, errno.EROFS)
    assert found_by_a_new_process()
    assert not caplog.messages
    assert sorted(kept.rglob("*")) == before


@compiled_only
def test_a_file_in_place_of_the_folder_or_no_home(tmp_path, caplog, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    use(tmp_path / "file", monkeypatch)
    assert not found_by_a_new_process()
    (line,) = caplog.messages
    assert str(tmp_path / "file") in line
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    forget()
    assert not found_by_a_new_process()
    assert "home" in caplog.messages[1]
    assert len(caplog.messages) == 2


def no_home():
    raise RuntimeError("Could not determine home directory.")


@compiled_only
def test_paths_in_another_encoding(tmp_path, caplog, monkeypatch):
    use(tmp_path / os.fsdecode(b"caf\xe9"), monkeypatch)
    monkeypatch.setattr(code_cache, "PACKAGE", Path(os.fsdecode(b"/no/caf\xe9")))
    assert not found_by_a_new_process()
    mine = cache_folder(None)
    assert (mine / "origin").read_bytes().startswith(b"/no/caf\xe9\n")
    for number, origin in enumerate([b"/gone/\xff\n", b"\0" * 50, b"", b"/gone\n"]):
        other = mine.with_name(f"engine-{number}")
        other.mkdir()
        (other / "origin").write_bytes(origin)
        os.utime(other / "origin", (0, 0))
    forget()
    assert found_by_a_new_process()
    assert set(mine.parent.iterdir()) == {mine.with_name("engine-2"), mine}
    assert not caplog.messages


# --- What is said ---------------------------------------------------------------------------------


@compiled_only
def test_slow_compiling_is_said_once_for_all_loops(kept, caplog, monkeypatch):
    monkeypatch.setattr(code_cache, "PATIENCE", 0.01)
    found_by_a_new_process()
    assert caplog.messages == [
        "kitchentable: compiling the loops of all games for this machine, once; "
        f"the code is kept in {kept / 'kitchentable'}"
    ]
    forget()
    assert found_by_a_new_process()
    assert len(caplog.messages) == 1, "nothing is compiled"


@compiled_only
def test_a_cache_that_fails_is_not_said_to_keep_code(kept, caplog, monkeypatch):
    monkeypatch.setattr(code_cache, "PATIENCE", 0.01)
    refuse(monkeypatch, os, "open", errno.ENOSPC)
    found_by_a_new_process()
    assert caplog.messages[1:] == ["kitchentable: compiling the loops of all games"]
