"""Quiddler in plain Python: a reference for the fast engine.

It is written from the rule sheet, works on card names, lists and objects and shares no code with
the engine. A game is one generator that reads like the sheet from top to bottom: it yields whenever
a seat must decide, and is sent the name of the action.
"""

from collections import Counter
from collections.abc import Callable
from itertools import cycle
from typing import Any

from tests.games.quiddler.laying import Dictionary, Turn, best, layable, letters, value, without
from tests.games.reference import Flow, Reference


class ReferenceGame(Reference):
    """One game of Quiddler.

    Attributes:
        hands: names of each seat's cards.
        deck: names of cards, top first.
        pile: names of cards, top last.
        laid: each seat's words, a list of cards each; `spelling` is the one not yet finished.
        verdicts: of each word: empty, or ``valid`` or ``invalid`` once it was challenged.
        shown: the cards of each seat that all have seen it take from the pile.
        recycled: cards of which the last reshuffle of this hand made the draw pile; None before.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        new_deck: Callable[[int], list[str]],
        reshuffle: Callable[[list[str]], list[str]],
        lay: Callable[[int], list[list[str]]],
        **params: Any,
    ) -> None:
        """Deal the first hand.

        Args:
            dictionary: the words that count.
            new_deck: function from the number of a hand, from 0, to its deck, top first.
            reshuffle: function from the pile's cards to the new draw pile made of them.
            lay: function from a seat to the words laid for it by ``meld="auto"``; they are checked.
            params: the game's other parameters.
        """
        self.dictionary, self.new_deck, self.reshuffle = dictionary, new_deck, reshuffle
        self.lay = lay
        self.longest: int | None = None
        self.most: int | None = None
        self.begin(**params)

    # --- The sheet from top to bottom

    def _game(self) -> Flow:
        for number, size in enumerate(self.hand_sizes):
            self._deal(number, size)
            yield from self._turns()
            self._score()
        self.terminated = True

    def _deal(self, number: int, size: int) -> None:
        seats = range(self.num_players)
        self.order = [(number + i) % self.num_players for i in seats]
        self.deck, self.pile = list(self.new_deck(number)), []
        self.hands: list[list[str]] = [[] for _ in seats]
        self.laid: list[list[list[str]]] = [[] for _ in seats]
        self.verdicts: list[list[str]] = [[] for _ in seats]
        self.shown: list[Counter[str]] = [Counter() for _ in seats]
        self.recycled: Counter[str] | None = None
        self.spelling: list[str] = []
        self.turns, self.lost = [0 for _ in seats], [0 for _ in seats]
        self.out, self.called, self.last_turns, self.accused = None, False, 0, None
        for _ in range(size):
            for seat in self.order:
                self.hands[seat].append(self.deck.pop(0))
        self.pile.append(self.deck.pop(0))

    def _turns(self) -> Flow:
        for seat in cycle(self.order):
            ending = self.called or self.out is not None
            if ending and self.last_turns == 0:
                return
            if not ending and self.turns[seat] == self.max_turns:
                self.called, self.last_turns = True, self.num_players
            yield from self._turn(seat)
            if self.challenges and self.laid[seat]:
                self.accused = seat
                yield from self._judge(seat)
                self.accused = None

    def _turn(self, seat: int) -> Flow:
        self.turns[seat] += 1
        sources = ["draw"] * (len(self.deck) > 0 or len(self.pile) > 1)
        choice = yield self._ask(seat, "draw or take", [*sources, "take"])
        barred = None
        if choice == "draw":
            card = self._draw()
        else:
            card = self.pile.pop()
            self.shown[seat][card] += 1
            if self.forbid_returning_discard and card not in self.hands[seat]:
                barred = card
        self.hands[seat].append(card)
        last = self.last_turns > 0
        turn = Turn(
            self.dictionary, self.hands[seat], last=last, barred=barred, free=self.challenges,
            may_out=not last and self.turns[seat] >= self.min_turns_before_out,
        )  # fmt: skip
        yield from self._spell(seat, turn) if self.meld == "spell" else self._lay(seat, turn)
        if last:
            self.last_turns -= 1
        elif self.laid[seat]:
            self.out, self.last_turns = seat, self.num_players - 1

    def _draw(self) -> str:
        if not self.deck:
            top = self.pile.pop()
            self.recycled = Counter(self.pile)
            self.deck = self.reshuffle(self.pile)
            self.pile = [top]
        return self.deck.pop(0)

    def _spell(self, seat: int, turn: Turn) -> Flow:
        while True:
            legal = turn.legal(len(self.laid[seat]), self.spelling, self.hands[seat])
            action, _, card = (yield self._ask(seat, "meld and discard", legal)).partition(":")
            if action == "word":
                self.laid[seat].append(self.spelling)
                self.verdicts[seat].append("")
                self.spelling = []
            else:
                self._leave(seat, card)
            if action == "spell":
                self.spelling.append(card)
            if action == "discard":
                self.pile.append(card)
                return

    def _lay(self, seat: int, turn: Turn) -> Flow:
        hand = self.hands[seat]
        kinds = sorted(set(hand) - {turn.barred})
        done = layable(self.dictionary, turn.hand)
        outs = [k for k in kinds if turn.last or (turn.may_out and without(hand, k) in done)]
        legal = [f"discard:{kind}" for kind in kinds if not turn.last]
        legal += [f"{objective}:{kind}" for objective in ("longest", "most") for kind in outs]
        action, _, card = (yield self._ask(seat, "meld and discard", legal)).partition(":")
        if action != "discard":
            words, kept = self.lay(seat), without(hand, card)
            cards = [one for word in words for one in word]
            if not all(self.dictionary.has(word) for word in words):
                raise AssertionError(f"no words: {words}")
            got = 2 * value(cards) - value(kept), len(words), max(map(letters, words), default=0)
            if got != best(self.dictionary, kept, action):
                raise AssertionError(f"{words} of {kept} is not the best for {action}")
            for one in cards:
                self._leave(seat, one)
            self.laid[seat], self.verdicts[seat] = words, [""] * len(words)
        self._leave(seat, card)
        self.pile.append(card)

    def _leave(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.shown[seat] -= Counter([card])

    def _judge(self, accused: int) -> Flow:
        for i in range(1, self.num_players):
            judge, verdicts = (accused + i) % self.num_players, self.verdicts[accused]
            while "" in verdicts:
                names = [f"challenge:{w}" for w, verdict in enumerate(verdicts) if not verdict]
                choice = yield self._ask(judge, "challenge", [*names, "pass"])
                if choice == "pass":
                    break
                number = int(choice.removeprefix("challenge:"))
                word = self.laid[accused][number]
                verdicts[number] = "valid" if self.dictionary.has(word) else "invalid"
                if verdicts[number] == "valid":
                    self.lost[judge] += value(word)

    def _score(self) -> None:
        standing = [
            [word for word, verdict in zip(words, verdicts, strict=True) if verdict != "invalid"]
            for words, verdicts in zip(self.laid, self.verdicts, strict=True)
        ]
        self.longest = _only_best([max(map(letters, w), default=0) for w in standing])
        self.most = _only_best([len(words) for words in standing])
        if self.num_players == 2:
            self.longest = self.longest if self.two_player_bonus == "longest" else None
            self.most = self.most if self.two_player_bonus == "most" else None
        for seat, words in enumerate(standing):
            good = sum(map(value, words))
            bad = value(self.hands[seat]) + sum(map(value, self.laid[seat])) - good
            points = max(0, good - bad - self.lost[seat])
            self.history[seat].append(
                points + 10 * (self.longest == seat) + 10 * (self.most == seat)
            )
        self.hand_over = True


def _only_best(figures: list[int]) -> int | None:
    """Return the seat with the highest number above zero, or None if no seat has it alone."""
    top = max(figures)
    return figures.index(top) if top > 0 and figures.count(top) == 1 else None
