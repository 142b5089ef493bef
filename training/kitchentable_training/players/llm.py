"""Language models as players: ``llm:model=NAME:url=http://127.0.0.1:8000/v1``.

A model is asked at every decision with more than one legal action. The prompt has the rules and
what the seat knows of the table, in the words of `kitchentable.text`, and nothing of earlier
decisions.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from kitchentable import Batch, Game
from kitchentable.engine.games import as_seed
from kitchentable.players.scripted import Actions, Games
from kitchentable.text.answers import READ, help_with, read_answer
from kitchentable.text.telling import Teller
from kitchentable_training.players.llm_options import KIND, Options
from kitchentable_training.players.llm_requests import Endpoint, Message, Requests


def is_llm(spec: str) -> bool:
    """Return whether a specification is that of a language model."""
    return spec.partition(":")[0] == KIND


@dataclass(frozen=True)
class Llm:
    """A language model that a person has named, and that can be a player of any table.

    Attributes:
        place: the specification.
    """

    place: str

    @property
    def source(self) -> str:
        """What tells apart models of one name: the hash of the specification."""
        return hashlib.sha256(self.place.encode()).hexdigest()

    @property
    def name(self) -> str:
        """The name of the player."""
        return f"{KIND}:{Options.read(self.place).model}"

    def player(self, game: Game, params: Any, seed: int = 0) -> LlmPlayer:
        """Return the player; see `LlmPlayer`.

        Raises:
            ValueError: the specification is invalid, or the client library is missing.
        """
        options = Options.read(self.place)
        return LlmPlayer(Requests(options, Endpoint(options)), game, params, seed)


class LlmPlayer:
    """A language model as a player.

    If none of its answers to a decision can be used, it plays a random legal action; `usage` counts
    these.

    Attributes:
        name: the player's name in results.
        random_actions: how often it has played a random action.
    """

    def __init__(self, requests: Requests, game: Game, params: Any, seed: int = 0) -> None:
        """Create the player.

        Args:
            requests: what asks the model.
            game: the game to play.
            params: the game's parameters, made by ``game.make_params``.
            seed: the seed of its random actions.
        """
        self._options, self._requests = requests.options, requests
        self.name = f"{KIND}:{self._options.model}"
        self.random_actions = 0
        self._table = game, params
        self._names = tuple(game.rules.action_names(params))
        self._teller = Teller(game, params, compact=bool(self._options.compact))
        self.seed(seed)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a copy, perhaps in another process, open its own connections."""
        return type(self), (self._requests, *self._table, self._seed), {"name": self.name}

    def seed(self, seed: int) -> None:
        """Restart the player's random actions, and the count of equal prompts."""
        self._seed = as_seed(seed)
        self._rng = np.random.default_rng(self._seed)
        self._seen: Counter[str] = Counter()

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games`` for the seat to act; int64, shape (k,).

        Raises:
            ValueError: a request has failed for good, or a limit is reached. The answers so far are
                in the transcript, so the same evaluation goes on from there.
        """
        actions: Actions = batch.masks[games].argmax(axis=1).astype(np.int64)
        open_to = [k for k, i in enumerate(games) if batch.masks[i].sum() > 1]
        prompts = [self._prompt(batch, int(games[k])) for k in open_to]
        legal = [self._legal(batch, int(games[k])) for k in open_to]
        pool = ThreadPoolExecutor(self._options.games)
        try:
            asked = {
                prompt: pool.submit(self._choose, *prompt, those)
                for prompt, those in dict(zip(prompts, legal, strict=True)).items()
            }
            for k, prompt, those in zip(open_to, prompts, legal, strict=True):
                actions[k] = self._names.index(asked[prompt].result() or self._draw(those))
        finally:
            pool.shutdown(cancel_futures=True)
        return actions

    def _legal(self, batch: Batch, i: int) -> tuple[str, ...]:
        return tuple(self._names[action] for action in np.flatnonzero(batch.masks[i]))

    def _draw(self, legal: Sequence[str]) -> str:
        """Return a random legal action, for a decision without a usable answer."""
        self.random_actions += 1
        return legal[int(self._rng.integers(len(legal)))]

    def _prompt(self, batch: Batch, i: int) -> tuple[str, int]:
        """Return what the model is told in a game, and how often it was told that before.

        Without a temperature that does not matter: equal prompts have one answer.
        """
        seat = int(batch.current_player[i])
        table = self._teller.table(self._teller.view(batch.states[i], seat))
        told = f"{self._teller.who(seat)}\n\n{table}"
        self._seen[told] += 1
        return told, self._seen[told] - 1 if self._options.temperature else 0

    def _choose(self, told: str, number: int, legal: Sequence[str]) -> str | None:
        """Return the legal action that the model names, or None after too many other answers."""
        messages: list[Message] = [
            {"role": "system", "content": self._teller.rules},
            {"role": "user", "content": told},
        ]
        for _ in range(self._options.tries):
            answer = self._requests.answer(messages, number)
            chosen = read_answer(answer, self._names)
            if chosen in legal:
                return chosen
            messages += [
                {"role": "assistant", "content": answer[-READ:] or "(nothing)"},
                {"role": "user", "content": help_with(chosen, legal)},
            ]
        return None

    def usage(self) -> str:
        """Return a sentence on requests, tokens and unusable decisions."""
        return f"{self.name}: {self._requests.usage()}; {self.random_actions} random actions."


def usages(players: Sequence[Any]) -> list[str]:
    """Return the `LlmPlayer.usage` of the language models among some players."""
    return [one.usage() for one in players if isinstance(one, LlmPlayer)]
