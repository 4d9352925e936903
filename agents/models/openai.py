"""Models of OpenAI's protocol: OpenAI's own, and those of servers that people run themselves."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx
from langchain_core.language_models import BaseChatModel

from agents.models.addresses import HERE, is_here, server_address, shown
from agents.models.config import ModelConfig
from agents.models.faults import Diagnosing, ModelError, ModelFault
from agents.models.likelihood import UNTOLD, TokenTree
from agents.models.providers import (
    QUESTION,
    Health,
    Likely,
    Provider,
    check_options,
    imported,
    made,
)
from agents.models.size import size_in

if TYPE_CHECKING:
    from agents.models.openai_chat import BoundedChatOpenAI

_UNKNOWN = re.compile(
    r"model\S* .{0,60}(not found|not exist|not supported|not available|not loaded)"
    r"|(invalid|unknown|no) models?\b",
    re.IGNORECASE,
)
"""What servers say of a model that they do not have, whatever status they give it."""
NO_KEY = "none"
"""What is sent to servers that want no key, as the protocol wants one."""


FIRST_SECONDS = 20.0
"""For the list of models, for which no server has to think."""


class OpenAI(Provider):
    """One kind of server.

    Args:
        name: The provider's.
        key: The environment variable that may hold its key.
        port: Where it listens on this machine; None where it is elsewhere.
        start: What to do if nobody listens.
    """

    package = "langchain_openai"

    def __init__(self, name: str, key: str, port: int | None = None, start: str = "") -> None:
        super().__init__(name)
        self.key = key
        self.port = port
        self.start = start

    def make(self, config: ModelConfig) -> BaseChatModel:
        imported(self.package, config)
        from agents.models.openai_chat import BoundedChatOpenAI

        check_options(BoundedChatOpenAI, config.options, config, "client_kwargs")
        return made(lambda: BoundedChatOpenAI.of(self._settings(config)), config)

    def _settings(self, config: ModelConfig) -> dict[str, Any]:
        """What its chat model is made of."""
        url = self._url(config)
        own = self._is_own(url)
        settings = {
            "model": config.name,
            "base_url": None if url is None else str(url),
            "api_key": self._key(config, own=own),
            "temperature": config.temperature,
            "seed": config.seed,
            "max_tokens": config.max_tokens,
            "timeout": config.timeout,
            "max_retries": 0,
            "old_names": own,
            "streaming": own or None,
            "stream_usage": own or None,
            **_thinking(config, own=own),
        }
        given = {name: value for name, value in settings.items() if value is not None}
        client = {"seconds": config.timeout, "trust_env": not (url and is_here(url))}
        client |= config.options.get("client_kwargs", {})
        return _merged(given, {**config.options, "client_kwargs": client})

    def likelihoods(self, model: BaseChatModel, config: ModelConfig) -> Likely | None:
        """Of llama.cpp's server alone; the others tell too few probabilities."""
        if self.name not in ("llamacpp", "local"):
            return None
        from agents.models.openai_chat import BoundedChatOpenAI

        assert isinstance(model, BoundedChatOpenAI)
        return TokenTree(model.root_client).answer

    def _url(self, config: ModelConfig) -> httpx.URL | None:
        """Where the server is; None leaves it to OpenAI's package."""
        if self.name == "openai" and not config.base_url:
            return None
        if not config.base_url and not self.port:
            raise ModelError(
                "base_url is missing: set models.default.base_url to the server's address, "
                "for instance http://127.0.0.1:8080/v1"
            )
        url = server_address(config.base_url or f"{HERE}:{self.port}", "base_url", self.port)
        return url.copy_with(path="/v1") if self._is_own(url) and url.path == "/" else url

    def _is_own(self, url: httpx.URL | None) -> bool:
        """Whether somebody runs the server himself, so that it may want no key."""
        return self.name != "openai" or (url is not None and is_here(url))

    def _key(self, config: ModelConfig, *, own: bool) -> str | None:
        if "api_key" in config.options or "openai_api_key" in config.options:
            return None
        # A key for another server is nobody's business on this one.
        held = "" if own and self.name == "openai" else os.environ.get(self.key, "").strip()
        if not held and not own:
            raise ModelError(
                f"a key is missing: set {self.key} in the environment; a server of your own "
                "needs none, if base_url says where it is"
            )
        return held or NO_KEY

    def check(self, model: BaseChatModel, config: ModelConfig, *, tools: bool) -> Health:
        """Ask which models there are, then the model itself for one word."""
        from agents.models.openai_chat import BoundedChatOpenAI

        assert isinstance(model, BoundedChatOpenAI)
        try:
            with Diagnosing():
                listed = _listed(model)
                problem = self._unfit(listed, model, config)
                if not problem:
                    _asked(model)
        except ModelFault as fault:
            return Health((self._complaint(fault, model, config),))
        loaded = _loaded(listed, config)
        served = json.dumps([loaded.get("id"), _meta(loaded)], default=str) if loaded else ""
        return Health((problem,) if problem else (), (), _billions(loaded), served)

    def _unfit(
        self, listed: list[dict[str, Any]], model: BoundedChatOpenAI, config: ModelConfig
    ) -> str:
        """What the list of models says against this one; empty where nothing does."""
        names = [str(one.get("id")) for one in listed]
        found = _named(listed, config)
        if found is None and names and self.name in ("lmstudio", "vllm"):
            return _absent(names, model, config)
        found = found or (listed[0] if self.name == "llamacpp" and len(listed) == 1 else None)
        length = _context(found or {})
        if length and config.num_ctx > length:
            return (
                f"model {config.model!r}: num_ctx = {config.num_ctx} is more than the {length} "
                f"tokens that {shown(model.root_client.base_url)} keeps: set num_ctx = {length} "
                f"and max_tokens below it, or start the server with more"
            )
        return ""

    def _complaint(self, fault: ModelFault, model: BoundedChatOpenAI, config: ModelConfig) -> str:
        if fault.kind == "missing":
            try:
                names = [str(one.get("id")) for one in _listed(model)]
            except ModelFault:
                names = []
            if names:
                return _absent(names, model, config)
        return self.complaint(fault, config)

    def can_be_hushed(self, config: ModelConfig) -> bool:
        return self._is_own(self._url(config))

    def remedy(self, kind: str, config: ModelConfig) -> str:
        held = "is not accepted" if os.environ.get(self.key) else "is not set"
        own = {
            "down": f"{self.start or 'start the server'}, or set base_url",
            "missing": "is that a server of OpenAI's protocol? most addresses end in /v1: "
            "set base_url",
            UNTOLD: "is it llama.cpp's own server, and a new one? "
            "another is asked as openai-compatible:NAME",
            "denied": f"set {self.key} to a key of this server (it {held}), or options.api_key",
        }
        return own.get(kind) or super().remedy(kind, config)


