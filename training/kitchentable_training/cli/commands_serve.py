"""The command ``kitchentable serve``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from kitchentable_training.cli.arguments import add_command, say

PORT = 8765


def add_serve(commands: Any) -> None:
    """Add ``serve``."""
    parser = add_command(
        commands, "serve", _serve,
        "play, watch, replay and read results in the browser",
        ("", "nothing"),
        ["serve --browser", "serve --port 9000 --runs-folder runs --tables-folder tables"],
    )  # fmt: skip
    parser.add_argument(
        "--host", default="127.0.0.1",
        help="address to listen at (default: %(default)s, which this machine alone can reach)",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=int, default=PORT, help="0: any that is free (default: %(default)s)"
    )
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME",
        help="another name under which browsers may ask for this server; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--tables-folder", type=Path, default=Path("tables"), metavar="FOLDER",
        help="where games are kept, to go on with after a restart (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--runs-folder", type=Path, default=Path("runs"), metavar="FOLDER",
        help="runs whose players may be played against, and results (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--most-tables", type=int, default=256, metavar="N",
        help="tables at once; beyond that finished ones give way (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--browser", action="store_true", help="open the page in a browser")


def _serve(args: argparse.Namespace) -> None:
    from kitchentable_training.web.serve import serve  # noqa: PLC0415 (an extra)

    if args.words:
        raise ValueError(f"serve takes options only, not {args.words[0]!r}")
    if args.most_tables < 1:
        raise ValueError(f"--most-tables {args.most_tables} is not possible; choose at least 1")
    serve(
        args.host,
        args.port,
        args.tables_folder,
        args.runs_folder,
        say,
        allow_hosts=args.allow_host,
        most_tables=args.most_tables,
        browse=args.browser,
    )
