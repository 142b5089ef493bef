"""The word lists shipped with the package, and the script that makes them."""

import hashlib
import io
import lzma
import sys
import tarfile
from pathlib import Path

import pytest

from kitchentable.games.quiddler.words import rebuild
from kitchentable.games.quiddler.words.lexicon import Lexicon

WORDS = Path(rebuild.__file__).parent

# --- The lists ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "count"), [("scowl60", 76_596), ("scowl35", 39_049)])
def test_shipped_lists(name, count):
    shipped = Lexicon.shipped(name)
    text = lzma.decompress((WORDS / f"{name}.txt.xz").read_bytes())
    assert len(shipped) == count
    assert list(shipped.words) == text.decode().splitlines()
    assert shipped.fingerprint == hashlib.sha256(text).hexdigest()
    again = Lexicon.from_words(shipped.words)
    assert again.words == shipped.words
    assert again.dropped.total == 0
    assert all(2 <= len(word) <= 15 for word in shipped)
    assert set(shipped) <= set(Lexicon.shipped("scowl60"))
    assert "quit" in shipped
    assert "cs" not in shipped
    assert "Kevin Atkinson" in (WORDS / "SCOWL_COPYRIGHT.txt").read_text("utf-8")


# --- Making them --------------------------------------------------------------------------------


def debian_package(lists: dict[str, str], member: str = "data.tar.xz") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as archive:
        for name, text in lists.items():
            info = tarfile.TarInfo(f"./usr/share/dict/scowl/{name}")
            info.size = len(text.encode("latin-1"))
            archive.addfile(info, io.BytesIO(text.encode("latin-1")))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", member: data.getvalue()}
    package = b"!<arch>\n"
    for name, part in parts.items():
        header = f"{name:16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(part):<10}`\n".encode()
        package += header + part + b"\n" * (len(part) % 2)
    return package


LISTS = {
    "english-words.10": "zoo\nant\ncafé\nant's\na\ncs\nts\n",
    "american-words.35": "color\n" + "x" * 15 + "\n" + "x" * 16 + "\n",
    "english-words.60": "emu\nant\n",
    "english-words.70": "xebec\n",
    "british-words.10": "colour\n",
    "english-upper.10": "ants\n",
}


def test_rebuild_takes_the_right_words_and_writes_the_same_bytes_again(tmp_path):
    package, into = tmp_path / "scowl.deb", tmp_path / "words"
    package.write_bytes(debian_package(LISTS))
    into.mkdir()
    written = []
    for _ in range(2):
        rebuild.rebuild(package, into)
        written.append({file.name: file.read_bytes() for file in into.iterdir()})
    assert written[0] == written[1]
    common = ["ant", "color", "x" * 15, "zoo"]
    sums = {}
    for name, words in (("scowl35", common), ("scowl60", sorted([*common, "emu"]))):
        text = lzma.decompress(written[0].pop(f"{name}.txt.xz"))
        assert text.decode().splitlines() == words
        sums[f"{name}.txt"] = hashlib.sha256(text).hexdigest()
    lines = written[0].pop("SHA256SUMS").decode().splitlines()
    assert dict(line.split()[::-1] for line in lines) == sums
    assert not written[0]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "No such file"),
        (b"words", "not a Debian package"),
        (debian_package(LISTS, member="data.tar.zst"), "holds no data.tar.xz"),
        (debian_package({"british-words.10": "colour\n"}), "give the Debian package scowl"),
        (debian_package(LISTS)[:-60], "damaged"),
    ],
)
def test_rebuild_says_what_is_wrong_and_writes_nothing(
    content, complaint, tmp_path, monkeypatch, capsys
):
    package = tmp_path / "scowl.deb"
    if content is not None:
        package.write_bytes(content)
    into = tmp_path / "into"
    into.mkdir()
    monkeypatch.setattr(sys, "argv", ["rebuild", str(package), "--into", str(into)])
    with pytest.raises(SystemExit) as end:
        rebuild.main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert str(package) in said
    assert not list(into.iterdir())
