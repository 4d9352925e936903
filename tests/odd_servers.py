"""Servers of models that go wrong in ways that the fake server's protocol has no room for."""

from __future__ import annotations

import functools
import json
import re
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
Answer = Callable[[str, bytes], Iterator[bytes]]
"""What is sent, piece by piece, for a request line and all that came with it."""


@contextmanager
def odd_server(answer: Answer) -> Iterator[str]:
    """The address of a server that sends whatever it is told, for as long as somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended = threading.Event()

        def serve() -> None:
            with suppress(OSError):
                while not ended.is_set():
                    threading.Thread(
                        target=_talk, args=(listening.accept()[0], answer, ended), daemon=True
                    ).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        ended.set()
        listening.shutdown(socket.SHUT_RDWR)


def _talk(connection: socket.socket, answer: Answer, ended: threading.Event) -> None:
    with connection, suppress(OSError):
        heard = b""
        while b"\r\n\r\n" not in heard and (more := connection.recv(65536)):
            heard += more
        length = re.search(rb"(?i)content-length: *([0-9]+)", heard)
        whole = heard.find(b"\r\n\r\n") + 4 + int(length[1] if length else 0)
        while len(heard) < whole and (more := connection.recv(65536)):
            heard += more
        for piece in answer(heard.partition(b"\r\n")[0].decode(), heard):
            if ended.is_set():
                return
            connection.sendall(piece)


def told(status: str, body: bytes, *headers: str) -> bytes:
    """A whole response."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def status(line: str, words: str, *headers: str) -> Answer:
    """Says the same to everything."""
    return lambda _asked, _heard: iter(
        [told(line, json.dumps({"error": words}).encode(), *headers)]
    )


def echo(_asked: str, heard: bytes) -> Iterator[bytes]:
    """Refuses a key and repeats it."""
    key = heard.partition(b"uthorization: Bearer ")[2].partition(b"\r\n")[0].decode()
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {key}"}}).encode()
    yield told("401 Unauthorized", body)


def drip(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """A byte now and then, within the body."""
    yield CHUNKED
    while True:
        yield b"1\r\n \r\n"
        time.sleep(0.1)


def drip_headers(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """A header now and then, and never the last."""
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield b"X: y\r\n"
        time.sleep(0.1)


def drip_error(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """The words of an error, a letter now and then."""
    yield CHUNKED.replace(b"200 OK", b"500 Oh")
    while True:
        yield b"1\r\ne\r\n"
        time.sleep(0.1)


def silence(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """Nothing at all."""
    time.sleep(30)
    yield b""


def endless_line(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """One line without an end."""
    yield CHUNKED
    while True:
        yield b"10000\r\n" + b"a" * 0x10000 + b"\r\n"


def endless_error(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """An error without an end."""
    yield CHUNKED.replace(b"200 OK", b"500 Oh")
    while True:
        yield b"10000\r\n" + b"e" * 0x10000 + b"\r\n"


def bomb(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """A few megabytes that unpack to 512."""
    yield told("200 OK", packed(), "Content-Encoding: gzip", "Content-Type: application/json")


@functools.cache
def packed() -> bytes:
    """512 megabytes of blanks; they take a while."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return b"".join(packer.compress(b" " * (1 << 20)) for _ in range(512)) + packer.flush()


def strange_packing(_asked: str, _heard: bytes) -> Iterator[bytes]:
    """An encoding that nobody asked for."""
    yield told("200 OK", b"\x00" * 99, "Content-Encoding: br")


def llamacpp(completion: str) -> Answer:
    """A server of llama.cpp that says the same behind every beginning."""
    answers = {
        "/v1/models": '{"data": []}',
        "/v1/chat/completions": '{"choices": [{"message": {"content": "yes"}}]}',
        "/prefix/apply-template": '{"prompt": ""}',
        "/prefix/tokenize": '{"tokens": [1, 2]}',
        "/prefix/completion": completion,
    }
    answers |= {f"/prefix{path}": body for path, body in answers.items() if "/v1/" in path}
    kind = "Content-Type: application/json"

    def answer(asked: str, heard: bytes) -> Iterator[bytes]:
        body = answers.get(asked.split()[1])
        if b"uthorization: Bearer hunter2hunter2" not in heard:
            yield told("401 Unauthorized", b"{}")
        else:
            yield told("200 OK", body.encode(), kind) if body else told("404 Not Found", b"{}")

    return answer
