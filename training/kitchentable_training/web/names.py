"""Who sits where, in the words of one person: "You" and the players' names.

Games speak of ``player_0`` and of "it", as terminals and transcripts do. A browser shows the same
sentences in the words of its person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kitchentable.render.letters import text_width, wrapped
from kitchentable.render.picture import Picture, Text

YOU = "You"
LONGEST = 20
"""The maximum number of characters of a player's name within a sentence."""
MOST_LEADING = 1.6
"""Lines of a paragraph are less than this many times their letters' size apart."""

_SEAT = re.compile(r"\bplayer_(\d+)\b")
_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do"}
_VERB = "([a-z]+)"
_OWN = re.compile(
    r"\bits (?=(?:own |last |new |face-up |face-down )*"
    r"(?:cards?\b(?! count| are)|board|discard|turn|recycle))",
    re.IGNORECASE,
)
_ITSELF = re.compile(
    r"\b(it) (?=(?:drew|took|recycled|sees|has (?:seen|turned up|taken|drawn|laid|the)|chooses"
    r"|discards|lays|goes|gets|turns|closes|passes|adds|likes|replaces|is going|can go"
    r"|cannot (?:go|end the)|may not go|does not)\b)(\w+)",
    re.IGNORECASE,
)
_ALSO = re.compile(r"(?:(?<=\band )|(?<=\bor )|(?<=\bnow ))" + _VERB)
_ALSO_VERBS = frozenset(
    [
        "chooses",
        "exchanges",
        "begins",
        "spells",
        "discards",
        "takes",
        "passes",
        "ends",
        "goes",
        "lays",
        "must",
    ]
)
_TIDY: tuple[tuple[str, str], ...] = (
    (r"\bthe hand of you, who has made\b", "your hand, as you have made"),
    (r"\b(?:the )?(last )?turn of you, who (\w+)", r"your \1turn: you \2"),
    (r"\b(?:[Tt]he )?(last )?[Tt]urn of you\b", r"your \1turn"),
    (r"\bthe hand of you\b", "your hand"),
    (r"\ba word of you\b", "a word of yours"),
)
_IT: tuple[tuple[str, str], ...] = (
    (r"\bcount(s?) against it\b", r"count\1 against you"),
    (r"\bonly it (has|sees)\b", r"only you \1"),
    (r"\bwhat words it can\b", "what words you can"),
    (r"\blets it go out\b", "lets you go out"),
)


class Names:
    """The names of the players by seat, and sentences with them.

    Attributes:
        by_seat: the names, such as "You", "expert" and "Player 3", all of them different.
    """

    def __init__(self, players: Sequence[str], mine: int | None) -> None:
        """Name the players.

        Args:
            players: what is known of each seat's player; an empty text for a person.
            mine: the seat of the person who is told, or None.
        """
        short = [_short(player, seat) for seat, player in enumerate(players)]
        self.by_seat = [
            YOU if seat == mine else f"{name} {seat + 1}" if short.count(name) > 1 else name
            for seat, name in enumerate(short)
        ]
        self._mine = mine

    def in_text(self, text: str, mover: int | None = None) -> str:
        """Return a text with the players' names, and with "you" for the person who is told.

        Args:
            text: sentences of a game.
            mover: the seat that sentences mean by "it" when they name none.
        """
        if self._mine is None:
            return _SEAT.sub(self._name, text)
        parts = re.split(r"((?<=\.) |\n)", text)
        return "".join(self._sentence(part, mover) for part in parts)

    def in_picture(self, picture: Picture, mover: int | None = None) -> None:
        """Put the names into a picture; its lines keep their places and their room."""
        shapes, at = picture.shapes, 0
        while at < len(shapes):
            lines = _paragraph(shapes[at:])
            if any(_SEAT.search(line.text) for line in lines):
                shapes[at : at + len(lines)] = self._lines(lines, mover)
            at += max(1, len(lines))

    def _lines(self, lines: Sequence[Text], mover: int | None) -> list[Text]:
        """Return a paragraph of a picture with the names, in no more lines."""
        first, said = lines[0], self.in_text(" ".join(line.text for line in lines), mover)
        room = max(text_width(line.text, line.size) for line in lines)
        told = wrapped(said, first.size, room)
        told = [*told[: len(lines) - 1], " ".join(told[len(lines) - 1 :])]
        return [
            replace(line, text=text, room=room if text_width(text, line.size) > room else 0)
            for line, text in zip(lines, told, strict=False)
        ]

    def _name(self, found: re.Match[str]) -> str:
        seat = int(found[1])
        return self.by_seat[seat] if seat < len(self.by_seat) else found[0]

    def _sentence(self, said: str, mover: int | None) -> str:
        """Return a sentence; its first seat, else the one to move, is what it calls "it"."""
        named = _SEAT.match(said)
        subject = int(named[1]) if named else mover
        told = _SEAT.sub(self._name, said)
        if subject == self._mine:
            told = _addressed(told)
        return _agreeing(_tidied(told))


def _short(player: str, seat: int) -> str:
    """Return a player's name as it stands in sentences; people are told apart by their seats."""
    name = "".join(filter(str.isprintable, player.partition(":")[0])).strip()
    if not name or name in ("?", "a person"):
        return f"Player {seat + 1}"
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 2]}.."


def _paragraph(shapes: Sequence[object]) -> list[Text]:
    """Return the lines of text at the start that belong together: of equal looks, below another."""
    lines: list[Text] = []
    for shape in shapes:
        if not isinstance(shape, Text):
            break
        if lines and shape != replace(lines[-1], y=shape.y, text=shape.text):
            break
        if lines and not 1 < (shape.y - lines[-1].y) / shape.size < MOST_LEADING:
            break
        lines.append(shape)
    return lines


def _agreeing(told: str) -> str:
    """Make the verbs after "you" agree with it."""

    def after(found: re.Match[str]) -> str:
        return f"{found[1]} {_second_person(found[2])}"

    return re.sub(rf"\b([Yy]ou) {_VERB}\b", after, told)


def _addressed(told: str) -> str:
    """Say "you" and "your" where a sentence means the person by "it" and "its"."""

    def itself(found: re.Match[str]) -> str:
        you = YOU if found[1] == "It" else "you"
        return f"{you} {_second_person(found[2])}"

    def own(found: re.Match[str]) -> str:
        return "Your " if found[0].startswith("I") else "your "

    def also(found: re.Match[str]) -> str:
        return _second_person(found[1]) if found[1] in _ALSO_VERBS else found[1]

    told = _replaced(told, _IT)
    return _ALSO.sub(also, _ITSELF.sub(itself, _OWN.sub(own, told)))


def _second_person(verb: str) -> str:
    """Return a verb as it follows "you": ``are`` for ``is``, ``pass`` for ``passes``."""
    if verb in _VERBS:
        return _VERBS[verb]
    if not verb.endswith("s") or verb.endswith("ss"):
        return verb
    return verb[:-2] if re.search(r"(ss|sh|ch|x|o)es$", verb) else verb[:-1]


def _tidied(told: str) -> str:
    """Write "you" in small letters within a sentence, and what "of you" says in other words."""
    told = re.sub(rf"(?<=[\w,;:(] ){YOU}\b|(?<=\(){YOU}\b", "you", told)
    told = _replaced(told, _TIDY)
    return told[:1].upper() + told[1:] if told.startswith("your ") else told


def _replaced(told: str, patterns: Sequence[tuple[str, str]]) -> str:
    for wrong, right in patterns:
        told = re.sub(wrong, right, told)
    return told
