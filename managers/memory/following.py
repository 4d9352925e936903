"""What earlier episodes say of rooms found again, and what a turn means for those to come."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from managers.knowledge import Knowledge
from managers.language.actions import parse
from managers.language.lexicon import head_of
from managers.learning.transition import Transition
from managers.memory.guide import Guide, room_key, title_of
from managers.memory.trail import (
    QUESTIONED,
    GuideData,
    MemoryData,
    TrailStep,
    is_idle,
    lengthened,
)
from managers.world.facts import Fact

_MOST_FINDS = 60
_ANSWERED = ("yes_no", "which", "missing")
"""Questions of the game whose answer means nothing without what was asked about."""

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


def follow(transition: Transition, past: Past) -> Transition:
    """The transition with the trail, the progress on earlier ones, and rooms found again."""
    after = transition.after
    memory = _with_trail(transition) if transition.command else after.memory
    after = after.with_(memory=memory)
    guide = Guide(memory["guide"])
    if guide:
        if transition.command:
            guide = Guide(guide.followed(transition))
        after = after.with_(memory={**memory, "guide": guide.data})
        here = after.here
        if here and here not in guide.data["seen"]:
            after = _found_again(after, guide, here, past)
    return transition.with_after(after)


def _with_trail(transition: Transition) -> MemoryData:
    """The trail with one more step if it had an effect; nothing is added after a death."""
    memory: MemoryData = {**transition.after.memory}
    start, action = transition.start, transition.action
    if transition.reading.died or memory["died"]:
        return {**memory, "died": 1}
    if start and transition.reading.question in _ANSWERED:
        memory["asked"] = [start, transition.command, transition.turn]
    worked = transition.moved if action.direction else transition.worked
    if not start or not (transition.scored or worked):
        return memory
    if transition.gain and not action.direction and not _is_by_chance(transition):
        found = [start, transition.command]
        finds = [one for one in memory["finds"] if one != found]
        memory["finds"] = [*finds, found][-_MOST_FINDS:]
    memory["trail"] = _lengthened(transition, memory)
    return memory


def _lengthened(transition: Transition, memory: MemoryData) -> list[list[str | int]]:
    after, trail, asked = transition.after, memory["trail"], memory["asked"]
    if asked and transition.turn == int(asked[2]) + 1:
        place, command = str(asked[0]), str(asked[1])
        question = TrailStep(place, command, 0, place, QUESTIONED, int(asked[2]))
        trail = lengthened(trail, question, kind="ask")
    step = TrailStep(
        transition.start,
        transition.command,
        transition.scored,
        after.here,
        zlib.crc32(" ".join(sorted(thing.noun for thing in after.held)).encode()),
        transition.turn,
    )
    narrow = bool(after.board.subjects("narrow", transition.start))
    return lengthened(trail, step, kind=transition.kind, gain=transition.gain, narrow=narrow)


def _is_by_chance(transition: Transition) -> bool:
    """Put down here before, or come up while the command told of something else."""
    action, after = transition.action, transition.after
    if action.verb == "take":
        dropped = after.attempts_view.of(transition.start, f"drop {action.object}")
        return bool(dropped.worked)
    telling = is_idle(transition.kind, transition.command) or action.verb == "wait"
    held = {thing.noun for thing in after.held}
    return telling and (not action.object or head_of(action.object) in held)


def _found_again(after: Knowledge, guide: Guide, here: str, past: Past) -> Knowledge:
    """In a room that earlier episodes knew: its dangers, and whether treasures belong there."""
    room = after.map_view.data["rooms"][here]
    own = room_key(room["title"], room["text"])
    known = guide.key(here) or past.recognised(room["title"], own)
    key = known or (own if room["title"] else "")
    feared = past.deadly(key)
    located: GuideData = guide.located(here, key, feared)
    after = after.with_(memory={**after.memory, "guide": located})
    if feared:
        attempts = after.attempts_view.feared(here, feared)
        after.world_view.attempts = attempts
        after = Knowledge.seen(after, after.world_view, after.map_view.knowing(attempts), attempts)
    home = past.home
    if home and home[0] == key and not after.board.of("home"):
        board = after.board.with_("home", [Fact(home[1], here, turn=after.turn)])
        after = after.with_(facts=board.data)
    return after
