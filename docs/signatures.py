"""Signatures of the reference, for those who read its pages in the repository.

The site's pages of the reference are made by Sphinx's autodoc. Where the repository is browsed,
only the directives would be seen, so each block of them ends in a comment with the signatures and
the first sentences of what it documents.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

BLOCK = re.compile(r"^```\{eval-rst\}\n(.*?)(?:\n\n\.\.\n.*?)?\n```$", re.DOTALL | re.MULTILINE)
"""A block of directives, and the comment at its end."""
DIRECTIVE = re.compile(r"^\.\. (\w+):: (\S+)((?:\n +:.*)*)", re.MULTILINE)
WIDTH = 100
INDENT = "    "


def fill(page: str) -> str:
    """Return a page with the comments in all its blocks replaced by current ones."""

    def filled(match: re.Match[str]) -> str:
        return f"```{{eval-rst}}\n{match[1]}\n\n..\n{_comment(match[1])}\n```"

    return BLOCK.sub(filled, page)


def _comment(directives: str) -> str:
    module, texts = "", list[str]()
    for kind, target, options in DIRECTIVE.findall(directives):
        if kind == "currentmodule":
            module = target
            continue
        full = target if kind == "automodule" or "." in target else f"{module}.{target}"
        found = _members(full, options) if kind == "automodule" else [_find(full)]
        texts += [_described(obj) for obj in found]
    return textwrap.indent("\n\n".join(texts), "   ")


def _find(full: str) -> Any:
    module, _, name = full.rpartition(".")
    return getattr(importlib.import_module(module), name)


def _members(module: str, options: str) -> list[Any]:
    """Return the functions and classes that a directive documents, in the order of the source."""
    names = re.search(r" :members: (.+)", options)
    excluded = re.search(r":exclude-members: (.+)", options)
    left_out = excluded[1].split(", ") if excluded else []
    own = {
        name: obj
        for name, obj in vars(importlib.import_module(module)).items()
        if getattr(obj, "__module__", "") == module and callable(obj) and inspect.getdoc(obj)
    }
    wanted = names[1].split(", ") if names else [name for name in own if not name.startswith("_")]
    return [own[name] for name in wanted if name not in left_out]


def _described(obj: Any) -> str:
    """Return the signature and the first sentence of a function, or of a class and its methods."""
    if not inspect.isclass(obj):
        return _entry(_called(obj), obj)
    is_protocol = getattr(obj, "_is_protocol", False)
    is_plain = dataclasses.is_dataclass(obj) or issubclass(obj, BaseModel) or is_protocol
    head = f"class {obj.__name__}" if is_plain else f"class {_called(obj)}"
    return "\n".join([_entry(head, obj), *(textwrap.indent(m, INDENT) for m in _methods(obj))])


def _methods(cls: type) -> Iterator[str]:
    for name, member in vars(cls).items():
        function = getattr(member, "__func__", member)  # of a class method
        if not name.startswith("_") and inspect.getdoc(member):
            if isinstance(member, property):
                yield _entry(name, member)
            elif inspect.isfunction(function):
                yield _entry(_called(function), function)


def _called(obj: Any) -> str:
    """Return a name with its parameters as the source has them, without ``self`` and ``cls``."""
    function = obj.__init__ if inspect.isclass(obj) else obj
    if not inspect.isfunction(function):
        return str(obj.__name__)  # a class that inherits Python's own way to be made
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    node.args.args = [arg for arg in node.args.args if arg.arg not in {"self", "cls"}]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and function is obj else ""
    parameters = re.sub(r"(: [^=]*?)=", r"\1 = ", ast.unparse(node.args))
    return f"{obj.__name__}({parameters}){returns}"


def _entry(head: str, obj: Any) -> str:
    """Return a signature with the first sentence below it."""
    sentence = " ".join((inspect.getdoc(obj) or "").partition("\n\n")[0].split())
    text = textwrap.fill(sentence, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
    return f"{textwrap.fill(head, WIDTH, subsequent_indent=2 * INDENT)}\n{text}"
