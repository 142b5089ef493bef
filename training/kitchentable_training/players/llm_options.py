"""The options of a language model as a player, as its specification names them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, ValidationError, field_validator

from kitchentable_training.named import BEFORE_OPTION, LLM
from kitchentable_training.settings import Settings, Weight

FOLDER = Path("runs") / LLM
"""The folder of transcripts."""
Positive = Annotated[int, Field(ge=1)]


def _two(text: str) -> list[str]:
    prices = text.split("/")
    if len(prices) != 2:
        raise ValueError("give two numbers, as in 0.15/0.6")
    return prices


class Options(Settings):
    """The options in a specification, ``name=value`` after colons."""

    model: str = Field(min_length=1)
    """The name of the model, as the server knows it."""
    url: str | None = None
    """The address of an endpoint with OpenAI's protocol, up to ``/v1``; None: OpenAI's own."""
    key: str = "OPENAI_API_KEY"
    """The environment variable with the key, if the server wants one."""
    temperature: Weight = 0.0
    """The temperature; with more than 0, a prompt that occurs again is asked again."""
    tokens: Positive = 1024
    """The maximum number of tokens of an answer."""
    tries: Positive = 3
    """The number of answers to a decision, of which the last one must be usable."""
    compact: bool = False
    """1: prompts without sentences about the situation and the actions."""
    games: Positive = 8
    """The number of games in which the model is asked at the same time."""
    timeout: float = Field(60.0, gt=0)
    """Seconds until a request has failed."""
    retries: int = Field(4, ge=0)
    """How often a failed request is repeated, after growing pauses."""
    budget: Positive = 5_000_000
    """The number of tokens, of prompts and answers, in the transcript after which no more requests
    are sent; the last ones, of several ``games``, may exceed it."""
    dollars: Weight | None = None
    """The same for the cost of the transcript, by ``price``."""
    price: Annotated[tuple[Weight, Weight], BeforeValidator(_two)] = (0.0, 0.0)
    """Dollars for a million tokens of prompts and of answers, as in ``price=0.15/0.6``."""
    transcript: Path = Path()
    """The file of requests and answers (JSON lines); by default named after the model."""

    @field_validator("url")
    @classmethod
    def _without_secrets(cls, url: str) -> str:
        """Check an address, which results and transcripts may name."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or {*"@?#"} & {*url}:
            raise ValueError("give http://HOST/v1 or the like; keys are in the environment")
        return url

    @field_validator("key")
    @classmethod
    def _variable(cls, key: str) -> str:
        if not key.isidentifier():
            raise ValueError("give the name of an environment variable, not the key itself")
        return key

    @classmethod
    def read(cls, spec: str) -> Options:
        """Read a specification.

        Raises:
            ValueError: an option is unknown, invalid or missing; the message has no values, since
                a key may be among them by mistake.
        """
        given: dict[str, Any] = {}
        for part in BEFORE_OPTION.split(spec)[1:]:
            name, _, value = part.partition("=")
            if name not in cls.model_fields or name in given:
                known = ", ".join(cls.model_fields)
                raise ValueError(f"{LLM}: {name} is unknown or given twice; there are {known}")
            given[name] = value
        if "model" not in given:
            raise ValueError(f"{LLM}: name the model, as in {LLM}:model=NAME:url=http://HOST/v1")
        slug = re.sub(r"[^\w.-]+", "_", given["model"])
        try:
            return cls(**{"transcript": FOLDER / f"{slug}.jsonl", **given})
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            why = wrong["msg"].removeprefix("Value error, ")
        raise ValueError(f"{LLM}: {wrong['loc'][0]}: {why}")
