"""What of the planner's options a model is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import overload

from managers.language.actions import canonical, parse
from managers.policy.option import REPLY, Option
from managers.policy.situation import Situation

_MOST = 6
_UNLIKELY = 0.2
_WORTH_READING = frozenset({"unlock", "deposit", "offered", "remembered", REPLY})
"""Kinds of options that somebody who reads the game's words may be glad to be reminded of."""


class Offers(Sequence[Option]):
    """What a model is offered of the options, found out when somebody asks for it.

    No command twice, none that was tried here, none about the game itself, and nothing that
    hardly ever works.

    Args:
        options: Ranked.
        situation: What was tried.
    """

    def __init__(self, options: Sequence[Option], situation: Situation) -> None:
        self._ranked = options
        self._situation = situation

    @cached_property
    def _offered(self) -> tuple[Option, ...]:
        best: dict[str, Option] = {}
        for option in self._ranked:
            command = canonical(option.command)
            new = command not in self._situation.tried
            if new and option.probability >= _UNLIKELY and _is_offered(option):
                best.setdefault(command, option)
        return tuple(best.values())[:_MOST]

    def __len__(self) -> int:
        return len(self._offered)

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Option]: ...
    def __getitem__(self, at: int | slice) -> Option | Sequence[Option]:
        return self._offered[at]


def _is_offered(option: Option) -> bool:
    """What can be done here and is worth reading."""
    here = len(option.route) < 2 and not parse(option.command).has("meta")
    return here and option.kind in _WORTH_READING
