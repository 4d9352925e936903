"""Messages between a game and its worker process: length and MessagePack, data only."""

from __future__ import annotations

import socket
import struct
import time
from contextlib import suppress
from typing import Any

import ormsgpack

STORY, PROGRESS = "story.z5", "progress"
"""Files in the worker's directory: the story, and a counter that outlives the worker."""
COUNTER = struct.Struct("=I")
STATUS = struct.Struct("=i")
"""How a worker ended: the status of its exit, or less than 0, the number of a signal."""
_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16
MAX_BYTES = 1 << 24
_MOMENT = 0.0002
"""Seconds. An answer takes about half of it; waking up from sleep would take as long again."""


class WireError(ConnectionError):
    """The other side is gone, or sent what is no message."""


class Channel:
    """One end of the connection."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._stays_awake = True
        """What was waited for last came within a moment: it is worth staying awake again."""

    def send(self, message: object) -> None:
        """Send one message; named tuples arrive as lists."""
        payload = ormsgpack.packb(message, default=tuple)
        self._end.sendall(_LENGTH.pack(len(payload)) + payload)

    def receive(self) -> Any:
        """Receive one message.

        Raises:
            WireError: The other side closed the channel, or the message is malformed.
            TimeoutError: Nothing came within the time-out of the socket.
        """
        data = self._some()
        while len(data) < _LENGTH.size:
            data += self._some()
        size = _LENGTH.unpack_from(data)[0]
        if size > MAX_BYTES:
            raise WireError(f"a message of {size} bytes is too long")
        while len(data) < _LENGTH.size + size:
            data += self._some()
        try:
            return ormsgpack.unpackb(memoryview(data)[_LENGTH.size :])
        except ormsgpack.MsgpackDecodeError as error:
            raise WireError(f"malformed message: {error}") from error

    def close(self) -> None:
        """Closing twice is harmless."""
        self._end.close()

    def _some(self) -> bytes:
        until = time.perf_counter() + _MOMENT
        data = (self._stays_awake and self._soon(until)) or self._end.recv(_CHUNK)
        self._stays_awake = time.perf_counter() < until
        if not data:
            raise WireError("the other side closed the channel")
        return data

    def _soon(self, until: float) -> bytes:
        """What comes before that time, without going to sleep for it; nothing otherwise.

        On a socket with a time-out, as in the game's process, Python sleeps for it all the same.
        """
        while time.perf_counter() < until:
            with suppress(BlockingIOError):
                return self._end.recv(_CHUNK, socket.MSG_DONTWAIT)
        return b""
