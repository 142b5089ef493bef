"""One game for people: dealt, played, shown, saved and loaded."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kitchentable import Batch, Game
from kitchentable.core.saving import SavedGame
from kitchentable.core.state import ALL_SEEING, IntArray
from kitchentable.players.scripted import Player
from kitchentable.render.view import AnyView, View
from kitchentable_training.files import LARGEST_JSON, read_bytes, reading, write_text

GAME_0 = np.array([0])


class Move(NamedTuple):
    """One decision of a game."""

    agent: str
    action: str


class Session:
    """One game, played by names of actions.

    The same seed, deck and actions give the same game as in `kitchentable.TableEnv`.

    Attributes:
        batch: the table, as a batch of one game.
        transcript: all decisions so far.
    """

    def __init__(
        self,
        game: Game,
        params: Any,
        seed: int | None = None,
        deck: Sequence[str] = (),
        *,
        deal: int | None = None,
    ) -> None:
        """Deal a game.

        Args:
            game: the game.
            params: its parameters, made by ``game.make_params``.
            seed: the seed of the deal; None for a random one.
            deck: names of the top cards of the first hand's deck; the rest is shuffled.
            deal: the seed of the deal itself, see `SavedGame`, instead of ``seed``.

        Raises:
            ValueError: the deck has an unknown card or too many copies of one.
        """
        self.game = game
        self.params = params
        self.deck = list(deck)
        self.transcript: list[Move] = []
        top = game.read_deck(params, self.deck)
        self.batch = Batch(game, 1, autoreset=False, **params.as_dict())
        self.batch.seed(secrets.randbits(32) if seed is None else seed)
        if deal is not None:
            self.batch.states[0].seed = deal
        self.deal = int(self.batch.states[0].seed)
        self.batch.reset(top=top)

    @classmethod
    def of(cls, saved: SavedGame) -> Session:
        """Deal a saved game, without its actions; see `replayed`.

        Raises:
            ValueError: this version has no such game, or not with these parameters or cards.
        """
        game, params = saved.opened()
        return cls(game, params, deck=saved.deck, deal=saved.deal)

    @property
    def mover(self) -> int:
        """The seat to move."""
        return int(self.batch.current_player[0])

    @property
    def agent(self) -> str:
        """The agent to move."""
        return f"player_{self.mover}"

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        state = self.batch.states[0]
        return bool(state.terminated or state.truncated)

    @property
    def hand_over(self) -> bool:
        """Whether the last action ended a hand."""
        return bool(self.transcript and self.batch.states[0].hand_over)

    def __copy__(self) -> Session:
        """Return a copy that goes on by itself."""
        other = object.__new__(Session)
        vars(other).update(vars(self))
        other.batch, other.transcript = copy(self.batch), [*self.transcript]
        return other

    def legal_actions(self) -> list[str]:
        """Return the names of the legal actions."""
        return [self.batch.action_names[i] for i in np.flatnonzero(self.batch.masks[0])]

    def choose(self, player: Player) -> str:
        """Return the action of a player for the agent to move."""
        return self.batch.action_names[int(player.act(self.batch, GAME_0)[0])]

    def explanations(self) -> dict[str, str]:
        """Return what each legal action means, in words; empty if its name says everything."""
        view = self.view(ALL_SEEING)
        return {action: view.explain(action) for action in view.legal}

    def play(self, action: str) -> None:
        """Play a legal action by name."""
        agent = self.agent
        self.batch.step(self.batch.action_names.index(action))
        self.transcript.append(Move(agent, action))

    def view(self, viewer: int) -> AnyView:
        """Return the table as seen from a seat, by `NOBODY` or by `ALL_SEEING`."""
        return View(self.game, self.batch.states[0], self.params, viewer)

    def result(self, names: Sequence[str]) -> str:
        """Return the standings or the result, a line per seat, best first; one line for a team.

        Args:
            names: the names of the players by seat.
        """
        state = self.batch.states[0]
        scores, ranks = self.batch.scores(state), self.batch.ranks(state)
        lines = ["Stopped at its limit." if state.truncated else "The game is over."]
        order = [int(seat) for seat in np.argsort(ranks, kind="stable")]
        for seats in [order] if self.batch.is_team else [[seat] for seat in order]:
            hands = " + ".join(map(str, self.game.hand_scores(state, seats[0])))
            who = ", ".join(f"player_{seat} ({names[seat]})" for seat in seats)
            place = self._place(ranks, seats[0])
            lines.append(f"  {place}{who}: {scores[seats[0]]} points = {hands or 0}")
        return "\n".join(lines if self.over else ["So far:", *lines[1:]])

    def _place(self, ranks: IntArray, seat: int) -> str:
        """Return the rank before a seat's name; for a team, whether it has won or lost."""
        if not self.batch.is_team:
            return f"{ranks[seat]}. "
        if not self.over:
            return ""
        return "won: " if ranks[seat] == 1 else "lost: "

    def saved(self, names: Sequence[str]) -> SavedGame:
        """Return the game as it is saved.

        Args:
            names: the names of the players by seat.
        """
        return SavedGame(
            game=self.game.name,
            version=self.game.version,
            params=self.params.plain(),
            info=dict(self.game.rules.info(self.params)),
            deal=self.deal,
            deck=self.deck,
            actions=[move.action for move in self.transcript],
            players=list(names),
        )

    def save(self, path: Path, names: Sequence[str]) -> None:
        """Write the game to a file, for `read_saved`.

        Args:
            path: the file.
            names: the names of the players by seat.
        """
        write_text(path, self.saved(names).to_json() + "\n")


def read_saved(path: Path) -> SavedGame:
    """Read a saved game from a file.

    Raises:
        ValueError: the file cannot be read, or holds no saved game.
    """
    data = read_bytes(path, LARGEST_JSON)
    with reading(path):
        return SavedGame.from_json(data)


def played(session: Session, players: Sequence[Player]) -> Iterator[Move]:
    """Let players, one per seat, play a game; yield each decision just before it is played."""
    while not session.over:
        action = session.choose(players[session.mover])
        yield Move(session.agent, action)
        session.play(action)


def replayed(session: Session, actions: Sequence[Any]) -> Iterator[Move]:
    """Play the actions of a saved game; yield each decision just before it is played.

    Args:
        session: the game, dealt.
        actions: see `SavedGame`; of tables that were redealt, or ended by an illegal action, the
            actions up to then.

    Raises:
        ValueError: an action is not possible; the message says which, and what is.
    """
    for count, action in enumerate(actions, start=1):
        if session.over and action is None:  # the step of an agent whose game has ended
            continue
        if session.over:
            raise ValueError(f"decision {count}, {action!r}, does not fit: the game is over")
        if action not in session.legal_actions():
            legal = ", ".join(session.legal_actions())
            raise ValueError(
                f"decision {count}, {action!r} by {session.agent}, does not fit: legal are {legal}"
            )
        yield Move(session.agent, action)
        session.play(action)
