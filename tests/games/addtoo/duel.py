"""The engine of Add-Too beside the plain reference: both must agree after every action."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from tests.games import duel
from tests.games.addtoo.layout import DIAMONDS, as_page, beside, place_of
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
from tests.games.duel import flat, one_hot, padded

from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.state import PHASES


def deck_of(seed: Any, hand: int, diamonds: Sequence[str] = DIAMONDS) -> list[str]:
    """Return the deck of a hand, top first; it depends on the game's seed alone."""
    ids = np.array([i for i, diamond in enumerate(DIAMONDS) if diamond in diamonds], np.int8)
    return names(duel.shuffled(seed, hand, ids))


# --- Observations ---------------------------------------------------------------------------------


def rotate(triangle, turns):
    """Rotate a triangle, the sum of its corners, around the origin by 60 degrees per turn."""
    x, y = triangle
    for _ in range(turns):
        x, y = -y, x + y
    return x, y


def move(place, turns, columns, rows):
    """Rotate a place around the origin and move it by whole cells."""
    (a, b), (c, d) = (rotate(triangle, turns) for triangle in place)
    return (a + 3 * columns, b + 3 * rows), (c + 3 * columns, d + 3 * rows)


def seen_from_last(layout):
    """Return every place, rotated and moved so that the last diamond lies at (0, 0, 0, 0)."""
    home, last = place_of(0, 0, 0, 0), layout.places[layout.last]
    for turns in range(6):
        way = turns, *((a - b) // 3 for a, b in zip(home[0], rotate(last[0], turns), strict=True))
        if move(last, *way) == home:
            return {diamond: move(place, *way) for diamond, place in layout.places.items()}
    raise AssertionError("no turn and move brings the last diamond home")


def marks(diamonds):
    return [float(diamond in diamonds) for diamond in DIAMONDS]


def expected(game, viewer):
    """Return the expected observation of a reference game, part by part."""
    seats, over, done = game.num_players, not game.legal, len(game.ends)
    order = [(viewer + i) % seats for i in range(seats)]
    hands, points, totals = (
        [values[seat] for seat in order] for values in (game.hands, game.points, game.totals)
    )
    lowest = 50 * game.max_hands
    now = [t + (0 if over else p) for t, p in zip(totals, points, strict=True)]
    return {
        "phase": one_hot(2, None if over else int(game.chosen is not None)),
        "to_act": one_hot(seats, None if over else order.index(game.player)),
        "hands": flat(map(marks, hands)),
        "hand_sizes": flat(one_hot(5, len(hand) - 1) for hand in hands),
        "unseen": marks(game.pile),
        "draw_pile": [len(game.pile) / 45],
        "chosen": marks([game.chosen]),
        "passes": [game.passes / seats],
        "hands_done": [done / game.max_hands, float(done == game.max_hands - 1)],
        "points": flat((min(p, 100) / 100, p / 1490) for p in points),
        "totals": [(total + lowest) / (game.target + 1490 + lowest) for total in totals],
        "to_go": [max(0, min(100, game.target - points)) / 100 for points in now],
        "lead": [0.5 + max(-100, min(100, now[0] - other)) / 200 for other in now[1:]],
        **last_parts(game),
        **layout_parts(game.layout),
    }


def last_parts(game):
    """Return the parts about the diamond laid last."""
    layout = game.layout
    if not layout.places:
        sizes = {"last": 45, "last_numbers": 20, "open": 4, "room": 8}
        nothing = {name: [0.0] * size for name, size in sizes.items()}
        return nothing | {"playable": marks(game.diamonds)}
    orange, blue = layout.numbers[layout.last]
    attached = [beside(layout.places[layout.last], *divmod(way, 2)) for way in range(8)]
    free = [diamond for diamond in game.diamonds if diamond not in layout.places]
    return {
        "last": marks([layout.last]),
        "last_numbers": one_hot(10, orange - 1) + one_hot(10, blue - 1),
        "open": [float(side in layout.open_sides()) for side in range(4)],
        "room": [float(layout.allowed(place)) for place in attached],
        "playable": marks({play.diamond for play in layout.plays(free)}),
    }


def layout_parts(layout):
    """Return the parts about where the diamonds lie, seen from the one laid last."""
    around, places = np.zeros((4, 5, 5)), dict.fromkeys(DIAMONDS, [0.0] * 6)
    for diamond, place in (seen_from_last(layout) if layout.places else {}).items():
        for color, triangle in enumerate(place):
            x, y, is_down = triangle[0] // 3, triangle[1] // 3, triangle[0] % 3 == 2
            if -2 <= x <= 2 and -2 <= y <= 2:
                number = layout.numbers[diamond][color]
                around[color + 2 * is_down, y + 2, x + 2] = number / 10
        x, y, k, c = as_page(place)
        places[diamond] = [(x + 48) / 96, (y + 48) / 96, *one_hot(3, k), c]
    return {"layout": flat(places.values()), "around": around.ravel().tolist()}


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action.

    Attributes:
        ends: how each hand ended.
        most_sides: the most sides that touched in one play.
        bonuses: number of bonus plays.
        draws: number of turns that began by drawing.
        without_pile: number of diamonds laid after the pile had run out.
    """

    game, check_cards = GAME, staticmethod(assert_all_tiles)
    most_sides = bonuses = draws = without_pile = 0

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        params = self.batch.params
        deck = partial(deck_of, self.batch.states[i].seed, diamonds=in_play(params))
        return ReferenceGame(deck, **params.as_dict(), **options)

    def arrange(self, i: int, layout: Any, hands: Any, pile: Any) -> None:
        """Begin a game with a given position, in which player_0 can play."""

        def prepare(game: ReferenceGame) -> None:
            for diamond, page in layout.items():
                game.layout.lay(diamond, place_of(*page))
            game.hands, game.pile, game.starter = [list(hand) for hand in hands], list(pile), 0

        arrange(self.batch.states[i], self.batch.tables, layout, hands, pile)
        self.replace(i, self.reference(i, prepare=prepare))

    @property
    def ends(self) -> list[str]:
        """How each hand ended."""
        return [end for game in self.references for end in game.ends]

    def facts(self, state: Any, game: ReferenceGame) -> dict[str, tuple[Any, Any]]:
        seats = game.num_players
        deciding = "choose a place for it" if game.chosen else "choose a diamond"
        laid = [(diamond, as_page(place)) for diamond, place in game.layout.places.items()]
        return {
            "asks": (PHASES[state.phase], deciding if game.legal else "over"),
            "chosen": (DIAMONDS[state.chosen] if state.chosen >= 0 else None, game.chosen),
            "hands": (
                [members(hand) for hand in state.hands[:seats]],
                [sorted(hand, key=DIAMONDS.index) for hand in game.hands],
            ),
            "pile": (pile_of(state), game.pile),
            "layout": ([*layout_of(state).items()], laid),
            "points": ([*state.points[:seats]], game.points),
            "starter": (state.starter, game.starter),
            "passes": (state.passes if game.legal else game.passes, game.passes),
        }

    def seen(self, i: int, viewer: int) -> dict[str, list[float]]:
        return expected(self.references[i], viewer)

    def full(self, i: int) -> dict[str, list[float]]:
        order = [(DIAMONDS.index(diamond) + 1) / 45 for diamond in self.references[i].pile]
        return {"deck_order": padded(order, 45)}

    def move(self, game: ReferenceGame, name: str) -> None:
        """Play an action in a reference, and update the counts."""
        self.draws += bool(game.draws) and name.startswith("tile:")
        if game.chosen:
            play = next(play for play in game.plays if play.name == name)
            self.most_sides = max(self.most_sides, play.sides)
            self.bonuses += play.is_bonus
            self.without_pile += not game.pile
        super().move(game, name)
