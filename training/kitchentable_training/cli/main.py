"""The command ``kitchentable``.

What takes time to load is imported in `main`, so that Ctrl-C is heard meanwhile.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from kitchentable_training.output import Output, guarded
from kitchentable_training.stopping import on_signals

TRAINING_EXTRA = frozenset(
    {
        "torch", "stable_baselines3", "sb3_contrib", "tensorboard", "safetensors", "pydantic",
        "yaml", "tqdm", "scipy", "matplotlib", "jinja2", "markupsafe",
    }
)  # fmt: skip
"""The modules of the extra ``training``."""
WEB_EXTRA = frozenset({"starlette", "uvicorn", "itsdangerous"})
"""The modules of the extra ``web``, besides those of ``training``."""
STOPPED = 128
"""The exit code of a command stopped by a signal is this plus the signal's number."""
STOPPED_SENTENCE = "\nkitchentable: stopped{}\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 2 after an error, 130 after Ctrl-C.

    SIGTERM and SIGHUP stop it like Ctrl-C, with exit codes 143 and 129. A command whose output
    nobody reads any more goes on.
    """
    with guarded() as output, on_signals(_stop):
        when_stopped = ""
        try:
            args = _read(argv)
            when_stopped = args.when_stopped
            args.command(args)
            _check_output(output)
        except KeyboardInterrupt as stop:
            sys.stderr.write(STOPPED_SENTENCE.format(when_stopped))
            return STOPPED + (stop.args[0] if stop.args else signal.SIGINT)
        except (ValueError, OSError, ImportError) as error:
            sys.stderr.write(f"kitchentable: error: {_message(error)}\n")
            return 2
        return 0


def _read(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments of the command line."""
    from kitchentable_training.named import name_module  # noqa: PLC0415

    argv = _import_games(sys.argv[1:] if argv is None else argv)
    parser = build_parser()
    args, rest = parser.parse_known_args(argv)
    # argparse does not continue a list of words after an option; here words may be anywhere.
    unknown = [word for word in rest if word.startswith("-")]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    args.words = [*args.words, *rest]
    if not all(word.strip() for word in args.words):
        raise ValueError(
            "an argument is empty; give a player, a file or a setting, or leave it out"
        )
    for word in args.networks:
        name_module(word)
    return args


def _import_games(argv: Sequence[str]) -> list[str]:
    """Import the modules of ``--import``, so that the parser knows their games; return the rest.

    Like ``python -m``, it finds modules in the current folder too.
    """
    from kitchentable.core.registry import import_game  # noqa: PLC0415

    early = argparse.ArgumentParser(prog="kitchentable", add_help=False, allow_abbrev=False)
    _add_import(early)
    known, rest = early.parse_known_args(argv)
    if known.modules and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    for module in known.modules:
        try:
            import_game(module)
        except (ImportError, ValueError) as error:
            raise ValueError(f"--import: {error}") from None
    return rest


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--import", dest="modules", action="append", default=[], metavar="MODULE",
        help="import this module, so that all commands know its game; can be repeated",
    )  # fmt: skip


def _check_output(output: Output) -> None:
    """Raise an error if some output was lost, unless its reader, such as `head`, has left."""
    output.flush()
    if output.error is not None and not isinstance(output.error, BrokenPipeError):
        raise ValueError(f"the output was lost: {output.error}")


def _stop(number: int, frame: FrameType | None) -> None:
    """Stop the command: by an exception, which ends what is going on in an orderly way."""
    if _is_loading(frame):
        # The exception could be lost there, or turn into another one; and nothing has begun.
        sys.stderr.write(STOPPED_SENTENCE.format(""))
        os._exit(STOPPED + number)
    raise KeyboardInterrupt(number)


def _is_loading(frame: FrameType | None) -> bool:
    """Return whether a frame of the command is importing a module."""
    while frame is not None and frame.f_code is not main.__code__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _message(error: Exception) -> str:
    """Return an error's message; a failed import of a module outside of the extras is raised."""
    if isinstance(error, OSError):
        from kitchentable_training.files import said  # noqa: PLC0415

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
    from kitchentable import __version__  # noqa: PLC0415
    from kitchentable_training.cli.commands import COMMANDS  # noqa: PLC0415

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
