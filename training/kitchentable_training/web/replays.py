"""Games that browsers send, as transcripts and links.

A link contains a game and a position: ``k`` is the number of the decision to show, and ``game`` the
text of `SavedGame.to_link`. It follows the ``#`` of the address, which browsers do not send; the
page passes it on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from urllib.parse import parse_qs

from kitchentable import find_game
from kitchentable.core.saving import SavedGame
from kitchentable_training.session import Session, names_by_seat, replayed
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.table import MOST_DECISIONS
from kitchentable_training.web.tables import read_params

LONGEST_NAME = 80
LONGEST_LINK = 64 * 1024


def replay(sent: Mapping[str, object]) -> tuple[Session, list[str], int]:
    """Return a game that a browser sent, played to its last decision.

    Args:
        sent: has the text of a file as ``transcript``, or what follows the ``#`` as ``link``.

    Returns:
        The game, the names of its players by seat, and the number of the decision to show.

    Raises:
        RefusedError: there is no game in it, or one that is longer than games are here, damaged or
            impossible.
    """
    try:
        saved, k = _read(sent)
        read_params(find_game(saved.game), saved.params)
        if len(saved.actions) > MOST_DECISIONS:
            raise ValueError(f"it has more than {MOST_DECISIONS:,} decisions")
        session = Session.of(saved)
        deque(replayed(session, saved.actions), maxlen=0)
    except ValueError as error:
        raise RefusedError(422, f"this game cannot be shown: {error}") from None
    names = names_by_seat(saved, session.batch.num_players)
    return session, [name[:LONGEST_NAME] for name in names], k


def _read(sent: Mapping[str, object]) -> tuple[SavedGame, int]:
    """Return the game that was sent, and the number of the decision to show."""
    link, transcript = sent.get("link"), sent.get("transcript")
    if isinstance(link, str):
        if len(link) > LONGEST_LINK:
            raise RefusedError(413, f"the link is longer than {LONGEST_LINK:,} letters")
        fields = parse_qs(link, strict_parsing=True, max_num_fields=4)
        if "game" not in fields:
            raise ValueError("the link has no game")
        return SavedGame.from_link(fields["game"][0]), int(fields.get("k", ["0"])[0])
    if isinstance(transcript, str):
        return SavedGame.from_json(transcript), 0
    raise RefusedError(400, "give a transcript, as text, or a link")