def _merged(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """Both; of what both say the latter, table by table."""
    out = {**ours, **theirs}
    for name in ours.keys() & theirs.keys():
        if isinstance(ours[name], dict) and isinstance(theirs[name], Mapping):
            out[name] = _merged(ours[name], theirs[name])
    return out


def _thinking(config: ModelConfig, *, own: bool) -> dict[str, Any]:
    """How `reasoning` is said: as an effort, or in the words of the model's own template."""
    if isinstance(config.reasoning, str):
        return {"reasoning_effort": config.reasoning}
    if config.reasoning is None or not own:
        return {}
    return {"extra_body": {"chat_template_kwargs": {"enable_thinking": config.reasoning}}}


def _listed(model: BoundedChatOpenAI) -> list[dict[str, Any]]:
    """The models that a server tells of; none where it does not know the question."""
    try:
        with Diagnosing():
            told: Any = model.root_client.get(
                "/models", cast_to=object, options={"timeout": FIRST_SECONDS}
            )
    except ModelFault as fault:
        if fault.kind in ("missing", "refused", "garbled"):
            return []
        if "handshake" in str(fault):
            where = shown(model.root_client.base_url)
            raise ModelFault("tls", f"{fault}; does {where} encrypt?", transient=False) from fault
        raise
    listed = told.get("data") if isinstance(told, dict) else None
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _asked(model: BoundedChatOpenAI) -> None:
    """Have the model say one token; a model that cannot be that brief has been reached as well."""
    body = {
        "model": model.model_name,
        "messages": [{"role": "user", "content": QUESTION}],
        "max_tokens" if model.old_names else "max_completion_tokens": 1,
    }
    try:
        with Diagnosing():
            told: Any = model.root_client.post("/chat/completions", body=body, cast_to=object)
    except ModelFault as fault:
        if fault.kind != "refused" or _UNKNOWN.search(str(fault)):
            raise
        return
    if not isinstance(told, dict) or not told.get("choices"):
        where = shown(model.root_client.base_url)
        raise ModelFault("missing", f"{where} sent no answer of OpenAI's protocol", transient=False)


def _spellings(name: str) -> tuple[str, str]:
    return name, f"{name}:latest"


def _named(listed: list[dict[str, Any]], config: ModelConfig) -> dict[str, Any] | None:
    """What a server tells of the model of this name."""
    return next((one for one in listed if one.get("id") in _spellings(config.name)), None)


def _absent(names: list[str], model: BoundedChatOpenAI, config: ModelConfig) -> str:
    close = difflib.get_close_matches(config.name, names, n=1, cutoff=0.4)
    meant = close or names[:1]
    others = f" (it has: {', '.join(names[:8])})" if len(names) > 1 else ""
    return (
        f"no model {config.name!r} at {shown(model.root_client.base_url)}: "
        f"did you mean '{config.provider}:{meant[0]}'?{others}"
    )


def _loaded(listed: list[dict[str, Any]], config: ModelConfig) -> dict[str, Any]:
    """What a server tells of the model that answers; a single one answers to any name."""
    return _named(listed, config) or (listed[0] if len(listed) == 1 else {})


def _billions(found: dict[str, Any]) -> float | None:
    """How large a server says the model is, or what stands in the name that it has there."""
    count = _meta(found).get("n_params")
    return count / 1e9 if isinstance(count, int) else size_in(str(found.get("id")))


def _context(listed: dict[str, Any]) -> int:
    """Tokens that a server keeps of a question and its answer; 0 where it does not say."""
    meta = _meta(listed)
    told = listed.get("max_model_len") or meta.get("n_ctx") or meta.get("n_ctx_train")
    return max(told, 0) if isinstance(told, int) else 0


def _meta(listed: dict[str, Any]) -> dict[str, Any]:
    """What llama.cpp's server tells besides."""
    told = listed.get("meta")
    return told if isinstance(told, dict) else {}
