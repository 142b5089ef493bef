"""Common parts of all settings."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema, ValidationError
from pydantic_core import core_schema

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]


class Settings(BaseModel):
    """A group of settings: immutable, without unknown keys, and with finite numbers only."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def one_of(names: Iterable[str]) -> GetPydanticSchema:
    """Return a schema for a setting that is one of some names, such as those of a registry."""
    return GetPydanticSchema(lambda _source, _handler: core_schema.literal_schema(list(names)))


def errors_in(error: ValidationError, kind: type[BaseModel]) -> Iterator[str]:
    """Yield a line for each error in settings: the key, and what is wrong."""
    for one in error.errors(include_url=False):
        *groups, _ = key = one["loc"] or ("",)
        why = one["msg"].removeprefix("Value error, ")
        if one["type"] == "extra_forbidden":
            why = f"there is no such setting{did_you_mean(key[-1], _keys(kind, groups))}"
        elif one["type"] == "missing":
            why = "is missing"
        elif one["loc"]:
            why += f" (given: {reprlib.repr(one['input'])})"
        yield f"{'.'.join(map(str, key))}: {why}".removeprefix(": ")


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the end of an error about an unknown name: a similar known name, if there is one."""
    return "".join(
        f"; did you mean {one}?" for one in difflib.get_close_matches(str(name), known, 1)
    )


def _keys(kind: type[BaseModel], groups: Sequence[Any]) -> Iterable[str]:
    """Return the keys of a group of settings."""
    for group in groups:
        annotation = kind.model_fields[group].annotation
        (kind,) = (one for one in (annotation, *get_args(annotation)) if _is_group(one))
    return kind.model_fields


def _is_group(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
