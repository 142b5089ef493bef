"""The valid words of a game of Quiddler."""

from __future__ import annotations

import hashlib
import io
import logging
import lzma
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeAlias, cast, final

import numpy as np

from kitchentable.core.state import Bits
from kitchentable.core.user_cache import cache_dir, harmless, read_cached, write_cached
from kitchentable.games.quiddler import cards
from kitchentable.games.quiddler.words import graph, hand_index

Tables: TypeAlias = tuple[graph.Nodes, graph.Edges, hand_index.Slots, Bits, hand_index.Slots, Bits]
"""`nodes` and `edges` of `graph`, and `index`, `marks`, `lacking` and `lacking_marks` of
`hand_index`, read-only."""

SHIPPED = ("scowl60", "scowl35")
"""The word lists shipped with the package: the larger one, and one of common words."""

FINGERPRINT = "sha256:"
"""Prefix of the fingerprint that stands for a word list too long to be written out."""

_WORDS = Path(__file__).parent
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Dropped:
    """Entries dropped when a lexicon was read: counts and up to three examples by reason."""

    counts: dict[str, int]
    examples: dict[str, tuple[str, ...]]

    @property
    def total(self) -> int:
        """Number of entries dropped."""
        return sum(self.counts.values())

    def __str__(self) -> str:
        """Return one line, such as `2 one letter (a, i); 1 not a to z (isn't)`."""
        reasons = (
            f"{count} {reason} ({', '.join(self.examples[reason])}{', ...' * (count > 3)})"
            for reason, count in self.counts.items()
        )
        return "; ".join(reasons) or "nothing"


