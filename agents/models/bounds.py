"""Clients of HTTP whose calls end: in time, within a size, and at the server that was named.

The check before play and the questions of play go through the same client of a model. It is
given to the provider's own package, and tells what went wrong with a call as a `ModelFault`
that names the address, whatever the package would make of it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import re
import socket
import ssl
import threading
import time
import weakref
import zlib
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from agents.models.addresses import shown
from agents.models.faults import ModelError, ModelFault, asked_to_wait, brief, by_status, diagnose
from environments.secrets import learn_secret

MOST_BYTES = 16 << 20
"""Of an answer, unpacked."""
ERROR_BYTES = 64 << 10
"""Of the words that go with an error; the rest is not read."""
PIECE = 1 << 20
CONNECT_SECONDS = 10.0
_PACKED = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""Encodings that a server may use though nobody asked for them, as zlib calls them."""
_SECRET_HEADERS = ("authorization", "proxy-authorization", "x-api-key", "api-key", "cookie")

_deadline: ContextVar[float] = ContextVar("deadline")
"""When the call at hand has to be over."""
_given_up = threading.Event()
_streams: weakref.WeakValueDictionary[int, _Stream] = weakref.WeakValueDictionary()
"""Connections that may be open, by the `id` of their streams."""


def give_up() -> None:
    """End every call that is waiting, in whatever thread, and all that come after it."""
    _given_up.set()
    for reference in _streams.valuerefs():
        if (stream := reference()) is not None:
            stream.shut()


def carry_on() -> None:
    """Let calls be made again."""
    _given_up.clear()


def pause(seconds: float) -> None:
    """Let time pass, unless all calls are given up."""
    _given_up.wait(seconds)


class Bounded:
    """What a class of `httpx.Client` is to inherit from first, so that its calls end."""

    def __init__(self, *, seconds: float, **options: Any) -> None:
        self.seconds = seconds
        connect = min(CONNECT_SECONDS, seconds)
        timeout = self._httpx.Timeout(seconds, connect=connect)
        verify = options.pop("verify", True)
        options = {"timeout": timeout, "verify": encryption(verify), **options}
        super().__init__(**{**options, "follow_redirects": False})
        for transport in (self._transport, *self._mounts.values()):  # type: ignore[attr-defined]
            pool = getattr(transport, "_pool", None)
            if pool is not None:
                pool._network_backend = _Network(pool._network_backend)

    def send(self, request: Any, *, stream: bool = False, **options: Any) -> Any:
        """The response to a request.

        Raises:
            ModelFault: there is none in time, or it tells of an error, or leads elsewhere.
        """
        call = _Call(request, self.seconds)
        request.headers["accept-encoding"] = "identity"
        options = {**options, "stream": True, "follow_redirects": False}
        with call:
            response = super().send(request, **options)  # type: ignore[misc]
        response.stream = _body_class(self._httpx.SyncByteStream)(call, response)
        call.check(response)
        if not stream:
            response.read()
        return response

    @property
    def _httpx(self) -> Any:
        """The package that its class is from: `httpx`, or one like it."""
        own = next(kind for kind in type(self).__mro__ if kind.__name__ == "Client")
        return importlib.import_module(own.__module__.partition(".")[0])


class BoundedClient(Bounded, httpx.Client):
    """An `httpx.Client` whose calls end."""


def encryption(verify: Any = True) -> Any:
    """How certificates are checked: by SSL_CERT_FILE or SSL_CERT_DIR if set, or a file's own.

    Raises:
        ModelError: there are no certificates where they should be.
    """
    if not isinstance(verify, bool | str):
        return verify
    key, place = "verify", verify if isinstance(verify, str) else ""
    if verify is True:
        names = (name for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name))
        key = next(names, "")
        place = os.environ.get(key, "")
    try:
        return _encryption(place, checked=bool(verify))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{key} = {place!r}: no certificates can be read there ({brief(error)})"
        ) from error


@functools.cache
def _encryption(place: str, *, checked: bool) -> ssl.SSLContext:
    """Reading the certificates takes 30 times longer than everything else about a client."""
    if not (checked and place):
        return httpx.create_ssl_context(verify=checked, trust_env=False)
    if Path(place).is_dir():
        return ssl.create_default_context(capath=place)
    return ssl.create_default_context(cafile=place)


