"""The engine of Fiddlefoo beside the plain reference: both must agree after every action."""

from __future__ import annotations

from collections import Counter
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from tests.contract.payoffs import payoff
from tests.games import duel
from tests.games.fiddlefoo.cards import Cell, notes
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


def deck_of(state: Any, game: int) -> list[str]:
    """Return the deck of a game, top first; it depends on the seed alone."""
    cards = np.array([NAMES.index(card) for card in members(state.in_play)], np.int8)
    return names(duel.shuffled(state.seed, game, cards))


def describe(state: Any) -> dict[str, Any]:
    """Return the whole content of a record in the reference's terms."""
    seats = range(int(state.num_players))
    throwing = PHASES[state.phase] == "throw"
    choosing = PHASES[state.phase] in (ASKS["cell"], ASKS["move to"], ASKS["swap for"])
    return {
        "player": None if state.terminated else state.current_player,
        "asks": PHASES[state.phase],
        "hands": [sorted(members(state.hands[seat])) for seat in seats],
        "known": [sorted(members(state.known[seat])) for seat in seats],
        "map": on_map(state),
        "pile": pile_of(state),
        "piles": piles_of(state),
        "out": sorted(members(state.removed)),
        "received": sorted(members(state.received)),
        "last": NAMES[state.last_added],
        "chosen": NAMES[state.chosen] if choosing else None,
        "pair": (
            [NAMES[state.card], NAMES[state.partner], state.distance, state.player]
            if throwing
            else None
        ),
        "totals": list(state.totals[: len(seats)]),
        "history": [_history(state, seat) for seat in seats],
        "ends": [state.hand_over, state.terminated, state.truncated],
    }


def _history(state: Any, seat: int) -> list[int]:
    arrays = {"hand_points": np.array(state.hand_points), "games_done": state.games_done}
    return GAME.hand_scores(SimpleNamespace(**arrays), seat)


def ended(state: Any) -> list[Any]:
    """Return the hands left at the end of the last finished game, and the notes on its piles."""
    hands = [sorted(members(hand)) for hand in state.last_hands[: int(state.num_players)]]
    return [hands, list(state.last_pile_notes)]


def describe_reference(game: ReferenceGame) -> dict[str, Any]:
    """Return the same for a reference game."""
    pair = game.pair
    return {
        "player": None if game.terminated else game.player,
        "asks": ASKS[game.asks],
        "hands": [sorted(hand, key=str) for hand in game.hands],
        "known": [sorted(cards) for cards in game.known],
        "out": sorted(game.out),
        "received": sorted(game.received),
        "pair": [*pair.cards, pair.distance, game.active] if game.asks == "throw" else None,
        "ends": [game.hand_over, game.terminated, False],
        **{n: getattr(game, n) for n in ("map", "pile", "piles", "last", "chosen", "totals")},
        "history": game.history,
    }


def ended_reference(game: ReferenceGame) -> list[Any]:
    """Return the same for a reference game."""
    hands, piles = game.ended
    return [[sorted(hand) for hand in hands], [sum(map(notes, pile)) for pile in piles.values()]]


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action.

    Attributes:
        asked: how often each kind of decision came up, in the reference's terms.
        nested: number of decisions in the middle of another play.
    """

    game = GAME

    def __init__(self, num_envs: int, seed: int, **params: Any) -> None:
        """Deal ``num_envs`` games."""
        self.asked: Counter[str] = Counter()
        self.nested = 0
        self.paid = np.zeros((num_envs, GAME.make_params(**params).num_players))
        super().__init__(num_envs, seed, **params)

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        """Make the reference of a game that has just been dealt; options replace the defaults."""
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

    def check(self, i: int, game: ReferenceGame) -> None:
        """Check that a record agrees with its reference."""
        state = duel.plain(self.batch.states[i])
        assert describe(state) == describe_reference(game)
        assert_all_cards(state)
        self.paid[i] += game.rewards
        if game.hand_over:
            self._compare_results(i, state, game)

    def _compare_results(self, i: int, state: Any, game: ReferenceGame) -> None:
        assert ended(state) == ended_reference(game)
        if game.reward == "win" or not self.batch.is_team:
            paid = payoff(self.batch, self.batch.states[i])
            np.testing.assert_allclose(paid, self.paid[i], atol=1e-4)
