"""Games that browsers send, as transcripts and links.

A link contains a game and a position: ``k`` is the number of the decision to show, and ``game`` the
text of `SavedGame.to_link`. It follows the ``#`` of the address, which browsers do not send; the
page passes it on.
"""

from __future__ import annotations

from collections import deque
from urllib.parse import parse_qs, urlencode

from kitchentable import find_game
from kitchentable.core.saving import SavedGame
from kitchentable_training.session import Session, replayed
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.table import MOST_DECISIONS
from kitchentable_training.web.tables import read_params

LONGEST_NAME = 80
LONGEST_LINK = 64 * 1024


def replay(saved: SavedGame) -> tuple[Session, list[str]]:
    """Return a saved game, played to its last decision, and the names of its players by seat.

    Raises:
        RefusedError: it is longer than games are here, or cannot be played.
    """
    try:
        read_params(find_game(saved.game), saved.params)
        if len(saved.actions) > MOST_DECISIONS:
            raise ValueError(f"it has more than {MOST_DECISIONS:,} decisions")
        session = Session.of(saved)
        deque(replayed(session, saved.actions), maxlen=0)
    except ValueError as error:
        raise RefusedError(422, f"this game cannot be shown: {error}") from None
    seats = session.batch.num_players
    names = [str(name)[:LONGEST_NAME] for name in saved.players]
    return session, names if len(names) == seats else ["?"] * seats


def from_text(text: str) -> SavedGame:
    """Return the game in the text of a file.

    Raises:
        RefusedError: it is no saved game.
    """
    try:
        return SavedGame.from_json(text)
    except ValueError as error:
        raise RefusedError(422, f"this game cannot be shown: {error}") from None


def to_fragment(saved: SavedGame, k: int) -> str:
    """Return the part of a link after the ``#``.

    Args:
        saved: the game.
        k: the number of the decision to show, from 0.
    """
    return urlencode({"k": k, "game": saved.to_link()})


def from_fragment(fragment: str) -> tuple[SavedGame, int]:
    """Return the game in a link, and the decision to show.

    Raises:
        RefusedError: the link is too long, damaged or of another kind.
    """
    if len(fragment) > LONGEST_LINK:
        raise RefusedError(413, f"the link is longer than {LONGEST_LINK:,} letters")
    try:
        fields = parse_qs(fragment, strict_parsing=True, max_num_fields=4)
        return SavedGame.from_link(fields["game"][0]), int(fields.get("k", ["0"])[0])
    except (KeyError, ValueError) as error:
        why = error if isinstance(error, ValueError) else "no game is in it"
        raise RefusedError(422, f"this is no link of a game: {why}") from None
