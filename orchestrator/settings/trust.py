"""What a config would load or contact beyond this program, and what the user has allowed of it.

A config may name code, other servers, and options for a model's own class. What stands on the
command line, or is named by a caller from Python, is the user's own wish. What comes out of a
file or of a run's record has to be allowed once; that is remembered under `ZORK_HOME`.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents.models import ModelConfig
from agents.models.addresses import parse_address
from agents.models.providers import provider_of
from environments.folders import data_folder, make_private
from environments.secrets import told
from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError
from orchestrator.graph.spec import EdgeConfig, PartGraph, names_code
from orchestrator.traces.redaction import redact, redact_keys

FUNCTION = "embedded:function:"
_BUILT_IN = ("ollama", "embedded")
MOST_LISTED, MOST_SHOWN, MOST_NAMED = 8, 110, 160
"""Things in one message, and characters of each and of what names them."""
_ADMITTED: set[str] = set()
"""The code that this process may load."""
_ADDED: list[str] = []
"""The folders of graphs where this process looks for modules, those of the latest first."""


class Reach(NamedTuple):
    """One thing beyond this program that a config names."""

    key: str
    """Where the config names it."""
    named: str
    """The code, address or option."""
    text: str
    """For the user: the key, what it names, and where that lies."""
    digest: str
    """Equal where everything is: what is named, where it lies, and its options."""


def admit(
    config: GraphConfig,
    folders: Sequence[Path],
    what: str,
    *,
    given: Sequence[str] = (),
    trust: bool = False,
) -> None:
    """Let the config's code be loaded, its modules be found in `folders` too.

    Args:
        config: what is about to be played or checked.
        folders: where its modules may lie besides where Python looks anyway.
        what: the file or run, for the message.
        given: KEY=VALUE texts that the user wrote; what they name is allowed.
        trust: the user allows all of it, from now on.

    Raises:
        ConfigError: something is not allowed; one line lists it.
    """
    named = list(_reaches(config, folders))
    known = _remembered() if named else frozenset()
    typed = [f"{setting.partition('=')[0]}." for setting in given]
    allowed = [one for one in named if trust or f"{one.key}.".startswith(tuple(typed))]
    foreign = [one.text for one in named if one.digest not in known and one not in allowed]
    if foreign:
        shown = "; ".join(told(one, MOST_SHOWN) for one in foreign[:MOST_LISTED])
        more = len(foreign) - MOST_LISTED
        raise ConfigError(
            f"{told(what, MOST_NAMED)} wants to use what is not part of this program: {shown}"
            + (f"; and {more} more, which to read there first" if more > 0 else "")
            + ". If you trust it, say so with --trust; it is asked only once"
        )
    _remember(one for one in allowed if one.digest not in known)
    if named:
        _ADMITTED.update(one.named for one in named)
        importable(folders)
        for one in named:
            _forget_another(_module_of(one.named), folders)


def require(reference: str, key: str) -> None:
    """Refuse code that nobody has allowed in this process.

    Raises:
        ConfigError: it is not allowed.
    """
    if reference not in _ADMITTED:
        raise ConfigError(f"{key} = {reference!r}: is code that is not trusted here; say --trust")


def importable(folders: Iterable[Path]) -> None:
    """Let modules be found that lie in these folders; those of earlier graphs come last."""
    fixed = [one for one in sys.path if one not in _ADDED]
    own = [one for one in dict.fromkeys(map(str, folders)) if one not in fixed]
    _ADDED[:] = [*own, *(one for one in _ADDED if one not in own)]
    sys.path[:] = [*fixed, *_ADDED]


def _forget_another(module: str, folders: Sequence[Path]) -> None:
    """Have a module imported anew that came from another graph's folder under the same name."""
    lies = getattr(sys.modules.get(module), "__file__", None) or ""
    added = any(Path(lies).is_relative_to(folder) for folder in _ADDED)
    if added and lies != _origin(module, folders):
        for name in [one for one in sys.modules if f"{one}.".startswith(f"{module}.")]:
            del sys.modules[name]


