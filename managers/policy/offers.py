"""What a model is shown of options and issues, found out only when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar, overload

from managers.knowledge import Knowledge
from managers.language.actions import canonical, parse
from managers.planning.enrichment import Enriched, enriched
from managers.policy.option import REPLY, Option
from managers.policy.situation import Situation
from managers.world.attempts import AttemptRow
from managers.world.issues import world_issues

_MOST_ISSUES = 12
_MOST_OFFERS = 6
_UNLIKELY = 0.2
_WORTH_READING = frozenset({"unlock", "deposit", "offered", "remembered", REPLY})
"""Kinds of options that somebody who reads the game's words may be glad to be reminded of."""
_T = TypeVar("_T")


class Lazy(Sequence[_T]):
    """A sequence that is found out when somebody asks for it."""

    def __init__(self, find: Callable[[], Sequence[_T]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> Sequence[_T]:
        return self._find()

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, at: int) -> _T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[_T]: ...
    def __getitem__(self, at: int | slice) -> _T | Sequence[_T]:
        return self._found[at]


def open_issues(knowledge: Knowledge) -> Sequence[Enriched]:
    """The most important issues with what bears on them."""
    world, map_ = knowledge.world_view, knowledge.map_view
    return Lazy(lambda: enriched(world_issues(world, map_)[:_MOST_ISSUES], world))


def offers(options: Sequence[Option], here: Situation) -> Sequence[Option]:
    """What a model is shown of the options, which are ranked.

    No command twice, none that was tried here, none about the game itself, and nothing that
    hardly ever works.
    """
    return Lazy(lambda: _offers(options, here.tried))


def _offers(options: Sequence[Option], tried: Mapping[str, AttemptRow]) -> tuple[Option, ...]:
    best: dict[str, Option] = {}
    for option in options:
        command = canonical(option.command)
        if command not in tried and option.probability >= _UNLIKELY and _is_offered(option):
            best.setdefault(command, option)
    return tuple(best.values())[:_MOST_OFFERS]


def _is_offered(option: Option) -> bool:
    """What can be done here and is worth reading."""
    here = len(option.route) < 2 and not parse(option.command).has("meta")
    return here and option.kind in _WORTH_READING
