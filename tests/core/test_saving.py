"""Saved tables are checked before any of their content is trusted."""

import hashlib

import pytest

from kitchentable.core.saving import FORMAT, pack, unpack

HEADER = f'{{"format":"{FORMAT}"'


def with_checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body + b"\n"


def test_what_was_packed_is_unpacked() -> None:
    assert unpack(pack({"game": "diddly", "deck": None})) == {
        "format": FORMAT, "game": "diddly", "deck": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"[]", "does not start like one"),
        (HEADER.encode(), "not JSON"),
        (HEADER.encode() + b',"x":\xff}', "not JSON"),
        (HEADER.encode() + b',"x":' + b"[" * 100_000, "not JSON"),
        (HEADER.encode() + b',"x":' + b"9" * 10_000 + b"}", "not JSON"),
        (b'{"format":"kitchentable table 1"}', "saved as 'kitchentable table 1'"),
        (HEADER.encode() + b',"format":[]}', r"saved as \[\]"),
    ],
)
def test_what_nobody_packed_is_refused_in_a_line(body, message) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        unpack(with_checksum(body))
    assert "\n" not in str(caught.value)
