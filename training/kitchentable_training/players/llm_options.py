"""The options of a language model as a player, as its specification names them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kitchentable_training.named import BEFORE_OPTION

KIND = "llm"
FOLDER = Path("runs") / KIND
"""The folder of transcripts."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options in a specification, ``name=value`` after colons."""

    model: str
    """The name of the model, as the server knows it."""
    url: str | None = None
    """The address of an endpoint with OpenAI's protocol, up to ``/v1``; None: OpenAI's own."""
    key: str = "OPENAI_API_KEY"
    """The environment variable with the key, if the server wants one."""
    temperature: float = 0.0
    """The temperature; with more than 0, a prompt that occurs again is asked again."""
    tokens: int = 1024
    """The maximum number of tokens of an answer."""
    tries: int = 3
    """The number of answers to a decision, of which the last one must be usable."""
    compact: int = 0
    """1: prompts without sentences about the situation and the actions."""
    games: int = 8
    """The number of games in which the model is asked at the same time."""
    timeout: float = 60.0
    """Seconds until a request has failed."""
    retries: int = 4
    """How often a failed request is repeated, after growing pauses."""
    budget: int = 1_000_000
    """The maximum number of tokens, of prompts and answers, in the transcript."""
    dollars: float = math.inf
    """The maximum cost of the transcript, by ``price``."""
    price: tuple[float, float] = (0.0, 0.0)
    """Dollars for a million tokens of prompts and of answers, as in ``price=0.15/0.6``."""
    transcript: Path = Path()
    """The file of requests and answers (JSON lines); by default named after the model."""

    @classmethod
    def read(cls, spec: str) -> Options:
        """Read a specification.

        Raises:
            ValueError: an option is unknown, invalid or missing; the message says what is possible.
        """
        given: dict[str, Any] = {}
        for part in BEFORE_OPTION.split(spec)[1:]:
            name, _, value = part.partition("=")
            if name not in _READ or name in given:
                known = ", ".join(_READ)
                raise ValueError(f"{spec!r}: {name} is unknown or given twice; there are {known}")
            try:
                given[name] = _READ[name](value)
            except ValueError:
                raise ValueError(f"{spec!r}: {part} is not possible") from None
        if not given.get("model"):
            raise ValueError(f"{spec!r}: name the model, as in llm:model=NAME:url=http://HOST/v1")
        if urlsplit(given.get("url") or "").username is not None:
            raise ValueError(
                "the URL of a model has no passwords; put the key into the environment"
            )
        slug = re.sub(r"[^\w.-]+", "_", given["model"])
        return cls(**{"transcript": FOLDER / f"{slug}.jsonl", **given})


def _above(kind: type[int] | type[float], least: float) -> Callable[[str], Any]:
    """Return a function that reads a number of at least ``least``."""

    def read(text: str) -> float:
        number = kind(text)
        if not least <= number < math.inf:
            raise ValueError(text)
        return number

    return read


def _price(text: str) -> tuple[float, float]:
    prompts, answers = map(_above(float, 0), text.split("/"))
    return prompts, answers


_READ: Mapping[str, Callable[[str], Any]] = {
    **{one.name: str for one in fields(Options)},
    **dict.fromkeys(("tokens", "tries", "games", "budget"), _above(int, 1)),
    **dict.fromkeys(("compact", "retries"), _above(int, 0)),
    **dict.fromkeys(("temperature", "dollars"), _above(float, 0)),
    "timeout": _above(float, 0.001),
    "price": _price,
    "transcript": Path,
}
"""How the value of each option is read."""
