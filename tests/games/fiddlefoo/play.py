"""Helpers of the Fiddlefoo tests: a table in words, and a check that no card is lost."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from tests.games import table
from tests.games.duel import plain
from tests.games.fiddlefoo.cards import ACTION_CARDS, BASE, Cell, color, full_deck, notes, number

from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo.state import PHASES, SIDE
from kitchentable.games.fiddlefoo.turns import find_playable

NAMES = [*BASE, *ACTION_CARDS]
"""Names of all cards; the index is the engine's id."""
NOWHERE = NO_CARD = -1


def names(cards: Iterable[Any]) -> list[str]:
    """Return the names of cards from the engine's ids."""
    return [NAMES[int(card)] for card in cards]


def ones(words: Iterable[Any]) -> list[int]:
    """Return the indices of the bits set in 64-bit words, lowest first."""
    bits = bin(sum(int(word) << (64 * i) for i, word in enumerate(words)))
    return [i for i, bit in enumerate(reversed(bits)) if bit == "1"]


def members(bits: Iterable[Any]) -> list[str]:
    """Return the names of the cards in one of the engine's bit sets, ordered by id."""
    return [NAMES[card] for card in ones(bits)]


def as_bits(cards: Iterable[str]) -> list[int]:
    """Return the engine's bit set of some cards."""
    words = [0, 0]
    for card in cards:
        words[NAMES.index(card) // 64] |= 1 << (NAMES.index(card) % 64)
    return words


def on_map(state: Any) -> dict[Cell, str]:
    """Return the cards of the map by (row, column)."""
    cells = enumerate(state.cells)
    return {divmod(place, SIDE): NAMES[card] for place, card in cells if card != NO_CARD}


def pile_of(state: Any) -> list[str]:
    """Return the draw pile, top first."""
    return names(state.deck[: int(state.deck_size)][::-1])


# --- A table in words ---------------------------------------------------------------------------


class Table(table.Table):
    """A table where ``Y7@5,6`` chooses a card and its cell, and ``>Y7`` throws a card."""

    game = GAME
    phases = PHASES

    def __init__(self, block: str, *hands: str, then: str = "", **params: Any) -> None:
        """Deal a game with one seat per hand, see `rig`."""
        every = full_deck(params.get("talkytoot", ()), params.get("copies"))
        size = params.get("hand", 8)
        top = table.rig(*hands, before=block, then=then, rest=every, size=size)
        super().__init__(top, **{"num_players": len(hands)} | params)

    def check(self) -> None:
        """Check that every card is in exactly one place."""
        assert_all_cards(plain(self.state))

    def names_of(self, action: str) -> list[str]:
        """Return the choice of a card and of its cell, or a throw."""
        card, at, cell = action.partition("@")
        if at:
            return [f"card:{card}", f"cell:{cell}"]
        return [f"throw:{action[1:]}" if action[0] == ">" else action]

    @classmethod
    def at(cls, places: str, *hands: str, **options: Any) -> Self:
        """Set up a position before a turn; all cards not named are out of the game.

        Args:
            places: the map, such as ``Y3@5,2 R7@5,3``; the last card was played last.
            hands: cards of each seat, player_0 first.
            options: those of `place`; all others are parameters.
        """
        setup = {name: options.pop(name) for name in ("pile", "seat", "piles") if name in options}
        named = f"{places} {' '.join(hands)} {' '.join(map(str, setup.values()))}"
        talkytoot = [card for card in ACTION_CARDS if card in named.replace("@", " ").split()]
        every = full_deck(talkytoot)
        block = [next(card for card in every if color(card) == one) for one in "YRBP"]
        some = {"num_players": len(hands), "talkytoot": talkytoot} | options
        return cls(" ".join(block), *["" for _ in hands], **some).place(places, *hands, **setup)

    def place(
        self, places: str, *hands: str, pile: str = "", seat: int = 0, piles: str = ""
    ) -> Self:
        """Set up a position in a game that has just been dealt, see `at`.

        Args:
            places: the map.
            hands: cards of each seat.
            pile: the draw pile, top first.
            seat: the seat to act; it must be able to play.
            piles: cards on the piles of the cooperative variant.
        """
        state = self.state
        state.current_player = state.turn = state.player = seat
        cells: dict[Cell, str] = {}
        for place in places.split():
            card, row, column = re.split("[@,]", place)
            cells[int(row), int(column)] = card
        arrange(state, cells, [hand.split() for hand in hands], pile.split(), piles.split())
        self.batch.look()
        self.check()
        return self

    @property
    def map(self) -> dict[Cell, str]:
        """The cards of the map by (row, column)."""
        return on_map(self.state)

    @property
    def pile(self) -> str:
        """The draw pile, top first."""
        return " ".join(pile_of(self.state))

    @property
    def out(self) -> str:
        """The cards out of the game."""
        return " ".join(members(self.state.removed))

    def hand(self, seat: int) -> str:
        """Return a seat's cards, ordered by id."""
        return " ".join(members(self.state.hands[seat]))

    def known(self, seat: int) -> str:
        """Return the publicly known cards of a seat."""
        return " ".join(members(self.state.known[seat]))

    def stack(self, one: str) -> list[str]:
        """Return the pile of a color in the cooperative variant."""
        return piles_of(self.state)[one]

    def cells(self, card: str) -> set[str]:
        """Return the cells where the current player may play a card; the table stays as it is."""
        if f"card:{card}" not in self.legal:
            return set()
        with self.taken_back():
            return set(self.play(f"card:{card}").options("cell").split())


def arrange(
    state: Any,
    cells: Mapping[Cell, str],
    hands: Sequence[Sequence[str]],
    pile: Sequence[str],
    piles: Sequence[str] = (),
) -> None:
    """Write a position before a turn of the current player into a record just dealt.

    All cards that are not placed go out of the game.
    """
    held = [card for hand in hands for card in hand]
    rest = set(members(state.in_play)) - {*cells.values(), *held, *pile, *piles}
    state.on_piles = as_bits(piles)
    for i, one in enumerate("YRBP"):
        cards = [card for card in piles if color(card) == one]
        state.pile_tops[i] = max([0, *map(number, cards)])
        state.pile_notes[i] = sum(map(notes, cards))
    state.removed, state.on_map = as_bits(rest), as_bits(cells.values())
    for seat, hand in enumerate(hands):
        state.hands[seat] = as_bits(hand)
    state.deck[:], state.deck_size = NO_CARD, len(pile)
    state.deck[: len(pile)] = [NAMES.index(card) for card in pile[::-1]]
    state.boards[:], state.places[:], state.cells[:] = 0, NOWHERE, NO_CARD
    for (row, column), card in cells.items():
        place, card_number = SIDE * row + column, NAMES.index(card)
        state.cells[place], state.places[card_number] = card_number, place
        state.last_added = card_number
        for board in ("YRBP".index(color(card)), 4):
            state.boards[board, place // 64] |= np.uint64(1 << (place % 64))
    find_playable(state)


# --- All cards ----------------------------------------------------------------------------------


def piles_of(state: Any) -> dict[str, list[str]]:
    """Return the piles of the cooperative variant by color, top last, since numbers only rise."""
    cards = sorted(members(state.on_piles), key=number)
    return {one: [card for card in cards if color(card) == one] for one in "YRBP"}


def assert_all_cards(state: Any) -> None:
    """Check that every card is in exactly one place, and that all fields agree about it."""
    seats, size = int(state.num_players), int(state.deck_size)
    sets = [*state.hands, state.on_map, state.removed, state.on_piles]
    cards = [*names(state.deck[:size]), *(card for one in sets for card in members(one))]
    assert sorted(cards) == sorted(members(state.in_play))
    assert not any(map(any, state.hands[seats:]))
    for hand, known in zip(state.hands, state.known, strict=True):
        assert set(members(known)) <= set(members(hand))
    assert_map(state)
    piles = piles_of(state)
    assert list(state.pile_tops) == [max([0, *map(number, pile)]) for pile in piles.values()]
    assert list(state.pile_notes) == [sum(map(notes, pile)) for pile in piles.values()]


def assert_map(state: Any) -> None:
    """Check that the fields about the map agree with each other, and that it fits the window."""
    cells, side = on_map(state), range(int(state.map_size))
    assert all(row in side and column in side for row, column in cells)
    assert sorted(cells.values()) == sorted(members(state.on_map))
    places = {NAMES[c]: divmod(p, SIDE) for c, p in enumerate(state.places) if p != NOWHERE}
    assert places == {card: cell for cell, card in cells.items()}
    for one, board in zip("YRBP*", state.boards, strict=True):
        wanted = {cell for cell, card in cells.items() if one in ("*", color(card))}
        assert {divmod(place, SIDE) for place in ones(board)} == wanted
