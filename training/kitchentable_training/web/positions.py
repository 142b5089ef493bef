"""A game and a place in it as a link that carries all of it.

``k`` is the decision to look at; ``game`` is what a transcript holds, decisions as numbers,
compressed, in letters that an address may have. It stands behind the ``#`` of the address, which
browsers keep to themselves until the page hands it over.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlencode

from kitchentable_training.session import Session
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.replays import numbered

LONGEST_LINK = 64 * 1024
LARGEST_GAME = 1024 * 1024
"""Bytes of a game, uncompressed."""
DAMAGED = "the link is damaged, cut off or no link of a game; copy all of it"


def to_fragment(session: Session, names: Sequence[str], k: int) -> str:
    """Return the part of a link behind the ``#``.

    Args:
        session: the game, played.
        names: who sat where.
        k: the decision to look at, from 0.
    """
    moves = numbered(session.transcript, session.batch.action_names)
    small = {**session.content(names), "transcript": moves}
    packed = zlib.compress(json.dumps(small, separators=(",", ":")).encode(), 9)
    game = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return urlencode({"k": k, "game": game})


def from_fragment(fragment: str) -> tuple[dict[str, Any], int]:
    """Return a transcript's content, whose decisions are numbers, and the decision to look at.

    Raises:
        RefusedError: the link is too long, damaged or no link of this kind.
    """
    if len(fragment) > LONGEST_LINK:
        raise RefusedError(413, f"the link is longer than {LONGEST_LINK:,} letters")
    try:
        given = parse_qs(fragment, strict_parsing=True, max_num_fields=4)
        text = given["game"][0]
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpack = zlib.decompressobj()
        data = unpack.decompress(packed, LARGEST_GAME)
        if unpack.unconsumed_tail or not unpack.eof:
            raise ValueError("it is cut off, or too large")
        content = json.loads(data)
        k = int(given.get("k", ["0"])[0])
    except (KeyError, ValueError, binascii.Error, zlib.error, RecursionError):
        raise RefusedError(422, DAMAGED) from None
    if not isinstance(content, dict):
        raise RefusedError(422, DAMAGED)
    return content, k
