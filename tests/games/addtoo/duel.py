"""The engine of Add-Too beside the plain reference: both play the same, after every action."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.games.addtoo.layout import DIAMONDS, as_page, place_of
from tests.games.addtoo.play import (
    arrange,
    assert_all_tiles,
    layout_of,
    members,
    names,
    pile_of,
    plain,
)
from tests.games.addtoo.reference import ReferenceGame

from kitchentable.core.rng import shuffle, start_stream
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.state import PHASES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.games.addtoo.play import Page


def deck_of(seed: Any, hand: int) -> list[str]:
    """Return the deck of a hand, the top first: it depends on the game's seed alone."""
    stream = SimpleNamespace(seed=np.uint64(seed), rng=np.uint64(0))
    start_stream(stream, hand)
    ids = np.arange(len(DIAMONDS), dtype=np.int8)
    shuffle(stream, ids, 0, len(ids))
    return names(ids[::-1])


def describe(state: Any) -> dict[str, Any]:
    """Return everything about a record in the reference's words."""
    seats, done = range(state.num_players), int(state.hands_done)
    return {
        "player": int(state.current_player),
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
        "passes": int(state.passes),
        "ends": [bool(state.hand_over), bool(state.terminated), bool(state.truncated)],
    }


def describe_reference(game: ReferenceGame) -> dict[str, Any]:
    """Return the same things about a reference game."""
    deciding = "choose a place for it" if game.chosen else "choose a diamond"
    return {
        "player": game.player,
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
        "passes": game.passes,
        "ends": [game.hand_over, game.terminated, game.truncated],
    }


class Duel:
    """Games of the engine, each with a reference game that must agree after every action.

    Attributes:
        ends: how the hands ended.
        most_sides: the most sides that touched in one play.
        bonuses: bonus plays that were made.
        draws: turns that began by drawing.
        without_pile: diamonds laid after the pile had run out.
    """

    def __init__(self, num_envs: int, seed: int, **params: Any) -> None:
        """Deal ``num_envs`` games."""
        self.batch = Batch(GAME, num_envs, seed=seed, autoreset=False, **params)
        self.index = {name: action for action, name in enumerate(self.batch.action_names)}
        self.most_sides = self.bonuses = self.draws = self.without_pile = 0
        self.references = [
            ReferenceGame(partial(deck_of, state.seed), **params) for state in self.batch.states
        ]
        self.compare([True] * num_envs)

    def arrange(
        self,
        i: int,
        layout: Mapping[str, Page],
        hands: Sequence[Sequence[str]],
        pile: Sequence[str],
        seat: int,
    ) -> None:
        """Begin a game with a position before a turn of a seat, which can play."""
        state, params = self.batch.states[i], self.batch.params.as_dict()

        def prepare(game: ReferenceGame) -> None:
            for diamond, page in layout.items():
                game.layout.lay(diamond, place_of(*page))
            game.hands, game.pile, game.starter = [list(hand) for hand in hands], list(pile), seat

        arrange(state, self.batch.tables, layout, hands, pile, seat)
        self.batch.look()
        self.references[i] = ReferenceGame(partial(deck_of, state.seed), prepare=prepare, **params)
        self.compare([j == i for j in range(len(self.references))])

    @property
    def ends(self) -> list[str]:
        """How the hands ended."""
        return [end for game in self.references for end in game.ends]

    def play(
        self,
        player: Callable[[ReferenceGame, np.random.Generator], str],
        seed: int,
        steps: int = 10**6,
    ) -> Duel:
        """Play all games, comparing after every action, to their end unless steps run out."""
        rng = np.random.default_rng(seed)
        while steps and any(game.legal for game in self.references):
            self.step([player(game, rng) if game.legal else "" for game in self.references])
            steps -= 1
        return self

    def step(self, actions: list[str]) -> None:
        """Play one action in each game, none where the name is empty."""
        self.batch.step(np.array([self.index[name] if name else -1 for name in actions]))
        for game, name in zip(self.references, actions, strict=True):
            if name:
                self._count(game, name)
                game.play(name)
        self.compare([bool(name) for name in actions])

    def compare(self, played: list[bool]) -> None:
        """Check that every game of the engine is as its reference says."""
        nothing = [0.0] * self.batch.num_players
        paid = [game.rewards if played[i] else nothing for i, game in enumerate(self.references)]
        np.testing.assert_allclose(self.batch.rewards, paid, atol=1e-5)
        for i, game in enumerate(self.references):
            marked = [self.batch.action_names[a] for a in np.flatnonzero(self.batch.masks[i])]
            assert marked == sorted(game.legal, key=self.index.__getitem__)
            assert self.batch.dones[i] == (played[i] and not game.legal)
            if played[i]:
                self._compare_record(i, game)

    def _compare_record(self, i: int, game: ReferenceGame) -> None:
        state = plain(self.batch.states[i])
        found, wanted = describe(state), describe_reference(game)
        if not game.legal:  # nobody decides any more
            for name in ("player", "passes"):
                found.pop(name), wanted.pop(name)
        assert found == wanted
        assert_all_tiles(state)
        assert len(game.legal) == len(set(game.legal))
        if game.hand_over or not game.legal:
            assert self.batch.scores(self.batch.states[i]).tolist() == game.totals
            assert self.batch.ranks(self.batch.states[i]).tolist() == game.ranks

    def _count(self, game: ReferenceGame, name: str) -> None:
        self.draws += bool(game.draws) and name.startswith("tile:")
        if game.chosen:
            play = next(play for play in game.plays if play.name == name)
            self.most_sides = max(self.most_sides, play.sides)
            self.bonuses += play.is_bonus
            self.without_pile += not game.pile
