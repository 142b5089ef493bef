"""Diddly in plain Python: a reference for the fast engine.

It is written from the rule sheets, works on card names, lists and objects and shares no code with
the engine. A game is one generator that reads like the sheet from top to bottom: it yields whenever
a seat must decide, and is sent the name of the action.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import cycle
from math import ceil
from typing import Any

from tests.games.reference import Flow, Reference

KINDS = [*(str(number) for number in range(1, 11)), "D", "S", "H", "P", "R"]
COPIES = {kind: 4 if kind in {"S", "H", "P", "R"} else 8 for kind in KINDS}


@dataclass
class Card:
    """A card on a board; it keeps its facing and its owner's knowledge wherever it moves."""

    kind: str
    face_up: bool = False
    peeked: bool = False


# --- Scoring ------------------------------------------------------------------------------------


def worth(kind: str) -> int:
    """Return the points of one unmatched card."""
    if kind.isdigit():
        return int(kind)
    return 10 if kind in {"P", "R"} else 0


def score(kinds: Sequence[str]) -> int:
    """Return the score of a board, given row by row."""
    return score_lines(kinds) if len(kinds) == 9 else score_columns(kinds)


def score_columns(kinds: Sequence[str]) -> int:
    """Return the score of two rows: each column counts by itself."""
    width = len(kinds) // 2
    total = 0
    for upper, lower in zip(kinds[:width], kinds[width:], strict=True):
        if upper != lower:
            for card, other in ((upper, lower), (lower, upper)):
                total += ceil(worth(card) / 2) if other == "H" else worth(card)
    return total


def score_lines(kinds: Sequence[str]) -> int:
    """Return the score of three rows of three: turn halved cards, remove equal lines, add up."""
    grid = {divmod(i, 3): kind for i, kind in enumerate(kinds)}
    lines = [[(row, column) for column in range(3)] for row in range(3)]
    lines += [[(row, column) for row in range(3)] for column in range(3)]
    lines += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
    sideways = {place for line in lines for place in line if "H" in {grid[p] for p in line}}
    removed = {place for line in lines for place in line if len({grid[p] for p in line}) == 1}
    return sum(
        ceil(worth(kind) / 2) if place in sideways else worth(kind)
        for place, kind in grid.items()
        if place not in removed
    )


# --- The game -----------------------------------------------------------------------------------


