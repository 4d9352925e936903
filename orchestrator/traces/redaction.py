"""Plain data and JSON without secrets: every writer's way to a trace, a record or a page."""

from __future__ import annotations

import functools
import json
from math import isfinite
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json, to_json

from environments.plain_text import storable
from environments.secrets import REDACTED, hides, stands_in, without_known, without_shapes

MAX_DEPTH = 100
"""So deep a trace shows what was nested."""

_NESTED = (dict, list)


def redact_keys(value: Any, table: str = "") -> Any:
    """Plain data with the values under telling keys replaced, at any depth.

    `table` is what the data is called, if it has a name.
    """
    if isinstance(value, dict):
        return {
            key: REDACTED
            if item and hides(table, key)
            else redact_keys(item, key if isinstance(key, str) else "")
            if isinstance(item, _NESTED)
            else item
            for key, item in value.items()
        }
    if isinstance(value, list):
        return (
            REDACTED if table.lower().endswith("headers") else [redact_keys(item) for item in value]
        )
    return value


def redact_manifest(serialized: Any) -> Any:
    """LangChain's manifest of a model, without its `repr`, which spells every argument out."""
    if not isinstance(serialized, dict):
        return serialized
    return redact_keys({key: item for key, item in serialized.items() if key != "repr"})


def redact_json(text: bytes) -> bytes:
    """The JSON text, one value a line, without the secrets that are known or look like it."""
    text = without_shapes(text)
    if not stands_in(text):
        return text
    return b"\n".join(_to_json(_without_known(read_line(line))) for line in text.split(b"\n"))


def redact(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload as plain JSON data without secrets."""
    return dict(redact_keys(read_line(redact_json(dumps(payload)))))


def read_line(line: bytes | bytearray) -> Any:
    """The JSON of a line.

    Raises:
        ValueError, RecursionError: it is none.
    """
    try:
        return from_json(line, allow_inf_nan=False)
    except ValueError:
        return plain(json.loads(line))  # It reads what is nested deeper.


def hidden(value: Any, where: str = "") -> list[str]:
    """The paths in plain data at which something was replaced, dotted."""
    if isinstance(value, dict):
        return [path for key, item in value.items() for path in hidden(item, f"{where}.{key}")]
    if isinstance(value, list):
        return [path for item in value for path in hidden(item, where)]
    return [where.removeprefix(".")] if isinstance(value, str) and REDACTED in value else []


def dumps(payload: Any) -> bytes:
    """The payload as JSON, whatever it holds; None is left out of models, not of dicts."""
    try:
        return _to_json(payload)
    except (PydanticSerializationError, UnicodeError):
        return _to_json(plain(payload))


def _without_known(value: Any) -> Any:
    """Plain data without the secrets that are known; a number is none."""
    if isinstance(value, str):
        return without_known(value)
    if isinstance(value, dict):
        return {without_known(key): _without_known(item) for key, item in value.items()}
    return [_without_known(item) for item in value] if isinstance(value, list) else value


def plain(value: Any, depth: int = MAX_DEPTH) -> Any:
    """What JSON cannot hold as what it can: halves of characters, and anything without end."""
    match value:
        case str():
            return storable(value)
        case float():
            return value if isfinite(value) else None
        case None | bool() | int():
            return value
        case BaseModel():
            return plain(vars(value), depth)
        case dict() if depth:
            return {storable(str(key)): plain(item, depth - 1) for key, item in value.items()}
        case list() | tuple() if depth:
            return [plain(item, depth - 1) for item in value]
    return f"<{type(value).__name__}>" if not depth else storable(str(value))


_to_json = functools.partial(
    to_json,
    exclude_none=True,
    bytes_mode="base64",
    inf_nan_mode="null",
    serialize_unknown=True,
)
