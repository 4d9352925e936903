"""What can go wrong between us and a model, told apart the same way for every provider."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import TracebackType
from typing import NamedTuple

import httpx

from environments.secrets import told


class ModelError(ValueError):
    """A model cannot be made as configured; the message says why and what would work."""


class ModelFault(RuntimeError):
    """One call brought no answer."""

    def __init__(self, kind: str, message: str, *, transient: bool) -> None:
        super().__init__(message)
        self.kind = kind
        """timeout, down, cut, server, busy, garbled, unloaded, missing, denied, refused, ..."""
        self.transient = transient
        """The same call may succeed a little later."""


class ModelUnavailable(Exception):
    """No answer can be had now: play pauses at its last checkpoint, no game turn is spent."""

    def __init__(self, message: str, *, kind: str, role: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.role = role


class Diagnosis(NamedTuple):
    """What an error of a client library means."""

    kind: str
    transient: bool


class Diagnosing:
    """A context in which errors of model clients are raised as `ModelFault`.

    Errors that no model client explains are bugs and pass unchanged.
    """

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, ModelFault | ModelUnavailable):
            return
        found = diagnose(error)
        if found is not None:
            message = told(f"{type(error).__name__}: {error}".strip(": "))
            raise ModelFault(found.kind, message, transient=found.transient) from error


def diagnose(error: BaseException) -> Diagnosis | None:
    """What went wrong with a call, from the error or what caused it; None for a bug."""
    for cause in _causes(error):
        found = _by_type(cause) or _by_status(cause) or _by_name(cause)
        if found is not None:
            return found
    return None


_BY_TYPE: tuple[tuple[type[BaseException], Diagnosis], ...] = (
    (httpx.ConnectTimeout, Diagnosis("down", True)),
    (httpx.TimeoutException, Diagnosis("timeout", True)),
    (TimeoutError, Diagnosis("timeout", True)),
    (httpx.ConnectError, Diagnosis("down", True)),
    (ConnectionRefusedError, Diagnosis("down", True)),
    (httpx.TransportError, Diagnosis("cut", True)),
    (ConnectionError, Diagnosis("cut", True)),
    (json.JSONDecodeError, Diagnosis("garbled", True)),
    (RecursionError, Diagnosis("unreadable", False)),
    (UnicodeError, Diagnosis("unreadable", False)),
)
_BY_STATUS = {
    -1: Diagnosis("server", True),
    401: Diagnosis("denied", False),
    403: Diagnosis("denied", False),
    404: Diagnosis("missing", False),
    408: Diagnosis("timeout", True),
    409: Diagnosis("busy", True),
    425: Diagnosis("busy", True),
    429: Diagnosis("busy", True),
    503: Diagnosis("busy", True),
}
_BY_NAME = {
    "LengthFinishReasonError": Diagnosis("truncated", False),
    "APITimeoutError": Diagnosis("timeout", True),
    "APIConnectionError": Diagnosis("down", True),
    "DeadlineExceeded": Diagnosis("timeout", True),
    "ServiceUnavailable": Diagnosis("busy", True),
}
_TOO_MANY_DIGITS = "integer string conversion"
_NOTHING_RECEIVED = "No data received"


def _by_type(error: BaseException) -> Diagnosis | None:
    for kind, found in _BY_TYPE:
        if isinstance(error, kind):
            return found
    if isinstance(error, ValueError) and _NOTHING_RECEIVED in str(error):
        return Diagnosis("unloaded", True)
    if isinstance(error, ValueError) and _TOO_MANY_DIGITS in str(error):
        return Diagnosis("unreadable", False)
    return None


def _by_status(error: BaseException) -> Diagnosis | None:
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    if not isinstance(status, int):
        return None
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return Diagnosis("server", True)
    return Diagnosis("refused", False) if status >= 400 else None


def _by_name(error: BaseException) -> Diagnosis | None:
    return _BY_NAME.get(type(error).__name__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        seen.append(cause)
        yield cause
        cause = cause.__cause__
