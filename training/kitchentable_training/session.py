"""One game for people: dealt, played, shown, saved and loaded."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from kitchentable import Game
from kitchentable.adapters.display import view_of
from kitchentable.core.saving import SavedGame
from kitchentable.core.state import IntArray
from kitchentable.engine.batch import GAME_0
from kitchentable.players.scripted import Player
from kitchentable.render.phrases import count
from kitchentable.render.view import AnyView
from kitchentable.render.voice import AGENTS, Voice
from kitchentable.text.moves import Move, RecordedBatch
from kitchentable_training.files import LARGEST_JSON, read_bytes, reading, write_text

LARGEST_SEED = 2**63 - 1
"""The largest seed that people may choose; all random generators accept it."""


class Session:
    """One game, played by names of actions.

    The same seed, deck and actions give the same game as in `kitchentable.TableEnv`.

    Attributes:
        batch: the table, as a batch of one game.
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
        """
        self.game = game
        self.params = params
        self.deck = list(deck)
        top = game.read_deck(params, self.deck)
        self.batch = RecordedBatch(game, 1, **params.as_dict())
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
    def transcript(self) -> list[Move]:
        """All decisions so far."""
        return self.batch.moves[0]

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
        other.batch = copy(self.batch)
        return other

    def legal_actions(self) -> list[str]:
        """Return the names of the legal actions."""
        return [self.batch.action_names[i] for i in np.flatnonzero(self.batch.masks[0])]

    def choose(self, player: Player) -> str:
        """Return the action of a player for the agent to move."""
        return self.batch.action_names[int(player.act(self.batch, GAME_0)[0])]

    def explanations(self, voice: Voice = AGENTS) -> dict[str, str]:
        """Return what each legal action means, in words; empty if its name says everything.

        Args:
            voice: how sentences call the seats.
        """
        view = self.view(int(self.batch.current_player[0]), voice)
        return {action: view.explain(action) for action in view.legal}

    def play(self, action: str) -> None:
        """Play a legal action by name."""
        self.batch.step(self.batch.action_names.index(action))

    def view(self, viewer: int, voice: Voice = AGENTS) -> AnyView:
        """Return the table as seen from a seat, by `NOBODY` or by `ALL_SEEING`.

        Args:
            viewer: who sees the table.
            voice: how sentences call the seats.
        """
        return view_of(self.batch, viewer, voice=voice)

    def result(self, names: Sequence[str], *, agents: bool = True) -> str:
        """Return the standings or the result, a line per seat, best first; one line for a team.

        Args:
            names: the names of the players by seat.
            agents: whether to name the agents before them.
        """
        if agents:
            names = [f"player_{seat} ({name})" for seat, name in enumerate(names)]
        state = self.batch.states[0]
        scores, ranks = self.game.scores(state), self.game.ranks(state)
        lines = ["Stopped at its limit." if state.truncated else "The game is over."]
        order = [int(seat) for seat in np.argsort(ranks, kind="stable")]
        for seats in [order] if self.batch.is_team else [[seat] for seat in order]:
            hands = self.game.hand_scores(state, seats[0])
            total = f" = {' + '.join(map(str, hands))}" if len(hands) > 1 else ""
            who = ", ".join(names[seat] for seat in seats)
            place, points = self._place(ranks, seats[0]), count(int(scores[seats[0]]), "point")
            lines.append(f"  {place}{who}: {points}{total}")
        return "\n".join(lines if self.over else ["So far:", *lines[1:]])

    def _place(self, ranks: IntArray, seat: int) -> str:
        """Return the rank before a seat's name; for a team, whether it has won or lost."""
        if not self.batch.is_team:
            return f"{ranks[seat]}. "
        if not self.over:
            return ""
        return "won: " if ranks[seat] == 1 else "lost: "

    def saved(self, names: Sequence[str]) -> SavedGame:
        """Return the game as it is saved."""
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
        """Write the game to a file, for `read_saved`."""
        write_text(path, self.saved(names).to_json() + "\n")


def read_saved(path: Path) -> SavedGame:
    """Read a saved game from a file.

    Raises:
        ValueError: the file cannot be read, or holds no saved game.
    """
    data = read_bytes(path, LARGEST_JSON)
    with reading(path):
        return SavedGame.from_json(data)


def names_by_seat(saved: SavedGame, seats: int) -> list[str]:
    """Return the names of a saved game's players; question marks if it does not name all seats."""
    return saved.players if len(saved.players) == seats else ["?"] * seats


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
    for number, action in enumerate(actions, start=1):
        if session.over and action is None:  # the step of an agent whose game has ended
            continue
        if session.over:
            raise ValueError(f"decision {number}, {action!r}, does not fit: the game is over")
        if action not in session.legal_actions():
            legal = ", ".join(session.legal_actions())
            raise ValueError(
                f"decision {number}, {action!r} by {session.agent}, does not fit: legal are {legal}"
            )
        yield Move(session.agent, action)
        session.play(action)
