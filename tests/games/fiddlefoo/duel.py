"""Fiddlefoo's engine and the reference side by side: they must agree after every action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from tests.contract.payoffs import payoff
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
    plain,
)
from tests.games.fiddlefoo.reference import ReferenceGame

from kitchentable import Batch
from kitchentable.core.rng import shuffle, start_stream
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo.state import PHASES

Position = tuple[dict[Cell, str], list[list[str]], list[str]]
"""The map, the hands and the draw pile, its top first; all other cards are out of the game."""


def prepare(position: Position, game: ReferenceGame) -> None:
    """Write a position into a reference game, just dealt."""
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
"""What the reference calls the engine's phases."""


def deck_of(state: Any, game: int) -> list[str]:
    """Return the deck of a game, the top first: it depends on the seed alone."""
    stream = SimpleNamespace(seed=np.uint64(state.seed), rng=np.uint64(0))
    start_stream(stream, game)
    cards = np.array([NAMES.index(card) for card in members(state.in_play)], np.int8)
    shuffle(stream, cards, 0, len(cards))
    return names(cards[::-1])


def describe(state: Any) -> dict[str, Any]:
    """Return everything about a record in the reference's words."""
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
    """Return the hands that the last finished game left, and the notes on its piles."""
    hands = [sorted(members(hand)) for hand in state.last_hands[: int(state.num_players)]]
    return [hands, list(state.last_pile_notes)]


def describe_reference(game: ReferenceGame) -> dict[str, Any]:
    """Return the same things about a reference game."""
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
    """Return the same things about a reference game."""
    hands, piles = game.ended
    return [[sorted(hand) for hand in hands], [sum(map(notes, pile)) for pile in piles.values()]]


Player = Callable[[ReferenceGame, np.random.Generator], str]


class Duel:
    """Games of the engine, each with a reference game that must agree after every action.

    Attributes:
        asked: how often the games asked for what, in the reference's words.
        nested: decisions in the middle of another play.
    """

    def __init__(self, num_envs: int, seed: int, **params: Any) -> None:
        """Deal ``num_envs`` games."""
        self.batch = Batch(GAME, num_envs, seed=seed, autoreset=False, **params)
        self.index = {name: a for a, name in enumerate(self.batch.action_names)}
        self.asked: Counter[str] = Counter()
        self.nested = 0
        self.paid = np.zeros((num_envs, self.batch.num_players))
        self.references = [
            ReferenceGame(partial(deck_of, plain(state)), **self.batch.params.as_dict())
            for state in self.batch.states
        ]
        self.compare([True] * num_envs)

    def arrange(self, i: int, position: Position) -> None:
        """Change a game that has just been dealt, and its reference."""
        arrange(self.batch.states[i], *position)
        self.batch.look()
        state, params = plain(self.batch.states[i]), self.batch.params.as_dict()
        self.references[i] = ReferenceGame(
            partial(deck_of, state), prepare=partial(prepare, position), **params
        )
        self.compare([i == j for j in range(self.batch.num_envs)])

    def play(self, player: Player, seed: int, steps: int = 100_000) -> Duel:
        """Play all games to their end, comparing after every action."""
        rng = np.random.default_rng(seed)
        for _ in range(steps):
            if not any(game.legal for game in self.references):
                break
            self.step([player(game, rng) if game.legal else "" for game in self.references])
        return self

    def step(self, actions: list[str]) -> None:
        """Play one action in each game, none where the name is empty."""
        self.batch.step(np.array([self.index.get(name, -1) for name in actions]))
        for game, name in zip(self.references, actions, strict=True):
            if name:
                self.asked[game.asks] += 1
                self.nested += game.depth > 1
                game.play(name)
        self.compare([bool(name) for name in actions])

    def compare(self, played: list[bool]) -> None:
        """Check that every game of the engine is as its reference says."""
        for i, game in enumerate(self.references):
            if not played[i]:
                continue
            state = plain(self.batch.states[i])
            legal = [self.batch.action_names[a] for a in np.flatnonzero(self.batch.masks[i])]
            wanted = sorted(game.legal, key=self.index.__getitem__)
            assert legal == wanted, (game.player, game.asks, legal, wanted)
            assert self.batch.dones[i] == game.terminated
            ours, theirs = describe(state), describe_reference(game)
            wrong = [
                (name, ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]
            ]
            assert not wrong, wrong
            assert_all_cards(state)
            np.testing.assert_allclose(self.batch.rewards[i], game.rewards, atol=1e-5)
            self.paid[i] += game.rewards
            if not game.terminated:
                assert self.batch.current_player[i] == game.player
            if game.hand_over:
                self._compare_results(i, state, game)

    def _compare_results(self, i: int, state: Any, game: ReferenceGame) -> None:
        assert ended(state) == ended_reference(game)
        record = self.batch.states[i]
        assert self.batch.scores(record).tolist() == game.totals
        if game.reward == "win" or not self.batch.is_team:
            np.testing.assert_allclose(payoff(self.batch, record), self.paid[i], atol=1e-4)
        if game.terminated:
            assert self.batch.ranks(record).tolist() == game.ranks
