"""Tables as bytes: JSON with a checksum, so that damage is noticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

FORMAT = "kitchentable table 2"


def pack(content: Mapping[str, Any]) -> bytes:
    """Write a table's content, made of what JSON knows, as bytes."""
    body = json.dumps({"format": FORMAT, **content}, separators=(",", ":"))
    return f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}\n".encode()


def unpack(data: bytes) -> dict[str, Any]:
    """Read what `pack` wrote.

    Raises:
        ValueError: the data is not a saved table, or it is damaged.
    """
    if not isinstance(data, (bytes, bytearray)):
        raise ValueError(f"a saved table is bytes, not {type(data).__name__}")
    checksum, _, body = bytes(data).partition(b"\n")
    body = body.rstrip(b"\n")
    if not body.startswith(b'{"format":"kitchentable table'):
        raise ValueError("this is not a saved table: it does not start like one")
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise ValueError("this saved table is damaged: its checksum does not match")
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("this saved table is damaged: it is not JSON") from None
    if content["format"] != FORMAT:
        raise ValueError(f"saved as {content['format']!r}; this version reads {FORMAT!r}")
    return dict(content)


def check_same(what: str, saved: object, here: object) -> None:
    """Refuse a saved table that differs from the one that loads it.

    Raises:
        ValueError: names what differs, and both sides.
    """
    if saved != here:
        raise ValueError(f"the saved table's {what} is {saved}, this table's is {here}")
