"""Common parts of all settings."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeGuard, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kitchentable.core.parameters import did_you_mean

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]
Outputs = Literal["logits", "action_values"]
"""What the outputs of a network are, one for each action."""
NEEDS = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    "string_type": "a text",
    "literal_error": "{expected}",
}
"""What a setting needs, by the type of pydantic's error."""


class Settings(BaseModel):
    """A group of settings: immutable, without unknown keys, and with finite numbers only.

    The text below a setting is its description.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


def errors_in(
    error: ValidationError, kind: type[BaseModel], **groups: type[BaseModel]
) -> Iterator[str]:
    """Yield a line for each error in settings: the key, and what is wrong.

    Args:
        error: the error.
        kind: the settings.
        groups: groups of them whose class is not that of the field.
    """
    for details in error.errors(include_url=False):
        *outer, _ = key = details["loc"] or ("",)
        why = ": " + details["msg"].removeprefix("Value error, ")
        if details["type"] == "extra_forbidden":
            suggestion = _in_a_group(key, kind, groups)
            close = suggestion or did_you_mean(key[-1], _keys(kind, outer, groups))
            why = f": there is no such setting{close}"
        elif details["type"] == "missing":
            why = " is missing"
        elif details["type"] in NEEDS:
            needs = NEEDS[details["type"]].format(**details.get("ctx", {}))
            why = f" needs {needs}, not {reprlib.repr(details['input'])}"
        elif details["loc"]:
            why += f" (given: {reprlib.repr(details['input'])})"
        yield f"{'.'.join(map(str, key))}{why}".removeprefix(": ")


def _in_a_group(
    key: Sequence[Any], kind: type[BaseModel], groups: Mapping[str, type[BaseModel]]
) -> str:
    """Return the end of an error about a setting that belongs to a group; "" if it does not."""
    for group, field in kind.model_fields.items():
        group_kind = groups.get(group, field.annotation)
        if len(key) == 1 and _is_group(group_kind) and key[0] in group_kind.model_fields:
            return f"; did you mean {group}.{key[0]}?"
    return ""


def _keys(
    kind: type[BaseModel], outer: Sequence[Any], groups: Mapping[str, type[BaseModel]]
) -> Iterable[str]:
    """Return the keys of a group of settings."""
    for group in outer:
        annotation = kind.model_fields[group].annotation
        kinds = (groups.get(group), annotation, *get_args(annotation))
        kind = next(candidate for candidate in kinds if _is_group(candidate))
    return kind.model_fields


def _is_group(annotation: Any) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
