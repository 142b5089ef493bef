"""Quiddler Solitaire in plain Python, and the engine beside it."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from tests.games import duel
from tests.games.duel import flat, padded
from tests.games.quiddler.laying import COPIES, KINDS
from tests.games.quiddler_solitaire.play import stacks_of
from tests.games.reference import Flow, Reference

from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.games.quiddler.words.lexicon import find_lexicon


@cache
def sorted_words(lexicon: Any) -> tuple[str, ...]:
    return tuple(sorted(find_lexicon(lexicon).words))


class ReferenceGame(Reference):
    """One game on lists of names."""

    def __init__(self, stacks: list[list[str]], lexicon: Any, reward: str = "win") -> None:
        self.stacks, self.words = stacks, sorted_words(lexicon)
        self.made: list[list[str]] = []
        self.placed: list[int] = []
        self.begin(num_players=1, reward=reward)

    def _game(self) -> Flow:
        self.player = 0
        while legal := self._legal():
            name = yield legal
            if name != "word":
                self.placed.append(int(name[-1]))
                continue
            self.made.append([self.stacks[i].pop() for i in self.placed])
            self.placed = []
            for stack in self.stacks:
                giver = max(self.stacks, key=len)
                if not stack and len(giver) > 1:
                    stack.append(giver.pop())
        self.history[0].append(len(flat(self.made)))
        self.terminated = self.hand_over = True

    def _legal(self) -> list[str]:
        rest = [i for i in range(8) if self.stacks[i] and i not in self.placed]
        names = [f"place:{i}" for i in rest if self._completes([*self.placed, i])]
        text = "".join(self.stacks[i][-1] for i in self.placed)
        return names + ["word"] * (len(self.placed) > 1 and self._begins(text)[1])

    def _begins(self, text: str) -> tuple[bool, bool]:
        """Return whether a text begins a word, and whether it is one."""
        at = bisect_left(self.words, text)
        found = self.words[at] if at < len(self.words) else ""
        return found.startswith(text), found == text

    def _completes(self, placed: list[int]) -> bool:
        text = "".join(self.stacks[i][-1] for i in placed)
        begins, is_word = self._begins(text)
        if len(placed) > 1 and is_word:
            return True
        rest = [i for i in range(8) if self.stacks[i] and i not in placed]
        return begins and any(self._completes([*placed, i]) for i in rest)

    def all_words(self, placed: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Yield the stacks of every word in the open cards."""
        begins, is_word = self._begins("".join(self.stacks[i][-1] for i in placed))
        if is_word and len(placed) > 1:
            yield tuple(sorted(placed))
        for i in range(8) if begins else ():
            if self.stacks[i] and i not in placed:
                yield from self.all_words((*placed, i))

    @property
    def ranks(self) -> list[int]:
        """First if all cards are used."""
        return [1 if self.totals == [48] else 2]

    @property
    def rewards(self) -> list[float]:
        """Payment for the last action."""
        won = self.totals[0] / 48 if self.reward == "margin" else float(self.totals == [48])
        return [won if self.terminated else 0.0]


def assert_all_cards(state: Any) -> None:
    """Check that all cards lie on the stacks or are used."""
    assert (state.stacks >= 0).sum() == sum(state.heights) == 48 - state.used


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action."""

    game, check_cards = GAME, staticmethod(assert_all_cards)
    left_out = frozenset({"wins"})

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        params = self.batch.params
        return ReferenceGame(
            stacks_of(self.batch.states[i]), params.lexicon, params.reward, **options
        )

    def facts(self, state: Any, game: ReferenceGame) -> dict[str, tuple[Any, Any]]:
        ends = np.cumsum([len(word) for word in game.made]).tolist()
        return {
            "stacks": (stacks_of(state), game.stacks),
            "words": ([KINDS[kind] for kind in state.words[: state.used]], flat(game.made)),
            "word ends": ([*state.word_ends[: state.num_words]], ends),
            "placed": ([*state.placed[: state.num_placed]], game.placed),
            "won": (bool(state.won), game.terminated and not any(game.stacks)),
        }

    def seen(self, i: int, viewer: int) -> dict[str, list[float]]:  # noqa: ARG002
        """Return the expected observation, but for what can still win, which has its own test."""
        state, game = self.batch.states[i], self.references[i]
        tops = [stack[-1] if stack else None for stack in game.stacks]
        seen = Counter([*flat(game.made), *filter(None, tops)])
        placed = {(at, stack) for at, stack in enumerate(game.placed)}
        return {
            "open": [float(top == name) for top in tops for name in KINDS],
            "heights": [len(stack) / 6 for stack in game.stacks],
            "unseen": [1 - seen[name] / COPIES[name] for name in KINDS],
            "progress": [len(flat(game.made)) / 48, len(game.made) / 24],
            "word": [float((i, j) in placed) for i in range(8) for j in range(8)],
            "may_follow": [float(name in game.legal) for name in self.batch.action_names],
        } | ({"wins": [0.0] * 9} if max(state.heights) > 1 else {})

    def full(self, i: int) -> dict[str, list[float]]:
        rows = [[(KINDS.index(card) + 1) / 31 for card in s] for s in self.references[i].stacks]
        return {"stacks": flat(padded(row, 6) for row in rows)}
