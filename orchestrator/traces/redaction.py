"""Secrets never reach a trace: texts under telling keys, and texts of a telling shape."""

from __future__ import annotations

import functools
import re
from math import isfinite
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json, to_json

from environments.plain_text import storable

REDACTED = "[redacted]"
MAX_DEPTH = 100
"""So deep a trace shows what was nested."""

_SECRET_KEY = re.compile(
    r"(api|access|auth|private|license)[-_]?key|(^|[-_])token$|secret|passw(or)?d"
    r"|authorization|credential|cookie",
    re.IGNORECASE,
)
_SECRET = re.compile(
    rb"\b(?:sk-|lsv2_|hf_|AIza)[A-Za-z0-9_.-]{12,}"
    rb"|\beyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+"
    rb"|(?<=earer )[A-Za-z0-9._~+/-]{10,}=*"
    rb"|(?<=://)[^\s@/?#\"']+(?=@)"
    rb"|(?:(?<=[?&_-]key=)|(?<=[?&_]token=))[^\s&\"']+"
)
_MARKS = (b"sk-", b"lsv2_", b"hf_", b"AIza", b"eyJ", b"earer ", b"://", b"key=", b"token=")
"""One of them stands in every text that the pattern finds; its last letter is found faster yet."""


_NESTED = (dict, list)


def redact_keys(value: Any) -> Any:
    """Plain data with the values under telling keys replaced, at any depth."""
    if isinstance(value, dict):
        return {
            key: REDACTED
            if is_secret(key) and item
            else dict.fromkeys(item, REDACTED)
            if isinstance(item, dict) and isinstance(key, str) and key.endswith("headers")
            else redact_keys(item)
            if isinstance(item, _NESTED)
            else item
            for key, item in value.items()
        }
    return [redact_keys(item) for item in value] if isinstance(value, list) else value


def redact_manifest(serialized: Any) -> Any:
    """LangChain's manifest of a model, without its `repr`, which spells every argument out."""
    if not isinstance(serialized, dict):
        return serialized
    return redact_keys({key: item for key, item in serialized.items() if key != "repr"})


def redact_shapes(json: bytes) -> bytes:
    """The JSON text without anything that has the shape of a key, a token or a password."""
    for mark in _MARKS:
        if mark[-1:] in json and mark in json:
            return _SECRET.sub(REDACTED.encode(), json)
    return json


def redact(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload as plain JSON data without secrets."""
    return dict(redact_keys(from_json(redact_shapes(dumps(payload)))))


def hidden(value: Any, where: str = "") -> list[str]:
    """The paths in plain data at which something was replaced, dotted."""
    if isinstance(value, dict):
        return [path for key, item in value.items() for path in hidden(item, f"{where}.{key}")]
    if isinstance(value, list):
        return [path for item in value for path in hidden(item, where)]
    return [where.removeprefix(".")] if isinstance(value, str) and REDACTED in value else []


@functools.lru_cache(maxsize=1024)
def is_secret(key: Any) -> bool:
    """Whether a key says that its value is a secret."""
    return isinstance(key, str) and _SECRET_KEY.search(key) is not None


def dumps(payload: Any) -> bytes:
    """The payload as JSON, whatever it holds; None is left out of models, not of dicts."""
    try:
        return _to_json(payload)
    except (PydanticSerializationError, UnicodeError):
        return _to_json(plain(payload))


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
