"""Quiddler's words: which ones count, and the tables cached on disk."""

import copy
import hashlib
import logging
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.core import user_cache
from kitchentable.games.quiddler.words import lexicon as module
from kitchentable.games.quiddler.words.lexicon import Lexicon, build_tables, find_lexicon

SCOWL60 = Lexicon.shipped("scowl60")
PLAYABLE = st.lists(st.text("acelhinqrtu", min_size=2, max_size=12), min_size=1, max_size=30)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder for cached tables, also of short lists; none are cached in memory."""
    monkeypatch.setattr(module, "cache_dir", lambda _="": tmp_path)
    monkeypatch.setattr(module, "MOST_UNCACHED", 0)
    module._read_or_build.cache_clear()
    user_cache.told.clear()
    return tmp_path


# --- Lists of one's own -------------------------------------------------------------------------


def test_a_file_in_any_case_with_comments(tmp_path, caplog):
    file = tmp_path / "mine.txt"
    file.write_text(
        "# mine\nZOO\n\n  Ant # an insect\ncafé\na\nant\nisn't\ntwo words\n", "utf-8-sig"
    )
    with caplog.at_level(logging.INFO):
        read = Lexicon.from_file(file)
    assert read.words == ("ant", "zoo")
    assert read.name == "mine.txt"
    assert read.dropped.counts == {"not a to z": 3, "one letter": 1, "repeated": 1}
    assert read.dropped.examples["not a to z"] == ("café", "isn't", "two words")
    assert read.dropped.total == 5
    assert "3 not a to z (café, isn't, two words); 1 one letter (a)" in str(read.dropped)
    assert str(read.dropped) in caplog.text
    assert str(Lexicon.from_words(["ox", *"abcd"]).dropped) == "4 one letter (a, b, c, ...)"
    kelvin = "\u212a"  # becomes a k in lower case
    assert Lexicon.from_words([f"{kelvin}ing", "king"]).dropped.counts == {"not a to z": 1}


@given(PLAYABLE)
def test_the_fingerprint_is_the_checksum_of_the_sorted_file(words):
    made = Lexicon.from_words([word.upper() for word in reversed(words)])
    text = "".join(f"{word}\n" for word in sorted(set(words)))
    assert made.words == tuple(sorted(set(words)))
    assert made.fingerprint == hashlib.sha256(text.encode()).hexdigest()
    assert made.dropped.counts.get("repeated", 0) == len(words) - len(set(words))


def test_excluded_words(tmp_path):
    made = Lexicon.from_words(["ant", "bee", "cow"], name="few", exclude=["BEE", "yak", " cow "])
    assert made.words == ("ant",)
    assert made.name == "few"
    assert made.dropped.counts == {"excluded": 2}
    (tmp_path / "w").write_text("ant\nbee\n")
    assert Lexicon.from_file(tmp_path / "w", exclude={"ant"}).words == ("bee",)


@pytest.mark.parametrize(
    ("words", "exclude", "named"),
    [
        ("quit", (), "'quit'"),
        (["quit"], "quit", "exclude"),
        (7, (), "7"),
        (["quit", 7], (), "7"),
        ([], (), "no words"),
        (["a", "1"], (), "one letter"),
    ],
)
def test_what_is_no_list_of_words_is_named(words, exclude, named):
    with pytest.raises(ValueError, match=named):
        Lexicon.from_words(words, exclude=exclude)


def test_what_is_no_file_of_words_is_named(tmp_path):
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff")
    (tmp_path / "empty").write_text("# nothing yet\n\n")
    for name in ("picture", "empty", "missing", ""):
        with pytest.raises(ValueError, match=f"lexicon .*{name}.* words?\\b"):
            Lexicon.from_file(tmp_path / name)
    with pytest.raises(ValueError, match="one word a line"):
        Lexicon.from_file("a\0b")


# --- What a lexicon is as a value ---------------------------------------------------------------


@pytest.mark.parametrize("made", [SCOWL60, Lexicon.from_words(["ox", "ant", "a"])])
def test_copies_and_pickles_are_equal_as_the_words_are(made):
    assert copy.copy(made) == copy.deepcopy([made])[0] == made != Lexicon.from_words(["ox"])
    back = pickle.loads(pickle.dumps(made))
    assert made is not SCOWL60 or len(pickle.dumps(made)) < 200, "its name is enough"
    assert (back.name, back.words, back.dropped) == (made.name, made.words, made.dropped)
    own = Lexicon.from_words(reversed(made.words), name="b")
    assert own == back == made
    assert hash(own) == hash(back) == hash(made)


# --- Finding one --------------------------------------------------------------------------------


def test_find_a_file_again_only_when_it_changes(tmp_path, monkeypatch):
    file = tmp_path / "mine.txt"
    file.write_text("ant\n")
    monkeypatch.chdir(tmp_path)
    first = find_lexicon(file)
    assert first.words == ("ant",)
    assert find_lexicon("mine.txt") is find_lexicon(first) is first
    file.write_text("ant\nbee\n")
    assert find_lexicon(str(file)).words == ("ant", "bee")


@pytest.mark.parametrize("value", ["scowl61", "a\0b", Path("scowl60"), 60, None, b"scowl60"])
def test_what_is_no_lexicon_is_named(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="scowl60, scowl35, the path of a file") as error:
        find_lexicon(value)
    assert repr(value if not isinstance(value, Path) else str(value)) in str(error.value)
    with pytest.raises(ValueError, match="one word a line"):
        find_lexicon(tmp_path)


# --- The copies on disk -------------------------------------------------------------------------

FEW = Lexicon.from_words(["quit", "in", "inn", "thin"])


def same(tables, others) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(tables, others, strict=True))


def test_tables_are_built_once_and_read_again(folder, monkeypatch):
    """A shipped list's are found without its words."""
    built = FEW.tables()
    assert Lexicon.from_words(FEW).tables() is built
    assert [file.suffix for file in folder.iterdir()] == [".tables"]
    module._read_or_build.cache_clear()
    monkeypatch.setattr(module, "build_tables", None)
    monkeypatch.setattr(module, "_shipped_words", None)
    read = Lexicon("shipped", FEW.fingerprint, FEW.dropped, None).tables()
    assert same(read, built)
    assert read is not built
    assert not any(a.flags.writeable for a in (*read, *built))


