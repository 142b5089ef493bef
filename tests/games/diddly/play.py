"""What the Diddly tests share: a table in words, and the engine and the reference side by side."""

from __future__ import annotations

from collections import Counter
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from tests.games.diddly.reference import COPIES, KINDS, ReferenceGame

from kitchentable.core.rng import shuffle, start_stream
from kitchentable.core.state import slices
from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.state import PHASES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
ORIGINS = ("", "draw", "take", "recycle")
SEATS = [(6, 2), (6, 3), (6, 8), (8, 2), (8, 6), (9, 2), (9, 4), (9, 6)]
"""Cards on a board and seats: every layout, few and many seats."""


def games(number: int) -> int:
    """Return how many games a test plays: far fewer where nothing is compiled."""
    return number if COMPILED else max(1, number // 12)


def numbers(kinds: Iterable[str]) -> NDArray[np.int8]:
    """Return the engine's numbers of cards."""
    return np.array([KINDS.index(kind) for kind in kinds], np.int8)


def shares(counts: Counter[str]) -> list[float]:
    """Return how many of each kind there are, of all its copies."""
    return [counts[kind] / COPIES[kind] for kind in KINDS]


def words(cards: Iterable[Any]) -> list[str]:
    """Return the names of cards from the engine's numbers."""
    return [KINDS[card] for card in (cards.tolist() if isinstance(cards, np.ndarray) else cards)]


def plain(state: Any) -> Any:
    """Return a copy of a record in Python's own numbers: numpy takes long to read a field."""
    return SimpleNamespace(**dict(zip(state.dtype.names, state.item(), strict=True)))


# --- A table in words ---------------------------------------------------------------------------


class Table:
    """One game of the engine whose deck is rigged, played by the names of actions."""

    def __init__(self, top: str = "", **params: Any) -> None:
        """Deal a game.

        Args:
            top: names of the first cards of the deck.
            params: of the game.
        """
        self.batch = Batch(GAME, 1, seed=7, autoreset=False, **params)
        self.batch.reset(top=numbers(top.split()))
        assert_all_cards(plain(self.state))

    @property
    def state(self) -> Any:
        """The record."""
        return self.batch.states[0]

    @property
    def legal(self) -> list[str]:
        """Names of the legal actions."""
        return [self.batch.action_names[a] for a in np.flatnonzero(self.batch.masks[0])]

    @property
    def asks(self) -> str:
        """Who decides what, such as ``0 place``."""
        return f"{self.state.current_player} {PHASES[self.state.phase]}"

    @property
    def pile(self) -> list[str]:
        """The discard pile, its top last."""
        return words(self.state.pile[: self.state.pile_size])

    def empty_deck(self) -> Table:
        """Put the whole deck under the discard pile, as if it had been played."""
        state = self.state
        down, up = int(state.deck_size), int(state.pile_size)
        state.pile[: down + up] = [*state.deck[:down], *state.pile[:up]]
        np.add.at(state.pile_counts, state.deck[:down], 1)
        state.deck[:down] = -1
        state.pile_size, state.deck_size = down + up, 0
        self.batch.look()
        return self

    def board(self, seat: int) -> str:
        """Return a seat's cards: ``7`` face up, ``(7)`` face down, ``[7]`` face down, peeked at."""
        return " ".join(
            kind if up else f"[{kind}]" if seen else f"({kind})"
            for kind, up, seen in zip(*_slots(self.state, seat), strict=True)
        )

    def play(self, actions: str) -> Table:
        """Play actions by name, separated by blanks; a bare number is a slot."""
        for action in actions.split():
            name = f"slot:{action}" if action.isdigit() else action
            self.batch.step(np.array([self.batch.action_names.index(name)]))
        return self


QUIET = "1 2 3 4 5 6"
OTHER = "6 5 4 3 2 1"


def playing(mine: str = QUIET, other: str = OTHER, then: str = "9 9", **params: Any) -> Table:
    """Return a table of two where player_0 begins its first turn: slots 0 and 1 lie face up.

    Args:
        mine: board of player_0.
        other: board of player_1.
        then: the first discard and what is drawn.
        params: of the game.
    """
    return Table(rig(mine, other, then=then), **params).play("0 1 0 1")


def rig(*boards: str, then: str = "") -> str:
    """Return the top of a deck that deals these boards, followed by other cards.

    Args:
        boards: the cards of each seat in the order of play, row by row.
        then: the first discard and what is drawn.
    """
    slots = zip(*(board.split() for board in boards), strict=True)
    return " ".join([*(kind for slot in slots for kind in slot), then])


def _slots(state: Any, seat: int) -> tuple[list[str], list[bool], list[bool]]:
    cards = int(state.cards)
    up = state.face_up[seat, :cards].astype(bool).tolist()
    seen = state.peeked[seat, :cards].astype(bool).tolist()
    return words(state.boards[seat, :cards]), up, seen


# --- The engine and the reference side by side ----------------------------------------------------


def deck_of(seed: Any, number: int) -> list[str]:
    """Return the deck of a round, the top first: it depends on the game's seed alone."""
    stream = SimpleNamespace(seed=np.uint64(seed), rng=np.uint64(0))
    start_stream(stream, number)
    cards = numbers(kind for kind in KINDS for _ in range(COPIES[kind]))
    shuffle(stream, cards, 0, len(cards))
    return words(cards[::-1])


def cards_of(state: Any) -> Counter[str]:
    """Count every card at the table by kind."""
    boards = state.boards[: state.num_players, : state.cards].ravel()
    held = [state.held] if state.held >= 0 else []
    return Counter(words([*state.deck[: state.deck_size], *_pile(state), *boards, *held]))


def assert_all_cards(state: Any) -> None:
    """Check that all 104 cards are there, each in one place, and nothing beyond."""
    assert cards_of(state) == COPIES
    counts = Counter(words(_pile(state)))
    assert [counts[kind] for kind in KINDS] == state.pile_counts.tolist()
    beyond = [state.deck[state.deck_size :], state.pile[state.pile_size :]]
    beyond += [state.boards[state.num_players :], state.boards[:, state.cards :]]
    assert all((rest == -1).all() for rest in beyond)


def describe(state: Any) -> dict[str, Any]:
    """Return everything about a record in the reference's words."""
    seats, finished = range(state.num_players), int(state.rounds_done)
    return {
        "player": int(state.current_player),
        "asks": PHASES[state.phase],
        "boards": [_facing(*_slots(state, seat)) for seat in seats],
        "deck": words(state.deck[: state.deck_size][::-1]),
        "pile": words(_pile(state)),
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


def _pile(state: Any) -> Any:
    return state.pile[: state.pile_size]


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
