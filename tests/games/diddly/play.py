"""Helpers of the Diddly tests: a table in words, and checks of its cards."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.games import kinds
from tests.games.diddly.reference import COPIES, KINDS
from tests.games.duel import plain
from tests.games.kinds import Kinds

from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.state import PHASES

SEATS = [(2, 2), (2, 8), (6, 2), (6, 3), (6, 8), (8, 2), (8, 6), (9, 2), (9, 4), (9, 6)]
"""Cards on a board, and seats: every layout, with few and with many seats."""

CARDS = Kinds(COPIES)
numbers, words, shares, deck_of = CARDS.numbers, CARDS.names, CARDS.shares, CARDS.deck_of
whole_deck = CARDS.whole_deck

# --- A table in words ---------------------------------------------------------------------------


class Table(kinds.Table):
    """A table whose bare numbers are slots."""

    game = GAME
    kinds = CARDS
    phases = PHASES

    def check(self) -> None:
        """Check that every card is in exactly one place."""
        assert_all_cards(plain(self.state))

    def names_of(self, action: str) -> list[str]:
        """Return a slot's name for its number."""
        return [f"slot:{action}" if action.isdigit() else action]

    def board(self, seat: int) -> str:
        """Return a seat's cards as they lie, see `facing`."""
        return " ".join(facing(*slots_of(self.state, seat)))


QUIET = "1 2 3 4 5 6"
OTHER = "6 5 4 3 2 1"


def playing(mine: str = QUIET, other: str = OTHER, then: str = "9 9", **params: Any) -> Table:
    """Return a table of two where player_0 begins its first turn; slots 0 and 1 are face up."""
    return Table(mine, other, then=then, **params).play("0 1 0 1")


def facing(kinds: Sequence[str], up: Sequence[bool], peeked: Sequence[bool]) -> list[str]:
    """Return cards as they lie: ``7`` face up, ``(7)`` face down, ``[7]`` face down, peeked at."""
    return [
        kind if u else f"[{kind}]" if p else f"({kind})"
        for kind, u, p in zip(kinds, up, peeked, strict=True)
    ]


def slots_of(state: Any, seat: int) -> tuple[list[str], list[bool], list[bool]]:
    """Return a seat's cards, which of them are face up, and which it has looked at."""
    cards = int(state.cards)
    up = state.face_up[seat, :cards].astype(bool).tolist()
    seen = state.peeked[seat, :cards].astype(bool).tolist()
    return words(state.boards[seat, :cards]), up, seen


def assert_all_cards(state: Any) -> None:
    """Check that every card of the deck is in exactly one place, and that there are no others."""
    boards = state.boards[: state.num_players, : state.cards].ravel()
    held = [state.held] if state.held >= 0 else []
    cards = [*state.deck[: state.deck_size], *pile_of(state), *boards, *held]
    assert Counter(words(cards)) == whole_deck(state)
    counts = Counter(words(pile_of(state)))
    assert [counts[kind] for kind in KINDS] == state.pile_counts.tolist()
    beyond = [state.deck[state.deck_size :], state.pile[state.pile_size :]]
    beyond += [state.boards[state.num_players :], state.boards[:, state.cards :]]
    assert all((rest == -1).all() for rest in beyond)


def pile_of(state: Any) -> Any:
    """Return the discard pile, top last."""
    return state.pile[: state.pile_size]