def _reaches(config: GraphConfig, folders: Sequence[Path]) -> Iterator[Reach]:
    yield from _of_graph(config, "", folders)
    for name, insert in config.insert.items():
        yield _code(f"insert.{name}.use", insert.use, insert.options, folders)
    for name, skill in config.skills.items():
        if names_code(skill.use):
            yield _code(f"skills.{name}.use", str(skill.use), skill.options, folders)
    for name, field in config.state.items():
        for key, named in (("type", field.type), ("reducer", field.reducer)):
            if names_code(named):
                yield _code(f"state.{name}.{key}", str(named), {}, folders)
    for name, model in config.models.items():
        yield from _of_model(f"models.{name}", model, folders)


def _of_graph(graph: PartGraph, prefix: str, folders: Sequence[Path]) -> Iterator[Reach]:
    """The code that nodes and edges name, and those of the graphs within."""
    for name, node in graph.nodes.items():
        for key, named in (("use", node.use), ("role", node.role)):
            if names_code(named):
                yield _code(f"{prefix}nodes.{name}.{key}", str(named), node.options, folders)
        if node.graph is not None:
            yield from _of_graph(node.graph, f"{prefix}nodes.{name}.graph.", folders)
    for name, edge in graph.edges.items():
        if isinstance(edge, EdgeConfig) and names_code(edge.router):
            yield _code(f"{prefix}edges.{name}.router", edge.router, edge.options, folders)


def _of_model(key: str, model: ModelConfig, folders: Sequence[Path]) -> Iterator[Reach]:
    package = provider_of(model.provider).package
    if model.model.startswith(FUNCTION):
        yield _code(f"{key}.model", model.model.removeprefix(FUNCTION), {}, folders)
    elif model.provider not in _BUILT_IN and _origin(package, folders) != _origin(package):
        yield _code(f"{key}.model", package, {}, folders)
    if model.base_url and not (address := parse_address(model.base_url)).is_here:
        yield _reach(f"{key}.base_url", address.place, "", {})
    for path, option in _leaves(model.options):
        shown = json.dumps(redact(option), sort_keys=True)
        yield _reach(f"{key}.options.{path}", shown, "", option)


def _leaves(table: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every value in nested tables by its dotted path, alone in the same tables."""
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            for path, inner in _leaves(value):
                yield f"{name}.{path}", {name: inner}
        else:
            yield name, {name: value}


def _code(key: str, use: str, options: Mapping[str, Any], folders: Sequence[Path]) -> Reach:
    return _reach(key, use, _origin(_module_of(use), folders) or "nowhere yet", options)


def _module_of(use: str) -> str:
    """What is looked up in folders for `module.within:Class`."""
    return use.partition(":")[0].partition(".")[0]


def _reach(key: str, named: str, origin: str, options: Mapping[str, Any]) -> Reach:
    """The digest is without the secrets that a run's record does not keep either."""
    content = json.dumps([key, origin, named, redact_keys(dict(options))], sort_keys=True)
    digest = hashlib.sha256(content.encode()).hexdigest()
    place = f" ({origin})" if origin else ""
    return Reach(key, named, f"{key} = {named}{place}", digest)


def _origin(module: str, folders: Sequence[Path] = ()) -> str:
    """The file of a module, found without running any of it; empty where there is none.

    What Python finds anyway comes before what lies in `folders`.
    """
    own = [*map(str, folders)]
    for path in ([one for one in sys.path if one not in (*own, *_ADDED)], own):
        spec = importlib.machinery.PathFinder.find_spec(module, path)
        if spec is not None:
            return str(spec.origin or next(iter(spec.submodule_search_locations or ())))
    found = module in sys.builtin_module_names or module in sys.modules
    return "installed" if found else ""


def _store() -> Path:
    return data_folder() / "trusted"


def _remembered() -> frozenset[str]:
    try:
        lines = _store().read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    return frozenset(line.partition(" ")[0] for line in lines)


def _remember(allowed: Iterable[Reach]) -> None:
    lines = "".join(f"{one.digest} {' '.join(one.text.split())}\n" for one in allowed)
    if not lines:
        return
    try:
        make_private(_store().parent)
        handle = os.open(_store(), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as file:
            file.write(lines)
    except OSError:
        return  # It is asked again the next time.
