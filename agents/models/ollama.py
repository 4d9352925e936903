"""LangChain's ChatOllama with bounds: explicit context, time-outs, and streams that must end."""

from __future__ import annotations

import difflib
import json
import os
import time
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from pydantic import ValidationError

from agents.models.addresses import server_address, shown
from agents.models.bounds import BoundedClient, encryption
from agents.models.config import ModelConfig
from agents.models.faults import ModelFault, brief, diagnose
from agents.models.providers import Health, Provider, check_options, made
from agents.models.surroundings import without
from agents.parsing import LOOP, LoopWatch

with without("OLLAMA_HOST", "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "SSL_CERT_FILE"):
    from langchain_ollama import ChatOllama
    from ollama import Client

DEFAULT_PORT = 11434
CHARS_PER_TOKEN = 16
"""More than any tokeniser packs into one token: a longer answer ignores `num_predict`."""
MOST_THOUGHTS = 200_000
"""Characters of thoughts that are kept of an answer."""

Part = Mapping[str, Any] | str


class BoundedChatOllama(ChatOllama):
    """A ChatOllama whose calls end: in time, within a length, and with the server saying so."""

    call_seconds: float
    """For one whole call; the client's own time-out is per chunk."""

    def _create_chat_stream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, **kwargs: Any
    ) -> Iterator[Part]:
        bounds = _Bounds(self.call_seconds, self.num_predict)
        where = shown(self._client._client.base_url)
        parts = super()._create_chat_stream(messages, stop, **kwargs)
        while True:
            with _Garbled(where):
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
        where = shown(self._client._client.base_url)
        parts = super()._acreate_chat_stream(messages, stop, **kwargs)
        while True:
            with _Garbled(where):
                part = await anext(parts, None)
            if part is None:
                bounds.close()
                return
            yield bounds.check(part)
            if bounds.full:
                return


class Ollama(Provider):
    """Models of an Ollama server."""

    def make(self, config: ModelConfig) -> BoundedChatOllama:
        check_options(BoundedChatOllama, config.options, config)
        model = made(lambda: _made(config), config)
        assert isinstance(model, BoundedChatOllama)
        return model

    def check(self, model: BaseChatModel, config: ModelConfig, *, tools: bool) -> Health:
        """What the server tells of the model, asked by the model's own client."""
        assert isinstance(model, BoundedChatOllama)
        client: httpx.Client = model._client._client
        try:
            told = client.post("/api/show", json={"model": config.name}).json()
        except ModelFault as fault:
            return Health((self._refused(client, fault, config),))
        except ValueError:
            told = None
        if not isinstance(told, dict):
            said = f"{shown(client.base_url)} does not speak Ollama's protocol"
            odd = ModelFault("missing", said, transient=False)
            return Health((self.complaint(odd, config),))
        problems = [*_unfit(told, config), *_toolless(told, config, tools=tools)]
        return Health(tuple(problems), tuple(_thoughtful(told, config)))

    def can_be_hushed(self, config: ModelConfig) -> bool:
        return True

    def remedy(self, kind: str, config: ModelConfig) -> str:
        where = shown(server_url(config.base_url))
        known = "is not accepted" if os.environ.get("OLLAMA_API_KEY") else "is not set"
        own = {
            "down": f"is Ollama up at {where}? start it with `ollama serve`, "
            "or set OLLAMA_HOST or base_url",
            "missing": f"is it an Ollama server? then pull the model: `ollama pull {config.name}`",
            "denied": f"set OLLAMA_API_KEY to a key of {where} (it {known})",
        }
        return own.get(kind) or super().remedy(kind, config)

    def _refused(self, client: httpx.Client, fault: ModelFault, config: ModelConfig) -> str:
        """Why it cannot be asked; of a model that is not there, what may have been meant."""
        names = _pulled(client) if fault.kind == "missing" else None
        if names is None:
            return self.complaint(fault, config)
        close = difflib.get_close_matches(config.name, names, n=1)
        meant = f"did you mean 'ollama:{close[0]}'? else " if close else ""
        return (
            f"no model {config.name!r} at {shown(client.base_url)}: {meant}"
            f"pull the model with `ollama pull {config.name}`"
        )


def _made(config: ModelConfig) -> BoundedChatOllama:
    options = dict(config.options)
    own = {"seconds": config.timeout, "trust_env": False, **options.pop("client_kwargs", {})}
    own |= options.pop("sync_client_kwargs", {})
    url = server_url(config.base_url)
    shared = {name: own[name] for name in ("headers", "proxy", "trust_env") if name in own}
    settings: dict[str, Any] = {
        "base_url": str(url),
        "temperature": config.temperature,
        "seed": config.seed,
        "num_ctx": config.num_ctx,
        "num_predict": config.max_tokens,
        "keep_alive": config.keep_alive,
        "reasoning": config.reasoning,
        "call_seconds": config.timeout,
        "client_kwargs": {
            **shared,
            "timeout": config.timeout,
            "verify": encryption(own.get("verify", True)),
            "follow_redirects": False,
        },
        # Connections kept open belong to one event loop; the next asyncio.run would trip over them.
        "async_client_kwargs": {"limits": httpx.Limits(max_keepalive_connections=0)},
    }
    model = BoundedChatOllama(model=config.name, **{**settings, **options})
    model._client._client.close()
    model._client = _Client(url, (model.client_kwargs or {}).get("headers"), own)
    weakref.finalize(model, model._client.close)
    return model


