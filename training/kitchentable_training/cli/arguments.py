"""Common arguments of the commands, and how they are read."""

from __future__ import annotations

import argparse
import math
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kitchentable import Game, all_games, find_game
from kitchentable_training.files import CARD, parse_json, read_json
from kitchentable_training.players.by_name import checkpoint_in_folder, describe_players, first_card
from kitchentable_training.session import LARGEST_SEED

DEFAULT_GAME = "diddly"
GOES_ON = "; the same command resumes"
"""Follows the message that a training run was stopped."""

_SETTING = re.compile(r"[A-Za-z_][\w.]*=")
"""The beginning of a setting; ``search:rollouts=9`` is the name of a player."""
_COMMA = re.compile(r",(?![^\[]*\])")
"""A comma between names, not in brackets as in ``ppo+network.layers=[64,64]``."""


def say(text: str) -> None:
    """Print a line; the command's `Output` passes it on at once, even to a file or a pipe."""
    sys.stdout.write(text + "\n")


def add_command(
    commands: Any,
    name: str,
    run: Callable[[argparse.Namespace], None],
    summary: str,
    words: tuple[str, str],
    examples: Sequence[str],
) -> argparse.ArgumentParser:
    """Add a command; ``words`` are the metavar and the help of its positional arguments, if any."""
    indented = "\n".join(f"  kitchentable {example}" for example in examples)
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"examples:\n{indented}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    metavar, meaning = words
    parser.add_argument("words", nargs="*", metavar=metavar, help=meaning or argparse.SUPPRESS)
    parser.set_defaults(command=run, when_stopped="", networks=[])
    return parser


def add_game_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--game``."""
    parser.add_argument(
        "--game", metavar="GAME",
        help=f"{', '.join(all_games())} (default: that of a named checkpoint, else {DEFAULT_GAME})",
    )  # fmt: skip


def add_run_options(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of commands that train; ``name`` describes the default name of the run."""
    parser.add_argument("--run", metavar="NAME", help=f"name of the run (default: {name})")
    parser.add_argument(
        "--runs-folder", type=Path, default=Path("runs"), metavar="FOLDER",
        help="folder of all runs (default: %(default)s)",
    )  # fmt: skip
    add_minutes_option(parser)
    add_module_option(parser)
    parser.set_defaults(when_stopped=GOES_ON)


def add_minutes_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--minutes``, a time limit, which `seconds_of` reads."""
    parser.add_argument(
        "--minutes", type=float, metavar="M",
        help="stop after M minutes; the same command resumes (default: no limit)",
    )  # fmt: skip


def add_module_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--module``, the modules that `named.name_module` lets be imported."""
    parser.add_argument(
        "--module", dest="networks", action="append", default=[], metavar="PLACE",
        help="allow trained players to use this network, package.module:name or "
        "file.py:name; can be repeated",
    )  # fmt: skip


def add_sample_option(parser: argparse.ArgumentParser, where: str = "") -> None:
    """Add ``--sample``, see `by_name.set_sampling`; ``where`` precedes the help."""
    parser.add_argument(
        "--sample", action="store_true",
        help=f"{where}trained players sample their actions (default: they play the most probable "
        "action)",
    )  # fmt: skip


