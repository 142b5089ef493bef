"""Settings: what all groups of them have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema
from pydantic_core import core_schema

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]


class Settings(BaseModel):
    """A group of settings: unknown keys are errors, nothing changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def one_of(names: Iterable[str]) -> GetPydanticSchema:
    """Return what makes a setting one of a few names, those of a registry's entries."""
    return GetPydanticSchema(lambda _source, _handler: core_schema.literal_schema(list(names)))
