"""Graph configs: what TOML files that are merged left to right come to."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, PrivateAttr, ValidationError, model_validator

from agents.models import ModelConfig
from environments.game import Access
from environments.secrets import learn
from managers.core.scene import Mind
from managers.memory.archive import Quest
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph import spec
from orchestrator.graph.spec import (
    TABLE,
    TEXT,
    FieldConfig,
    InsertConfig,
    PartGraph,
    SkillConfig,
    Table,
    Where,
)
from orchestrator.settings.identity import named_apart
from orchestrator.settings.places import Places, place_of
from orchestrator.settings.sheets import Sheet, parse_setting, read_file, read_graph, shipped_graphs
from orchestrator.traces.redaction import hidden
from orchestrator.turns.ends import AfterEnd

MAX_FAULTS = 5
"""Wrong keys that one message lists at most."""


READING = ("extractor", "learner")
"""The roles that read a reply and learn from it."""


def _role_in(name: str, nodes: Any) -> Any:
    """The role of a node, in tables that were not checked yet."""
    table = nodes.get(name) if isinstance(nodes, dict) else None
    role = table.get("role") if isinstance(table, dict) else None
    return role or name


def _usual_opening(table: Table) -> list[str]:
    """The opening of a graph that says nothing of it, in a table that was not checked yet."""
    sequence, nodes = table.get("sequence"), table.get("nodes")
    roles = {name: _role_in(name, nodes) for name in spec.named(sequence)}
    readers = [one for role in READING for one, own in roles.items() if own == role]
    return [spec.GAME, *readers]


class GraphConfig(PartGraph):
    """A whole graph, resolved."""

    name: str = Field(min_length=1)
    """By which results and memory know it; by default that of its file."""
    access: tuple[Access, ...] = (Access.TEXT,)
    """The help that it takes from the emulator: `text`, `words`, `tree`, `actions`."""
    approve: bool = False
    """A person is asked before every command."""
    models: dict[str, ModelConfig] = Field(default_factory=dict)
    """By name; a part that names none gets `default`."""
    max_tokens: int | None = Field(default=None, ge=1)
    """An episode ends when its models have read and written so many."""
    max_cost: float | None = Field(default=None, gt=0)
    """Or when they have cost so much, by the prices in their tables."""
    max_seconds: float | None = Field(default=None, gt=0)
    """Or when it has been played for so long, all its sessions together."""
    mind: Mind = Field(default_factory=Mind)
    """What of the mind's core is switched on; all of it by default."""
    skills: dict[str, SkillConfig] = Field(default_factory=dict)
    """What the agent is capable of, where that is not what is shipped; by name."""
    after_end: AfterEnd = "stop"
    """What becomes of a run whose story ends before it is won: `stop`, `undo` or `restart`."""
    explore: Quest | None = None
    """Episodes return to what earlier ones found and play on for a while."""
    opening: spec.Sequence = Field(default=["game"])
    """The nodes before the first turn: by default the game, and those of the sequence that read
    and learn what it says."""
    state: dict[str, FieldConfig] = Field(default_factory=dict)
    """Fields besides those that every graph has."""
    insert: dict[str, InsertConfig] = Field(default_factory=dict)
    """Nodes before or behind others of a graph that stands already."""
    _places: Places = PrivateAttr(default_factory=dict)
    _folders: tuple[Path, ...] = PrivateAttr(default=())

    @model_validator(mode="before")
    @classmethod
    def _opened(cls, table: Any) -> Any:
        if not isinstance(table, dict) or "opening" in table:
            return table
        return {**table, "opening": _usual_opening(table)}

    @property
    def table(self) -> Table:
        """What a file would say that has all of it, and that others can be merged over.

        The usual opening is left out: with another sequence it is another one.
        """
        table = self.model_dump(mode="json", exclude_none=True)
        if table["opening"] == _usual_opening(table):
            del table["opening"]
        return table

    @property
    def where(self) -> Where:
        """Where its keys stand, for messages."""
        return Where(self._places)

    @property
    def folders(self) -> list[Path]:
        """Where the parts are looked up that its files name."""
        return [*self._folders, Path.cwd()]


def listed(given: Any) -> list[Any]:
    """Texts or paths of which there may be one, by itself, or several."""
    return [given] if isinstance(given, str | Path) else list(given)


