"""Quiddler Solitaire in plain Python: a reference for the engine."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

from kitchentable.games.quiddler.words.lexicon import find_lexicon


@cache
def sorted_words(name: str) -> tuple[str, ...]:
    return tuple(sorted(find_lexicon(name).words))


class Reference:
    """One game on lists of names."""

    def __init__(self, stacks: list[list[str]], lexicon: str) -> None:
        self.stacks, self.words = stacks, sorted_words(lexicon)
        self.made: list[list[str]] = []
        self.placed: list[int] = []

    def begins(self, text: str) -> tuple[bool, bool]:
        """Return whether a text begins a word, and whether it is one."""
        at = bisect_left(self.words, text)
        found = self.words[at] if at < len(self.words) else ""
        return found.startswith(text), found == text

    def completes(self, placed: list[int]) -> bool:
        text = "".join(self.stacks[i][-1] for i in placed)
        begins, is_word = self.begins(text)
        if len(placed) > 1 and is_word:
            return True
        rest = [i for i in range(8) if self.stacks[i] and i not in placed]
        return begins and any(self.completes([*placed, i]) for i in rest)

    @property
    def legal(self) -> list[str]:
        rest = [i for i in range(8) if self.stacks[i] and i not in self.placed]
        names = [f"place:{i}" for i in rest if self.completes([*self.placed, i])]
        text = "".join(self.stacks[i][-1] for i in self.placed)
        return names + ["word"] * (len(self.placed) > 1 and self.begins(text)[1])

    def step(self, name: str) -> None:
        if name != "word":
            self.placed.append(int(name[-1]))
            return
        self.made.append([self.stacks[i].pop() for i in self.placed])
        self.placed = []
        for stack in self.stacks:
            giver = max(self.stacks, key=len)
            if not stack and len(giver) > 1:
                stack.append(giver.pop())
