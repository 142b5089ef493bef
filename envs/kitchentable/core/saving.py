"""The format of played games: for saved tables, files of the commands, web pages and links."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any, get_args, get_origin, get_type_hints

from kitchentable.core.game import Game
from kitchentable.core.parameters import one_line_repr
from kitchentable.core.registry import find_game

FORMAT = "kitchentable game 3"
LARGEST = 1024 * 1024
"""The maximum size of a game in a link, uncompressed, in bytes."""
ILLEGAL = "illegal:"
"""The prefix of an illegal action, which ended the game."""
_ABOUT = {str: "text", int: "a whole number", list: "a list", dict: "an object"}


@dataclass(kw_only=True)
class SavedGame:
    """A played game: all that is needed to deal it and to play it again."""

    game: str
    """The game's name."""
    version: int
    """The version of its rules."""
    params: dict[str, Any]
    """The parameters, as from `TableParams.plain`."""
    info: dict[str, Any]
    """The game's facts (`Rules.info`), such as the word list's fingerprint."""
    deal: int
    """The record's seed before the deal, from 1 to 2**64 - 1."""
    deck: list[str] = field(default_factory=list)
    """The names of the cards on top of the first hand's deck."""
    actions: list[Any] = field(default_factory=list)
    """What happened, in order: the name of an action; an illegal one after `ILLEGAL`; None for the
    step of an agent whose game has ended; or the agent and the seed of a redeal."""
    players: list[str] = field(default_factory=list)
    """Who played, by seat; empty if nobody said so."""

    def to_json(self) -> str:
        """Return the game as JSON, with a checksum that reveals damage."""
        body = {"format": FORMAT, **asdict(self)}
        return json.dumps(body | {"check": _check(body)}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes) -> SavedGame:
        """Return the game in a text from `to_json`, or written by hand, without a checksum.

        Raises:
            ValueError: it is no game of this format, or damaged; the message says why.
        """
        try:
            body = json.loads(text)
            check = body.pop("check", None) if isinstance(body, dict) else None
            checked = _check(body)
        except (TypeError, ValueError, RecursionError):
            raise ValueError("this is damaged, or no saved game: it is not JSON") from None
        if not isinstance(body, dict) or body.get("format") != FORMAT:
            kind = body.get("format") if isinstance(body, dict) else None
            raise ValueError(
                f"this is no saved game: its format is {one_line_repr(kind)}, this version reads "
                f"{FORMAT!r}"
            )
        if check not in (None, checked):
            raise ValueError("this saved game is damaged: its checksum does not match")
        del body["format"]
        known = {member.name: member for member in fields(cls)}
        wrong = [f"there is no {name!r} in a saved game" for name in body if name not in known]
        wrong += [
            f"{name!r} is missing"
            for name, member in known.items()
            if name not in body and member.default_factory is MISSING
        ]
        if wrong:
            raise ValueError(wrong[0])
        saved = cls(**body)
        saved._check_types()
        return saved

    def _check_types(self) -> None:
        """Raise `ValueError` if a value has another type; the message says what would be right."""
        for name, hint in get_type_hints(type(self)).items():
            value, kind = getattr(self, name), get_origin(hint) or hint
            if not isinstance(value, kind) or isinstance(value, bool):
                raise ValueError(
                    f"{name}={one_line_repr(value)} is not possible; give {_ABOUT[kind]}"
                )
            if get_args(hint) == (str,) and not all(isinstance(item, str) for item in value):
                raise ValueError(
                    f"{name}={one_line_repr(value)} is not possible; give a list of names"
                )
        if not 0 < self.deal < 2**64:
            raise ValueError(f"deal={self.deal} is not possible; choose 1 to {2**64 - 1}")

    def to_link(self) -> str:
        """Return the game as short text for an address: compressed JSON in URL-safe Base64."""
        return base64.urlsafe_b64encode(zlib.compress(self.to_json().encode(), 9)).decode()

    @classmethod
    def from_link(cls, text: str) -> SavedGame:
        """Return the game in a text from `to_link`.

        Raises:
            ValueError: the text is cut off, damaged or too large.
        """
        unpack = zlib.decompressobj()
        try:
            data = unpack.decompress(base64.b64decode(text, b"-_", validate=True), LARGEST)
        except (TypeError, ValueError, zlib.error):
            raise ValueError("the link is damaged; copy all of it") from None
        if unpack.unconsumed_tail or not unpack.eof:
            raise ValueError("the link is cut off or too large; copy all of it")
        return cls.from_json(data)

    def opened(self) -> tuple[Game, Any]:
        """Return the game's rules and its parameters.

        Raises:
            ValueError: this version has no such game, parameters or facts; the message says which.
        """
        game = find_game(self.game)
        check_same("version", self.version, game.version)
        try:
            params = game.make_params(**self.params)
        except TypeError as error:
            raise ValueError(f"params={one_line_repr(self.params)}: {error}") from None
        check_same("info", self.info, dict(game.rules.info(params)))
        return game, params


def check_same(what: str, saved: object, here: object) -> None:
    """Check that a value of a saved game is the same at the table that plays it again.

    Raises:
        ValueError: the values differ; the message names both.
    """
    if saved != here:
        raise ValueError(
            f"the saved game's {what} is {one_line_repr(saved)}, here it is {one_line_repr(here)}"
        )


def _check(body: object) -> str:
    """Return a checksum of values; raise `ValueError` if JSON cannot express them."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
