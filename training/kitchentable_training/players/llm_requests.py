"""Requests to language models: answers are kept, and asked for again only if they are missing."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from kitchentable_training.named import LLM
from kitchentable_training.players.llm_options import Options

Message = dict[str, str]
CHARACTERS = 4
"""Characters of a token, where a server does not count tokens."""
KEPT = 10_000
"""The number of characters of an answer that are kept at either end."""
PAUSE = 0.5
"""Seconds before a request with a damaged response is repeated for the first time."""
MILLION = 1_000_000


class Reply(NamedTuple):
    """The answer to a request, and what it has cost in tokens."""

    answer: str
    prompt_tokens: int
    answer_tokens: int


def ask(options: Options, messages: Sequence[Message]) -> Reply:
    """Return the answer to a conversation by OpenAI's protocol; failed requests are repeated.

    Raises:
        ValueError: the client library is missing, or every request failed. The message has nothing
            of the response, which may repeat a key, and no address: visitors of the browser's page
            may see it.
    """
    try:
        import openai  # noqa: PLC0415 (an extra)
    except ImportError:
        raise ValueError(
            'a language model needs the OpenAI client: pip install "kitchentable[llm]"'
        ) from None
    why = ""
    most = "max_completion_tokens" if options.url is None else "max_tokens"
    parameters = {most: options.tokens, "temperature": options.temperature}
    create = _client(options).chat.completions.create
    for attempt in range(options.retries + 1):
        time.sleep(PAUSE * attempt)
        try:
            response = create(model=options.model, messages=list(messages), **parameters)
            return _reply(response, messages)
        except openai.APIStatusError as error:
            why = f"HTTP status {error.status_code}"
            break
        except openai.APIConnectionError as error:
            why = type(error).__name__
            break
        except (ValueError, TypeError, AttributeError, LookupError, openai.APIError) as error:
            # The client does not repeat these itself.
            why = f"its responses are damaged ({type(error).__name__})"
    raise ValueError(f"{LLM}:{options.model} cannot be asked: {why}")


@cache
def _client(options: Options) -> Any:
    """Return the client for an endpoint, which threads share."""
    import openai  # noqa: PLC0415

    return openai.OpenAI(
        base_url=options.url,
        api_key=os.environ.get(options.key) or "none",
        timeout=options.timeout,
        max_retries=options.retries,
    )


def _reply(response: Any, messages: Sequence[Message]) -> Reply:
    """Read a response, which may be anything.

    Raises:
        TypeError, AttributeError, LookupError, ValueError: it is no response of the protocol.
    """
    answer = response.choices[0].message.content or ""
    if not isinstance(answer, str):
        raise TypeError("the content is no text")
    letters = sum(len(message["content"]) for message in messages)
    counts = [letters // CHARACTERS, len(answer) // CHARACTERS]
    with suppress(TypeError, AttributeError, ValueError):  # not every server counts
        used = response.usage
        counts = [max(0, int(n)) for n in (used.prompt_tokens, used.completion_tokens)]
    if len(answer) > 2 * KEPT:  # thoughts begin at its start, and the action is at its end
        answer = f"{answer[:KEPT]} ... {answer[-KEPT:]}"
    return Reply(answer.encode(errors="replace").decode(), *counts)  # else it cannot be sent back


class Requests:
    """Asks a model and writes every answer to the transcript, a file of JSON lines.

    A request in the transcript is not sent again, so what was interrupted goes on from there. The
    limits hold for the whole transcript, which several players and processes may share.

    Attributes:
        options: the model, and the options.
        sent: how many requests have been sent.
        kept: how many answers came from the transcript.
    """

    def __init__(
        self, options: Options, ask: Callable[[Options, Sequence[Message]], Reply]
    ) -> None:
        """Start without answers; the transcript is read before every request.

        Args:
            options: the model, and the options.
            ask: sends a request, as `ask` does.
        """
        self.options, self._ask = options, ask
        self.sent = self.kept = 0
        self._lock = threading.Lock()
        self._tokens = [0, 0]
        self._answers: dict[str, str] = {}
        self._read = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a copy, perhaps in another process, read the transcript itself."""
        return type(self), (self.options, self._ask)

    def answer(self, messages: Sequence[Message], number: int) -> str:
        """Return the answer to a conversation, from the transcript if it is there.

        Args:
            messages: the conversation.
            number: how often it occurred before.

        Raises:
            ValueError: a limit is reached, or the request failed.
        """
        options = self.options
        about = [options.model, options.url, options.temperature, options.tokens, number]
        key = hashlib.sha256(json.dumps([about, messages]).encode()).hexdigest()
        with self._lock:
            self._catch_up()
            if key in self._answers:
                self.kept += 1
                return self._answers[key]
            self._check()
        start = time.monotonic()
        reply = self._ask(options, messages)
        row = {
            "key": key,
            "messages": list(messages),
            "answer": reply.answer,
            "tokens": reply[1:],
            "seconds": round(time.monotonic() - start, 3),
        }
        with self._lock:
            self.sent += 1
            self._write(row)
            self._catch_up()
            return self._answers[key]

    def _catch_up(self) -> None:
        """Read what the transcript has got since it was read last; all if it is shorter."""
        path = self.options.transcript
        if self._read > (path.stat().st_size if path.exists() else 0):
            self._read, self._tokens, self._answers = 0, [0, 0], {}
        if not path.exists():
            return
        with path.open("rb") as file:
            file.seek(self._read)
            data = file.read().rpartition(b"\n")[0]
        self._read += len(data) + bool(data)
        for line in data.splitlines():
            try:
                row = json.loads(line)
                prompts, answers = map(int, row["tokens"])
                self._answers.setdefault(row["key"], str(row["answer"]))
            except (ValueError, TypeError, LookupError):
                continue  # the line was being written when the power failed
            self._tokens = [self._tokens[0] + prompts, self._tokens[1] + answers]

    def _write(self, row: dict[str, Any]) -> None:
        path = self.options.transcript
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            start = "\n" if file.tell() > self._read else ""  # after a line that was torn off
            file.write(f"{start}{json.dumps(row)}\n".encode())

    @property
    def _dollars(self) -> float:
        return (
            sum(
                tokens * price
                for tokens, price in zip(self._tokens, self.options.price, strict=True)
            )
            / MILLION
        )

    def _check(self) -> None:
        """Raise `ValueError` if a limit is reached."""
        spent, most, dollars = sum(self._tokens), self.options.budget, self.options.dollars
        if spent >= most or (dollars is not None and self._dollars >= dollars):
            raise ValueError(
                f"a limit is reached, after {spent:,} tokens and {self._dollars:.2f} dollars; the "
                "same command with a larger budget= (tokens) or dollars= goes on from "
                f"{self.options.transcript}"
            )

    def usage(self) -> str:
        """Return requests, tokens and cost in words."""
        self._catch_up()
        prompts, answers = self._tokens
        cost = f", {self._dollars:.2f} dollars" if any(self.options.price) else ""
        return (
            f"{self.sent} requests sent, {self.kept} answers from {self.options.transcript}, "
            f"which has {prompts:,} tokens of prompts and {answers:,} of answers{cost}"
        )
