"""How runs are sent to a server of LangSmith's kind: to it alone, and failing in few words."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import requests

from environments.secrets import told

MOST_TOLD = 300
"""Characters of what went wrong."""
_CAUSE = re.compile(r"\[Errno -?\d+\] ([^'\"()]+)")


class SentOn(requests.RequestException):
    """A server names another place to send the runs to."""


class OneServer(requests.Session):
    """A session that goes nowhere else: runs and key are for the server that the user named."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Refuse to be sent on.

        Raises:
            SentOn: that is what the server wants.
        """
        target = super().get_redirect_target(resp)
        if target is None:
            return None
        resp.close()
        place = urlsplit(target)._replace(path="", query="", fragment="").geturl() or target
        raise SentOn(
            f"the server sends on to {place}, which is not followed; if it is to get them, "
            "name it as the endpoint"
        )


@contextmanager
def quiet_client() -> Iterator[None]:
    """What the client logs of a failure is long, repeated, and quotes the request."""
    log, silence = logging.getLogger("langsmith"), logging.NullHandler()
    before = log.propagate
    log.addHandler(silence)
    log.propagate = False
    try:
        yield
    finally:
        log.propagate = before
        log.removeHandler(silence)


def reason(error: BaseException) -> str:
    """Why runs did not arrive, in one short line."""
    for cause in _causes(error):
        if isinstance(cause, SentOn):
            return told(str(cause), MOST_TOLD)
        if isinstance(cause, requests.HTTPError) and cause.response is not None:
            answer = cause.response
            said = f": {answer.text}" if answer.text.strip() else ""
            return told(
                f"the server answered {answer.status_code} {answer.reason}{said}", MOST_TOLD
            )
        if isinstance(cause, requests.Timeout):
            return "the server did not answer in time"
        if isinstance(cause, requests.ConnectionError):
            why = _CAUSE.search(str(cause))
            return told(f"no connection ({why[1] if why else type(cause).__name__})", MOST_TOLD)
    return told(str(error).partition("\nContent-Length")[0], MOST_TOLD)


def refuses_key(error: BaseException) -> bool:
    """Whether a server does not let us in."""
    answers = [getattr(cause, "response", None) for cause in _causes(error)]
    return any(one is not None and one.status_code in (401, 403) for one in answers)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        seen.append(cause)
        yield cause
        cause = cause.__cause__ or cause.__context__
