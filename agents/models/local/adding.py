"""Files of weights brought into the models' folder: from this machine, or from an address."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from agents.models.config import DEFAULT_WEIGHTS
from agents.models.faults import ModelError
from agents.models.local.gguf import read_model_file
from agents.models.local.weights import Weights, models_folder

CONNECT_SECONDS, READ_SECONDS = 20.0, 60.0
_CHUNK = 1 << 20
_SHA256 = re.compile(r'^(?:W/)?"?([0-9a-f]{64})"?$')
_NAME = re.compile(r"[\w.+-]+\.gguf", re.IGNORECASE)
_SIZE = re.compile(r"[0-9]{1,18}")
_NO_MORE = httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE
"""What is answered to a download that goes on behind the end of the file."""
_PART = re.compile(r"-\d{5}-of-\d{5}$")
_MOST = 500_000_000_000
"""Bytes; more is no model for an ordinary machine."""


class Remote(NamedTuple):
    """What an address would give."""

    url: str
    name: str
    """Of the file."""
    size: int | None
    """In bytes, where the server tells."""
    sha256: str
    """Empty where the server does not tell."""
    version: str
    """By which the server tells one content of the address from the next; empty where untold."""

    @property
    def mark(self) -> str:
        """What is different for whatever else may be downloaded under this name."""
        same = repr((self.url, self.size, self.version))
        return hashlib.sha256(same.encode()).hexdigest()[:12]


def add_file(path: Path) -> Weights:
    """Bring a file on this machine into the models' folder: linked where that can be, else copied.

    Raises:
        ModelError: it is no GGUF file, or cannot be put there.
    """
    read_model_file(path)
    target = _target(path.name)
    try:
        _make_room(target)
        try:
            os.link(path.resolve(), target)
        except OSError:
            _copy(path, target)
    except OSError as error:
        raise ModelError(f"{str(target)!r} cannot be written: {error.strerror}") from error
    return Weights(target.stem, target, "added")


def _copy(path: Path, target: Path) -> None:
    """All of a file or nothing: there may be no room for it."""
    part = target.with_suffix(".copy")
    try:
        shutil.copyfile(path, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def look_at(url: str) -> Remote:
    """What an address would give, without fetching it.

    Raises:
        ModelError: there is no connection, a refusal, or no GGUF file there.
    """
    with _asking(url), _client() as client:
        answer = client.head(url)
        # A hub names size and hash before it sends one on to where the bytes lie.
        hops = [*answer.history, answer]
        answer.raise_for_status()
    named = _NAME.search(Path(httpx.URL(url).path).name)
    if named is None:
        raise ModelError(f"{url!r} names no .gguf file; give the address of the file itself")
    sizes = [hop.headers.get("x-linked-size") for hop in hops]
    size = next((one for one in sizes if one), answer.headers.get("content-length", ""))
    tags = [hop.headers.get("x-linked-etag", "") for hop in hops]
    digests = [found.group(1) for tag in tags if (found := _SHA256.match(tag))]
    version = next(filter(None, tags), answer.headers.get("etag", ""))
    bytes_told = int(size) if _SIZE.fullmatch(size) else None
    return Remote(url, named.group(), bytes_told, next(iter(digests), ""), version)


def fetch(remote: Remote, told: Callable[[int], None], sha256: str = "") -> Weights:
    """Download what was looked at; a cut download goes on where it ended.

    Args:
        remote: What to fetch.
        told: Called with the number of bytes at hand so far.
        sha256: The hash it must have; by default the one that the server tells.

    Raises:
        ModelError: no connection, a refusal, other bytes than promised, or no room.
    """
    target = _target(remote.name)
    part = target.with_suffix(f".{remote.mark}.part")
    with _asking(remote.url):
        try:
            _make_room(target)
            _fill(part, remote, told)
            _check(part, remote, sha256 or remote.sha256)
            _check_kind(part)
            part.replace(target)
        except OSError as error:
            raise ModelError(f"{str(part)!r} cannot be written: {error.strerror}") from error
    return Weights(target.stem, target, "added")


def _fill(part: Path, remote: Remote, told: Callable[[int], None]) -> None:
    done = part.stat().st_size if part.exists() else 0
    if done == remote.size:
        return
    if remote.size is not None and done > remote.size:
        part.unlink()
        done = 0
    headers = {"Range": f"bytes={done}-"} if done else {}
    with _client() as client, client.stream("GET", remote.url, headers=headers) as answer:
        if remote.size is None and answer.status_code == _NO_MORE:
            return
        answer.raise_for_status()
        resumed = answer.status_code == httpx.codes.PARTIAL_CONTENT
        done = done if resumed else 0
        most = remote.size if remote.size is not None else _MOST
        with part.open("ab" if resumed else "wb") as file:
            for chunk in answer.iter_bytes(_CHUNK):
                file.write(chunk)
                done += len(chunk)
                told(done)
                if done > most:
                    part.unlink()
                    raise ModelError(f"{remote.url!r} sends more than the {most:,} bytes it told")


def _check(part: Path, remote: Remote, sha256: str) -> None:
    size = part.stat().st_size
    if remote.size is not None and size != remote.size:
        raise ModelError(
            f"{remote.url!r}: the connection ended after {size:,} of {remote.size:,} bytes; "
            "the same command goes on from there"
        )
    if not sha256:
        return
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != sha256.lower():
        part.unlink()
        raise ModelError(f"{remote.url!r} sent other bytes than promised (sha256 {digest})")


def _check_kind(part: Path) -> None:
    """What is no model is not kept, so that the next attempt begins anew."""
    try:
        read_model_file(part)
    except ModelError:
        part.unlink()
        raise


def _target(name: str) -> Path:
    """Where a file goes so that it is found there by its name.

    Raises:
        ModelError: it would not be, or would be taken for another.
    """
    stem = re.sub(r"\.gguf$", "", name, flags=re.IGNORECASE)
    if _PART.search(stem):
        raise ModelError(
            f"{name!r} is one part of a model: merge them with `llama-gguf-split --merge`, "
            "or name the path of the first one as local:PATH"
        )
    if stem == DEFAULT_WEIGHTS:
        raise ModelError(f"{name!r}: local:{stem} is the model that was chosen; rename the file")
    return models_folder() / f"{stem}.gguf"


def _make_room(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        raise ModelError(f"{str(target)!r} is there already: local:{target.stem}")


def _client() -> httpx.Client:
    timeout = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
    as_it_is = {"Accept-Encoding": "identity"}
    return httpx.Client(follow_redirects=True, timeout=timeout, headers=as_it_is)


@contextmanager
def _asking(url: str) -> Iterator[None]:
    try:
        yield
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        raise ModelError(f"{url!r} answers {status} {error.response.reason_phrase}") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ModelError(f"{url!r} cannot be reached: {error or type(error).__name__}") from error
