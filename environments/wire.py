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
_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16
MAX_BYTES = 1 << 24
_MOMENT = 0.0002
"""Seconds. An answer takes about half of it; waking up from sleep would take as long again."""


class WireError(ConnectionError):
    """The other side is gone, or sent what is no message."""


def send(channel: socket.socket, message: object) -> None:
    """Send one message; named tuples arrive as lists."""
    payload = ormsgpack.packb(message, default=tuple)
    channel.sendall(_LENGTH.pack(len(payload)) + payload)


def receive(channel: socket.socket) -> Any:
    """Receive one message.

    Raises:
        WireError: The other side closed the channel, or the message is malformed.
        TimeoutError: Nothing came within the channel's time-out.
    """
    data = _some(channel)
    while len(data) < _LENGTH.size:
        data += _some(channel)
    size = _LENGTH.unpack_from(data)[0]
    if size > MAX_BYTES:
        raise WireError(f"a message of {size} bytes is too long")
    while len(data) < _LENGTH.size + size:
        data += _some(channel)
    try:
        return ormsgpack.unpackb(memoryview(data)[_LENGTH.size :])
    except ormsgpack.MsgpackDecodeError as error:
        raise WireError(f"malformed message: {error}") from error


def _some(channel: socket.socket) -> bytes:
    data = _soon(channel) or channel.recv(_CHUNK)
    if not data:
        raise WireError("the other side closed the channel")
    return data


def _soon(channel: socket.socket) -> bytes:
    """What comes within a moment, without going to sleep for it; nothing otherwise."""
    until = time.perf_counter() + _MOMENT
    while time.perf_counter() < until:
        with suppress(BlockingIOError):
            return channel.recv(_CHUNK, socket.MSG_DONTWAIT)
    return b""
