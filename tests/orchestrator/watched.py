"""Values and states that note which of their fields are read."""

from __future__ import annotations

import functools
from typing import Any

from environments.game import Value

Log = dict[str, int]
"""`Type.field` -> how often it was read."""


@functools.cache
def _watched_type(kind: type[Value]) -> type[Value]:
    def read(self: Value, name: str) -> Any:
        if name in kind.model_fields:
            log: Log | None = object.__getattribute__(self, "__dict__").get("_log")
            if log is not None:
                key = f"{kind.__name__}.{name}"
                log[key] = log.get(key, 0) + 1
        return object.__getattribute__(self, name)

    return type(kind.__name__, (kind,), {"__getattribute__": read, "__module__": kind.__module__})


def watched(value: Any, log: Log) -> Any:
    """The same value, of a type that notes every read of a field, all the way down."""
    if isinstance(value, Value):
        fields = {name: watched(content, log) for name, content in value.__dict__.items()}
        twin = _watched_type(type(value)).model_construct(**fields)
        twin.__dict__["_log"] = log
        return twin
    if isinstance(value, tuple | list):
        return type(value)(watched(item, log) for item in value)
    return value


class WatchedState(dict[str, Any]):
    """A state that notes which fields are read."""

    def __init__(self, state: dict[str, Any], log: Log) -> None:
        super().__init__(state)
        self.log = log

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        self.log[name] = self.log.get(name, 0) + 1
        return value

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default
