"""TOML files merged left to right, with a note of where every key stands."""

from __future__ import annotations

import os
import reprlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import count
from pathlib import Path

from environments.plain_text import storable
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.spec import GRAPH, OF_THE_GRAPH, Table
from orchestrator.settings.places import EXTENDS, Places, place_of, places_in
from orchestrator.settings.toml_files import MAX_PARTS, parse_toml, read_toml

SHIPPED = files("orchestrator") / "graphs"
MAX_DEPTH = 10
"""So many files may extend each other, or stand within each other."""
MAX_GRAPHS = 50
"""So many files may stand within one."""


@dataclass(frozen=True)
class Sheet:
    """A table with the places of its keys, and the folders of the user's files it is made of."""

    table: Table
    places: Places = field(default_factory=dict)
    folders: tuple[Path, ...] = ()

    def under(self, other: Sheet) -> Sheet:
        """This one with another over it."""
        return Sheet(
            merge(self.table, other.table),
            {**self.places, **other.places},
            (*self.folders, *other.folders),
        )


def merge(base: Table, overlay: Table) -> Table:
    """Tables are merged key by key, anything else is replaced.

    A node whose `use` changes starts without the options of the part it replaces, an edge whose
    router changes without those of the router.
    """
    merged = dict(base)
    for key, value in overlay.items():
        old = merged.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            if "use" in value and value["use"] != old.get("use"):
                old = {name: old[name] for name in old if name in OF_THE_GRAPH}
            if "router" in value and value["router"] != old.get("router"):
                old = {}
            merged[key] = merge(old, value)
        else:
            merged[key] = value
    return merged


def shipped_graphs() -> dict[str, str]:
    """Name and description of every graph that comes with the product."""
    graphs = {}
    for entry in sorted(SHIPPED.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            table = tomllib.loads(entry.read_text(encoding="utf-8"))
            graphs[entry.name.removesuffix(".toml")] = str(table.get("description", ""))
    return graphs


def read_graph(graph: str, above: tuple[str, ...] = ()) -> Sheet:
    """A shipped graph or a file, over the one that it extends; `above` are those that extend it.

    A key that is taken over stands, for messages, where its own file is extended.

    Raises:
        ConfigError: there is none, or it is no TOML.
    """
    chain = (*above, graph)
    if _is_among(graph, above):
        raise ConfigError(f"a graph extends itself: {' -> '.join(chain)}")
    if len(chain) > MAX_DEPTH:
        raise ConfigError(f"more than {MAX_DEPTH} graphs extend each other")
    sheet = read_file(Path(graph)) if graph.endswith(".toml") else _read_shipped(graph)
    if graph.endswith(".toml"):
        sheet.table.setdefault("name", storable(Path(graph).stem))
    base = sheet.table.pop("extends", None)
    if base is None:
        return sheet
    at = place_of(sheet.places, "extends")
    if not isinstance(base, str):
        raise ConfigError(f"{at}extends = {base!r}: expected one graph, as a text")
    beside = os.path.normpath(Path(graph).parent / base)
    try:
        under = read_graph(beside if Path(beside).is_file() else base, chain)
    except OSError as error:
        raise ConfigError(f"{at}extends a graph that cannot be read: {error.strerror}") from error
    except ConfigError as error:
        raise error if above else ConfigError(f"{at}extends = {base!r}: {error}") from error
    place = at.removesuffix(": ")
    taken = {key: f"{place}{EXTENDS}{there})" for key, there in under.places.items()}
    return Sheet(under.table, taken, under.folders).under(sheet)


def _is_among(graph: str, others: tuple[str, ...]) -> bool:
    if not graph.endswith(".toml"):
        return graph in others
    return Path(graph).resolve() in [Path(one).resolve() for one in others]


def read_file(path: Path, depth: int = 0, number: Iterator[int] | None = None) -> Sheet:
    """A TOML file, with the graph files that it names for single nodes.

    `depth` says how many it stands within, `number` counts all that are read.

    Raises:
        ConfigError: it cannot be read or is no TOML.
    """
    text, table = read_toml(path, "graph config")
    sheet = Sheet(table, places_in(text, str(path)), (path.resolve().parent,))
    return with_graphs(sheet, path.parent, depth, number)


def with_graphs(
    sheet: Sheet, folder: Path, depth: int = 0, number: Iterator[int] | None = None
) -> Sheet:
    """The sheet with the graphs in that stand for nodes of it; their files are in `folder`.

    Raises:
        ConfigError: one cannot be read, or stands within itself; or there are too many.
    """
    number = number or count(1)
    for name, use in _graph_nodes(sheet.table):
        at = f"{place_of(sheet.places, 'nodes', name, 'use')}nodes.{name}.use = {use!r}"
        if depth >= MAX_DEPTH:
            raise ConfigError(f"{at}: stands within itself, directly or through others")
        if next(number) > MAX_GRAPHS:
            raise ConfigError(f"{at}: more than {MAX_GRAPHS} graph files stand within each other")
        try:
            inner = read_file(folder / use.removeprefix(GRAPH), depth + 1, number)
        except ConfigError as error:
            raise error if depth else ConfigError(f"{at}: {error}") from error
        key = ("nodes", name, "graph")
        places = {(*key, *rest): place for rest, place in inner.places.items()}
        over: Table = {"nodes": {name: {"graph": inner.table}}}
        sheet = sheet.under(Sheet(over, places, inner.folders))
    return sheet


def parse_setting(setting: str) -> Sheet:
    """`nodes.critic.use=none` as a nested table; the value is TOML, or else a plain text.

    Raises:
        ConfigError: it is no KEY=VALUE.
    """
    key, equals, text = setting.partition("=")
    names = tuple(key.split("."))
    if not equals or not all(names):
        raise ConfigError(
            f"-s {setting!r}: expected KEY=VALUE, for instance nodes.critic.use=rules"
        )
    if len(names) > MAX_PARTS:
        raise ConfigError(f"-s {reprlib.repr(setting)}: a key has more than {MAX_PARTS} parts")
    try:
        value = parse_toml(f"value = {text}")["value"]
    except ValueError:
        value = text
    for name in reversed(names):
        value = {name: value}
    return with_graphs(Sheet(value, {names: f"-s {setting}"}), Path())


def _read_shipped(name: str) -> Sheet:
    if name not in shipped_graphs():
        raise ConfigError(unknown("graph", name, shipped_graphs()) + " or a path ending in .toml")
    text = (SHIPPED / f"{name}.toml").read_text(encoding="utf-8")
    return Sheet({"name": name, **tomllib.loads(text)}, places_in(text, f"{name}.toml"))


def _graph_nodes(table: Table) -> Iterator[tuple[str, str]]:
    nodes = table.get("nodes")
    for name, node in nodes.items() if isinstance(nodes, dict) else ():
        use = node.get("use") if isinstance(node, dict) else None
        if isinstance(use, str) and use.startswith(GRAPH) and "graph" not in node:
            yield name, use
