"""The terminal game: a person in one seat, players in the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from kitchentable.players.scripted import Player
from kitchentable.text.moves import Move
from kitchentable_training.cli.watch import Ask, Say
from kitchentable_training.session import Session

YOU = "you"
HELP = """\
Type the number or the name of an action; the beginning of a name will do if no other begins so.
  help        this text
  save FILE   write the game so far; `kitchentable watch --replay FILE` shows it
  quit        leave the game"""


def play(
    session: Session, players: Sequence[Player | None], ask: Ask, say: Say, *, seat: int
) -> bool:
    """Let a person play a game in the terminal; return whether it was played to its end."""
    names = [YOU if player is None else player.name for player in players]
    say(f"{session.game.title}. You are player_{seat}. Type `help` for what you may type.\n")
    printed = -1
    while not session.over:
        # The news is printed before every decision of the person and after every hand.
        if (session.mover == seat or session.hand_over) and printed < len(session.transcript):
            printed = _tell(session, names, seat, max(printed, 0), say)
        player = players[session.mover]
        action = session.choose(player) if player else _ask(session, names, ask, say)
        if action is None:
            say("You left the game.")
            return False
        session.play(action)
    _tell(session, names, seat, max(printed, 0), say)
    say("\n" + session.result(names))
    return True


def _tell(session: Session, names: Sequence[str], seat: int, printed: int, say: Say) -> int:
    """Print the others' actions since decision ``printed``, and the table; return the new count."""
    for line in _news(session.transcript[printed:], names):
        say(line)
    say(("\n" if printed < len(session.transcript) else "") + session.view(seat).text())
    return len(session.transcript)


def _news(moves: Sequence[Move], names: Sequence[str]) -> Iterator[str]:
    for agent, group in groupby(moves, key=lambda move: move.agent):
        name = names[int(agent.removeprefix("player_"))]
        if name != YOU:
            yield f"{agent} ({name}): {', '.join(move.action for move in group)}"


def _ask(session: Session, names: Sequence[str], ask: Ask, say: Say) -> str | None:
    """Return the action that the person chooses, or None to leave."""
    explained = session.explanations()
    legal = list(explained)
    width = max(map(len, legal))
    say("")
    for number, (action, words) in enumerate(explained.items(), start=1):
        say(f"  {number:2}  {action:{width}}  {words}".rstrip())
    while True:
        try:
            answer = ask("> ").strip()
        except EOFError:
            return None
        word, _, rest = answer.partition(" ")
        if word == "quit":
            return None
        if word == "help":
            say(HELP)
        elif word == "save":
            _save(session, names, rest.strip(), say)
        elif answer:
            try:
                return read_action(answer, legal)
            except ValueError as error:
                say(str(error))


def read_action(answer: str, legal: Sequence[str]) -> str:
    """Return the legal action with a number (from 1), a name or the unique beginning of a name.

    Raises:
        ValueError: there is no such action, or there are several.
    """
    if answer in legal:
        return answer
    if answer.isdecimal() and 1 <= int(answer) <= len(legal):
        return legal[int(answer) - 1]
    meant = [action for action in legal if action.startswith(answer)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ValueError(f"{answer!r} could be {', '.join(meant)}")
    raise ValueError(f"{answer!r} is not a legal action; type 1 to {len(legal)}, a name, or `help`")


def _save(session: Session, names: Sequence[str], file: str, say: Say) -> None:
    if not file:
        say("save FILE: the name of the file is missing")
        return
    try:
        session.save(Path(file), names)
    except OSError as error:
        say(f"cannot write {file}: {error.strerror}")
        return
    say(f"Saved as {file}.")
