"""The engine of Add-Too beside the plain reference: both must agree after every action."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.games import duel
from tests.games.addtoo.layout import DIAMONDS, as_page, place_of
from tests.games.addtoo.play import (
    arrange,
    assert_all_tiles,
    in_play,
    layout_of,
    members,
    names,
    pile_of,
)
from tests.games.addtoo.reference import ReferenceGame

from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.state import PHASES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.games.addtoo.play import Page


def deck_of(seed: Any, hand: int, diamonds: Sequence[str] = DIAMONDS) -> list[str]:
    """Return the deck of a hand, top first; it depends on the game's seed alone."""
    ids = np.array([i for i, diamond in enumerate(DIAMONDS) if diamond in diamonds], np.int8)
    return names(duel.shuffled(seed, hand, ids))


def describe(state: Any) -> dict[str, Any]:
    """Return the whole content of a record in the reference's terms."""
    seats, done = range(state.num_players), int(state.hands_done)
    over = state.terminated or state.truncated
    return {
        "player": None if over else int(state.current_player),
        "asks": PHASES[state.phase],
        "chosen": DIAMONDS[state.chosen] if state.chosen >= 0 else None,
        "hands": [members(state.hands[seat]) for seat in seats],
        "pile": pile_of(state),
        "layout": list(layout_of(state).items()),
        "points": [int(state.points[seat]) for seat in seats],
        "totals": [int(state.totals[seat]) for seat in seats],
        "history": [[int(p) for p in state.hand_points[seat][:done]] for seat in seats],
        "hand_scores": [GAME.hand_scores(state, seat) for seat in seats],
        "starter": int(state.starter),
        "passes": None if over else int(state.passes),
        "ends": [bool(state.hand_over), bool(state.terminated), bool(state.truncated)],
    }


def describe_reference(game: ReferenceGame) -> dict[str, Any]:
    """Return the same for a reference game."""
    deciding = "choose a place for it" if game.chosen else "choose a diamond"
    return {
        "player": game.player if game.legal else None,
        "asks": deciding if game.legal else "over",
        "chosen": game.chosen,
        "hands": [sorted(hand, key=DIAMONDS.index) for hand in game.hands],
        "pile": game.pile,
        "layout": [(d, as_page(place)) for d, place in game.layout.places.items()],
        "points": game.points,
        "totals": game.totals,
        "history": game.history,
        "hand_scores": game.history,
        "starter": game.starter,
        "passes": game.passes if game.legal else None,
        "ends": [game.hand_over, game.terminated, game.truncated],
    }


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action.

    Attributes:
        ends: how each hand ended.
        most_sides: the most sides that touched in one play.
        bonuses: number of bonus plays.
        draws: number of turns that began by drawing.
        without_pile: number of diamonds laid after the pile had run out.
    """

    game = GAME
    most_sides = bonuses = draws = without_pile = 0

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        """Return the reference of a game that has just been dealt; options replace the defaults."""
        params = self.batch.params
        deck = partial(deck_of, self.batch.states[i].seed, diamonds=in_play(params))
        return ReferenceGame(deck, **params.as_dict(), **options)

    def arrange(
        self,
        i: int,
        layout: Mapping[str, Page],
        hands: Sequence[Sequence[str]],
        pile: Sequence[str],
        seat: int,
    ) -> None:
        """Begin a game with a given position, in which the seat to act can play."""

        def prepare(game: ReferenceGame) -> None:
            for diamond, page in layout.items():
                game.layout.lay(diamond, place_of(*page))
            game.hands, game.pile, game.starter = [list(hand) for hand in hands], list(pile), seat

        arrange(self.batch.states[i], self.batch.tables, layout, hands, pile, seat)
        self.replace(i, self.reference(i, prepare=prepare))

    @property
    def ends(self) -> list[str]:
        """How each hand ended."""
        return [end for game in self.references for end in game.ends]

    def check(self, i: int, game: ReferenceGame) -> None:
        """Check that a record agrees with its reference."""
        state = duel.plain(self.batch.states[i])
        assert describe(state) == describe_reference(game)
        assert_all_tiles(state)

    def move(self, game: ReferenceGame, name: str) -> None:
        """Play an action in a reference, and update the counts."""
        self.draws += bool(game.draws) and name.startswith("tile:")
        if game.chosen:
            play = next(play for play in game.plays if play.name == name)
            self.most_sides = max(self.most_sides, play.sides)
            self.bonuses += play.is_bonus
            self.without_pile += not game.pile
        super().move(game, name)
