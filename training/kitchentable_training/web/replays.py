"""Games that browsers send, as transcripts and links.

A link contains a game and a position: ``k`` is the number of the decision to show; ``game`` is the
content of a transcript with decisions as numbers, compressed and encoded in URL-safe Base64. It
follows the ``#`` of the address, which browsers do not send; the page passes it on.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections import deque
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlencode

from kitchentable import find_game
from kitchentable_training.files import parse_json
from kitchentable_training.session import Move, Session, Transcript, parse_transcript, replayed
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.table import MOST_DECISIONS
from kitchentable_training.web.tables import LARGEST_SEED, read_params

LONGEST_NAME = 80
LONGEST_LINK = 64 * 1024
LARGEST_GAME = 1024 * 1024
"""The maximum size of a game in a link, uncompressed, in bytes."""
DAMAGED = "the link is damaged, cut off or no link of a game; copy all of it"


def read_game(content: Any) -> Transcript:
    """Return a saved game, played to its last decision.

    Args:
        content: a transcript, with decisions as ``[agent, action]`` or, as in links, as numbers.

    Raises:
        RefusedError: it is not a transcript, or a decision is illegal.
    """
    try:
        checked = _checked(content)
        transcript = parse_transcript(checked, "the transcript")
        deque(replayed(transcript), maxlen=0)
    except (KeyError, TypeError, ValueError) as error:
        missing = f"{error} is missing" if isinstance(error, KeyError) else error
        raise RefusedError(422, f"this game cannot be shown: {missing}") from None
    return transcript


def _checked(content: Any) -> dict[str, Any]:
    """Check the limits for transcripts from browsers, and name decisions that are numbers."""
    if not isinstance(content, dict):
        raise TypeError("a transcript is an object")
    game = find_game(content["game"])
    params = read_params(game, content["params"])
    moves, seed = content["transcript"], content["seed"]
    if not isinstance(moves, list) or len(moves) > MOST_DECISIONS:
        raise ValueError(f"a transcript is a list of at most {MOST_DECISIONS:,} decisions")
    if not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed={seed!r} is not possible; choose 0 to {LARGEST_SEED}")
    names = [str(name)[:LONGEST_NAME] for name in content.get("players", [])]
    actions = game.rules.action_names(params)
    return {
        **content,
        "players": names,
        "transcript": [_named(move, actions) for move in moves],
    }


def _numbered(moves: Sequence[Move], actions: Sequence[str]) -> list[int]:
    """Return decisions as numbers: the seat times the number of actions, plus the action."""
    number = {name: i for i, name in enumerate(actions)}
    return [
        int(agent.removeprefix("player_")) * len(actions) + number[action]
        for agent, action in moves
    ]


def _named(move: object, actions: Sequence[str]) -> object:
    """Return a decision's agent and action from its number; other decisions are unchanged."""
    if not isinstance(move, int):
        return move
    seat, action = divmod(move, len(actions))
    return f"player_{seat}", actions[action]


# --- Links ----------------------------------------------------------------------------------------


def to_fragment(session: Session, names: Sequence[str], k: int) -> str:
    """Return the part of a link after the ``#``.

    Args:
        session: the game, played.
        names: the names of the players by seat.
        k: the number of the decision to show, from 0.
    """
    moves = _numbered(session.transcript, session.batch.action_names)
    small = {**session.content(names), "transcript": moves}
    packed = zlib.compress(json.dumps(small, separators=(",", ":")).encode(), 9)
    game = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return urlencode({"k": k, "game": game})


def from_fragment(fragment: str) -> tuple[dict[str, Any], int]:
    """Return a transcript's content, with decisions as numbers, and the decision to show.

    Raises:
        RefusedError: the link is too long, damaged or of another kind.
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
        content = parse_json(data)
        k = int(given.get("k", ["0"])[0])
    except (KeyError, ValueError, binascii.Error, zlib.error):
        raise RefusedError(422, DAMAGED) from None
    if not isinstance(content, dict):
        raise RefusedError(422, DAMAGED)
    return content, k
