"""The engine of Fiddlefoo beside the plain reference: both must agree after every action."""

from collections import Counter
from collections.abc import Container, Iterable
from functools import partial
from typing import Any

import numpy as np
from tests.games import duel
from tests.games.duel import flat, one_hot, padded
from tests.games.fiddlefoo.cards import ACTION_CARDS, BASE, Cell, color, notes, number
from tests.games.fiddlefoo.play import (
    NAMES,
    arrange,
    assert_all_cards,
    members,
    names,
    on_map,
    pile_of,
    piles_of,
)
from tests.games.fiddlefoo.reference import ReferenceGame

from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo.state import PHASES

Position = tuple[dict[Cell, str], list[list[str]], list[str]]
"""The map, the hands and the draw pile, top first; all other cards are out of the game."""


def prepare(position: Position, game: ReferenceGame) -> None:
    """Write a position into a reference game that has just been dealt."""
    cells, hands, pile = position
    game.map.clear()
    game.map.update(cells)
    game.hands, game.pile = [list(hand) for hand in hands], list(pile)
    game.last = list(cells.values())[-1]
    placed = {*cells.values(), *pile, *(card for hand in hands for card in hand)}
    game.out = [card for card in game.cards if card not in placed]


ASKS = {
    "card": "choose a card to play",
    "cell": "choose a cell for it",
    "throw": "throw",
    "discard": "take a card out of the game",
    "move": "choose a card to move",
    "move to": "choose a cell to move it to",
    "remove": "remove cards from the map",
    "play again": "play again",
    "swap": "choose a hand card to swap",
    "swap for": "choose a map card to swap it with",
    "over": "over",
}
"""The engine's phases in the reference's terms."""


OUTER = ("outer", "outer_active", "outer_thrower", "outer_pair")
NOT_AT_THE_END = ("pair", "map", "fits_range", "fits_notes")
"""Parts of an observation that mean nothing after the end."""


def deck_of(state: Any, game: int) -> list[str]:
    """Return the deck of a game, top first; it depends on the seed alone."""
    cards = np.array([NAMES.index(card) for card in members(state.in_play)], np.int8)
    return names(duel.shuffled(state.seed, game, cards))


