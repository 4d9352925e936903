"""The fields of a graph's state: those that every graph has, and those that its file adds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypedDict, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from orchestrator import reducers
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.spec import FieldConfig, Where
from orchestrator.reducers import REDUCERS
from orchestrator.settings.parts import load_part, refuse_async, takes
from orchestrator.state import State
from orchestrator.turns.asking import fitting

PLAIN: Mapping[str, Any] = {
    **{kind.__name__: kind for kind in (str, int, float, bool, list, dict)},
    "object": Any,
}
"""The types that a field may be made of, besides pydantic models."""

SUITED: Mapping[str, type[Any]] = {"append": list, "merge": dict, "of_turn": list}
"""What a shipped reducer joins."""

Fields = dict[str, Any]
"""Name -> type, with its reducer if it has one."""


def fields_of(own: Mapping[str, FieldConfig], where: Where) -> Fields:
    """All fields of the state, with the types that LangGraph makes channels of.

    Raises:
        ConfigError: see `own_fields`.
    """
    return {**get_type_hints(State, include_extras=True), **own_fields(own, where)}


def own_fields(own: Mapping[str, FieldConfig], where: Where) -> Fields:
    """The fields that a graph file adds.

    Raises:
        ConfigError: a field is there already, or its type or reducer will not do.
    """
    fields: Fields = {}
    for name, field in own.items():
        key = where("state", name)
        if name in State.__annotations__ or not name.isidentifier():
            raise ConfigError(f"{key} is there already, or is no name; give the field another")
        kind = _type_of(field.type, where("state", name, "type"))
        fields[name] = kind
        if field.reducer is not None:
            reducer = _reducer(field.reducer, where("state", name, "reducer"), name, kind)
            fields[name] = Annotated[kind, reducer]
    return fields


def schema(name: str, fields: Fields) -> Any:
    """The fields as a TypedDict, which is what LangGraph takes."""
    return TypedDict(name, fields, total=False)  # type: ignore[operator]


def reduced(kind: Any) -> bool:
    """Whether a field has a reducer."""
    return get_origin(kind) is Annotated


def is_list(kind: Any) -> bool:
    """Whether a field holds a list."""
    plain = get_args(kind)[0] if reduced(kind) else kind
    return (get_origin(plain) or plain) is list


def written(kind: Any) -> Any:
    """The type of what is written into a field; a reducer of a user's own takes what it likes."""
    if not reduced(kind):
        return kind
    plain, reducer = get_args(kind)
    return plain if reducer.__module__ == reducers.__name__ else Any


def _reducer(name: str, key: str, field: str, kind: Any) -> Callable[[Any, Any], Any]:
    paths = {short: f"orchestrator.reducers:{short}" for short in REDUCERS}
    found = load_part(name, paths, key, "reducer")
    if not takes(found, 2) or isinstance(found, type):
        raise ConfigError(
            f"{key} = {name!r}: is no reducer; it is a function of what stands there and what is "
            "written"
        )
    refuse_async(found, key, name)
    if name not in REDUCERS:
        return lambda old, new: fitting(f"{name} made {field!r}", found(old, new), kind)
    if (get_origin(kind) or kind) not in (SUITED[name], Any):
        raise ConfigError(
            f"{key} = {name!r}: joins what is a {SUITED[name].__name__}, and {field!r} is none; "
            "give it another type, or a reducer of your own"
        )
    reducer: Callable[[Any, Any], Any] = found
    return reducer


def _type_of(text: str, key: str) -> Any:
    if "[" in text and ":" in text:
        raise ConfigError(
            f"{key} = {text!r}: is no type; within [...] stands plain data, module:Class alone"
        )
    if ":" in text:
        kind = load_part(text, {}, key, "type")
        if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
            raise ConfigError(f"{key} = {text!r}: is no pydantic model")
        return kind
    try:
        return _plain(ast.parse(text, mode="eval").body, key)
    except SyntaxError as error:
        raise ConfigError(f"{key} = {text!r}: is no type; write str, list[int] or so") from error


def _plain(tree: ast.expr, key: str) -> Any:
    match tree:
        case ast.Name(id=name) if name in PLAIN:
            return PLAIN[name]
        case ast.Name(id=name):
            raise ConfigError(f"{key}: {unknown('type', name, PLAIN)} or module:Class")
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return list[_plain(item, key)]  # type: ignore[misc]
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[name, item])):
            return dict[_plain(name, key), _plain(item, key)]  # type: ignore[misc]
    raise ConfigError(f"{key} = {ast.unparse(tree)!r}: is no type; write str, list[int] or so")
