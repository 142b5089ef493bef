"""The engine and the reference of Diddly side by side."""

from __future__ import annotations

from collections import Counter
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.games.diddly.play import (
    assert_all_cards,
    numbers,
    pile_of,
    plain,
    shares,
    slots_of,
    words,
)
from tests.games.diddly.reference import COPIES, KINDS, ReferenceGame

from kitchentable.core.rng import shuffle, start_stream
from kitchentable.core.state import slices
from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.state import PHASES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ORIGINS = ("", "draw", "take", "recycle")


def deck_of(seed: Any, number: int) -> list[str]:
    """Return the deck of a round, the top first: it depends on the game's seed alone."""
    stream = SimpleNamespace(seed=np.uint64(seed), rng=np.uint64(0))
    start_stream(stream, number)
    cards = numbers(kind for kind in KINDS for _ in range(COPIES[kind]))
    shuffle(stream, cards, 0, len(cards))
    return words(cards[::-1])


def describe(state: Any) -> dict[str, Any]:
    """Return everything about a record in the reference's words."""
    seats, finished = range(state.num_players), int(state.rounds_done)
    return {
        "player": int(state.current_player),
        "asks": PHASES[state.phase],
        "boards": [_facing(*slots_of(state, seat)) for seat in seats],
        "deck": words(state.deck[: state.deck_size][::-1]),
        "pile": words(pile_of(state)),
        "reshuffled": bool(state.reshuffled),
        "held": KINDS[state.held] if state.held >= 0 else None,
        "origin": ORIGINS[state.source],
        "first_slot": int(state.swap_slot) if state.swap_slot >= 0 else None,
        "waiting": words(state.abilities[: state.num_abilities]),
        "flips_left": int(state.flips_left),
        "to_flip": int(state.seats_to_flip),
        "closer": int(state.closer) if state.closer >= 0 else None,
        "turns": state.turns[: state.num_players].tolist(),
        "starter": int(state.dealer + 1) % int(state.num_players),
        "history": [state.round_scores[seat, :finished].tolist() for seat in seats],
        "hand_scores": [GAME.hand_scores(state, seat) for seat in seats],
        "totals": state.totals[: state.num_players].tolist(),
        "last_boards": [words(state.last_boards[seat, : state.cards]) for seat in seats]
        if finished
        else [],
        "ends": [bool(state.hand_over), bool(state.terminated), bool(state.truncated)],
    }


def describe_reference(game: ReferenceGame) -> dict[str, Any]:
    """Return the same things about a reference game."""
    same = [
        "player",
        "asks",
        "deck",
        "pile",
        "held",
        "origin",
        "first_slot",
        "waiting",
        "flips_left",
        "closer",
        "turns",
    ]
    same += ["history", "totals", "last_boards"]
    return {name: getattr(game, name) for name in same} | {
        "boards": [
            _facing(*zip(*((c.kind, c.face_up, c.peeked) for c in board), strict=True))
            for board in game.boards
        ],
        "reshuffled": game.known is not None,
        "to_flip": len(game.to_flip),
        "starter": game.order[0],
        "hand_scores": game.history,
        "ends": [game.round_over, game.terminated, game.truncated],
    }


def _facing(kinds: Sequence[str], up: Sequence[bool], peeked: Sequence[bool]) -> list[str]:
    """Mark cards as `Table.board` does, so that a difference reads well."""
    return [
        kind if u else f"[{kind}]" if p else f"({kind})"
        for kind, u, p in zip(kinds, up, peeked, strict=True)
    ]


class Duel:
    """Games of the engine, each with a reference game that must agree after every action."""

    def __init__(self, num_envs: int, seed: int, **params: Any) -> None:
        """Deal ``num_envs`` games."""
        self.batch = Batch(GAME, num_envs, seed=seed, autoreset=False, **params)
        self.decisions = self.reshuffles = 0
        layout = GAME.rules.observation_layout(self.batch.params)
        self.deck_kinds = slices(layout)["deck_kinds"]
        self.references = [
            ReferenceGame(partial(deck_of, state.seed), partial(self._reshuffled, i), **params)
            for i, state in enumerate(self.batch.states)
        ]
        self.compare([True] * num_envs)

    def play(self, player: Callable[[ReferenceGame, np.random.Generator], str], seed: int) -> None:
        """Play all games to their end, comparing after every action."""
        rng = np.random.default_rng(seed)
        while any(game.legal for game in self.references):
            self.step([player(game, rng) if game.legal else "" for game in self.references])

    def step(self, names: list[str]) -> None:
        """Play one action in each game, none where the name is empty."""
        index = {name: action for action, name in enumerate(self.batch.action_names)} | {"": -1}
        self.batch.step(np.array([index[name] for name in names]))
        for game, name in zip(self.references, names, strict=True):
            if name:
                game.play(name)
                self.decisions += 1
        self.compare([bool(name) for name in names])

    def compare(self, played: list[bool]) -> None:
        """Check that every game of the engine is as its reference says."""
        nothing = [0.0] * self.batch.num_players
        paid = [game.rewards if played[i] else nothing for i, game in enumerate(self.references)]
        np.testing.assert_allclose(self.batch.rewards, paid, atol=1e-6)
        for i, game in enumerate(self.references):
            state = plain(self.batch.states[i])
            names = [self.batch.action_names[a] for a in np.flatnonzero(self.batch.masks[i])]
            assert names == sorted(game.legal, key=self.batch.action_names.index)
            assert self.batch.dones[i] == (played[i] and not game.legal)
            if played[i]:
                assert describe(state) == describe_reference(game)
                kinds = self.batch.observations[i, self.deck_kinds].tolist()
                assert kinds == shares(game.known or Counter())
                assert self.batch.scores(state).tolist() == game.totals
                assert self.batch.current_player[i] == game.player
                assert_all_cards(state)
            if played[i] and (game.round_over or not game.legal):
                assert self.batch.ranks(state).tolist() == game.ranks

    def _reshuffled(self, i: int, cards: list[str]) -> list[str]:
        """Read the order of a new deck from the engine, which has drawn its first card already."""
        state = self.batch.states[i]
        deck = words([state.held, *state.deck[: state.deck_size][::-1]])
        assert Counter(deck) == Counter(cards)
        self.reshuffles += 1
        return deck
