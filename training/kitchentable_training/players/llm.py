"""Language models as players: ``llm:model=NAME:url=http://127.0.0.1:8000/v1``.

A model is asked at every decision with more than one legal action. The prompt is what `TextEnv`
tells: the rules, what has happened since the seat's last turn, and what it knows of the table. It
has nothing of earlier decisions.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kitchentable import Batch, Game
from kitchentable.engine.games import as_seed
from kitchentable.players.scripted import Actions, Games
from kitchentable.text.answers import READ, help_with, read_answer
from kitchentable.text.prompts import PromptWriter
from kitchentable_training.named import LLM

if TYPE_CHECKING:
    from kitchentable_training.players.llm_options import Options
    from kitchentable_training.players.llm_requests import Message, Requests


def is_llm(spec: str) -> bool:
    """Return whether a specification is that of a language model."""
    return spec.partition(":")[0] == LLM


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
        return f"{LLM}:{self._options().model}"

    def _options(self) -> Options:
        from kitchentable_training.players.llm_options import Options  # noqa: PLC0415 (pydantic)

        return Options.read(self.place)

    def player(self, game: Game, params: Any, seed: int = 0) -> LlmPlayer:
        """Return the player; see `LlmPlayer`.

        Raises:
            ValueError: the specification is invalid, or the client library is missing.
        """
        from kitchentable_training.players import llm_requests  # noqa: PLC0415 (pydantic)

        requests = llm_requests.Requests(self._options(), llm_requests.ask)
        return LlmPlayer(requests, game, params, seed)


class LlmPlayer:
    """A language model as a player.

    If none of its answers to a decision can be used, it plays a random legal action, since a player
    cannot end a game as `TextEnv` does; `usage` counts these.

    Attributes:
        name: the player's name in results.
        random_actions: how often it has played a random action.
        decisions: how often it has had a choice.
    """

    reads_moves = True

    def __init__(self, requests: Requests, game: Game, params: Any, seed: int = 0) -> None:
        """Create the player.

        Args:
            requests: what asks the model.
            game: the game to play.
            params: the game's parameters, made by ``game.make_params``.
            seed: the seed of its random actions.
        """
        self._options, self._requests = requests.options, requests
        self.name = f"{LLM}:{self._options.model}"
        self.random_actions = self.decisions = 0
        self._table = game, params
        self._names = tuple(game.rules.action_names(params))
        self._prompts = PromptWriter(game, params, compact=self._options.compact)
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
        self.decisions += len(open_to)
        prompts = {k: self._prompt(batch, int(games[k])) for k in open_to}
        pool = ThreadPoolExecutor(self._options.games)
        try:
            futures = {
                prompt: pool.submit(self._choose, *prompt)
                for prompt in dict.fromkeys(prompts.values())
            }
            for k, prompt in prompts.items():
                chosen = futures[prompt].result() or self._draw(prompt[-1])
                actions[k] = self._names.index(chosen)
        finally:
            pool.shutdown(cancel_futures=True)
        return actions

    def _draw(self, legal: Sequence[str]) -> str:
        """Return a random legal action, for a decision without a usable answer."""
        self.random_actions += 1
        return legal[int(self._rng.integers(len(legal)))]

    def _prompt(self, batch: Batch, i: int) -> tuple[str, int, tuple[str, ...]]:
        """Return what the model is told in a game, how often it was before, and legal actions.

        Without a temperature the number is 0: equal prompts have one answer.
        """
        seat, moves = int(batch.current_player[i]), getattr(batch, "moves", None)
        view = self._prompts.view(batch.states[i], seat)
        table = self._prompts.table(view, moves[i] if moves else ())
        text = f"{self._prompts.who(seat)}\n\n{table}"
        self._seen[text] += 1
        legal = tuple(self._names[action] for action in np.flatnonzero(batch.masks[i]))
        return text, self._seen[text] - 1 if self._options.temperature else 0, legal

    def _choose(self, text: str, number: int, legal: Sequence[str]) -> str | None:
        """Return the legal action that the model names, or None after too many other answers."""
        messages: list[Message] = [
            {"role": "system", "content": self._prompts.rules},
            {"role": "user", "content": text},
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
        """Return a sentence on requests, tokens, and decisions without a usable answer."""
        return (
            f"{self.name}: {self._requests.usage()}; {self.random_actions} of {self.decisions} "
            "actions were random, for lack of a usable answer."
        )


def usages(players: Sequence[Any]) -> dict[str, Any]:
    """Return the `LlmPlayer.usage` of the language models among some players, for results."""
    by_name = {player.name: player.usage() for player in players if isinstance(player, LlmPlayer)}
    return {"usage": by_name} if by_name else {}
