"""The command ``kitchentable``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kitchentable import __version__
from kitchentable.core.registry import import_game
from kitchentable_training.cli.commands import COMMANDS
from kitchentable_training.files import said

TRAINING_EXTRA = frozenset(
    {
        "torch", "stable_baselines3", "sb3_contrib", "tensorboard", "safetensors", "pydantic",
        "yaml", "tqdm", "scipy", "matplotlib", "openskill", "jinja2", "markupsafe",
    }
)  # fmt: skip
"""The modules of the extra ``training``."""
WEB_EXTRA = frozenset({"starlette", "uvicorn", "itsdangerous"})
"""The modules of the extra ``web``, besides those of ``training``."""
STOPPED = 128
"""The exit code of a command stopped by a signal is this plus the signal's number."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 2 after an error, 130 after Ctrl-C.

    SIGTERM stops it like Ctrl-C, with exit code 143.
    """
    try:
        argv = _import_games(sys.argv[1:] if argv is None else argv)
    except (ImportError, ValueError) as error:
        sys.stderr.write(f"kitchentable: error: --import: {error}\n")
        return 2
    parser = build_parser()
    args, rest = parser.parse_known_args(argv)
    # argparse does not continue a list of words after an option; here words may be anywhere.
    unknown = [word for word in rest if word.startswith("-")]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    args.words = [*args.words, *rest]
    try:
        if not all(word.strip() for word in args.words):
            raise ValueError(
                "an argument is empty; give a player, a file or a setting, or leave it out"
            )
        with _terminated_like_ctrl_c():
            args.command(args)
            sys.stdout.flush()
    except KeyboardInterrupt as stop:
        sys.stderr.write(f"\nkitchentable: stopped{args.when_stopped}\n")
        return STOPPED + (stop.args[0] if stop.args else signal.SIGINT)
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError, ImportError) as error:
        sys.stderr.write(f"kitchentable: error: {_message(error)}\n")
        return 2
    return 0


def _import_games(argv: Sequence[str]) -> list[str]:
    """Import the modules of ``--import``, so that the parser knows their games; return the rest.

    Like ``python -m``, it finds modules in the current folder too.
    """
    early = argparse.ArgumentParser(prog="kitchentable", add_help=False, allow_abbrev=False)
    _add_import(early)
    given, rest = early.parse_known_args(argv)
    if given.modules and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    for module in given.modules:
        import_game(module)
    return rest


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--import", dest="modules", action="append", default=[], metavar="MODULE",
        help="import the GAME of this module, whose name all commands then know",
    )  # fmt: skip


@contextmanager
def _terminated_like_ctrl_c() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM, in the main thread only."""

    def stop(number: int, _: Any) -> None:
        raise KeyboardInterrupt(number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _message(error: Exception) -> str:
    """Return an error's message; a failed import of a module outside of the extras is raised."""
    if isinstance(error, OSError):
        return said(error)
    if not isinstance(error, ImportError):
        return str(error)
    module = (error.name or "").partition(".")[0]
    for extra, modules in (("training", TRAINING_EXTRA), ("web", WEB_EXTRA), ("ray", {"ray"})):
        if module in modules:
            return f'this needs {error.name}: pip install "kitchentable[{extra}]"'
    if error.name is not None:
        raise error
    return str(error)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="kitchentable",
        description="Table games with hidden information: train, evaluate, watch, play.",
    )
    parser.add_argument("--version", action="version", version=f"kitchentable {__version__}")
    _add_import(parser)
    choices = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(choices)
    return parser