def test_few_tables_stay_in_memory_and_short_lists_leave_no_file(folder, monkeypatch):
    monkeypatch.setattr(module, "MOST_UNCACHED", 4)
    lists = [Lexicon.from_words(["quit", "a" * n]) for n in range(2, 40)]
    first, *_ = [one.tables() for one in lists]
    assert lists[0].tables() is not first
    assert not list(folder.iterdir())
    Lexicon.from_words([*FEW, "tin"]).tables()
    assert len(list(folder.iterdir())) == 1


def test_who_builds_tables_at_once_gets_the_same(folder):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(module._read_or_build, [FEW] * 16))
    assert all(same(one, made[0]) for one in made)
    assert [file.suffix for file in folder.iterdir()] == [".tables"]


def test_damaged_tables_are_built_anew(folder, caplog):
    built = FEW.tables()
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    middle = len(whole) // 2
    changed = whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :]
    for damage in (b"", whole[:middle], b"words and no tables", changed):
        file.write_bytes(damage)
        module._read_or_build.cache_clear()
        caplog.clear()
        user_cache.told.clear()
        assert same(FEW.tables(), built)
        assert str(file) in caplog.text
        assert file.read_bytes() == whole
    assert list(folder.iterdir()) == [file]


def test_an_edit_of_the_builder_builds_anew(folder, monkeypatch):
    FEW.tables()
    module._read_or_build.cache_clear()
    monkeypatch.setattr(module, "_format_digest", lambda: "other")
    FEW.tables()
    assert len(list(folder.iterdir())) == 2


def test_tables_that_cannot_be_kept_are_built(folder, monkeypatch, caplog):
    (folder / "file").write_text("in the way")
    monkeypatch.setattr(module, "cache_dir", lambda _="": folder / "file")
    assert same(FEW.tables(), build_tables(FEW.words))
    (line,) = caplog.messages
    assert line.startswith(f"kitchentable: going on without the cache {folder / 'file'}: ")