def load_config(
    graph: str | Path = "offline",
    configs: Sequence[str | Path] | Path = (),
    settings: Sequence[str] = (),
) -> GraphConfig:
    """The graph `graph` (shipped name or file), then each file, then each KEY=VALUE.

    A variant gets a name of its own, unless it is given one: `name=offline` shares the memory
    of `offline`.

    Raises:
        ConfigError: what is wrong and what would work, in one line.
    """
    base, given = read_graph(str(graph)), listed(settings)
    config = _overlaid(base, listed(configs), given)
    named = search_path(graph, listed(configs))[:-1]
    config._folders = tuple(dict.fromkeys([*named, *config._folders]))
    if any(setting.startswith("name=") for setting in given):
        return config
    return named_apart(config, _bearer(base))


def overlaid(
    table: Table, configs: Sequence[str | Path] = (), settings: Sequence[str] = ()
) -> GraphConfig:
    """The config of a table, with each file and then each KEY=VALUE over it.

    Raises:
        ConfigError: what is wrong and what would work, in one line.
    """
    return _overlaid(Sheet(table), configs, settings)


def search_path(graph: str | Path, configs: Iterable[str | Path]) -> list[Path]:
    """The folders of the user's own files; parts named by dotted path are looked up there."""
    own = [graph] if str(graph).endswith(".toml") else []
    return [Path(path).resolve().parent for path in [*own, *configs]] + [Path.cwd()]


def check_secrets(config: GraphConfig) -> None:
    """Refuse a config whose secrets were left out, as a run's record and `zork graph show` do.

    Raises:
        ConfigError: which, and how to give them.
    """
    missing = dict.fromkeys(hidden(config.model_dump(mode="json")))
    if missing:
        raise ConfigError(
            f"secrets are not kept with a run or shown ({', '.join(missing)}): give them again, "
            f"-s {next(iter(missing))}=..."
        )


def validated(sheet: Sheet) -> GraphConfig:
    """The config of a merged sheet.

    Raises:
        ConfigError: every key that is wrong, with its place.
    """
    learn(sheet.table)
    try:
        config = GraphConfig.model_validate(sheet.table)
    except ValidationError as error:
        faults = [_explain(fault, sheet) for fault in error.errors()[:MAX_FAULTS]]
        raise ConfigError("; ".join(faults)) from error
    config._places, config._folders = sheet.places, sheet.folders
    return config


def _overlaid(sheet: Sheet, configs: Sequence[str | Path], settings: Sequence[str]) -> GraphConfig:
    for path in configs:
        overlay = read_file(Path(path))
        overlay.table.pop("extends", None)
        sheet = sheet.under(overlay)
    for setting in settings:
        sheet = sheet.under(parse_setting(setting))
    return validated(sheet)


def _bearer(base: Sheet) -> GraphConfig:
    """The graph to which the name of a sheet belongs: the shipped one, or else the sheet."""
    name = str(base.table["name"])
    return validated(read_graph(name) if name in shipped_graphs() else base)


def _explain(fault: Any, sheet: Sheet) -> str:
    key = [str(part) for part in fault["loc"] if part not in (TEXT, TABLE)]
    at, where = place_of(sheet.places, *key), ".".join(key)
    if fault["type"] == "extra_forbidden":
        known = [".".join([*key[:-1], field]) for field in _fields_at(key[:-1])]
        return at + unknown("key", where, known)
    if fault["type"] == "missing" and key == ["sequence"]:
        first = next(iter(sheet.places.values()), f"graph {sheet.table.get('name', '')!r}")
        return f"{first}: says no sequence; write one, or take over a graph's: extends = 'offline'"
    if fault["type"] == "missing":
        return f"{at}key {where!r} is missing"
    if fault["type"] == "value_error":
        return f"{at}{where}: {fault['ctx']['error']}"
    return f"{at}{where} = {reprlib.repr(fault['input'])}: {fault['msg'].lower()}"


def _fields_at(key: Sequence[str]) -> list[str]:
    model: Any = GraphConfig
    for name in key:
        model = _part(model, name)
    return list(model.model_fields)


def _part(model: Any, name: str) -> Any:
    """The type of a field, or of a table's entries."""
    if name in getattr(model, "model_fields", {}):
        return _model_in(get_type_hints(model)[name])
    return _model_in(get_args(model)[1])


def _model_in(annotation: Any) -> Any:
    """The model among several types; a table of tables as it is."""
    if get_origin(annotation) is dict or isinstance(annotation, type):
        return annotation
    inner = [_model_in(one) for one in get_args(annotation)]
    return next(
        (one for one in inner if isinstance(one, type) and issubclass(one, BaseModel)), annotation
    )
