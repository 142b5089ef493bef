"""One game that people look at: dealt, played, shown, saved and read again."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kitchentable import Batch, Game, find_game
from kitchentable.core.state import NOBODY, IntArray
from kitchentable.players.scripted import Player
from kitchentable.render.view import AnyView, View
from kitchentable_training.files import read_json, write_text

FORMAT = "kitchentable transcript 1"
GAME_0 = np.array([0])


class Move(NamedTuple):
    """One decision of a game."""

    agent: str
    action: str


class Session:
    """One game, action by action, by name.

    The same seed, deck and actions give the same game as `kitchentable.TableEnv`.

    Attributes:
        batch: the table, for players.
        transcript: every decision so far.
    """

    def __init__(
        self, game: Game, params: Any, seed: int | None = None, deck: Sequence[str] = ()
    ) -> None:
        """Deal.

        Args:
            game: which game.
            params: its parameters, made by ``game.make_params``.
            seed: of the deal; None: any.
            deck: names of the cards on top of the first hand's deck; the rest is shuffled.

        Raises:
            ValueError: the deck has an unknown card or too many copies of one.
        """
        self.game = game
        self.params = params
        self.seed = secrets.randbits(32) if seed is None else seed
        self.deck = list(deck)
        self.transcript: list[Move] = []
        top = game.read_deck(params, self.deck)
        self.batch = Batch(game, 1, autoreset=False, **params.as_dict())
        self.batch.seed(self.seed)
        self.batch.reset(top=top)

    @property
    def mover(self) -> int:
        """The seat to act."""
        return int(self.batch.current_player[0])

    @property
    def agent(self) -> str:
        """The agent to act."""
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

    def legal_actions(self) -> list[str]:
        """Return the names that the agent to act may choose."""
        return [self.batch.action_names[i] for i in np.flatnonzero(self.batch.masks[0])]

    def choose(self, player: Player) -> str:
        """Ask a player what it plays for the agent to act."""
        return self.batch.action_names[int(player.act(self.batch, GAME_0)[0])]

    def explain(self, action: str) -> str:
        """Say in words what a legal action means now; empty if its name says it all.

        Raises:
            ValueError: it is not legal.
        """
        return self.view(NOBODY).explain(action)

    def play(self, action: str) -> None:
        """Play a legal action by name."""
        agent = self.agent
        self.batch.step(self.batch.action_names.index(action))
        self.transcript.append(Move(agent, action))

    def view(self, viewer: int) -> AnyView:
        """Return the table as a seat sees it; `NOBODY` sees all cards."""
        return View(self.game, self.batch.states[0], self.params, viewer)

    def result(self, names: Sequence[str]) -> str:
        """Say how the game stands or ended, a line a seat, the best first; a team has one line.

        Args:
            names: who sits where.
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
        """Say how well a seat does, before its name; a team has won or lost when all is over."""
        if not self.batch.is_team:
            return f"{ranks[seat]}. "
        if not self.over:
            return ""
        return "won: " if ranks[seat] == 1 else "lost: "

    def content(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the game as JSON writes it and `parse_transcript` reads it.

        Args:
            names: who sits where, for people.
        """
        return {
            "format": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "params": self.params.plain(),
            "seed": self.seed,
            "deck": self.deck,
            "players": list(names),
            "transcript": self.transcript,
        }

    def save(self, path: Path, names: Sequence[str]) -> None:
        """Write the game as a file that `read_transcript` reads.

        Args:
            path: where.
            names: who sits where, for people.
        """
        write_text(path, json.dumps(self.content(names)) + "\n")


class Transcript(NamedTuple):
    """A saved game."""

    session: Session
    """Dealt, nothing played yet."""
    names: list[str]
    """Who sat where."""
    moves: list[Move]
    source: str


def read_transcript(path: Path) -> Transcript:
    """Read what `Session.save` wrote.

    Raises:
        ValueError: the file cannot be read, is none, or of another version; says what is wrong.
    """
    return parse_transcript(read_json(path), str(path))


def parse_transcript(content: Any, source: str) -> Transcript:
    """Read what `Session.content` gave.

    Args:
        content: as JSON gives it.
        source: where it is from, for errors.

    Raises:
        ValueError: it is no transcript, or of another version; says what is wrong.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"{source} is not a transcript of the format {FORMAT!r}")
    try:
        game = find_game(content["game"])
        if content["version"] != game.version:
            raise ValueError(
                f"it is of {game.name}_v{content['version']}, this is {game.name}_v{game.version}"
            )
        params = game.make_params(**content["params"])
        moves = [Move(str(agent), str(action)) for agent, action in content["transcript"]]
        session = Session(game, params, content["seed"], content.get("deck", ()))
        names = [str(name) for name in content.get("players", [])]
    except KeyError as error:
        raise ValueError(f"{source}: {error.args[0]!r} is missing") from None
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{source}: {error}") from None
    seats = session.batch.num_players
    return Transcript(session, names if len(names) == seats else ["?"] * seats, moves, source)


def played(session: Session, players: Sequence[Player]) -> Iterator[Move]:
    """Let players, one a seat, play a game; each decision is given out just before it is played."""
    while not session.over:
        action = session.choose(players[session.mover])
        yield Move(session.agent, action)
        session.play(action)


def replayed(transcript: Transcript) -> Iterator[Move]:
    """Play a saved game again; each decision is given out just before it is played.

    Raises:
        ValueError: a decision does not fit; says which, and what was possible.
    """
    session = transcript.session
    for count, move in enumerate(transcript.moves, start=1):
        where = f"{transcript.source}: decision {count} ({move.agent} plays {move.action!r})"
        if session.over:
            raise ValueError(f"{where} does not fit: the game is over before it")
        if move.agent != session.agent:
            raise ValueError(f"{where} does not fit: {session.agent} is to act")
        if move.action not in session.legal_actions():
            legal = ", ".join(session.legal_actions())
            raise ValueError(f"{where} does not fit: legal are {legal}")
        yield move
        session.play(move.action)