@final
@dataclass(frozen=True, repr=False)
class Lexicon:
    """An immutable word list; lexicons with the same words are equal.

    Use `shipped`, `from_file` or `from_words` to make one.
    """

    name: str = field(compare=False)
    """The name of the shipped list or the file, else the name given or "own"."""
    fingerprint: str
    """Hex SHA-256 of the sorted words, one per line: the `sha256sum` of such a file."""
    dropped: Dropped = field(compare=False)
    """The lines or words that were left out."""
    _words: tuple[str, ...] | None = field(compare=False)
    """None for a shipped list, which is read when needed."""

    @staticmethod
    def shipped(name: str) -> Lexicon:
        """Return a list shipped with the package; its words are only read when needed.

        Raises:
            ValueError: no list has this name.
        """
        if name not in SHIPPED:
            raise ValueError(f"no lexicon {name!r} is shipped; there are {', '.join(SHIPPED)}")
        return _shipped(name)

    @staticmethod
    def from_file(path: str | os.PathLike[str], *, exclude: Iterable[str] = ()) -> Lexicon:
        """Read a UTF-8 text file with one word per line, in any case; `#` begins a comment.

        Args:
            path: the file.
            exclude: words to leave out.

        Raises:
            ValueError: the file cannot be read or has no valid words.
        """
        file = Path(path)
        requirement = f"lexicon {str(path)!r}: a text file in UTF-8 with one word a line is wanted"
        try:
            lines = file.read_text("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            raise ValueError(f"{requirement}, not other data") from None
        except (OSError, ValueError) as error:  # a name with a null character is a ValueError
            reason = getattr(error, "strerror", None) or error
            raise ValueError(f"{requirement}: {reason}") from None
        words = [line.partition("#")[0] for line in lines]
        return Lexicon.from_words(words, name=file.name, exclude=exclude)

    @staticmethod
    def from_words(
        words: Iterable[str], *, name: str = "own", exclude: Iterable[str] = ()
    ) -> Lexicon:
        """Make a lexicon of words in any case and order; invalid words are left out.

        Args:
            words: at least one of them has two or more letters, all from a to z.
            name: name of the lexicon.
            exclude: words to leave out.

        Raises:
            ValueError: an argument is not a collection of strings, or no word is left.
        """
        candidates = _normalized(words, f"the words of lexicon {name!r}")
        kept, dropped = _sift(candidates, set(_normalized(exclude, "exclude")))
        if not kept:
            raise ValueError(
                f"lexicon {name!r} has no words of two or more of the letters a to z "
                f"(left out: {dropped})"
            )
        if dropped.total:
            _log.info("lexicon %s: left out %s", name, dropped)
        text = "".join(f"{word}\n" for word in kept)
        return Lexicon(name, hashlib.sha256(text.encode()).hexdigest(), dropped, kept)

    @property
    def words(self) -> tuple[str, ...]:
        """The words, sorted and distinct."""
        return _shipped_words(self.name) if self._words is None else self._words

    def tables(self) -> Tables:
        """Return the word graph and the index of the hands that spell the words.

        Those of the 16 lists that were used last stay in memory, and those of long lists are cached
        on disk for all processes.

        Raises:
            ValueError: the words repeat cards too often, see `hand_index.build_index`.
        """
        return _read_or_build(self)

    def __contains__(self, word: object) -> bool:
        return word in _word_set(self)

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __repr__(self) -> str:
        return f"<Lexicon {self.name} {self.fingerprint[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._words is None:
            return Lexicon.shipped, (self.name,)
        return Lexicon, (self.name, self.fingerprint, self.dropped, self._words)


def read_lexicon(value: Any) -> str | Lexicon:
    """Return a lexicon as parameters store it: a shipped list's name, or a `Lexicon` as read.

    So a file may change or disappear while a table is played or copied.

    Raises:
        ValueError: there is no such lexicon; the message says what is possible.
    """
    lexicon = find_lexicon(value)
    return value if isinstance(value, str) and value in SHIPPED else lexicon


def find_lexicon(value: str | os.PathLike[str] | Lexicon | Sequence[str]) -> Lexicon:
    """Return the lexicon for a shipped list's name, a file path, words, or a `Lexicon` itself.

    A file is read again only when it has changed.

    Raises:
        ValueError: there is no such lexicon; the message says what is possible.
    """
    if isinstance(value, Lexicon):
        return value
    if isinstance(value, list | tuple):
        return Lexicon.from_words(value)
    if isinstance(value, str) and value in SHIPPED:
        return _shipped(value)
    if not isinstance(value, str | os.PathLike):
        raise ValueError(f"lexicon must be {_POSSIBLE}, not {value!r}")
    if str(value).startswith(FINGERPRINT):
        raise ValueError(
            f"lexicon {value!r} only names a long word list, by its fingerprint; "
            "pass the word list itself"
        )
    try:
        file = Path(value).resolve()
        status = file.stat()
    except (OSError, ValueError, TypeError):  # a null character, a path in bytes
        raise ValueError(f"no lexicon {str(value)!r}; it can be {_POSSIBLE}") from None
    return _from_file_as_it_was(file, status.st_mtime_ns, status.st_size)


_POSSIBLE = f"{', '.join(SHIPPED)}, the path of a file with one word a line, or a list of words"


@lru_cache(maxsize=16)
def _from_file_as_it_was(file: Path, _mtime_ns: int, _size: int) -> Lexicon:
    return Lexicon.from_file(file)


# --- Words --------------------------------------------------------------------------------------


@cache
def _shipped(name: str) -> Lexicon:
    return Lexicon(name, _shipped_fingerprints()[f"{name}.txt"], Dropped({}, {}), None)


@cache
def _shipped_fingerprints() -> dict[str, str]:
    """Return the shipped fingerprints, by which cached tables are found without reading words."""
    lines = (_WORDS / "SHA256SUMS").read_text("ascii").splitlines()
    return {name: fingerprint for fingerprint, name in (line.split() for line in lines)}


@cache
def _shipped_words(name: str) -> tuple[str, ...]:
    packed = (_WORDS / f"{name}.txt.xz").read_bytes()
    return tuple(lzma.decompress(packed).decode("ascii").split())


@lru_cache(maxsize=4)
def _word_set(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(lexicon.words)


def _normalized(words: Iterable[str], what: str) -> list[str]:
    """Return words stripped and in lower case, without blank ones.

    Raises:
        ValueError: ``words`` is not a collection of strings, or is a single string.
    """
    if isinstance(words, str | bytes) or not isinstance(words, Iterable):
        raise ValueError(f"{what} must be a collection of words, not {words!r}")
    normalized = []
    for word in words:
        if not isinstance(word, str):
            raise ValueError(f"{what} must be strings, not {word!r}")
        stripped = word.strip()
        if stripped:
            # Lowercase only ASCII: a few other letters would turn into a to z.
            normalized.append(stripped.lower() if stripped.isascii() else stripped)
    return normalized


def _sift(words: list[str], exclude: set[str]) -> tuple[tuple[str, ...], Dropped]:
    """Return the valid words, sorted, and those that were dropped."""
    kept: set[str] = set()
    left_out: dict[str, list[str]] = {}
    for word in words:
        if not (word.isascii() and word.isalpha()):
            reason = "not a to z"
        elif len(word) < 2:
            reason = "one letter"
        elif word in exclude:
            reason = "excluded"
        elif word in kept:
            reason = "repeated"
        else:
            kept.add(word)
            continue
        left_out.setdefault(reason, []).append(word)
    counts = {reason: len(examples) for reason, examples in left_out.items()}
    first = {reason: tuple(examples[:3]) for reason, examples in left_out.items()}
    return tuple(sorted(kept)), Dropped(counts, first)


# --- Tables -------------------------------------------------------------------------------------

MOST_UNCACHED = 5_000
"""The most words of a list whose tables are not cached on disk: they take a quarter of a second."""
_PARTS = ("nodes", "edges", "index", "marks", "lacking", "lacking_marks")


@lru_cache(maxsize=16)
def _read_or_build(lexicon: Lexicon) -> Tables:
    file = cache_dir("lexicons") / f"{lexicon.fingerprint}-{_format_digest()}.tables"
    with harmless(file):
        stored = read_cached(file)
        if stored is not None:
            with np.load(io.BytesIO(stored), allow_pickle=False) as parts:
                return _read_only(*(parts[part] for part in _PARTS))
    tables = build_tables(lexicon.words)
    if len(lexicon) <= MOST_UNCACHED:
        return tables
    data, parts = io.BytesIO(), dict(zip(_PARTS, tables, strict=True))
    np.savez(data, **parts)
    with harmless(cache_dir()):
        write_cached(file, data.getvalue())
    return tables


@cache
def _format_digest() -> str:
    """Return a hash of the sources that define the tables; editing these rebuilds all tables."""
    sources = (Path(str(module.__file__)).read_bytes() for module in (graph, hand_index, cards))
    return hashlib.sha256(b"".join(sources)).hexdigest()[:16]


def build_tables(words: Sequence[str]) -> Tables:
    """Return the word graph and the index of the hands that spell the words, read-only.

    Args:
        words: sorted and distinct, each of at least two letters a to z.
    """
    return _read_only(*graph.build_graph(words), *hand_index.build_index(words))


def _read_only(*tables: Any) -> Tables:
    for array in tables:
        array.flags.writeable = False
    return cast("Tables", tables)
