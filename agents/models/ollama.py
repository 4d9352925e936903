"""LangChain's ChatOllama with bounds: explicit context, time-outs, and streams that must end."""

from __future__ import annotations

import copy
import functools
import json
import os
import ssl
import time
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx
from langchain_core.messages import BaseMessage
from langchain_ollama import ChatOllama
from pydantic import ValidationError

from agents.models.config import ModelConfig
from agents.models.faults import ModelFault, diagnose

DEFAULT_PORT = 11434
CONNECT_SECONDS = 10.0
CHARS_PER_TOKEN = 16
"""More than any tokeniser packs into one token: a longer answer ignores `num_predict`."""

Part = Mapping[str, Any] | str


class BoundedChatOllama(ChatOllama):
    """A ChatOllama whose calls end: in time, within a length, and with the server saying so."""

    call_seconds: float
    """For one whole call; the client's own time-out is per chunk."""

    def _create_chat_stream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, **kwargs: Any
    ) -> Iterator[Part]:
        bounds = _Bounds(self.call_seconds, self.num_predict)
        parts = super()._create_chat_stream(messages, stop, **kwargs)
        while True:
            with _Garbled():
                part = next(parts, None)
            if part is None:
                return bounds.close()
            yield bounds.check(part)
            if bounds.full:
                return None

    async def _acreate_chat_stream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, **kwargs: Any
    ) -> AsyncIterator[Part]:
        bounds = _Bounds(self.call_seconds, self.num_predict)
        parts = super()._acreate_chat_stream(messages, stop, **kwargs)
        while True:
            with _Garbled():
                part = await anext(parts, None)
            if part is None:
                bounds.close()
                return
            yield bounds.check(part)
            if bounds.full:
                return


def make_ollama(config: ModelConfig) -> BoundedChatOllama:
    """The model of a config; nothing is asked of the server yet."""
    client = {
        "timeout": httpx.Timeout(config.timeout, connect=min(CONNECT_SECONDS, config.timeout)),
        "trust_env": False,
        "verify": _tls(),
    }
    options: dict[str, Any] = {
        "base_url": server_url(config.base_url),
        "temperature": config.temperature,
        "seed": config.seed,
        "num_ctx": config.num_ctx,
        "num_predict": config.max_tokens,
        "keep_alive": config.keep_alive,
        "reasoning": config.reasoning,
        "call_seconds": config.timeout,
        "client_kwargs": client,
        # Connections kept open belong to one event loop; the next asyncio.run would trip over them.
        "async_client_kwargs": {"limits": httpx.Limits(max_keepalive_connections=0)},
    }
    model = BoundedChatOllama(model=config.name, **{**options, **copy.deepcopy(config.options)})
    weakref.finalize(model, model._client.close)
    return model


def server_url(base_url: str | None = None) -> str:
    """Where Ollama is, as a full URL: the given address, else OLLAMA_HOST, else this machine."""
    address = (base_url or os.environ.get("OLLAMA_HOST") or "127.0.0.1").strip()
    if "://" in address:
        return address.rstrip("/")
    host = urlsplit(f"//{address}")
    port = f":{DEFAULT_PORT}" if host.port is None else ""
    netloc = host.netloc if host.hostname else f"127.0.0.1{host.netloc}"
    return f"http://{netloc.rstrip(':')}{port}{host.path.rstrip('/')}"


@functools.cache
def _tls() -> ssl.SSLContext:
    """Reading the certificates takes 30 times longer than everything else about a client."""
    return httpx.create_ssl_context(trust_env=False)


class _Bounds:
    """Watches one stream: its time, its length, and whether it came to its end."""

    def __init__(self, seconds: float, tokens: int | None) -> None:
        self.deadline = time.monotonic() + seconds
        self.seconds = seconds
        self.room = (tokens or 0) * CHARS_PER_TOKEN
        self.limited = tokens is not None and tokens > 0
        self.done = False
        self.full = False

    def check(self, part: Part) -> Part:
        """The part, or the end of the stream in its place where it is longer than allowed."""
        if time.monotonic() > self.deadline:
            raise ModelFault(
                "timeout", f"no end of the answer within {self.seconds:g} s", transient=True
            )
        if isinstance(part, str):
            return part
        self.done = self.done or bool(part.get("done"))
        message = part.get("message") or {}
        self.room -= len(message.get("content") or "") + len(message.get("thinking") or "")
        if self.limited and self.room < 0 and not self.done:
            self.full = True
            return {"message": message, "done": True, "done_reason": "length"}
        return part

    def close(self) -> None:
        """Refuse a stream that simply stopped."""
        if not self.done:
            raise ModelFault(
                "cut", "the server ended the answer without saying that it is done", transient=True
            )


class _Garbled:
    """A context in which reading one chunk fails as a `ModelFault` if the chunk is no chunk."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        if (found := diagnose(error) if error else None) and found.kind == "unreadable":
            return
        if isinstance(error, json.JSONDecodeError | ValidationError | AttributeError | TypeError):
            message = f"the server sent a chunk that is none: {type(error).__name__}: {error}"
            raise ModelFault("garbled", message, transient=True) from error
