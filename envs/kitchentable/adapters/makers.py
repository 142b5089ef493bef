"""The functions `env` and `raw_env` of a game's public module, made from the game's `Params`."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from textwrap import fill
from typing import Any, ParamSpec, get_type_hints

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.wrappers import OrderWrapper

Options = ParamSpec("Options")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How a table is shown: the options of `TableEnv` beside the parameters of the game."""

    render_mode: str | None = None
    """How `render` shows the table: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``."""
    view: str = "mover"
    """Whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent."""
    action_features: bool = False
    """Whether observations have ``"action_features"``, a row of numbers for each legal action, and
    ``"row_actions"``, the action of each row."""


def makers(
    game: str, options: Callable[Options, Any]
) -> tuple[Callable[Options, TableEnv], Callable[Options, OrderWrapper]]:
    """Return the functions `raw_env` and `env` of a game's public module.

    Args:
        game: the game's name.
        options: a dataclass, defined in that module, whose fields are the functions' options: the
            game's `Params` with `Shown`. Type checkers and `help` read it; the game checks values.
    """

    def raw_env(*args: Options.args, **given: Options.kwargs) -> TableEnv:
        values: Any = given  # their types are those of the fields
        return TableEnv(game, *args, **values)

    def env(*args: Options.args, **given: Options.kwargs) -> OrderWrapper:
        return OrderWrapper(raw_env(*args, **given))

    _describe(raw_env, options, "a table; an illegal action raises `ValueError`")
    _describe(env, options, "a wrapped table; an illegal action ends the game")
    return raw_env, env


def _describe(make: Any, options: Any, returned: str) -> None:
    """Give a function the signature of its options, and a docstring that describes them."""
    hints, about = get_type_hints(options), field_docs(options)
    signature = inspect.signature(options)
    named = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in signature.parameters.values()
    ]
    result_type = get_type_hints(make)["return"]
    make.__signature__ = signature.replace(parameters=named, return_annotation=result_type)
    make.__module__, make.__qualname__ = options.__module__, make.__name__  # pickled by these
    lines = [f"    {parameter.name}: {about.get(parameter.name, '')}" for parameter in named]
    make.__doc__ = "\n".join(
        [
            f"Return {returned}.\n",
            "Args:",
            *(fill(line, 100, subsequent_indent=" " * 8, break_on_hyphens=False) for line in lines),
            "\nRaises:",
            "    ValueError: a parameter is unknown or invalid; the message says what is possible.",
        ]
    )


def field_docs(options: type[Any]) -> dict[str, str]:
    """Return the text below each field of a dataclass and of its bases, in one line each.

    It is empty where the source is not at hand.
    """
    docs: dict[str, str] = {}
    for base in options.__mro__[-2::-1]:
        with suppress(OSError):
            source: Any = ast.parse(inspect.cleandoc(inspect.getsource(base))).body[0]
            for field, below in itertools.pairwise(source.body):
                if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                    text = " ".join(ast.literal_eval(below.value).split())
                    docs[ast.unparse(field.target)] = text[0].lower() + text[1:]
    return docs
