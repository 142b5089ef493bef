"""Helpers of the Add-Too tests: a table in words, and a check that no diamond is lost."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from tests.games import table
from tests.games.addtoo.layout import DIAMONDS, total
from tests.games.duel import plain

from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.board import clear, lay
from kitchentable.games.addtoo.state import PHASES, TILE

Page = tuple[int, int, int, int]
"""A place in the coordinates of the rules page: x, y, k, c."""


def names(ids: Iterable[Any]) -> list[str]:
    """Return the names of diamonds from the engine's ids."""
    return [DIAMONDS[int(i)] for i in ids]


def in_play(params: Any) -> list[str]:
    """Return the names of the diamonds that a game uses."""
    return DIAMONDS if params.diamonds == "all" else list(params.diamonds)


def members(bits: Any) -> list[str]:
    """Return the names of the diamonds in one of the engine's bit sets, ordered by id."""
    return [diamond for i, diamond in enumerate(DIAMONDS) if int(bits) >> i & 1]


def pile_of(state: Any) -> list[str]:
    """Return the pile, top first."""
    return names(state.pile[: int(state.pile_size)][::-1])


def layout_of(state: Any) -> dict[str, Page]:
    """Return the diamonds on the table and their places, in the order in which they were laid."""
    found = {}
    for i in state.laid[: int(state.num_laid)]:
        page = state.xs[i], state.ys[i], state.axes[i], state.flips[i]
        found[DIAMONDS[i]] = tuple(map(int, page))
    return found


# --- A table in words ---------------------------------------------------------------------------


class Table(table.Table):
    """A table where ``3-10`` chooses a diamond, and ``3-10@last:1,0`` also how to lay it."""

    game = GAME
    phases = PHASES

    def __init__(self, *hands: str, then: str = "", **params: Any) -> None:
        """Deal a game with one seat per hand, see `rig`."""
        top = table.rig(*hands, then=then, rest=sorted(DIAMONDS, key=total), size=5)
        super().__init__(top, **{"num_players": len(hands)} | params)

    def check(self) -> None:
        """Check that every diamond is in exactly one place, and that none overlap."""
        assert_all_tiles(plain(self.state))

    def names_of(self, action: str) -> list[str]:
        """Return the choice of a diamond, and of its place if that is given."""
        diamond, at, how = action.partition("@")
        return [f"tile:{diamond}", how] if at else [f"tile:{diamond}"]

    @classmethod
    def at(cls, lying: str, *hands: str, pile: str = "", park: bool = True, **params: Any) -> Self:
        """Set up a position before a turn of player_0, which must be able to play.

        Args:
            lying: the layout, such as ``1-9@0,0,0,0 9-10@-1,0,0,1``; the last one was laid last.
            hands: diamonds of each seat, player_0 first.
            pile: diamonds of the pile, top first.
            park: whether all other diamonds lie far away and far apart, or else in the pile.
            params: parameters of the game.
        """
        table = cls(*["" for _ in hands], **params)
        layout = placed(lying)
        held, stack = [hand.split() for hand in hands], pile.split()
        rest = set(DIAMONDS) - {*layout, *stack, *(d for hand in held for d in hand)}
        order = sorted(rest, key=DIAMONDS.index)
        parked = PARKING if park else []
        layout = dict(zip(order, parked, strict=False)) | layout
        stack += [] if park else order
        arrange(table.state, table.batch.tables, layout, held, stack)
        table.batch.look()
        table.check()
        return table

    @property
    def tiles(self) -> str:
        """The diamonds that may be chosen, separated by spaces."""
        return " ".join(name[5:] for name in self.legal if name.startswith("tile:"))

    @property
    def points(self) -> list[int]:
        """Points of each seat in the current hand."""
        return list(map(int, self.state.points[: self.state.num_players]))

    @property
    def layout(self) -> dict[str, Page]:
        """The diamonds on the table and their places, in the order in which they were laid."""
        return layout_of(self.state)

    @property
    def pile(self) -> str:
        """The pile, top first."""
        return " ".join(pile_of(self.state))

    def hand(self, seat: int) -> str:
        """Return a seat's diamonds, ordered by id."""
        return " ".join(members(self.state.hands[seat]))

    def lay(self, diamond: str, *page: int) -> Self:
        """Lay a diamond at a place of the rules page, with the only action that does so."""
        self.play(diamond)
        actions = []
        for action in np.flatnonzero(self.batch.masks[0]) if diamond not in self.layout else ():
            with self.taken_back():
                self.batch.step(np.array([action]))
                if self.layout.get(diamond) == page:
                    actions.append(action)
        if len(actions) != (diamond not in self.layout):
            raise AssertionError(f"{diamond} at {page}: {actions}")
        for action in actions:
            self.batch.step(np.array([action]))
        return self


def placed(text: str) -> dict[str, Page]:
    """Return the place of each diamond of a text such as ``1-9@0,0,0,0 9-10@-1,0,0,1``."""
    words = (word.split("@") for word in text.split())
    return {diamond: tuple(map(int, page.split(","))) for diamond, page in words}


PARKING: list[Page] = [(3 * i + 12, -3 * j - 12, 0, 0) for i in range(7) for j in range(7)]
"""Places so far apart that no diamond touches two of them."""


def arrange(
    state: Any,
    tables: Any,
    layout: Mapping[str, Page],
    hands: Sequence[Sequence[str]],
    pile: Sequence[str],
) -> None:
    """Write a position before a turn of player_0, which can play, into a record just dealt."""
    clear(state)
    for diamond, page in layout.items():
        lay(state, DIAMONDS.index(diamond), page, *tables)
    state.hands[:] = 0
    for i, hand in enumerate(hands):
        state.hands[i] = sum(1 << DIAMONDS.index(diamond) for diamond in hand)
    state.pile[:], state.pile_size = -1, len(pile)
    state.pile[: len(pile)] = [DIAMONDS.index(diamond) for diamond in pile[::-1]]
    state.starter = state.current_player = 0
    state.phase, state.chosen, state.passes = TILE, -1, 0


# --- All diamonds -------------------------------------------------------------------------------


def assert_all_tiles(state: Any) -> None:
    """Check that every diamond is in exactly one place, and that none overlap."""
    seats, laid = int(state.num_players), layout_of(state)
    held = [diamond for bits in state.hands for diamond in members(bits)]
    assert sorted([*held, *pile_of(state), *laid]) == sorted(members(state.in_play))
    assert not any(state.hands[seats:])
    assert all(len(members(bits)) <= state.hand for bits in state.hands)
    covered = {}
    for diamond, page in laid.items():
        for color, (x, y, down) in enumerate(halves(page)):
            assert (x, y, down) not in covered
            covered[x, y, down] = 2 * DIAMONDS.index(diamond) + color
    # Fewer than the 50 steps after which the numbers of the engine's triangles repeat.
    for line in zip(*((x, y, x + y) for x, y, _ in covered), strict=True):
        assert max(line) - min(line) < 46
    cells = {(150 * y + 2 * x + down) % 4096: what for (x, y, down), what in covered.items()}
    assert {int(i): int(state.grid[i]) for i in np.flatnonzero(state.grid >= 0)} == cells


def halves(page: Page) -> list[tuple[int, int, int]]:
    """Return the triangles under the orange and the blue half, as the rules page denotes them."""
    x, y, k, c = page
    down = [(x, y, 1), (x - 1, y, 1), (x, y - 1, 1)][k]
    return [down, (x, y, 0)] if c else [(x, y, 0), down]
