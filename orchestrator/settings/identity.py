"""What a graph is by content: the hash of what it resolves to, and a name that tells it apart."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orchestrator.config import GraphConfig

_NOT_PLAY = ("name", "description", "approve")
"""Keys that do not change what is played."""
_NOT_ANSWERS = frozenset(
    {"base_url", "timeout", "retries", "backoff", "keep_alive", "tokens_per_minute"}
    | {"input_price", "output_price"}
)
"""Keys of a model that do not change what it answers."""


def graph_id(config: GraphConfig, without: tuple[str, ...] = ()) -> str:
    """Twelve hex digits that two graphs share exactly when they resolve to the same.

    Name and description do not count, nor who tells the story; nor do the keys `without`, for
    instance `models`.
    """
    return _digest(_content(config, without))


def named_apart(config: GraphConfig, base: GraphConfig) -> GraphConfig:
    """The config under a name of its own where it resolves to something else than `base`.

    The name is the base's with a hash of what differs, so that a variant shares neither
    results nor memory with what it varies. A config that has another name keeps it.
    """
    if config.name != base.name:
        return config
    ours, theirs = _keys(config), _keys(base)
    changed = {key: ours.get(key) for key in {*ours, *theirs} if ours.get(key) != theirs.get(key)}
    if not changed:
        return config
    return config.model_copy(update={"name": f"{base.name}+{_digest(changed)[:6]}"})


def _keys(config: GraphConfig) -> dict[str, Any]:
    return dict(_flat("", _content(config)))


def _content(config: GraphConfig, without: tuple[str, ...] = ()) -> dict[str, Any]:
    excluded: Any = {"models": {"__all__": _NOT_ANSWERS}, "nodes": {"game"}}
    excluded |= dict.fromkeys((*_NOT_PLAY, *without), True)
    return config.model_dump(mode="json", exclude=excluded)


def _flat(place: str, value: Any) -> list[tuple[str, Any]]:
    """`nodes.critic.use` and so on, each with its value."""
    if not isinstance(value, dict):
        return [(place, value)]
    return [pair for key, one in value.items() for pair in _flat(f"{place}.{key}", one)]


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
