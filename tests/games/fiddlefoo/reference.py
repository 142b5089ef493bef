"""Fiddlefoo in plain Python: a reference for the fast engine.

It is written from the rules page, works on card names, lists and a dict of the map, and shares no
code with the engine. A game is one generator that reads like the page from top to bottom: it yields
whenever a seat must decide, and is sent the name of the action. A card that must be played at once,
in the middle of another seat's throws, is simply a generator inside the other.
"""

from collections.abc import Callable
from typing import Any

from tests.games.fiddlefoo.cards import (
    BASE,
    Cell,
    Map,
    Pair,
    color,
    full_deck,
    notes,
    number,
    penalty,
)
from tests.games.reference import Flow, Reference


class ReferenceGame(Reference):
    """One game of Fiddlefoo.

    Attributes:
        hands: names of each seat's cards.
        map: from (row, column) to the name of the card there.
        pile: the draw pile, top first; ``piles`` are the cooperative ones by color, top last.
        out: cards out of the game.
        known: the publicly known cards of each hand.
        chosen: the card chosen to be played, moved or swapped, and not yet placed.
        pair: the pair that cards are thrown at, and ``active`` the seat that has played it; None
            outside a play.
        depth: number of plays in progress, one inside the other.
        ended: the hands left at the end of the last finished game, and its piles.
        spots: the cells of the pair's two cards when it was played.
        safe: whether it is a Safe Song.
        in_range: whether the throwing seat has thrown a range card.
        swapped: cards that the current `swap_map` has swapped.
        received: cards that seats received by throws in this turn.
        turn: the seat whose turn it is; ``starter`` began this game.
        stuck: number of turns in a row without a possible play, with an empty draw pile.
        first: the first card played in this turn.
        last: the card last added to the map by a play.
    """

    low_wins = True

    def __init__(
        self,
        new_deck: Callable[[int], list[str]],
        prepare: Callable[["ReferenceGame"], None] = lambda _: None,
        **params: Any,
    ) -> None:
        """Deal the first game.

        Args:
            new_deck: function from the number of a game, from 0, to its deck, top first.
            prepare: function that changes the first game after its deal.
            params: the game's parameters.
        """
        self.new_deck, self.prepare = new_deck, prepare
        copies = params["copies"]
        self.cards = full_deck(params["talkytoot"], None if copies is None else dict(copies))
        self.begin(**params)

    @property
    def ranks(self) -> list[int]:
        """Rank of each seat: a team wins with four exact piles in every game."""
        if not self.cooperative:
            return super().ranks
        won = self.terminated and all(piles == 4 for piles in self.history[0])
        return [1 if won else 2] * self.num_players

    @property
    def rewards(self) -> list[float]:
        """Payment of each seat for the last action."""
        if not self.cooperative:
            return super().rewards
        if self.reward == "margin":
            return [seat[-1] / 4 if self.hand_over else 0.0 for seat in self.history]
        return [float(rank == 1) for rank in self.ranks]

    # --- The page from top to bottom

    def _game(self) -> Flow:
        for game in range(self.games):
            self._deal(game)
            yield from self._turns(game % self.num_players)
            self._score()
        self.terminated = True

    def _deal(self, game: int) -> None:
        deck = list(self.new_deck(game))
        if sorted(deck) != sorted(self.cards):
            raise AssertionError(f"not the whole deck: {deck}")
        seats = range(self.num_players)
        firsts: dict[str, str] = {}  # by color, in the order in which they are found
        for card in deck:
            if card in BASE:
                firsts.setdefault(color(card), card)
        block = list(firsts.values())
        m = self.map_size // 2
        cells = [(m - 1, m - 1), (m - 1, m), (m, m), (m, m - 1)]
        self.map = Map(zip(cells, block, strict=False))
        self.map.size, self.map.wildcard = self.map_size, self.wildcard
        self.pile = [card for card in deck if card not in block]
        self.hands: list[list[str]] = [[] for _ in seats]
        for _ in range(self.hand):
            for seat in seats:
                self.hands[seat].append(self.pile.pop(0))
        self.known: list[set[str]] = [set() for _ in seats]
        self.piles: dict[str, list[str]] = {one: [] for one in "YRBP"}
        self.out: list[str] = []
        self.chosen: str | None = None
        self.pair: Pair | None = None
        self.active: int | None = None
        self.spots: tuple[Cell, ...] = ()
        self.safe = self.in_range = False
        self.swapped: set[str] = set()
        self.depth = 0
        self.last = block[-1]
        if game == 0:
            self.prepare(self)

    def _turns(self, seat: int) -> Flow:
        self.stuck, self.starter = 0, seat
        while True:
            self.turn, self.first, self.received = seat, None, set()
            yield from self._turn(seat)
            left = [s for s in range(self.num_players) if self.hands[s]]
            if len(left) <= (1 if self.cooperative else self.num_players - 1):
                return
            if self.stuck == len(left):
                return
            seat = (seat + 1) % self.num_players
            while seat not in left:
                seat = (seat + 1) % self.num_players

    def _turn(self, seat: int) -> Flow:
        cards = self._playable(seat)
        if not cards:
            self.stuck = 0 if self.pile else self.stuck + 1
            yield from self._draw(seat, 1)
            return
        choice = yield self._ask(seat, "card", [f"card:{card}" for card in cards])
        yield from self._play(seat, _what(choice))

    def _score(self) -> None:
        exact = sum(sum(map(notes, pile)) == 10 for pile in self.piles.values())
        for seat, points in enumerate(self.history):
            points.append(exact if self.cooperative else penalty(self.hands[seat]))
        self.hand_over, self.ended = True, (self.hands, self.piles)

    def _playable(self, seat: int) -> list[str]:
        return [card for card in self.hands[seat] if self.map.cells(card)]

    # --- A play

    def _play(self, seat: int, card: str) -> Flow:
        self._open(seat, card)
        cells = [f"cell:{row},{column}" for row, column in self.map.cells(card)]
        row, _, column = _what((yield self._ask(seat, "cell", cells))).partition(",")
        cell = int(row), int(column)
        pair, outer = self.map.pair_at(card, cell), (self.pair, self.active, self.spots, self.safe)
        if pair is None:
            raise AssertionError(f"{card} must not go to {cell}")
        self._leave(seat, card)
        self.spots = (cell, self.map.place(pair.old))
        self.map[cell] = self.last = card
        self.stuck = 0
        self.first = self.first or card
        self.chosen, self.pair, self.active = None, pair, seat
        self.depth += 1
        self.safe = pair.distance > 3 and "safety_rule_disable" not in pair.cards
        for one in pair.cards:
            yield from self._paired(seat, one, pair)
        if self.safe:
            yield from self._draw(seat, 1)
        for i in range(1, self.num_players):
            yield from self._throws((seat + i) % self.num_players, seat, pair)
        if "play_again" in pair.cards:
            yield from self._play_again(seat)
        self.pair, self.active, self.spots, self.safe = outer
        self.depth -= 1

    def _paired(self, seat: int, card: str, pair: Pair) -> Flow:
        if card == "discard":
            yield from self._discard(seat)
        elif card == "move":
            yield from self._move(seat, pair)
        elif card == "remove_cards":
            yield from self._remove(seat, pair)

    def _discard(self, seat: int) -> Flow:
        if self.hands[seat]:
            cards = [f"card:{card}" for card in self.hands[seat]]
            choice = yield self._ask(seat, "discard", [*cards, "pass"])
            if choice != "pass":
                self._leave(seat, _what(choice))
                self.out.append(_what(choice))

    def _move(self, seat: int, pair: Pair) -> Flow:
        cards = [c for c in self.map.values() if c not in pair.cards and self.map.targets(c)]
        if cards:
            names = [f"map:{card}" for card in cards]
            choice = yield self._ask(seat, "move", [*names, "pass"])
            if choice != "pass":
                self.chosen = card = _what(choice)
                cells = [f"cell:{row},{column}" for row, column in self.map.targets(card)]
                cell = _what((yield self._ask(seat, "move to", cells))).split(",")
                self.chosen = None
                del self.map[self.map.place(card)]
                self.map[int(cell[0]), int(cell[1])] = card

    def _remove(self, seat: int, pair: Pair) -> Flow:
        for _ in range(3):
            names = [f"map:{card}" for card in self.map.values() if card not in pair.cards]
            if not names:
                return
            choice = yield self._ask(seat, "remove", [*names, "pass"])
            if choice == "pass":
                return
            del self.map[self.map.place(_what(choice))]
            self.out.append(_what(choice))

    def _play_again(self, seat: int) -> Flow:
        cards = [c for c in self._playable(seat) if color(c) != color(self.first)]
        if cards:
            names = [f"card:{card}" for card in cards]
            choice = yield self._ask(seat, "play again", [*names, "pass"])
            if choice != "pass":
                yield from self._play(seat, _what(choice))

    # --- Throws

    def _throws(self, seat: int, active: int, pair: Pair) -> Flow:
        in_range = False
        while True:
            fits = {card: self._fits(seat, card, pair) for card in self.hands[seat]}
            fits = {c: how for c, how in fits.items() if how == "range" or (how and not in_range)}
            if not fits:
                return
            names = [f"throw:{card}" for card in fits]
            names += [f"pile:{card}" for card in fits if self._goes_on_pile(card)]
            self.in_range = in_range
            choice = yield self._ask(seat, "throw", [*names, "pass"])
            if choice == "pass":
                return
            card = _what(choice)
            self._leave(seat, card)
            if choice.startswith("throw:"):
                self.hands[active].append(card)
                self.known[active].add(card)
                self.received.add(card)
            else:
                self.piles[color(card)].append(card)
            if card == "draw":
                yield from self._draw(seat, 1)
            if card == "notes_match_penalty" and fits[card] == "notes":
                yield from self._draw(seat, 2)
            if fits[card] == "notes":
                return
            in_range = True

    def _fits(self, seat: int, card: str, pair: Pair) -> str:
        """Return why a seat may throw a card: ``range``, ``notes``, or empty if it may not."""
        stays = card == "cant_throw" and len(self.hands[seat]) <= 3
        return "" if stays or card in self.received else self.fits(card, pair)

    def fits(self, card: str, pair: Pair) -> str:
        """Return why a card may be thrown, whoever holds it."""
        if card == "wildcard_throw":
            return "range"
        if self.safe:
            return ""
        if number(card) in pair.between and card != "notes_match_forbid":
            wild = self.wildcard and "P" in map(color, (card, *pair.cards))
            if wild or "throw_other_colors" in pair.cards or color(card) in pair.colors:
                return "range"
        return "notes" if notes(card) == pair.distance else ""

    def _goes_on_pile(self, card: str) -> bool:
        pile = self.piles[color(card)]
        return self.cooperative and (not pile or number(card) > number(pile[-1]))

    # --- Draws

    def _draw(self, seat: int, count: int) -> Flow:
        for _ in range(count):
            if self.pile:
                card = self.pile.pop(0)
                self.hands[seat].append(card)
                yield from self._drawn(seat, card)

    def _drawn(self, seat: int, card: str) -> Flow:
        same_color = card == "hand_match_penalty" and color(card) == color(self.last)
        same_notes = card == "hand_match_note_penalty" and notes(card) == notes(self.last)
        if card == "instaplay" and self.map.cells(card):
            outer = self.pair, self.active
            self.pair, self.active = None, seat
            yield from self._play(seat, card)
            self.pair, self.active = outer
        elif card == "reveal_to_all":
            self.known[seat].add(card)
        elif card == "swap_map":
            self.known[seat].add(card)
            yield from self._swap(seat)
        elif same_color or same_notes:
            self.known[seat].add(card)
            yield from self._draw(seat, 1)

    def _swap(self, seat: int) -> Flow:
        mine, theirs = list(self.hands[seat]), list(self.map.values())
        for _ in range(min(3, len(mine), len(theirs))):
            names = [f"card:{card}" for card in mine]
            card = _what((yield self._ask(seat, "swap", names)))
            self._open(seat, card)
            names = [f"map:{card}" for card in theirs]
            other = _what((yield self._ask(seat, "swap for", names)))
            self.chosen = None
            self._leave(seat, card)
            self.map[self.map.place(other)] = card
            self.hands[seat].append(other)
            self.known[seat].add(other)
            mine.remove(card)
            theirs.remove(other)
            self.swapped |= {card, other}
        self.swapped = set()

    # --- Helpers

    def _open(self, seat: int, card: str) -> None:
        self.chosen = card
        self.known[seat].add(card)

    def _leave(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.known[seat].discard(card)


def _what(name: str) -> str:
    """Return the part of an action's name after the colon."""
    return name.partition(":")[2]
