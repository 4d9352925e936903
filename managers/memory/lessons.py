"""What episodes teach of the rooms of a story: what was tried there, what paid, what was told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from typing_extensions import TypedDict

from managers.knowledge import Knowledge
from managers.language.actions import parse
from managers.memory.atlas import Atlas, title_of
from managers.memory.trail import needs, steps_of
from managers.world.attempts import HELD, AttemptRow, AttemptsData
from managers.world.facts import Blackboard, Fact, FactsData

LASTING = ("barring", "cue", "hint", "home", "treasure")
"""Kinds of facts that an episode starts with: not what was gone, which is there again."""
_MOST_COMMANDS = 100
"""Attempts that are remembered of one room."""
_MOST_DEEDS = 60
_MOST_FACTS = 200
_NO_WAY = "no_exit"
"""The only reason for which a way is remembered as blocked: others may pass."""
_IN_VAIN = 2.0
"""The power of the share of attempts that brought something."""

Trials = list[float]
"""Of a command in a room: attempts, successes, harm done; 1 if it is no way out."""
Deed = tuple[str, str, int, list[str]]
"""Room, command, points, and the nouns of what had to be carried for it."""
Told = dict[str, list[list[str]]]
"""Kind of fact -> subject, room, value of each."""


class Lessons(TypedDict):
    """Everything by the rooms' keys."""

    tried: dict[str, dict[str, Trials]]
    deeds: list[Deed]
    told: Told
    struck: Told
    """What earlier episodes were told and this one has struck out."""


def no_lessons() -> Lessons:
    """Before anything was tried."""
    return Lessons(tried={}, deeds=[], told={}, struck={})


def learned(knowledge: Knowledge, past: Past, keys: Mapping[str, str]) -> Lessons:
    """What an episode adds.

    Args:
        knowledge: at its end.
        past: what it started with.
        keys: of its rooms.
    """
    told = {kind: _told(knowledge.board, kind, keys) for kind in LASTING}
    before = past.lessons["told"]
    return Lessons(
        tried=_tried(knowledge.attempts, past, keys),
        deeds=[*_deeds(knowledge, keys)][-_MOST_DEEDS:],
        told=told,
        struck={
            kind: [one for one in before.get(kind, ()) if one not in told[kind]] for kind in told
        },
    )


def both_learned(old: Lessons, new: Lessons) -> Lessons:
    """What both tell; the newer one comes first, and has struck out what it does not hold."""
    tried = {
        room: _both_tried(old["tried"].get(room, {}), new["tried"].get(room, {}))
        for room in {**old["tried"], **new["tried"]}
    }
    deeds: dict[tuple[str, str], Deed] = {}
    for deed in (*old["deeds"], *new["deeds"]):
        before = deeds.pop((deed[0], deed[1]), deed)
        deeds[deed[0], deed[1]] = deed if deed[2] >= before[2] else before
    told = {}
    for kind in LASTING:
        rows, struck = new["told"].get(kind, []), new["struck"].get(kind, [])
        others = (one for one in old["told"].get(kind, ()) if one not in (*rows, *struck))
        told[kind] = [*rows, *others][:_MOST_FACTS]
    return Lessons(tried=tried, deeds=[*deeds.values()][-_MOST_DEEDS:], told=told, struck={})


def _told(board: Blackboard, kind: str, keys: Mapping[str, str]) -> list[list[str]]:
    return [
        [one.subject, keys.get(one.room, ""), one.value]
        for one in board.of(kind)
        if not one.room or one.room in keys
    ]


def _deeds(knowledge: Knowledge, keys: Mapping[str, str]) -> Iterator[Deed]:
    """What has scored, in its order."""
    for step in steps_of(knowledge.memory):
        if step.points > 0 and step.room in keys:
            yield keys[step.room], step.command, step.points, needs(step.command)


def _tried(
    attempts: AttemptsData, past: Past, keys: Mapping[str, str]
) -> dict[str, dict[str, Trials]]:
    table: dict[str, dict[str, Trials]] = {}
    for room, rows in attempts.items():
        key = HELD if room == HELD else keys.get(room)
        if key:
            harm = _harm(rows, past.dangers(key)) if room != HELD else {}
            new = {action: _judged(row, harm.get(action, 0.0)) for action, row in rows.items()}
            new = {action: trials for action, trials in new.items() if any(trials)}
            table[key] = _both_tried(table.get(key, {}), new)
    return table


