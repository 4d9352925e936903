"""What earlier episodes say of rooms that are found again; it stays put during an episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from managers.language.actions import parse
from managers.language.lexicon import head_of
from managers.memory.guide import Guide, title_of
from managers.memory.trail import TrailStep

_IN_VAIN = 2.0
"""The power of the share of attempts that brought something."""


class Past:
    """A view of the memory that an episode started with; empty without one."""

    def __init__(self, memory: Mapping[str, Any] | None = None) -> None:
        self._memory: Mapping[str, Any] = memory or {}

    def __bool__(self) -> bool:
        return bool(self._memory)

    def recognised(self, title: str, key: str) -> str:
        """The remembered room that has this key, or alone has this title; empty for none."""
        if key in self._rooms:
            return key
        same = self._titles.get(title, []) if title else []
        return same[0] if len(same) == 1 else ""

    def fruitful(self, guide: Guide) -> Iterator[tuple[TrailStep, tuple[str, ...]]]:
        """Commands that scored or brought something to light in rooms found again.

        Each with what had to be carried for it. Of rooms that cannot be told apart only what
        scored is worth to be tried in each.
        """
        finds = (one for one in self._memory.get("finds", []) if self.knows(one[0]))
        for room, command, points, needs in (*self._memory.get("scored", []), *finds):
            named = guide.named(room)
            for id in named if points or len(named) == 1 else ():
                yield TrailStep(id, command, points), tuple(needs)

    def deadly(self, room: str) -> dict[str, float]:
        """What did harm in a remembered room: command to the share of attempts."""
        return self._deadly.get(room, {})

    @property
    def home(self) -> tuple[str, str] | None:
        """The room where treasures score, and the command with `{}` for the treasure."""
        home = self._memory.get("home")
        return (home[0], home[1]) if home else None

    @cached_property
    def prized(self) -> frozenset[str]:
        """The nouns of what was taken for points."""
        taken = (parse(command) for _, command, *_ in self._memory.get("scored", ()))
        return frozenset(head_of(one.object) for one in taken if one.verb == "take")

    def knows(self, room: str) -> bool:
        """Whether earlier episodes were in the room."""
        return room in self._rooms

    def worked(self, room: str, command: str) -> bool:
        """Whether a command has worked in a remembered room."""
        return bool(self._tried(room, command)[1])

    def freshness(self, room: str, command: str) -> float:
        """Less for what was tried in a remembered room in vain, the more often the less.

        What only tells something has told it by then.
        """
        times, successes = self._tried(room, command)
        if times and parse(command).has("tells"):
            successes = 0
        return float(((successes + 1) / (times + 1)) ** _IN_VAIN)

    def _tried(self, room: str, command: str) -> Sequence[int]:
        counts: Sequence[int] = self._memory.get("tried", {}).get(room, {}).get(command, (0, 0))
        return counts

    @cached_property
    def _rooms(self) -> frozenset[str]:
        return frozenset(self._memory.get("rooms", {}))

    @cached_property
    def _titles(self) -> dict[str, list[str]]:
        titles: dict[str, list[str]] = {}
        for key in sorted(self._rooms):
            titles.setdefault(title_of(key), []).append(key)
        return titles

    @cached_property
    def _deadly(self) -> dict[str, dict[str, float]]:
        table: dict[str, dict[str, float]] = {}
        for room, command, harm, times in self._memory.get("deadly", []):
            table.setdefault(room, {})[command] = harm / (times + 1)
        return table


NO_PAST = Past()
"""Of an episode that starts without a memory."""
