"""One game for people: dealt, played, shown, saved and loaded."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kitchentable import Batch, Game, find_game
from kitchentable.core.state import ALL_SEEING, IntArray
from kitchentable.players.scripted import Player
from kitchentable.render.view import AnyView, View
from kitchentable_training.files import read_json, write_json

FORMAT = "kitchentable transcript 1"
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
        self, game: Game, params: Any, seed: int | None = None, deck: Sequence[str] = ()
    ) -> None:
        """Deal a game.

        Args:
            game: the game.
            params: its parameters, made by ``game.make_params``.
            seed: the seed of the deal; None for a random one.
            deck: names of the top cards of the first hand's deck; the rest is shuffled.

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

    def legal_actions(self) -> list[str]:
        """Return the names of the legal actions."""
        return [self.batch.action_names[i] for i in np.flatnonzero(self.batch.masks[0])]

    def choose(self, player: Player) -> str:
        """Return the action of a player for the agent to move."""
        return self.batch.action_names[int(player.act(self.batch, GAME_0)[0])]

    def explain(self, action: str) -> str:
        """Return what a legal action means, in words; empty if its name says everything.

        Raises:
            ValueError: the action is not legal.
        """
        return self.view(ALL_SEEING).explain(action)

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

    def content(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the game as JSON values, for `parse_transcript`.

        Args:
            names: the names of the players by seat.
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
        """Write the game to a file, for `read_transcript`.

        Args:
            path: the file.
            names: the names of the players by seat.
        """
        write_json(path, self.content(names))


class Transcript(NamedTuple):
    """A saved game."""

    session: Session
    """The game, dealt, without any actions."""
    names: list[str]
    """The names of the players by seat."""
    moves: list[Move]
    source: str


def read_transcript(path: Path) -> Transcript:
    """Read a file written by `Session.save`.

    Raises:
        ValueError: the file cannot be read, or is not a transcript of this version.
    """
    return parse_transcript(read_json(path), str(path))


def parse_transcript(content: Any, source: str) -> Transcript:
    """Read the values of `Session.content`.

    Args:
        content: the values.
        source: where they are from, for error messages.

    Raises:
        ValueError: the content is not a transcript, or of another version.
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
    """Let players, one per seat, play a game; yield each decision just before it is played."""
    while not session.over:
        action = session.choose(players[session.mover])
        yield Move(session.agent, action)
        session.play(action)


def replayed(transcript: Transcript) -> Iterator[Move]:
    """Play a saved game again; yield each decision just before it is played.

    Raises:
        ValueError: a decision is not possible.
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
