"""Code by name: short names of what is shipped, or `module:Class` of a user's own."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from orchestrator.errors import ConfigError, unknown
from orchestrator.settings.trust import require

PLAIN = "write a plain one (def, not async def), with asyncio.run(...) where it has to wait"
"""What is said of code that is asynchronous."""
_WRITTEN = (str, int, float, bool, list, dict)
"""What a graph file can say of an option; a model is made for it."""

_NUMBERS: dict[str, tuple[Any, str]] = {
    "int": (int, "a whole number"),
    "float": (int | float, "a number"),
    "bool": (bool, "true or false"),
}
"""What an option has to be whose parameter is annotated so, and how that is said."""


def load_part(use: str, shipped: Mapping[str, str], key: str, what: str) -> Any:
    """What a graph file names, imported and not yet called.

    Args:
        use: Short name, or `module:Class`.
        shipped: Short name -> `module:Class`.
        key: Where it is named, for messages.
        what: It is to be, for messages.

    Raises:
        ConfigError: no such name, code that is not trusted, or a module that cannot be imported.
    """
    reference = shipped.get(use, use)
    module_name, colon, attribute = reference.partition(":")
    if not colon:
        raise ConfigError(f"{key}: {unknown(what, use, shipped)} or module:Class")
    if use not in shipped:
        require(reference, key)
    module = _import(module_name, f"{key} = {use!r}")
    try:
        return functools.reduce(getattr, attribute.split("."), module)
    except AttributeError as error:
        names = [name for name, value in vars(module).items() if inspect.isclass(value)]
        raise ConfigError(
            f"{key} = {use!r}: {unknown(f'name in {module_name}', attribute, names)}"
        ) from error


def make(part: Any, options: Mapping[str, Any], key: str, use: str) -> Any:
    """An instance of a class; anything else is taken as it is and has no options.

    Raises:
        ConfigError: it does not take the options.
    """
    if not inspect.isclass(part):
        if options:
            raise ConfigError(f"{key}: {use!r} is not a class and takes no options")
        return part
    _check_options(part, options, key, use)
    for name in _needed(part):
        if name not in options:
            setting = f"{key.rpartition(': ')[2]}.{name}"
            raise ConfigError(f"{key}: {use!r} needs {name}; say -s {setting}=...")
    try:
        return part(**options)
    except (Exception, SystemExit) as error:
        shown = {name: one for name, one in options.items() if isinstance(one, _WRITTEN)}
        raise ConfigError(
            f"{key}: {use!r} cannot be made with {shown!r}: {str(error) or type(error).__name__}"
        ) from error


def _check_options(part: Any, options: Mapping[str, Any], key: str, use: str) -> None:
    parameters = inspect.signature(part).parameters
    for option in options.keys() & parameters.keys():
        kind = parameters[option].annotation
        kinds, told = _NUMBERS.get(getattr(kind, "__name__", kind), (object, ""))
        if not isinstance(options[option], kinds):
            raise ConfigError(f"{key}.{option} = {options[option]!r}: {use!r} takes {told} there")
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return
    for option in options:
        if not parameters:
            raise ConfigError(f"{key}: {use!r} takes no options, so none named {option!r}")
        if option not in parameters:
            raise ConfigError(f"{key}: {unknown(f'option of {use}', option, parameters)}")


def takes(part: Any, *counts: int) -> bool:
    """Whether a function, or an instance of a class, can be called with so many values."""
    if inspect.isclass(part):
        calls = [vars(base)["__call__"] for base in part.__mro__ if "__call__" in vars(base)]
        return bool(calls) and any(_binds(calls[0], count + 1) for count in counts)
    return callable(part) and any(_binds(part, count) for count in counts)


def answers(part: Any, method: str, count: int) -> bool:
    """Whether a class's instances, or an object, can be asked by a method with so many values."""
    function = inspect.getattr_static(part, method, None)
    bound = not inspect.isclass(part) or isinstance(function, staticmethod | classmethod)
    return _binds(getattr(part, method), count if bound else count + 1)


def refuse_async(part: Any, key: str, use: str, *methods: str, awaited: bool = False) -> None:
    """Routers and stories are called and not awaited; parts and nodes are, and give one answer.

    Raises:
        ConfigError: the function, a class's instances, or one of its methods are asynchronous,
            or generators of many answers where one is `awaited`.
    """
    called = "__call__" if inspect.isclass(part) else ""
    for method in methods or (called,):
        function = getattr(part, method, None) if method else part
        waits = inspect.iscoroutinefunction(function) and not awaited
        if waits or inspect.isasyncgenfunction(function):
            name = method or getattr(part, "__name__", "it")
            raise ConfigError(f"{key} = {use!r}: {name} is async; {PLAIN}")


def takes_model(part: Any) -> bool:
    """Whether a class is made with a model."""
    return inspect.isclass(part) and "model" in inspect.signature(part).parameters


def named_fields(part: Any, attribute: str) -> Iterable[str]:
    """The fields that a class or function of a user's own says it needs or writes."""
    found = getattr(part, attribute, ())
    return (found,) if isinstance(found, str) else tuple(found)


def _needed(part: Any) -> list[str]:
    """The options without which a class cannot be made."""
    found = inspect.signature(part).parameters.items()
    return [name for name, it in found if it.default is it.empty and it.kind is it.KEYWORD_ONLY]


def _binds(function: Any, count: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def _import(name: str, where: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise ConfigError(
                f"{where}: module {name!r} needs {error.name!r}, which is not installed"
            ) from error
        raise ConfigError(
            f"{where}: no module {error.name!r} beside the config file, "
            "in the working directory or installed"
        ) from error
    except SystemExit as error:
        raise ConfigError(
            f"{where}: module {name!r} ends the program when it is imported; put what runs it "
            "behind if __name__ == '__main__':"
        ) from error
    except Exception as error:
        raise ConfigError(
            f"{where}: module {name!r} is broken: {type(error).__name__}: {error}"
        ) from error