def _judged(row: AttemptRow, harm: float) -> Trials:
    """What was hindered may succeed the next time."""
    times, worked = row.get("times", 0) - row.get("hindered", 0), row.get("worked", 0)
    return [times, worked, round(harm, 3), int(row.get("reason") == _NO_WAY and not worked)]


def _harm(rows: Mapping[str, AttemptRow], expected: Mapping[str, float]) -> dict[str, float]:
    """The harm that commands did in a room, beside what was expected of them.

    What others did is not a command's fault: it would happen elsewhere, or be done again.
    """
    return {
        action: max(0.0, row.get("harm", 0.0) - expected.get(action, 0.0) - row.get("dealt", 0.0))
        for action, row in rows.items()
    }


def _both_tried(old: Mapping[str, Trials], new: Mapping[str, Trials]) -> dict[str, Trials]:
    """The sums; of too many commands those that did harm, and those tried most often."""
    both: dict[str, Trials] = {**old, **new}
    for action in old.keys() & new.keys():
        times, worked, harm, no_way = map(sum, zip(old[action], new[action], strict=True))
        both[action] = [times, worked, harm, int(no_way > 0 and not worked)]
    often = sorted(both, key=lambda one: (-both[one][2], -both[one][3], -both[one][0], one))
    return {action: both[action] for action in often[:_MOST_COMMANDS]}


class Past:
    """What earlier episodes say of rooms that are found again; empty without any."""

    def __init__(self, lessons: Lessons | None = None, atlas: Atlas | None = None) -> None:
        self.lessons = lessons or no_lessons()
        self._rooms = atlas or {}

    def __bool__(self) -> bool:
        return bool(self._rooms)

    def attempts(self, ids: Mapping[str, str]) -> AttemptsData:
        """What no room lets through, and the harm to be expected, under the rooms' ids."""
        return {
            ids[room]: {**self._walls(room), **_feared(self.dangers(room))}
            for room in self.lessons["tried"]
            if room in ids
        }

    def _walls(self, room: str) -> dict[str, AttemptRow]:
        row: AttemptRow = {"refused": 2, "since": 0, "reason": _NO_WAY}
        return {way: row for way, (*_, no_way) in self._tried(room).items() if no_way}

    def facts(self, ids: Mapping[str, str]) -> FactsData:
        """What earlier episodes were told, and which rooms were always bright."""
        bright = (Fact(ids[room]) for room, known in self._rooms.items() if known["bright"])
        board = Blackboard().with_("bright", bright)
        for kind, rows in self.lessons["told"].items():
            known = (one for one in rows if not one[1] or one[1] in ids)
            facts = [Fact(subject, ids.get(room, ""), value) for subject, room, value in known]
            board = board.with_(kind, facts)
        return board.data

    def dangers(self, room: str) -> dict[str, float]:
        """What did harm in a room: command to the share of attempts."""
        rows = self._tried(room).items()
        return {action: harm / (times + 1) for action, (times, _, harm, _) in rows if harm}

    def recognised(self, title: str, key: str) -> str:
        """The remembered room that has this key, or alone has this title; empty for none."""
        if key in self._rooms:
            return key
        same = self._titles.get(title, []) if title else []
        return same[0] if len(same) == 1 else ""

    def worked(self, room: str, command: str) -> bool:
        """Whether a command has worked in a remembered room."""
        return bool(self._trials(room, command)[1])

    def freshness(self, room: str, command: str) -> float:
        """Less for what was tried in a remembered room in vain, the more often the less.

        What only tells something has told it by then.
        """
        times, successes, *_ = self._trials(room, command)
        if times and parse(command).has("tells"):
            successes = 0
        return float(((successes + 1) / (times + 1)) ** _IN_VAIN)

    def _tried(self, room: str) -> Mapping[str, Trials]:
        return self.lessons["tried"].get(room, {})

    def _trials(self, room: str, command: str) -> Sequence[float]:
        return self._tried(room).get(command, (0, 0, 0.0, 0))

    @cached_property
    def _titles(self) -> dict[str, list[str]]:
        titles: dict[str, list[str]] = {}
        for key in sorted(self._rooms):
            titles.setdefault(title_of(key), []).append(key)
        return titles


NO_PAST = Past()
"""Of an episode that starts without a memory."""


def _feared(dangers: Mapping[str, float]) -> dict[str, AttemptRow]:
    return {action: AttemptRow(harm=round(chance, 3)) for action, chance in dangers.items()}
