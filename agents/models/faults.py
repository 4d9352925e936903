"""What can go wrong between us and a model, told apart the same way for every provider."""

from __future__ import annotations

import json
import re
import ssl
import sys
import time
import traceback
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, NamedTuple

from environments.secrets import told

LONGEST = 300
"""Characters of what somebody else said that are passed on."""
_LANGCHAIN = "langchain_"
_SHARED = ("langchain_core", "pydantic")
_EMBEDDED = "agents.models.embedded"
_TOO_MANY_DIGITS = "integer string conversion"
_NOTHING_RECEIVED = "No data received"
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
_STATUS = re.compile("[45][0-9]{2}")
"""OpenAI's package turns an error's number into text, where it comes in mid-stream."""


class ModelError(ValueError):
    """A model cannot be made as configured; the message says why and what would work."""


class ModelFault(RuntimeError):
    """One call brought no answer."""

    def __init__(self, kind: str, message: str, *, transient: bool, after: float = 0.0) -> None:
        super().__init__(message)
        self.kind = kind
        """timeout, down, tls, cut, server, busy, garbled, missing, denied, refused, ..."""
        self.transient = transient
        """The same call may succeed a little later."""
        self.after = after
        """So many seconds later, if the server said so; else 0."""


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
        _traceback: TracebackType | None,
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, ModelFault | ModelUnavailable):
            return
        for cause in causes(error):
            if isinstance(cause, ModelFault):
                raise cause from cause.__cause__
        found = diagnose(error) or (_FAILED if _is_foreign(error) else None)
        if found is not None:
            message = brief(f"{type(error).__name__}: {error}".strip(": "))
            responses = (getattr(cause, "response", None) for cause in causes(error, silent=True))
            after = max(map(asked_to_wait, responses), default=0.0)
            raise ModelFault(found.kind, message, transient=found.transient, after=after) from error


def diagnose(error: BaseException) -> Diagnosis | None:
    """What went wrong with a call, from the error or what caused it; None for a bug."""
    if _is_tls(error):
        return Diagnosis("tls", False)
    for cause in causes(error):
        found = _by_name(cause) or _by_type(cause) or _by_status(cause)
        if found is not None:
            return found
    return None


def asked_to_wait(response: Any) -> float:
    """The seconds that the `Retry-After` of a response names, or that its date is ahead; else 0."""
    said = str(getattr(response, "headers", {}).get("retry-after", ""))
    if _SECONDS.fullmatch(said):
        return float(said)
    try:
        return max(parsedate_to_datetime(said).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def by_status(status: int) -> Diagnosis:
    """What an HTTP status that tells of an error means."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return Diagnosis("server", True) if status >= 500 else Diagnosis("refused", False)


def brief(said: object) -> str:
    """What somebody else said, in one line that is not long and without secrets."""
    return told(str(said)[: 10 * LONGEST], LONGEST)


_BY_TYPE: tuple[tuple[type[BaseException], Diagnosis], ...] = (
    (TimeoutError, Diagnosis("timeout", True)),
    (ConnectionRefusedError, Diagnosis("down", True)),
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
    "ConnectTimeout": Diagnosis("down", True),
    "TimeoutException": Diagnosis("timeout", True),
    "ConnectError": Diagnosis("down", True),
    "ProxyError": Diagnosis("down", True),
    "LocalProtocolError": Diagnosis("refused", False),
    "UnsupportedProtocol": Diagnosis("refused", False),
    "DecodingError": Diagnosis("garbled", True),
    "TransportError": Diagnosis("cut", True),
    "LengthFinishReasonError": Diagnosis("truncated", False),
    "APITimeoutError": Diagnosis("timeout", True),
    "APIConnectionError": Diagnosis("down", True),
    "DeadlineExceeded": Diagnosis("timeout", True),
    "ServiceUnavailable": Diagnosis("busy", True),
}
"""By the name of a class or of one that it is a kind of: clients of HTTP come in more than one
package, and providers' packages need not be installed."""
_FAILED = Diagnosis("failed", False)


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
    told = getattr(error, "status_code", None) or getattr(error, "code", None)
    status = int(told) if isinstance(told, str) and _STATUS.fullmatch(told) else told
    if not isinstance(status, int) or 0 <= status < 400:
        return None
    return by_status(status)


def _by_name(error: BaseException) -> Diagnosis | None:
    names = (kind.__name__ for kind in type(error).__mro__)
    return next((_BY_NAME[name] for name in names if name in _BY_NAME), None)


def _is_tls(error: BaseException) -> bool:
    """No connection came about because the two sides do not agree on how to encrypt it."""
    found = list(causes(error, silent=True))
    connecting = any(type(one).__name__ == "ConnectError" for one in found)
    return connecting and any(isinstance(one, ssl.SSLError) for one in found)


def _is_foreign(error: BaseException) -> bool:
    """Whether a provider's package raised it, and no model of the user's own did.

    What a package makes of an answer is refused in what all packages build on.
    """
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    places = [str(frame.f_globals.get("__name__")) for frame in frames]
    names = [place.partition(".")[0] for place in places]
    raised_by = {type(error).__module__.partition(".")[0], names[-1]}
    raised_by.update([name for name in names if name not in _SHARED][-1:])
    return _EMBEDDED not in places and any(
        name.startswith(_LANGCHAIN) or f"{_LANGCHAIN}{name}" in sys.modules for name in raised_by
    )


def causes(error: BaseException, *, silent: bool = False) -> Iterator[BaseException]:
    """An error and what caused it, the latest first; `silent` with causes that nobody names."""
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        seen.append(cause)
        yield cause
        cause = cause.__cause__ or (cause.__context__ if silent else None)
