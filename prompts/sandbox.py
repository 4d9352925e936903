"""Jinja for templates that somebody else may have written: they fill in, and come to an end.

Jinja's sandbox keeps a template from our data; it does not bound what it computes. Here texts,
lists and numbers have a greatest size, checked before they are made, and what is done is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from functools import wraps
from typing import Any

from jinja2 import Template, nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

LARGEST = 100_000
"""Characters of a text, and items of a list."""
MOST_STEPS = 20_000
"""Rounds of loops, calls and parts while one block is filled; ours take some hundreds."""
_A_STEP = 100
"""So many characters or items are passed through a filter as one step."""
_HIGHEST, _HIGHEST_POWER = 10**12, 64
_WIDE = re.compile(r"%[^a-zA-Z%]*(?:\d{4}|\*)")
_FILTERS = frozenset(
    "abs attr capitalize count d default dictsort e escape first float groupby int items last "
    "length list lower map max min reject rejectattr reverse round safe select selectattr sort "
    "string sum title trim truncate unique upper wordcount".split()
)
"""Of Jinja's own: those that make nothing longer than what they are given."""
_GROWING = frozenset(
    "center expandtabs format format_map join ljust replace rjust translate zfill".split()
)
"""Methods of texts that do; some are filters too, and measured there."""
_left: ContextVar[list[int]] = ContextVar("_left")


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment whose templates end soon and make no large texts."""

    intercepted_binops = frozenset(["+", "*", "**", "%"])

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        own = {"counted": _counted, "joined": _joined, "join": _join}
        own |= {"replace": _replace, "format": _format}
        kept = {name: self.filters[name] for name in _FILTERS}
        self.filters = {name: _charged(one) for name, one in kept.items()} | own
        self.globals = {name: self.globals[name] for name in ("range", "dict", "namespace")}

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Neither what the sandbox hides nor a method that makes a longer text."""
        grows = isinstance(obj, str) and attr in _GROWING
        return not grows and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Jinja's own way to let a text's `format` be called, which is not to be."""

    def call(self, context: Any, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call what a template calls, which is a step; to count is as many."""
        _spend(1)
        result = super().call(context, obj, *args, **kwargs)
        _spend(len(result) if isinstance(result, range) else 0)
        return result

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Compute, if the result is no giant."""
        _check(_SIZES[operator](left, right))
        return super().call_binop(context, operator, left, right)

    def get_template(self, *args: Any, **kwargs: Any) -> Template:
        """A template, or a part of one, which is a step."""
        _spend(1)
        return super().get_template(*args, **kwargs)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        return _Bounding(self).visit(tree)  # type: ignore[no-any-return]


class _Bounding(NodeTransformer):
    """Counts the rounds of loops, and measures what `~` joins."""

    def __init__(self, environment: Sandbox) -> None:
        self._environment = environment

    def visit_For(self, loop: nodes.For) -> nodes.For:
        self.generic_visit(loop)
        if loop.recursive:
            raise SecurityError(f"line {loop.lineno}: no loop may call itself")
        loop.iter = self._filter(loop.iter, "counted", [])
        return loop

    def visit_Concat(self, joined: nodes.Concat) -> nodes.Filter:
        self.generic_visit(joined)
        return self._filter(joined.nodes[0], "joined", joined.nodes[1:])

    def _filter(self, node: nodes.Node, name: str, more: list[nodes.Expr]) -> nodes.Filter:
        place = {"lineno": node.lineno, "environment": self._environment}
        return nodes.Filter(node, name, more, [], None, None, **place)


def bounded(parts: Iterable[str]) -> str:
    """What the parts of a template come to, which are filled one by one.

    Raises:
        SecurityError: it takes too many steps, or comes to too much.
    """
    token = _left.set([MOST_STEPS])
    try:
        text: list[str] = []
        size = 0
        for part in parts:
            text.append(part)
            size += len(part)
            _check(size)
        return "".join(text)
    finally:
        _left.reset(token)


def _spend(steps: int) -> None:
    left = _left.get([MOST_STEPS])
    left[0] -= steps
    if left[0] < 0:
        raise SecurityError(f"it takes more than {MOST_STEPS:,} steps")


def _check(size: int) -> None:
    if size > LARGEST:
        raise SecurityError(f"it makes something longer than {LARGEST:,}, or a number too high")


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | bytes | list | tuple | dict) else 0


def _product(left: Any, right: Any) -> int:
    if _size(left) or _size(right):
        sizes = (_size(one) or (one if isinstance(one, int) else 1) for one in (left, right))
        first, second = sizes
        return int(first * second)
    return LARGEST + (_is_number(left) and _is_number(right) and abs(left * right) > _HIGHEST)


def _power(left: Any, right: Any) -> int:
    numbers = _is_number(left) and _is_number(right)
    high = numbers and (abs(right) > _HIGHEST_POWER or abs(left) > LARGEST)
    return LARGEST + bool(high)


def _formatted(text: Any, values: Any) -> int:
    if not isinstance(text, str):
        return 0
    given = values.values() if isinstance(values, dict) else values
    several = given if isinstance(values, tuple | dict) else (values,)
    longest = max((len(str(one)) for one in several), default=0)
    wide = LARGEST if _WIDE.search(text) else 0
    return wide + len(text) + text.count("%") * longest


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


_SIZES: dict[str, Callable[[Any, Any], int]] = {
    "+": lambda left, right: _size(left) + _size(right),
    "*": _product,
    "**": _power,
    "%": _formatted,
}


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        _spend(1)
        yield item


def _charged(apply: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that takes steps as its values are long."""

    @wraps(apply)  # With the marks by which Jinja knows what a filter wants besides.
    def charged(*given: Any, **named: Any) -> Any:
        _spend(sum(map(_size, given)) // _A_STEP)
        return apply(*given, **named)

    return charged


def _joined(*parts: Any) -> str:
    return _join(parts)


def _join(items: Iterable[Any], between: str = "") -> str:
    text: list[str] = []
    size = 0
    for item in _counted(items):
        text.append(str(item))
        size += len(text[-1]) + len(between)
        _check(size)
    return between.join(text)


def _replace(value: Any, old: str, new: str, count: int = -1) -> str:
    text = str(value)
    _check(len(text) + text.count(old) * len(new))
    return text.replace(old, new, count)


def _format(text: str, *values: Any, **named: Any) -> str:
    _check(_formatted(text, named or values))
    return text % (named or values)
