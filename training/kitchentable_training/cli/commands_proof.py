"""The commands that look into trained players: how far they can be beaten, and trained anew."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from kitchentable_training.cli.arguments import (
    GOES_ON,
    add_command,
    add_run_options,
    say,
    say_left,
    seconds_of,
    split_words,
)
from kitchentable_training.files import FINAL


def add_exploit(commands: Any) -> None:
    """Add ``exploit``."""
    parser = add_command(
        commands, "exploit", _exploit,
        "train a best response to a frozen player, and say what it gains",
        ("CHECKPOINT | CONFIG | key=value", "the frozen player, the folder of a checkpoint or the "
         "name of one; if wanted a file of settings for the learner; settings that replace others"),
        ["exploit diddly_2p_6c", "exploit runs/diddly steps=300_000 --run beats_diddly"],
    )  # fmt: skip
    add_run_options(parser, "exploit_ and the frozen player's")


def _exploit(args: argparse.Namespace) -> None:
    from kitchentable_training.learn.best_response import exploit, exploit_settings, exploit_table  # noqa: PLC0415

    names, overrides = split_words(args.words)
    if not 1 <= len(names) <= 2:
        raise ValueError(f"give one checkpoint, and one file of settings if wanted; given: {names}")
    path = Path(names[0])
    name = path.parent.name if path.name == FINAL else path.name
    settings = exploit_settings(names[0], names[1] if len(names) == 2 else None, overrides)
    folder = args.runs_folder / (args.run or f"exploit_{name}")
    result = exploit(settings, folder, seconds_of(args))
    if result is None:
        say_left(args, folder)
    else:
        say(exploit_table(result))


def add_reproduce(commands: Any) -> None:
    """Add ``reproduce``."""
    parser = add_command(
        commands, "reproduce", _reproduce,
        "train a shipped player anew, and compare it with its card",
        ("PLAYER | GAME", "the name of one in checkpoints/, or all of a game"),
        ["reproduce diddly_2p_6c", "reproduce fiddlefoo"],
    )  # fmt: skip
    parser.set_defaults(when_stopped=GOES_ON)


def _reproduce(args: argparse.Namespace) -> None:
    from kitchentable_training.learn.reproduce import (  # noqa: PLC0415
        plan,
        reproduce,
        reproduction_table,
        shipped_players,
    )

    if not args.words:
        raise ValueError("name a shipped player or a game")
    names = [name for word in args.words for name in shipped_players(word)]
    for name in names:
        plan(name)  # says what is missing before hours of training
    for name in names:
        say(reproduction_table(reproduce(name)))