class ReferenceGame(Reference):
    """One game of Diddly.

    Attributes:
        boards: the cards of each seat, row by row.
        deck: kinds of cards, top first.
        known: publicly known cards of a reshuffled deck: those put into it minus those drawn
            since; None before the first reshuffle of the round.
        pile: kinds of cards, top last.
        held: the card obtained this turn and not yet placed; None if there is none.
        origin: where it came from: ``draw``, ``take``, ``recycle``; empty if there is none.
        waiting: abilities flipped in the set-up and not yet used, in order.
    """

    low_wins = True

    def __init__(
        self,
        new_deck: Callable[[int], list[str]],
        reshuffle: Callable[[list[str]], list[str]],
        **params: Any,
    ) -> None:
        """Deal the first round.

        Args:
            new_deck: function from the number of a round, from 0, to its deck, top first.
            reshuffle: function from the pile's cards to the new deck made of them.
            params: the game's parameters.
        """
        self.new_deck, self.reshuffle = new_deck, reshuffle
        self.last_boards: list[list[str]] = []
        self.held: str | None = None
        self.origin = ""
        self.first_slot: int | None = None
        self.waiting: list[str] = []
        self.flips_left = 0
        self.begin(**params)

    def standing(self, points: list[int]) -> tuple[int, ...]:
        """Return the sort key of a seat's rank: its total, then its lowest rounds in order."""
        return sum(points), *sorted(points)

    # --- The sheet from top to bottom

    def _game(self) -> Flow:
        for number in range(self.rounds):
            self.order = [(number + i) % self.num_players for i in range(self.num_players)]
            self._deal(number)
            yield from self._set_up()
            yield from self._turns()
            if self.truncated:
                return
            self._finish_round()
        self.terminated = True

    def _deal(self, number: int) -> None:
        self.deck = list(self.new_deck(number))
        self.known: Counter[str] | None = None
        self.pile: list[str] = []
        self.boards: list[list[Card]] = [[] for _ in range(self.num_players)]
        self.turns = [0] * self.num_players
        self.closer: int | None = None
        for _ in range(self.cards):
            for seat in self.order:
                self.boards[seat].append(Card(self.deck.pop(0)))

    def _set_up(self) -> Flow:
        self.to_flip = list(self.order)
        for seat in self.order:
            self.flips_left = {9: 3, 2: 1}.get(self.cards, 2)
            while self.flips_left:
                card = self.boards[seat][(yield from self._slot(seat, "flip", self._hidden(seat)))]
                card.face_up = True
                self.flips_left -= 1
                if card.kind in {"P", "S"}:
                    self.waiting.append(card.kind)
            while self.waiting:
                yield from self._use(seat, self.waiting.pop(0))
            self.to_flip.remove(seat)
        self.pile.append(self.deck.pop(0))

    def _turns(self) -> Flow:
        for seat in cycle(self.order):
            if seat == self.closer:
                return
            if self.turns[seat] == self.turn_limit:
                self.truncated = True
                self.player = seat
                return
            yield from self._turn(seat)
            self.turns[seat] += 1
            if self.closer is None and not self._hidden(seat):
                self.closer = seat

    def _turn(self, seat: int) -> Flow:
        board = self.boards[seat]
        recycles = [i for i, card in enumerate(board) if card.face_up and card.kind == "R"]
        choice = yield self._ask(seat, "source", self._sources(recycles=bool(recycles)))
        self.origin, _, kind = choice.partition(":")
        self.held = held = self._obtain(kind)
        yield from self._use(seat, held)
        places = list(range(self.cards))
        if self.origin == "recycle":
            places = [i for i, card in enumerate(board) if card.face_up and card.kind == "R"]
        place = yield from self._slot(seat, "place", places)
        self.pile.append(board[place].kind)
        board[place] = Card(held, face_up=True)
        self.held, self.origin = None, ""

    def _sources(self, *, recycles: bool) -> list[str]:
        names = []
        if self.deck or len(self.pile) > 1:
            names.append("draw")
        if self.pile:
            names.append("take")
        if recycles:
            names += [f"recycle:{kind}" for kind in KINDS if kind in self.pile]
        return names

    def _obtain(self, kind: str) -> str:
        if self.origin == "take":
            return self.pile.pop()
        if self.origin == "recycle":
            topmost = max(i for i, other in enumerate(self.pile) if other == kind)
            return self.pile.pop(topmost)
        if not self.deck:
            top = self.pile.pop()
            self.known = Counter(self.pile)
            self.deck = self.reshuffle(self.pile)
            self.pile = [top]
        kind = self.deck.pop(0)
        if self.known is not None:
            self.known[kind] -= 1
        return kind

    def _use(self, seat: int, kind: str) -> Flow:
        board = self.boards[seat]
        if kind == "P" and self._hidden(seat):
            slot = yield from self._slot(seat, "peek", self._hidden(seat))
            board[slot].peeked = True
        if kind == "S":
            everywhere = [f"slot:{slot}" for slot in range(self.cards)]
            choice = yield self._ask(seat, "swap first", ["pass", *everywhere])
            if choice == "pass":
                return
            self.first_slot = one = int(choice.removeprefix("slot:"))
            others = [slot for slot in range(self.cards) if slot != one]
            two = yield from self._slot(seat, "swap second", others)
            self.first_slot = None
            board[one], board[two] = board[two], board[one]

    def _finish_round(self) -> None:
        self.last_boards = [[card.kind for card in board] for board in self.boards]
        for points, kinds in zip(self.history, self.last_boards, strict=True):
            points.append(score(kinds))
        for board in self.boards:
            for card in board:
                card.face_up = True
        self.hand_over = True

    # --- Questions

    def _hidden(self, seat: int) -> list[int]:
        return [slot for slot, card in enumerate(self.boards[seat]) if not card.face_up]

    def _slot(self, seat: int, asks: str, slots: list[int]) -> Generator[list[str], str, int]:
        answer = yield self._ask(seat, asks, [f"slot:{slot}" for slot in slots])
        return int(answer.removeprefix("slot:"))
