"""Saved tables: JSON with a checksum that reveals damage."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

FORMAT = "kitchentable table 2"


def pack(content: Mapping[str, Any]) -> bytes:
    """Return a table's content, which JSON must be able to express, as bytes."""
    body = json.dumps({"format": FORMAT, **content}, separators=(",", ":"))
    return f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}\n".encode()


def unpack(data: bytes) -> dict[str, Any]:
    """Return the content of bytes that `pack` wrote.

    Raises:
        ValueError: the data is not a saved table, is damaged, or has another format version.
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
    """Check that a value of a saved table is the same at the table that loads it.

    Raises:
        ValueError: the values differ; the message names both.
    """
    if saved != here:
        raise ValueError(f"the saved table's {what} is {saved}, this table's is {here}")
