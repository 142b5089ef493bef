"""Add-Too in plain Python: a reference for the fast engine.

It is written from the rules page and the booklet, works on the names of diamonds and shares no code
with the engine. A game is one generator that reads like the page from top to bottom: it yields
whenever a seat must decide.
"""

from collections.abc import Callable, Generator
from typing import Any

from tests.games.addtoo.layout import DIAMONDS, Layout, Place, Play, place_of, total
from tests.games.reference import Flow, Reference


class ReferenceGame(Reference):
    """One game of Add-Too.

    Attributes:
        hands: names of each seat's diamonds, in the order in which they came.
        pile: names, top first.
        diamonds: the names of the diamonds in play.
        layout: the diamonds on the table.
        points: points of each seat in this hand.
        starter: the seat that began this hand.
        chosen: the diamond that the seat to act has chosen and not yet laid.
        passes: number of passes in a row.
        plays: legal plays of the seat to act, of its chosen diamond if it has chosen one.
        ends: how each hand ended: ``out``, ``four``, ``sealed`` or ``passes``.
        draws: number of diamonds that the seat to act has just drawn.
    """

    def __init__(
        self,
        new_deck: Callable[[int], list[str]],
        prepare: Callable[["ReferenceGame"], None] = lambda _: None,
        **params: Any,
    ) -> None:
        """Deal the first hand.

        Args:
            new_deck: function from the number of a hand, from 0, to its deck, top first.
            prepare: function that changes the first hand after its deal.
            params: the game's parameters.
        """
        self.new_deck, self.prepare = new_deck, prepare
        self.ends: list[str] = []
        self.plays: list[Play] = []
        if params["diamonds"] == "all":
            params["diamonds"] = DIAMONDS
        self.begin(**params)

    def standing(self, points: list[int]) -> tuple[int, list[int]]:
        """Return the sort key of a seat's rank: its total, then its last finished hand."""
        return sum(points), points[-1:]

    def _game(self) -> Flow:
        while not (self.terminated or self.truncated):
            self._deal(len(self.ends))
            self.ends.append((yield from self._hand()))
            for seat, scores in enumerate(self.history):
                scores.append(self.points[seat] - 10 * len(self.hands[seat]))
            self.hand_over = True
            self.terminated = max(self.totals) >= self.target
            self.truncated = not self.terminated and len(self.ends) == self.max_hands
        self.plays = []

    def _deal(self, number: int) -> None:
        self.pile = list(self.new_deck(number))
        if sorted(self.pile) != sorted(self.diamonds):
            raise AssertionError(f"not the {len(self.diamonds)} diamonds in play: {self.pile}")
        seats = range(self.num_players)
        self.hands: list[list[str]] = [[] for _ in seats]
        for _ in range(self.hand):
            for seat in seats:
                self.hands[seat].append(self.pile.pop(0))
        self.points = [0] * self.num_players
        self.layout = Layout(
            turned=self.turned, strict_colors=self.strict_colors, orange=self.orange
        )
        self.passes = self.draws = 0
        self.chosen: str | None = None
        self.plays = []
        self.starter = min(seats, key=lambda seat: sorted(map(total, self.hands[seat])))
        if number == 0:
            self.prepare(self)

    def _hand(self) -> Generator[list[str], str, str]:
        seat = self.starter
        if not self.layout.places:
            self.player = seat
            choice = yield [f"tile:{diamond}" for diamond in self.hands[seat]]
            self._lay(choice.removeprefix("tile:"), place_of(0, 0, 0, 0), 0)
            if not self.hands[seat]:
                return "out"
            seat = (seat + 1) % self.num_players
        while True:
            self.draws = self._find_plays(seat)
            if self.plays:
                yield from self._turn(seat)
                self.passes = 0
            elif self.draws and not self.fifth_draw_plays:
                self.passes = 0
            else:
                self.passes += 1
            end = self._end(seat)
            if end:
                return end
            seat = (seat + 1) % self.num_players

    def _find_plays(self, seat: int) -> int:
        """Find a seat's plays, drawing if it must; return the number of diamonds drawn."""
        hand, before = self.hands[seat], len(self.hands[seat])
        self.plays = self.layout.plays(hand)
        while not self.plays and len(hand) < self.hand and self.pile:
            hand.append(self.pile.pop(0))
            if len(hand) < self.hand or self.fifth_draw_plays:
                self.plays = self.layout.plays(hand[-1:])
        return len(hand) - before

    def _turn(self, seat: int) -> Flow:
        self.player = seat
        playable = {play.diamond for play in self.plays}
        choice = yield [f"tile:{d}" for d in DIAMONDS if d in playable]
        self.chosen = choice.removeprefix("tile:")
        self.plays = [play for play in self.plays if play.diamond == self.chosen]
        name = yield [play.name for play in self.plays]
        play = next(play for play in self.plays if play.name == name)
        self._lay(play.diamond, play.place, play.score)

    def _lay(self, diamond: str, place: Place, score: int) -> None:
        self.layout.lay(diamond, place)
        self.hands[self.player].remove(diamond)
        self.points[self.player] += score
        self.chosen = None

    def _end(self, seat: int) -> str:
        """Return how the hand ends after a seat's turn; empty if it goes on."""
        if not self.hands[seat]:
            return "out"
        if self.passes:
            return "passes" if self.passes == self.num_players else ""
        if not self.layout.open_sides():
            return "four"
        return "sealed" if self.sealed_ends_hand and not self.layout.has_room() else ""
