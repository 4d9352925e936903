"""Graph configs: TOML files that name the parts of a graph, merged left to right."""

from __future__ import annotations

import reprlib
import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.models import ModelConfig
from environments.game import Access
from managers.memory.quest import Quest
from managers.policy.faculties import Faculties
from orchestrator.errors import ConfigError, unknown
from orchestrator.identity import named_apart
from orchestrator.placing import place

SHIPPED = files("orchestrator") / "graphs"
MAX_EXTENDS = 10
MAX_BYTES = 1 << 20
"""Of a graph's file."""
MAX_FAULTS = 5
"""Told at once."""


class Strict(BaseModel):
    """Unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NodeConfig(BaseModel):
    """One role: which part plays it. All other keys are the part's own options."""

    model_config = ConfigDict(extra="allow", frozen=True)

    use: str
    """Short name of a shipped part, or `module:Class`."""
    enabled: bool = True

    @property
    def active(self) -> bool:
        """Whether the role is asked at all; `use = "none"` switches it off too."""
        return self.enabled and self.use != "none"

    @property
    def options(self) -> dict[str, Any]:
        """The part's own options."""
        return dict(self.model_extra or {})


class CriticConfig(NodeConfig):
    """The critic, with the bound on the way back to the actor."""

    max_objections: int = Field(default=2, ge=0)
    """How often a turn's proposal may be sent back."""


class OracleConfig(NodeConfig):
    """The oracle, with what an answer costs."""

    tokens: int = Field(default=2500, ge=0)
    """Of one question with its answer."""
    price: float = Field(default=0.3, ge=0.0)
    """Points of score that a thousand tokens have to bring; 0 to ask every turn."""


_OF_THE_GRAPH = frozenset({*CriticConfig.model_fields, *OracleConfig.model_fields})
"""Keys that stay when another part plays the role."""


class NodesConfig(Strict):
    """The roles of a graph."""

    extractor: NodeConfig
    objective_manager: NodeConfig
    oracle: OracleConfig = OracleConfig(use="none")
    actor: NodeConfig
    critic: CriticConfig


class InsertConfig(BaseModel):
    """An extra node. All other keys are its own options."""

    model_config = ConfigDict(extra="allow", frozen=True)

    use: str
    after: str | None = None
    before: str | None = None
    writes: frozenset[str] = frozenset()
    """State fields it may write besides their usual writer."""

    @property
    def options(self) -> dict[str, Any]:
        """The node's own options."""
        return dict(self.model_extra or {})


class GraphConfig(Strict):
    """A whole graph, resolved."""

    name: str
    description: str = ""
    access: tuple[Access, ...] = (Access.TEXT,)
    approve: bool = False
    """A person is asked before every command."""
    models: dict[str, ModelConfig] = Field(default_factory=dict)
    """By name; a part that names none gets `default`."""
    max_tokens: int | None = Field(default=None, ge=1)
    """An episode ends when its models have read and written so many."""
    max_cost: float | None = Field(default=None, gt=0)
    """Or when they have cost so much, by the prices in their tables."""
    faculties: Faculties = Field(default_factory=Faculties)
    """What the planner builds on; all of it by default."""
    explore: Quest | None = None
    """Episodes return to what earlier ones found and play on for a while."""
    nodes: NodesConfig
    insert: dict[str, InsertConfig] = Field(default_factory=dict)


