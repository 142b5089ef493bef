"""Rebuild the shipped word lists, byte for byte, from the Debian package of SCOWL.

Run `python -m kitchentable.games.quiddler.words.rebuild scowl_2020.12.07-2_all.deb`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import lzma
import re
import tarfile
from pathlib import Path

LEVELS = {"scowl60": 60, "scowl35": 35}
"""The highest SCOWL level in each list; words up to level 35 are common."""

_LISTS = re.compile(r"(?:\./)?usr/share/dict/scowl/(?:english|american)-words\.(\d+)")
_PLAYABLE = re.compile(r"[a-z]{2,15}")
_LETTER_PLURALS = frozenset({"cs", "gs", "ks", "ls", "ms", "rs", "ts"})


def main() -> None:
    """Rebuild both lists and their fingerprints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path, help="scowl_2020.12.07-2_all.deb")
    parser.add_argument(
        "--into", type=Path, default=Path(__file__).parent, help="folder (default: the package's)"
    )
    chosen = parser.parse_args()
    try:
        rebuild(chosen.package, chosen.into)
    except (OSError, ValueError) as error:
        parser.error(str(error))


def rebuild(package: Path, folder: Path) -> None:
    """Write the compressed lists and the SHA256SUMS of the uncompressed lists into a folder.

    Raises:
        ValueError: the file is not the package, or it is damaged.
        OSError: a file cannot be read or written.
    """
    by_level = _words_by_level(package)
    sums = ""
    for name, most in LEVELS.items():
        words = {word for level, words in by_level.items() if level <= most for word in words}
        text = "".join(f"{word}\n" for word in sorted(words)).encode()
        sums += f"{hashlib.sha256(text).hexdigest()}  {name}.txt\n"
        packed = lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)
        (folder / f"{name}.txt.xz").write_bytes(packed)
    (folder / "SHA256SUMS").write_bytes(sums.encode())


def _words_by_level(package: Path) -> dict[int, set[str]]:
    """Return the playable words of the English and American lists by level."""
    by_level: dict[int, set[str]] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(_archive_member(package, b"data.tar.xz"))) as archive:
            for member in archive:
                level = _LISTS.fullmatch(member.name)
                opened = archive.extractfile(member) if level else None
                if level and opened:
                    words = opened.read().decode("latin-1").split()
                    playable = {word for word in words if _PLAYABLE.fullmatch(word)}
                    by_level.setdefault(int(level[1]), set()).update(playable - _LETTER_PLURALS)
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise ValueError(f"{package} is damaged: {error}") from None
    if not by_level:
        raise ValueError(f"{package} has no word lists; give the Debian package scowl")
    return by_level


def _archive_member(package: Path, name: bytes) -> bytes:
    """Return a file of a Debian package, which is an `ar` archive of 60-byte headers and data."""
    data = package.read_bytes()
    if not data.startswith(b"!<arch>\n"):
        raise ValueError(f"{package} is not a Debian package (.deb)")
    at = 8
    while (header := data[at : at + 60]).endswith(b"`\n"):
        at += 60
        size = int(header[48:58])
        if header[:16].rstrip(b" /") == name:
            return data[at : at + size]
        at += size + size % 2
    raise ValueError(f"{package} holds no {name.decode()}")


if __name__ == "__main__":
    main()