def add_ray_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--ray``, the address of a cluster for `fan_out`."""
    parser.add_argument(
        "--ray", metavar="ADDRESS",
        help="run the tasks on this Ray cluster; local starts one on this machine (default: none)",
    )  # fmt: skip


def run_folder(args: argparse.Namespace, default: str) -> Path:
    """Return the run's folder by the options of `add_run_options`.

    Raises:
        ValueError: the name is empty or contains a path.
    """
    name: str = default if args.run is None else args.run
    if name in {"", ".."} or Path(name).name != name:
        raise ValueError(
            f"--run {name!r} is not a valid name; give one without slashes, "
            "and --runs-folder FOLDER for the place"
        )
    folder: Path = args.runs_folder / name
    return folder


def say_left(folder: Path, why: str, command: str = "") -> None:
    """Print what a stopped run has left to be evaluated, and how to resume it."""
    newest, quoted = checkpoint_in_folder(folder), shlex.quote(str(folder))
    resume = f"{command} {quoted}" if command and newest else "give the same command again"
    if newest is None:
        say(f"{why} before anything was saved in {folder}.")
    else:
        say(f"{why}. The newest checkpoint: {newest}")
        module = read_json(newest / CARD)["network"].get("module")
        trusted = f" --module {shlex.quote(module)}" if module else ""
        say(f"To evaluate it: kitchentable evaluate {quoted}{trusted}")
    say(f"To resume: {resume}")


def time_is_up(args: argparse.Namespace) -> str:
    """Return why a run was left at the limit of `add_minutes_option`, for `say_left`."""
    return f"Stopped after {args.minutes:g} minutes"


def seconds_of(args: argparse.Namespace) -> float | None:
    """Return the time limit in seconds, or None.

    Raises:
        ValueError: it is not a positive finite number.
    """
    if args.minutes is None:
        return None
    if not 0 < args.minutes < math.inf:
        raise ValueError(
            f"--minutes {args.minutes:g} is not possible; choose more than 0, or leave it out for "
            "no limit"
        )
    return 60 * float(args.minutes)


def refuse(args: argparse.Namespace, why: str, **defaults: object) -> None:
    """Refuse options that would be ignored.

    Args:
        args: the parsed arguments.
        why: the reason, which follows the option.
        defaults: the values of the options where they are not given, by name.

    Raises:
        ValueError: one of them is given.
    """
    for name, default in defaults.items():
        if getattr(args, name) != default:
            raise ValueError(f"--{name.replace('_', '-')} {why}")


def seed(text: str) -> int:
    """Read the value of ``--seed``.

    Raises:
        ArgumentTypeError: it is out of the range that all random generators accept.
    """
    number = int(text)
    if not 0 <= number <= LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"{text} is not possible; choose 0 to {LARGEST_SEED}")
    return number


def players_help() -> str:
    """Return the text on players for ``--help``."""
    return describe_players(find_game(DEFAULT_GAME)).replace("%", "%%")


def split_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words that are names, and those that are settings."""
    settings = [word for word in words if _SETTING.match(word)]
    return [word for word in words if word not in settings], settings


def read_names(option: str, text: str | None) -> list[str]:
    """Read the names in an option, separated by commas outside brackets; empty without the option.

    Raises:
        ValueError: a name is empty.
    """
    names = [] if text is None else [name.strip() for name in _COMMA.split(text)]
    if not all(names):
        raise ValueError(f"{option} {text!r} has an empty name; give players as in random,greedy")
    return names


def read_params(settings: Sequence[str]) -> dict[str, Any]:
    """Read ``name=value`` words; values are JSON if possible, otherwise text."""
    params = {}
    for setting in settings:
        name, _, text = setting.partition("=")
        try:
            value = parse_json(text.lower() if text in {"True", "False"} else text)
        except ValueError:
            value = text
        params[name] = tuple(value) if isinstance(value, list) else value
    return params


def choose_table(
    name: str | None, specs: Sequence[str], given: Mapping[str, Any]
) -> tuple[Game, Any]:
    """Return game and parameters: as given, else of the first checkpoint, else the defaults."""
    card = first_card(specs)
    game = find_game(name or (card["game"] if card else DEFAULT_GAME))
    base = card["params"] if card and card["game"] == game.name else {}
    return game, game.make_params(**{**base, **given})


def seat_players(specs: Sequence[str], seats: int) -> list[str]:
    """Return the player of each of ``seats``; a single player has all seats."""
    if len(specs) not in {1, seats}:
        raise ValueError(
            f"{len(specs)} players for {seats} seats; name one for all seats, or one for each"
        )
    return list(specs) * (seats if len(specs) == 1 else 1)