def shipped_graphs() -> dict[str, str]:
    """Name and description of every graph that comes with the product."""
    graphs = {}
    for entry in sorted(SHIPPED.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            table = tomllib.loads(entry.read_text(encoding="utf-8"))
            graphs[entry.name.removesuffix(".toml")] = str(table.get("description", ""))
    return graphs


def load_config(
    graph: str = "offline", configs: Sequence[Path] = (), settings: Sequence[str] = ()
) -> GraphConfig:
    """The graph `graph` (shipped name or file), then each file, then each KEY=VALUE.

    A variant gets a name of its own, unless it is given one: `name=offline` shares the memory
    of `offline`.

    Raises:
        ConfigError: what is wrong and what would work, in one line.
    """
    table = _with_bases(graph, depth=0)
    own = [Path(graph)] if graph.endswith(".toml") else []
    config = overlaid(table, configs, settings, files=own)
    if any(setting.startswith("name=") for setting in settings):
        return config
    return named_apart(config, _bearer(table))


def overlaid(
    table: dict[str, Any],
    configs: Sequence[Path] = (),
    settings: Sequence[str] = (),
    *,
    files: Sequence[Path] = (),
) -> GraphConfig:
    """The config of a table, with each file and then each KEY=VALUE over it.

    `files` are those that the table is from; a message names one and the line.

    Raises:
        ConfigError: what is wrong and what would work, in one line.
    """
    for path in configs:
        overlay = _read(path)
        overlay.pop("extends", None)
        table = merge(table, overlay)
    for setting in settings:
        table = merge(table, parse_setting(setting))
    return validated(table, [*files, *configs])


def search_path(graph: str, configs: Iterable[Path]) -> list[Path]:
    """The folders of the user's own files; parts named by dotted path are looked up there."""
    own = [Path(graph)] if graph.endswith(".toml") else []
    return [path.resolve().parent for path in [*own, *configs]] + [Path.cwd()]


def merge(base: dict[str, Any], overlay: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged key by key, anything else is replaced.

    A node whose `use` changes starts without the options of the part it replaces.
    """
    merged = dict(base)
    for key, value in overlay.items():
        old = merged.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            if "use" in value and value["use"] != old.get("use"):
                old = {name: old[name] for name in old if name in _OF_THE_GRAPH}
            merged[key] = merge(old, value)
        else:
            merged[key] = value
    return merged


def parse_setting(setting: str) -> dict[str, Any]:
    """`nodes.critic.use=none` as a nested table; the value is TOML, or else a plain text."""
    key, equals, text = setting.partition("=")
    if not equals or not all(key.split(".")):
        raise ConfigError(
            f"-s {setting!r}: expected KEY=VALUE, for instance nodes.critic.use=rules"
        )
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    for name in reversed(key.split(".")):
        value = {name: value}
    return dict(value)


def validated(table: dict[str, Any], files: Sequence[Path] = ()) -> GraphConfig:
    """The config of a merged table; `files` are those that it is from."""
    try:
        return GraphConfig.model_validate(table)
    except ValidationError as error:
        told = (_explain(fault, files) for fault in error.errors()[:MAX_FAULTS])
        raise ConfigError("; ".join(told)) from error


def _bearer(table: dict[str, Any]) -> GraphConfig:
    """The graph to which the name of a table belongs: the shipped one, or else the table."""
    name = str(table["name"])
    return validated(_with_bases(name, depth=0) if name in shipped_graphs() else table)


def _with_bases(graph: str, depth: int) -> dict[str, Any]:
    if depth > MAX_EXTENDS:
        raise ConfigError(f"graph {graph!r}: extends itself, directly or through others")
    own_file = graph.endswith(".toml")
    table = _read(Path(graph)) if own_file else _read_shipped(graph)
    if own_file:
        table.setdefault("name", Path(graph).stem)
    base = table.pop("extends", None)
    return merge(_with_bases(str(base), depth + 1), table) if base else table


def _read_shipped(name: str) -> dict[str, Any]:
    if name not in shipped_graphs():
        raise ConfigError(unknown("graph", name, shipped_graphs()) + " or a path ending in .toml")
    table = tomllib.loads((SHIPPED / f"{name}.toml").read_text(encoding="utf-8"))
    return {"name": name, **table}


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.exists() and not (path.is_file() and path.stat().st_size <= MAX_BYTES):
            raise ConfigError(f"graph config {str(path)!r}: is no file of at most 1 MB")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"graph config {str(path)!r}: no such file") from error
    except RecursionError as error:
        raise ConfigError(f"graph config {str(path)!r}: is nested too deep") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"graph config {str(path)!r}: {error}") from error


def _explain(fault: Any, files: Sequence[Path]) -> str:
    told, at = _fault(fault), place(files, fault["loc"])
    return f"{at}: {told}" if at else told


def _fault(fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        fields = _fields_at(fault["loc"][:-1])
        return unknown("key", where, [".".join([*map(str, fault["loc"][:-1]), f]) for f in fields])
    if fault["type"] == "missing":
        hint = '; put extends = "offline" first' if where.startswith("nodes") else ""
        return f"key {where!r} is missing{hint}"
    return f"{where} = {reprlib.repr(fault['input'])}: {fault['msg'].lower()}"


def _fields_at(location: Sequence[str | int]) -> list[str]:
    model: Any = GraphConfig
    for name in location:
        model = _part(model, str(name))
    return list(model.model_fields)


def _part(model: Any, name: str) -> Any:
    """The type of a field, or of a table's entries."""
    if name in getattr(model, "model_fields", {}):
        return model.model_fields[name].annotation
    return get_args(model)[1]
