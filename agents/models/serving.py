"""Which models servers have that answer at their usual places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from agents.models.addresses import HERE
from agents.models.bounds import BoundedClient
from agents.models.faults import ModelError, ModelFault
from agents.models.providers import OWN, provider_of

SECONDS = 1.0
"""So long a server may take to answer."""


class ServedModel(NamedTuple):
    """A model of a server."""

    model: str
    """As `--model` takes it."""
    size: int | None
    """In bytes, where the server says."""


def served() -> Iterator[ServedModel]:
    """The models of an Ollama server, and of those with OpenAI's protocol on this machine."""
    yield from _of_ollama()
    for name in OWN:
        port = getattr(provider_of(name), "port", None)
        if port is not None:
            told = _answer(f"http://{HERE}:{port}/v1/models").get("data")
            for one in _dicts(told):
                yield ServedModel(f"{name}:{one.get('id')}", None)


def _of_ollama() -> Iterator[ServedModel]:
    from agents.models.ollama import server_url

    try:
        url = server_url()
    except ModelError:
        return
    for one in _dicts(_answer(f"{url}/api/tags").get("models")):
        size = one.get("size")
        yield ServedModel(f"ollama:{one.get('name')}", size if isinstance(size, int) else None)


def _answer(url: str) -> dict[str, Any]:
    try:
        with BoundedClient(seconds=SECONDS, trust_env=False) as client:
            told = client.get(url).json()
    except (ModelFault, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _dicts(told: Any) -> list[dict[str, Any]]:
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
