"""The engine of a game beside its plain reference: both must agree after every action."""

from collections.abc import Callable, Iterable, Mapping, Set
from itertools import chain
from types import SimpleNamespace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from tests.games.reference import Reference

from kitchentable.core.game import Game
from kitchentable.core.rng import shuffle, start_stream
from kitchentable.core.state import slices
from kitchentable.engine.batch import Batch

R = TypeVar("R", bound=Reference)
ENDS = ("hand_over", "terminated", "truncated")


def shuffled(seed: Any, number: int, cards: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the deck of a hand, top first; it depends on the game's seed alone."""
    stream = SimpleNamespace(seed=np.uint64(seed), rng=np.uint64(0))
    start_stream(stream, number)
    shuffle(stream, cards, 0, len(cards))
    return cards[::-1]


def plain(state: Any) -> Any:
    """Return a copy of a record with Python's own numbers, since numpy's field access is slow."""
    return SimpleNamespace(**dict(zip(state.dtype.names, state.item(), strict=True)))


def one_hot(size: int, *places: Any) -> list[float]:
    """Return zeros, with ones at the given places; None is no place."""
    return [float(i in places) for i in range(size)]


def flat(rows: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the values of all rows."""
    return list(chain.from_iterable(rows))


def padded(values: list[Any], size: int) -> list[Any]:
    """Return values, followed by zeros."""
    return values + [0.0] * (size - len(values))


def check_parts(
    layout: Mapping[str, int],
    observation: NDArray[np.float32],
    parts: dict[str, list[float]],
    left_out: Set[str] = frozenset(),
) -> None:
    """Compare an observation with the expected values of its parts; some may be left out."""
    where = slices(layout)
    assert where.keys() - parts.keys() <= left_out
    wanted = observation.copy()
    for name, values in parts.items():
        assert len(wanted[where[name]]) == len(values), name
        wanted[where[name]] = values
    # Ten times as fast as `allclose`.
    if np.abs(observation - wanted).max() > 2e-6:
        for name, values in parts.items():
            np.testing.assert_allclose(observation[where[name]], values, atol=2e-6, err_msg=name)


class Duel(Generic[R]):
    """Games of the engine, each with a reference game that must agree after every action.

    After every other action or so some seat's observation is compared too, if a subclass tells it.
    A game's subclass defines how a reference is made and what is compared.

    Attributes:
        decisions: number of decisions in all games.
        reshuffles: number of times that a pile was shuffled into a new deck.
        left_out: parts of observations that `seen` may leave out.
        check_cards: function of a record that checks that no card is lost.
    """

    game: ClassVar[Game]
    check_cards: ClassVar[Callable[[Any], None]]
    left_out: ClassVar[Set[str]] = frozenset()

    def __init__(self, num_envs: int, seed: int, **params: Any) -> None:
        """Deal ``num_envs`` games."""
        self.batch = Batch(self.game, num_envs, seed=seed, autoreset=False, **params)
        self.index = {name: action for action, name in enumerate(self.batch.action_names)}
        self.decisions, self.viewers = 0, np.random.default_rng(seed)
        self.reshuffles = 0
        self.references = [self.reference(i) for i in range(num_envs)]
        self.compare([True] * num_envs)

    def reference(self, i: int, **options: Any) -> R:
        """Make the reference of a game that has just been dealt; options replace the defaults."""
        raise NotImplementedError

    def facts(self, state: Any, game: R) -> dict[str, tuple[Any, Any]]:
        """Return the content of a record, by name, beside what the reference says."""
        raise NotImplementedError

    def check(self, i: int, game: R) -> None:
        """Check that a record agrees with its reference, and that no card is lost."""
        state = plain(self.batch.states[i])
        ends = [(bool(getattr(state, n)), getattr(game, n)) for n in ENDS]
        history = [self.game.hand_scores(state, seat) for seat in range(self.batch.num_players)]
        facts = {"history": (history, game.history)} | dict(zip(ENDS, ends, strict=True))
        for name, (found, wanted) in (facts | self.facts(state, game)).items():
            assert found == wanted, name
        self.check_cards(state)

    def seen(self, i: int, viewer: int) -> dict[str, list[float]]:  # noqa: ARG002
        """Return a seat's expected observation, part by part; if empty, it is not compared."""
        return {}

    def full(self, i: int) -> dict[str, list[float]]:
        """Return the parts of the expected full state that are not as player_0 sees them."""
        raise NotImplementedError

    def replace(self, i: int, game: R) -> None:
        """Replace the reference of a game whose record was changed."""
        self.batch.look()
        self.references[i] = game
        self.compare([i == j for j in range(self.batch.num_envs)])

    def play(
        self, player: Callable[[R, np.random.Generator], str], seed: int, steps: int = 10**6
    ) -> Self:
        """Play all games to their end or for some steps, comparing after every action."""
        rng = np.random.default_rng(seed)
        while steps and any(game.legal for game in self.references):
            self.step([player(game, rng) if game.legal else "" for game in self.references])
            steps -= 1
        assert not steps or all(game.terminated != game.truncated for game in self.references)
        return self

    def follow(self, picks: Iterable[int]) -> Self:
        """Play the first game as far as numbers pick one of its legal actions each."""
        for pick in picks:
            legal = self.references[0].legal
            if legal:
                self.step([legal[pick % len(legal)]])
        return self

    def step(self, actions: list[str]) -> None:
        """Play one action in each game; an empty name leaves the game as it is."""
        self.streams = self.batch.states.rng.copy()
        self.batch.step(np.array([self.index[name] if name else -1 for name in actions]))
        for game, name in zip(self.references, actions, strict=True):
            if name:
                self.move(game, name)
        self.compare([bool(name) for name in actions])

    def reshuffled(self, i: int, cards: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return the deck that a pile is shuffled into by this step of a game, top first."""
        self.reshuffles += 1
        shuffle(SimpleNamespace(rng=self.streams[i]), cards, 0, len(cards))
        return cards[::-1]

    def move(self, game: R, name: str) -> None:
        """Play an action in a reference, and update the counts."""
        self.decisions += 1
        game.play(name)

    def compare(self, played: list[bool]) -> None:
        """Check that every game of the engine agrees with its reference."""
        nothing = [0.0] * self.batch.num_players
        viewer = int(self.viewers.integers(self.batch.num_players))
        looks = self.viewers.random() < 0.5
        rules, params = self.batch.game.rules, self.batch.params
        seen, full = rules.observation_layout(params), rules.full_layout(params)
        if looks:
            observed = self.batch.observe(np.full(self.batch.num_envs, viewer))
            states = self.batch.observe_state()
        paid = [game.rewards if played[i] else nothing for i, game in enumerate(self.references)]
        np.testing.assert_allclose(self.batch.rewards, paid, atol=1e-6)
        for i, game in enumerate(self.references):
            marked = [self.batch.action_names[a] for a in np.flatnonzero(self.batch.masks[i])]
            assert marked == sorted(game.legal, key=self.index.__getitem__)
            assert self.batch.dones[i] == (played[i] and not game.legal)
            if not played[i]:
                continue
            self.check(i, game)
            if looks and (parts := self.seen(i, viewer)):
                check_parts(seen, observed[i], parts, self.left_out)
                if viewer == 0:
                    told = {f"player_0_{n}": observed[i][part] for n, part in slices(seen).items()}
                    check_parts(full, states[i], told | self.full(i))
            if game.legal:
                assert self.batch.current_player[i] == game.player
            if game.hand_over or not game.legal:
                assert self.batch.game.scores(self.batch.states[i]).tolist() == game.totals
                assert self.batch.game.ranks(self.batch.states[i]).tolist() == game.ranks
