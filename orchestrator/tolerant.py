"""Typed readings of files that others may have written: what does not fit counts as not told."""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    OnErrorOmit,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)

LARGEST = 10**15
"""No figure of ours is larger, and every program that reads JSON takes it for what it is."""

Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
"""A finite one."""
Share = Annotated[float, Field(ge=0, le=1)]
_Item = TypeVar("_Item")
Some = tuple[OnErrorOmit[_Item], ...]
"""The items of a list that fit."""
Texts = Some[str]


class Tolerant(BaseModel):
    """A table of which only some fields are looked at; one of another type has its default.

    Every field of a class of these has a default, which says that nothing is told.
    """

    model_config = ConfigDict(frozen=True)

    @classmethod
    def of(cls, table: Any) -> Self:
        """What a table tells; nothing, where it is none."""
        return cls.model_validate(table if isinstance(table, dict) else {})

    @field_validator("*", mode="wrap")
    @classmethod
    def _fitting(cls, value: Any, fits: ValidatorFunctionWrapHandler, field: ValidationInfo) -> Any:
        try:
            return fits(value)
        except ValidationError:
            default = cls.model_fields[field.field_name or ""]
            return default.get_default(call_default_factory=True)
