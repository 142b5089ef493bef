"""The engine of Diddly beside the plain reference: both must agree after every action."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.games import duel
from tests.games.diddly.play import (
    assert_all_cards,
    numbers,
    pile_of,
    shares,
    slots_of,
    words,
)
from tests.games.diddly.reference import COPIES, KINDS, ReferenceGame

from kitchentable.core.state import slices
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.state import PHASES

if TYPE_CHECKING:
    from collections.abc import Sequence

ORIGINS = ("", "draw", "take", "recycle")


def deck_of(seed: Any, number: int, copies: Any = None) -> list[str]:
    """Return the deck of a round, top first; it depends on the game's seed alone.

    Args:
        seed: the game's seed.
        number: number of the round.
        copies: the parameter ``copies``; None for the real deck.
    """
    counts = COPIES if copies is None else Counter(dict(copies))
    cards = numbers(kind for kind in KINDS for _ in range(counts[kind]))
    return words(duel.shuffled(seed, number, cards))


def describe(state: Any) -> dict[str, Any]:
    """Return the whole content of a record in the reference's terms."""
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
    """Return the same for a reference game."""
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
        "ends": [game.hand_over, game.terminated, game.truncated],
    }


def _facing(kinds: Sequence[str], up: Sequence[bool], peeked: Sequence[bool]) -> list[str]:
    """Mark cards as `Table.board` does, so that a failed comparison is easy to read."""
    return [
        kind if u else f"[{kind}]" if p else f"({kind})"
        for kind, u, p in zip(kinds, up, peeked, strict=True)
    ]


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action."""

    game = GAME

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        """Return the reference of a game that has just been dealt; options replace the defaults."""
        params = self.batch.params.as_dict() | options
        deck = partial(deck_of, self.batch.states[i].seed, copies=params.pop("copies"))
        return ReferenceGame(deck, partial(self._reshuffled, i), **params)

    def check(self, i: int, game: ReferenceGame) -> None:
        """Check that a record agrees with its reference."""
        state = duel.plain(self.batch.states[i])
        assert describe(state) == describe_reference(game)
        known = slices(GAME.rules.observation_layout(self.batch.params))["deck_kinds"]
        assert self.batch.observations[i, known].tolist() == shares(game.known or Counter())
        assert self.batch.scores(self.batch.states[i]).tolist() == game.totals
        assert_all_cards(state)

    def _reshuffled(self, i: int, cards: list[str]) -> list[str]:
        return words(self.reshuffled(i, numbers(cards)))