def in_order(sets: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return the cards of each set, sorted."""
    return list(map(sorted, sets))


# --- Observations ---------------------------------------------------------------------------------


def listed(game: Any) -> list[str]:
    """Return the cards that observations have numbers for, in order."""
    return [*BASE, *(card for card in game.cards if card in ACTION_CARDS)]


def expected(game: Any, viewer: int) -> dict[str, list[float]]:
    """Return a seat's expected observation, but for what to expect of nested plays."""
    seats = game.num_players
    order = [(viewer + i) % seats for i in range(seats)]
    every = listed(game)

    def marks(cards: Container[str | None]) -> list[float]:
        return [float(card in cards) for card in every]

    def seat(player: int | None) -> list[float]:
        shown = player is not None and not game.terminated
        return one_hot(seats, order.index(player) if shown else None)

    own, piles, done = game.hands[viewer], game.piles, len(game.history[0])
    open_cards = {*game.map.values(), *game.out, *own}.union(*game.known, *piles.values())
    deciding = game.asks in ("card", "play again") and game.player == viewer
    how = {c: game.fits(c, game.pair) for c in game.cards} if game.asks == "throw" else {}
    sizes = [len(game.hands[one]) for one in order]
    points = [game.totals[one] for one in order]
    shares = [(p + 10 * game.games) / (210 * game.games) for p in points]
    leads = [max(-40, min(40, p - points[0])) for p in points[1:]]
    parts = {
        "hand": marks(own),
        "shown": marks(game.known[viewer]),
        "playable": marks([name[5:] for name in game.legal if deciding]),
        "chosen": marks([game.chosen]),
        "known": flat(marks(game.known[one]) for one in order[1:]),
        "unseen": marks({*game.cards} - open_cards),
        "fits_range": marks([c for c in how if how[c] == "range"]),
        "fits_notes": marks([c for c in how if how[c] == "notes"]),
        "phase": one_hot(10, None if game.terminated else PHASES.index(ASKS[game.asks])),
        "to_act": seat(game.player),
        "active": seat(game.turn if game.active is None else game.active),
        "pair": pair_part(game),
        "thrown": [float(game.asks == "throw" and game.in_range)],
        "hand_sizes": [size / len(every) for size in sizes],
        "few_cards": flat(one_hot(4, size - 1) for size in sizes),
        "draw_pile": [len(game.pile) / len(every), float(not game.pile)],
        "blocked": [game.stuck / seats],
        "starter": one_hot(seats, order.index(game.starter)),
        "hands_done": [done / game.games, float(done == game.games - 1)],
        "totals": [p / (4 * game.games) for p in points] if game.cooperative else shares,
        "lead": [0.5 if game.cooperative else 0.5 + lead / 80 for lead in leads],
        "map": map_part(game),
    }
    if game.cooperative:
        tops = {one: max([0, *map(number, pile)]) for one, pile in piles.items()}
        parts |= {
            "pile_tops": [top / 16 for top in tops.values()],
            "pile_notes": flat(one_hot(12, min(11, sum(map(notes, p)))) for p in piles.values()),
            "on_piles": marks([card for pile in piles.values() for card in pile]),
            "fits_piles": [float(number(c) > tops[color(c)]) for c in every],
        }
    if len(every) > len(BASE):
        parts |= {
            "removed": marks(game.out),
            "received": marks(game.received),
            "swapped": marks(game.swapped),
            "last_added": marks([game.last]),
            "turn": one_hot(seats, order.index(game.turn)),
            "turn_color": one_hot(4, "YRBP".index(color(game.first)) if game.first else None),
        }
    return parts


def pair_part(game: ReferenceGame) -> list[float]:
    """Return the part about the pair that cards are thrown at."""
    pair = game.pair
    if pair is None:
        return [0.0] * 10
    low, high = sorted(map(number, pair.cards))
    every = "throw_other_colors" in pair.cards
    every |= game.wildcard and "P" in map(color, pair.cards)
    colors = [float(not every and one in pair.colors) for one in "YRBP"]
    numbers = [low / 16, high / 16, len(pair.between) / 14, pair.distance / 14]
    return [*numbers, float(game.safe), float(every), *colors]


def map_part(game: Any) -> list[float]:
    """Return the planes of the map."""
    has_actions = any(card in ACTION_CARDS for card in game.cards)
    planes = np.zeros((11 if has_actions else 10, game.map_size, game.map_size))
    for cell, card in game.map.items():
        planes[("YRBP".index(color(card)), *cell)] = 1
        planes[(4, *cell)], planes[(5, *cell)] = number(card) / 16, notes(card) / 4
        if card in ACTION_CARDS:
            planes[(10, *cell)] = (list(ACTION_CARDS).index(card) + 1) / 21
    for cell in game.spots if game.pair else ():
        planes[(6, *cell)] = 1
    for cell in game.map.cells(game.chosen) if game.asks == "cell" else ():
        pair = game.map.pair_at(game.chosen, cell)
        planes[(7, *cell)] = number(pair.old) / 16
        planes[(8, *cell)] = len(pair.between) / 14
        planes[(9, *cell)] = (pair.distance + 1) / 15
    return planes.ravel().tolist()


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action.

    Attributes:
        asked: how often each kind of decision came up, in the reference's terms.
        nested: number of decisions in the middle of another play.
    """

    game, check_cards = GAME, staticmethod(assert_all_cards)
    left_out = frozenset({"to_come", *OUTER, *NOT_AT_THE_END})

    def __init__(self, num_envs: int, seed: int, **params: Any) -> None:
        self.asked: Counter[str] = Counter()
        self.nested = 0
        super().__init__(num_envs, seed, **params)

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        deck = partial(deck_of, duel.plain(self.batch.states[i]))
        return ReferenceGame(deck, **self.batch.params.as_dict(), **options)

    def arrange(self, i: int, position: Position) -> None:
        """Change a game that has just been dealt, and its reference."""
        arrange(self.batch.states[i], *position)
        self.replace(i, self.reference(i, prepare=partial(prepare, position)))

    def move(self, game: ReferenceGame, name: str) -> None:
        """Play an action in a reference, and update the counts."""
        self.asked[game.asks] += 1
        self.nested += game.depth > 1
        super().move(game, name)

    def facts(self, state: Any, game: ReferenceGame) -> dict[str, tuple[Any, Any]]:
        seats, phase = game.num_players, PHASES[state.phase]
        choosing = phase in (ASKS["cell"], ASKS["move to"], ASKS["swap for"])
        pair = [*names([state.card, state.partner]), state.distance, state.player]
        facts = {
            "asks": (phase, ASKS[game.asks]),
            "hands": (in_order(map(members, state.hands[:seats])), in_order(game.hands)),
            "known": (in_order(map(members, state.known[:seats])), in_order(game.known)),
            "map": (on_map(state), game.map),
            "pile": (pile_of(state), game.pile),
            "piles": (piles_of(state), game.piles),
            "out": (sorted(members(state.removed)), sorted(game.out)),
            "received": (sorted(members(state.received)), sorted(game.received)),
            "last": (NAMES[state.last_added], game.last),
            "chosen": (NAMES[state.chosen] if choosing else None, game.chosen),
        }
        if game.asks == "throw":
            facts["pair"] = pair, [*game.pair.cards, game.pair.distance, game.active]
        if game.hand_over:
            hands, piles = game.ended
            notes_of = [sum(map(notes, pile)) for pile in piles.values()]
            facts["ended"] = in_order(map(members, state.last_hands[:seats])), in_order(hands)
            facts["last notes"] = [*state.last_pile_notes], notes_of
        return facts

    def seen(self, i: int, viewer: int) -> dict[str, list[float]]:
        game = self.references[i]
        gone = NOT_AT_THE_END if game.terminated else ()
        parts = expected(game, viewer)
        return {name: values for name, values in parts.items() if name not in gone}

    def full(self, i: int) -> dict[str, list[float]]:
        game = self.references[i]
        cards = listed(game)
        hands = [float(card in hand) for hand in game.hands[1:] for card in cards]
        order = [(cards.index(card) + 1) / len(cards) for card in game.pile]
        return {"hands": hands, "deck_order": padded(order, len(cards))}
