"""YAML without its traps: what readers of YAML understand in different ways is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

BOOL, INT, FLOAT = (f"tag:yaml.org,2002:{kind}" for kind in ("bool", "int", "float"))
DATE = "tag:yaml.org,2002:timestamp"
_PLAIN = {
    BOOL: re.compile(r"true|false", re.IGNORECASE),
    INT: re.compile(r"[-+]?(0|[1-9][0-9_]*)"),
    FLOAT: re.compile(r"[^:]*"),
    DATE: re.compile(r"(?!)"),
}
"""The values of some kinds that all readers understand in the same way."""
_PADDED = re.compile(r"[-+]?0[0-9_]+")
"""Numbers with leading zeros, which YAML 1.1 reads as octal, or as text if they have an 8 or 9."""


def parse_yaml(text: str | bytes, key: str = "") -> Any:
    """Parse YAML with safe types only.

    Raises:
        ValueError: it is malformed, or a key is there twice, or a value is not the same to all
            readers: `010` (8 in YAML 1.1), `1:30` (90), `yes`, `on` (true), a date. Names the key.
    """
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        for where, inner in _nodes(node, key, set()):
            _check(where, inner)
        return None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None


def _nodes(node: yaml.Node | None, key: str, seen: set[int]) -> Iterator[tuple[str, yaml.Node]]:
    """Yield a node and all nodes in it, each with the keys that lead to it."""
    if node is None or id(node) in seen:  # an alias
        return
    seen.add(id(node))
    yield key, node
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _nodes(item, _join(key, number), seen)
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _nodes(name, _join(key, name.value), seen)
            yield from _nodes(value, _join(key, name.value), seen)


def _join(key: str, name: object) -> str:
    return f"{key}.{name}" if key else str(name)


def _check(key: str, node: yaml.Node) -> None:
    """Raise ValueError if a node has a key twice, or is a value of no single meaning."""
    if isinstance(node, yaml.MappingNode):
        names = [name.value for name, _ in node.value if isinstance(name, yaml.ScalarNode)]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{_join(key, name)} is in it twice")
    if not isinstance(node, yaml.ScalarNode) or node.style:  # quoted text has one meaning
        return
    known = _PLAIN.get(node.tag)
    if _PADDED.fullmatch(node.value) or (known and not known.fullmatch(node.value)):
        raise ValueError(
            f"{key}: {node.value} has another meaning for other readers of YAML; write true or "
            "false, a plain decimal number, or text in quotes"
        )
