"""Games from elsewhere: transcripts and links that somebody sends."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from kitchentable import find_game
from kitchentable_training.session import Move, Transcript, parse_transcript, replayed
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.table import MOST_DECISIONS
from kitchentable_training.web.tables import LARGEST_SEED, read_params

LONGEST_NAME = 80


def read_game(content: Any) -> Transcript:
    """Return a saved game, played to its last decision, each of which was legal.

    Args:
        content: of a transcript; its decisions as ``[agent, action]``, or, as in links, as numbers.

    Raises:
        RefusedError: it is none, or a decision does not fit; says what is wrong.
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
    """Check what a transcript may have here but not elsewhere, and name decisions and agents."""
    if not isinstance(content, dict):
        raise TypeError("a transcript is an object")
    game = find_game(content["game"])
    params = read_params(game, content["params"])
    moves, seed = content["transcript"], content["seed"]
    if not isinstance(moves, list) or len(moves) > MOST_DECISIONS:
        raise ValueError(f"a transcript is a list of at most {MOST_DECISIONS:,} decisions")
    if not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed={seed!r} is not possible; choose 0 to {LARGEST_SEED}")
    names = [_written(name) for name in content.get("players", [])]
    actions = game.rules.action_names(params)
    return {
        **content,
        "players": names,
        "transcript": [_named(move, actions) for move in moves],
    }


def _written(name: object) -> str:
    """Return a name that can be sent: JSON may bring halves of letters, which cannot."""
    return str(name)[:LONGEST_NAME].encode(errors="replace").decode()


def numbered(moves: Sequence[Move], actions: Sequence[str]) -> list[int]:
    """Return decisions as numbers: the seat times the number of actions, plus the action's."""
    number = {name: i for i, name in enumerate(actions)}
    return [
        int(agent.removeprefix("player_")) * len(actions) + number[action]
        for agent, action in moves
    ]


def _named(move: object, actions: Sequence[str]) -> object:
    """Return a decision with its agent and name, from its number; a written one as it is."""
    if not isinstance(move, int):
        return move
    seat, action = divmod(move, len(actions))
    return f"player_{seat}", actions[action]