class _Client(Client):
    """Ollama's client over one of ours."""

    def __init__(self, url: httpx.URL, headers: Any, own: Mapping[str, Any]) -> None:
        super().__init__(str(url), headers=headers, verify=False, trust_env=False)
        theirs = self._client
        theirs.close()
        sent = {name: value for name, value in theirs.headers.items() if name != "accept-encoding"}
        self._client = BoundedClient(base_url=url, **{**own, "headers": sent})


def server_url(base_url: str | None = None) -> httpx.URL:
    """Where Ollama is: the given address, else OLLAMA_HOST, else this machine.

    Raises:
        ModelError: it is no address.
    """
    if base_url:
        return server_address(base_url, "base_url", DEFAULT_PORT)
    return server_address(os.environ.get("OLLAMA_HOST") or "", "OLLAMA_HOST", DEFAULT_PORT)


def _pulled(client: httpx.Client) -> list[str] | None:
    """The models that the server has; None where nobody can tell."""
    try:
        listed = client.get("/api/tags").json()["models"]
        return [str(one["name"]) for one in listed]
    except (ModelFault, ValueError, KeyError, TypeError):
        return None


def _unfit(shown: dict[str, Any], config: ModelConfig) -> list[str]:
    found = []
    info = shown.get("model_info")
    told = info.items() if isinstance(info, dict) else ()
    lengths = [
        value
        for key, value in told
        if key.endswith(".context_length") and isinstance(value, int) and value > 0
    ]
    if lengths and config.num_ctx > min(lengths):
        found.append(
            f"num_ctx = {config.num_ctx} is more than {config.name} was made for: "
            f"set num_ctx = {min(lengths)}"
        )
    if config.reasoning and "thinking" not in (_abilities(shown) or ["thinking"]):
        found.append(f"{config.name} does not think: set reasoning = false")
    return found


def _abilities(shown: dict[str, Any]) -> list[Any]:
    """What the server says that the model can do; empty where it does not say."""
    told = shown.get("capabilities")
    return told if isinstance(told, list) else []


def _toolless(shown: dict[str, Any], config: ModelConfig, *, tools: bool) -> list[str]:
    if tools and "tools" not in (_abilities(shown) or ["tools"]):
        return [f"{config.name} calls no tools: take `tools = true` out of the nodes that ask it"]
    return []


def _thoughtful(shown: dict[str, Any], config: ModelConfig) -> list[str]:
    if config.reasoning is None and "thinking" in _abilities(shown):
        return [
            f"{config.name} thinks before it answers, and thoughts count against max_tokens = "
            f"{config.max_tokens}: reasoning = false is faster, reasoning = true says it is meant"
        ]
    return []


class _Bounds:
    """Watches one stream: its time, its length, and whether it came to its end."""

    def __init__(self, seconds: float, tokens: int | None) -> None:
        self.deadline = time.monotonic() + seconds
        self.seconds = seconds
        self.room = (tokens or 0) * CHARS_PER_TOKEN
        self.limited = tokens is not None and tokens > 0
        self.thoughts: list[str] = []
        self.done = False
        self.full = False
        self.watch = LoopWatch()

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
        said, thought = message.get("content") or "", message.get("thinking") or ""
        self.thoughts.append(thought)
        self.room -= max(1, len(said) + len(thought))
        loops = self.watch.loops(said or thought)
        if not self.done and (loops or (self.limited and self.room < 0)):
            self.full = True
            reason = LOOP if loops else "length"
            part = {"message": message, "done": True, "done_reason": reason}
        if message.get("content", "") is None:
            part = {**dict(part), "message": {**dict(message), "content": ""}}
        return self._ended(part) if self.done or self.full else part

    def _ended(self, part: Mapping[str, Any]) -> Part:
        """The last part, with the thoughts, which LangChain leaves out where nobody asked."""
        thoughts = "".join(self.thoughts)[-MOST_THOUGHTS:]
        return {**dict(part), "thinking": thoughts} if thoughts else part

    def close(self) -> None:
        """Refuse a stream that simply stopped."""
        if not self.done:
            raise ModelFault(
                "cut", "the server ended the answer without saying that it is done", transient=True
            )


class _Garbled:
    """A context in which reading one chunk fails as a `ModelFault` if the chunk is no chunk."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        if (found := diagnose(error) if error else None) and found.kind == "unreadable":
            return
        if isinstance(error, json.JSONDecodeError | ValidationError | AttributeError | TypeError):
            message = f"{self._where} sent a chunk that is none: {brief(error)}"
            raise ModelFault("garbled", message, transient=True) from error
