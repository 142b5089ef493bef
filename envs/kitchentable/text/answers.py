"""Actions in the answers of language models, read leniently."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

READ = 4_000
"""The number of characters of an answer that are read: its last ones, after any thoughts."""
MOST_LISTED = 30
"""The maximum number of legal actions that a sentence of help lists."""
HOW_TO_ANSWER = "Answer with the name of one legal action in brackets, as in [action]."
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


def read_answer(answer: str, names: tuple[str, ...]) -> str | None:
    """Return the action that an answer names last, or None.

    Case does not matter, nor do spaces around colons and commas. An action under the key
    ``"action"`` of a JSON object goes before actions in square brackets, and these before others.
    Thoughts between ``<think>`` and ``</think>`` are not read, nor those that only begin or only
    end.

    Args:
        answer: the answer; of a long one only the last `READ` characters are read.
        names: the names of all actions of the game, legal or not.
    """
    reply = _THOUGHTS.sub("", answer).rpartition("</think>")[2]
    tail = reply[-READ:].casefold()
    for pattern in _patterns(names):
        matches = pattern.findall(tail)
        if matches:
            return _by_plain_name(names)[_plain(matches[-1])]
    return None


def help_with(chosen: str | None, legal: Collection[str]) -> str:
    """Return a sentence about an answer that cannot be played.

    Args:
        chosen: the action that it names, which is not legal; None: it names none.
        legal: the names of the legal actions.
    """
    why = "The answer names no action" if chosen is None else f"{chosen} is not legal now"
    listed = ": " + ", ".join(legal) if len(legal) <= MOST_LISTED else ""
    several = len(legal) > 1
    which = f"one of the {len(legal)} legal actions" if several else "the only legal action"
    return f"{why}; answer with {which} in brackets{listed}."


def _plain(name: str) -> str:
    return "".join(name.casefold().split())


@lru_cache
def _by_plain_name(names: tuple[str, ...]) -> dict[str, str]:
    return {_plain(name): name for name in names}


@lru_cache
def _patterns(names: tuple[str, ...]) -> Sequence[re.Pattern[str]]:
    """Return patterns that find the name of an action, those that count most first."""
    longest_first = sorted(map(str.casefold, names), key=len, reverse=True)
    spelled = (re.sub(r"([:,])", r"\\s*\1\\s*", re.escape(name)) for name in longest_first)
    name = rf"(?<![\w:])({'|'.join(spelled)})(?![\w:])"
    forms = (rf'"action"\s*:\s*"\s*{name}', rf"\[\s*{name}\s*\]", name)
    return [re.compile(form) for form in forms]
