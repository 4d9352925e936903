"""Whether a model can be asked at all, before the first turn."""

from __future__ import annotations

from typing import Any

import httpx

from agents.models.advice import advice
from agents.models.config import ModelConfig

CHECK_SECONDS = 5.0


def problems(config: ModelConfig, *, tools: bool = False) -> list[str]:
    """What keeps the model from answering, each with what to do about it; empty if nothing does.

    `tools` says that somebody wants it to call tools.
    Only an Ollama server can be asked about its models without asking the model itself.
    """
    if config.provider != "ollama":
        return []
    from agents.models.ollama import server_url

    where = server_url(config.base_url)
    try:
        with httpx.Client(base_url=where, timeout=CHECK_SECONDS, trust_env=False) as client:
            response = client.post("/api/show", json={"model": config.name})
            if response.status_code == httpx.codes.NOT_FOUND:
                return [f"no model {config.name!r} at {where}: {advice('missing', config)}"]
            shown = response.raise_for_status().json()
            return [*_unfit(shown, config), *_toolless(shown, config, tools=tools)]
    except (httpx.HTTPError, ValueError) as error:
        return [f"no Ollama server at {where} ({error}): {advice('absent', config)}"]


def _unfit(shown: dict[str, Any], config: ModelConfig) -> list[str]:
    found = []
    info = shown.get("model_info") or {}
    lengths = [value for key, value in info.items() if key.endswith(".context_length")]
    if lengths and config.num_ctx > min(lengths):
        found.append(
            f"num_ctx = {config.num_ctx} is more than {config.name} was made for: "
            f"set num_ctx = {min(lengths)}"
        )
    if config.reasoning and "thinking" not in (shown.get("capabilities") or ["thinking"]):
        found.append(f"{config.name} does not think: set reasoning = false")
    return found


def _toolless(shown: dict[str, Any], config: ModelConfig, *, tools: bool) -> list[str]:
    if tools and "tools" not in (shown.get("capabilities") or ["tools"]):
        return [f"{config.name} calls no tools: take `tools = true` out of the nodes that ask it"]
    return []
