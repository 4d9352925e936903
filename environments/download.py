"""Downloads a story of the catalog: resumable, checked, and never half there."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from environments.catalog import Download, is_of
from environments.folders import added_stories
from environments.game import GameError
from environments.secrets import told

TIMEOUT_SECONDS = 30.0
LONGEST_HOST = 100
"""Characters of one that are told."""
_CHUNK_BYTES = 16_384


def fetch(download: Download, on_progress: Callable[[int], None] = lambda done: None) -> Path:
    """Download a story into the user's stories, going on where an earlier try was cut off.

    Args:
        download: What to fetch, and its size and hash.
        on_progress: Called with the number of bytes at hand so far.

    Raises:
        GameError: No connection, a refusal, other bytes than promised, or another story has its
            name here.
    """
    target = added_stories() / download.file
    if is_of(target, download):
        on_progress(download.size)
        return target
    if target.exists():
        raise GameError(
            f"{target} is another story already, or a damaged copy; rename it and fetch again"
        )
    part = target.with_name(f".{target.name}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        _fill(part, download, on_progress)
        _check(part, download)
        return part.replace(target)
    except (OSError, http.client.HTTPException) as error:
        raise GameError(f"{_failure(download)}: {_reason(error)}; {_by_hand(download)}") from error


def _fill(part: Path, download: Download, on_progress: Callable[[int], None]) -> None:
    done = part.stat().st_size if part.exists() else 0
    if done >= download.size:
        part.unlink()
        done = 0
    headers = {"Range": f"bytes={done}-"} if done else {}
    request = urllib.request.Request(download.url, headers=headers)
    opener = urllib.request.build_opener(_SameHost)
    with opener.open(request, timeout=TIMEOUT_SECONDS) as response:
        resumed = done > 0 and response.headers.get("Content-Range", "").startswith(
            f"bytes {done}-"
        )
        done = done if resumed else 0
        with part.open("ab" if resumed else "wb") as file:
            for chunk in _chunks(response, download.size + 1 - done):
                file.write(chunk)
                done += len(chunk)
                on_progress(done)


class OtherHost(OSError):
    """A server wants the story to be fetched from another one."""


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Goes where a server sends it on to, as long as that is the same host."""

    def redirect_request(
        self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any
    ) -> Any:
        here, there = urlsplit(req.full_url), urlsplit(newurl)
        safer = there.scheme == "https" and there.hostname == here.hostname
        if not safer and (there.scheme, there.netloc) != (here.scheme, here.netloc):
            fp.close()
            place = told(there.netloc, LONGEST_HOST)
            raise OtherHost(f"it sends on to another host, {place!r}, which is not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _chunks(response: http.client.HTTPResponse, limit: int) -> Iterator[bytes]:
    """The body in pieces, at most `limit` bytes of it."""
    while limit > 0 and (chunk := response.read(min(_CHUNK_BYTES, limit))):
        limit -= len(chunk)
        yield chunk


def _check(part: Path, download: Download) -> None:
    size = part.stat().st_size
    if size < download.size:
        raise GameError(
            f"{_failure(download)}: the connection ended after {size} of {download.size} bytes; "
            f"go on with: zork games fetch {download.id}"
        )
    if not is_of(part, download):
        part.unlink()
        raise GameError(
            f"{_failure(download)}: it sent other bytes than the catalog promises "
            f"(sha256 {download.sha256}); {_by_hand(download)}"
        )


def _failure(download: Download) -> str:
    return f"cannot download {download.id} from {download.url}"


def _by_hand(download: Download) -> str:
    return (
        "try again, or download it by hand on a connected machine "
        f"and run: zork games add {download.file}"
    )


def _reason(error: OSError | http.client.HTTPException) -> str:
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        return f"the server answered {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return f"no connection ({error.reason})"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