class _Call:
    """One request: a context in which whatever goes wrong with it is a `ModelFault`."""

    def __init__(self, request: Any, seconds: float) -> None:
        self.what = f"{request.method} {shown(request.url)}"
        self.seconds = seconds
        self.deadline = time.monotonic() + seconds
        learn_secret(*(request.headers.get(name) for name in _SECRET_HEADERS))

    def __enter__(self) -> None:
        self._token = _deadline.set(self.deadline)

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        _deadline.reset(self._token)
        if not isinstance(error, Exception) or isinstance(error, ModelFault):
            return
        if _given_up.is_set():
            raise self.fault("stopped", "the program ends", transient=False) from error
        if time.monotonic() >= self.deadline:
            raise self.late() from error
        found = diagnose(error)
        if found is not None:
            raise self.fault(found.kind, _said(error), transient=found.transient) from error

    def fault(self, kind: str, said: str, *, transient: bool, after: float = 0.0) -> ModelFault:
        """What went wrong, with the address and without what must not be told."""
        return ModelFault(kind, brief(f"{self.what}: {said}"), transient=transient, after=after)

    def late(self) -> ModelFault:
        """The time of the call is over."""
        return self.fault("timeout", f"no end within {self.seconds:g} s", transient=True)

    def check(self, response: Any) -> None:
        """Refuse a response that tells of an error, or leads elsewhere."""
        status = response.status_code
        if status < 300:
            return
        said = f"{status} {response.reason_phrase}"
        try:
            if status < 400:
                target = _target(response)
                raise self.fault("moved", f"{said}: it leads on to {target}", transient=False)
            found, words = by_status(status), _words(response.read())
            said = f"{said}: {words}" if words else said
            raise self.fault(
                found.kind, said, transient=found.transient, after=asked_to_wait(response)
            )
        finally:
            response.close()


class _Body:
    """The content of a response, unpacked, up to the most that is read."""

    def __init__(self, call: _Call, response: Any) -> None:
        self._call = call
        self._stream = response.stream
        self._refused = response.status_code >= 300
        self._encoding = response.headers.pop("content-encoding", "identity").strip().lower()

    def __iter__(self) -> Iterator[bytes]:
        most = ERROR_BYTES if self._refused else MOST_BYTES
        pieces = self._unpacked(iter(self._stream))
        while True:
            with self._call:
                if time.monotonic() >= self._call.deadline:
                    raise self._call.late()
                piece = next(pieces, None)
            if piece is None:
                return
            most -= len(piece)
            if most < 0 and self._refused:
                return
            if most < 0:
                said = f"more than {MOST_BYTES >> 20} MB, which is no answer"
                raise self._call.fault("flood", said, transient=False)
            yield piece

    def _unpacked(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The content, a limited piece at a time, however far it unfolds."""
        if self._encoding in ("", "identity"):
            yield from pieces
            return
        packed = f"an answer packed as {self._encoding[:40]!r}"
        if self._encoding not in _PACKED:
            raise self._call.fault("garbled", packed, transient=False)
        unpacker = zlib.decompressobj(_PACKED[self._encoding])
        try:
            for piece in pieces:
                while piece:
                    yield unpacker.decompress(piece, PIECE)
                    piece = unpacker.unconsumed_tail
            yield unpacker.flush()
        except zlib.error as error:
            said = f"{packed}, which it is not"
            raise self._call.fault("garbled", said, transient=True) from error

    def close(self) -> None:
        """Let go of the connection."""
        self._stream.close()


@functools.cache
def _body_class(base: type) -> Any:
    return type("_Body", (_Body, base), {})


class _Network:
    """A network as `httpcore` wants it, on which nothing lasts longer than the call at hand."""

    def __init__(self, network: Any) -> None:
        self._network = network

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, **rest: Any) -> Any:
        """A connection to a server."""
        return _Stream(self._network.connect_tcp(host, port, timeout=_left(timeout), **rest))

    def connect_unix_socket(self, path: str, timeout: float | None = None, **rest: Any) -> Any:
        """A connection within this machine."""
        return _Stream(self._network.connect_unix_socket(path, timeout=_left(timeout), **rest))

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self._network.sleep(seconds)


class _Stream:
    """A connection that can be shut while somebody waits for it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        _streams[id(self)] = self

    def read(self, max_bytes: int, timeout: float | None = None) -> Any:
        """What has come in."""
        return self._stream.read(max_bytes, timeout=_left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send something."""
        self._stream.write(buffer, timeout=_left(timeout))

    def close(self) -> None:
        """End the connection."""
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> Any:
        """The same connection, encrypted."""
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        """What is known of the connection."""
        return self._stream.get_extra_info(info)

    def shut(self) -> None:
        """Let whoever waits for it find its end."""
        with contextlib.suppress(OSError):
            self.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def _left(wanted: float | None) -> float:
    """Seconds that may be waited now, of those that are wanted."""
    left = _deadline.get(float("inf")) - time.monotonic()
    if left <= 0 or _given_up.is_set():
        raise TimeoutError
    return left if wanted is None else min(wanted, left)


def _target(response: Any) -> str:
    """Where a response leads, as far as that is an address."""
    place = response.headers.get("location", "")
    try:
        return shown(httpx.URL(str(response.url)).join(place))
    except httpx.InvalidURL:
        return repr(place)


def _said(error: BaseException) -> str:
    return brief(error) if str(error).strip() else type(error).__name__


def _words(content: bytes) -> str:
    """What a server says of an error: the words of its JSON, or of its page."""
    text = content.decode("utf-8", "replace")
    found = re.search(r'"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.){1,400})"', text)
    return brief(found[1] if found else re.sub(r"<[^<>]{0,200}>", " ", text[:4000]))
