"""What episodes teach of the rooms of a story: what was tried there, what paid, what was told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from environments.figures import Points, Weight
from managers.language.actions import parse
from managers.language.cues import Cue
from managers.memory.atlas import MOST_ROOMS, Atlas, title_of
from managers.world.attempts import AttemptRow, AttemptsData
from managers.world.facts import MOST, Blackboard, Fact, FactsData
from managers.world.knowledge import Knowledge
from managers.world.objects import INVENTORY
from managers.world.trail import needs

Lasting = Literal["barring", "cue", "hint", "home", "treasure"]
LASTING: tuple[Lasting, ...] = get_args(Lasting)
"""Kinds of facts that an episode starts with: not what was gone, which is there again."""
_MOST_COMMANDS = 100
"""Attempts that are remembered of one room."""
_MOST_DEEDS = 60
_MOST_ROOMS = 600
_MOST_FACTS = 200
_NO_WAY = "no_exit"
"""The only reason for which a way is remembered as blocked: others may pass."""
_IN_VAIN = 2.0
"""The power of the share of attempts that brought something."""

Trials = Annotated[list[Weight], Field(min_length=4, max_length=4)]
"""Of a command in a room: attempts, successes, harm done; 1 if it is no way out."""
Deed = tuple[str, str, Points, list[str]]
"""Room, command, points, and the nouns of what had to be carried for it."""
Told = dict[Lasting, list[Annotated[list[str], Field(min_length=3, max_length=3)]]]
"""Kind of fact -> subject, room, value of each."""


def _sound(told: Told) -> Told:
    if any(len(subject.split("|")) != len(Cue._fields) for subject, *_ in told.get("cue", ())):
        raise ValueError("a cue that is none")
    return told


class Lessons(TypedDict):
    """Everything by the rooms' keys."""

    tried: dict[str, dict[str, Trials]]
    deeds: list[Deed]
    told: Annotated[Told, AfterValidator(_sound)]
    struck: Told
    """What earlier episodes were told and this one has struck out."""


def learned(knowledge: Knowledge, past: Past, keys: Mapping[str, str]) -> Lessons:
    """What an episode adds to what it started with; `keys` are those of its rooms."""
    told: Told = {}
    struck: Told = {}
    for kind in LASTING:
        facts = (one for one in knowledge.board.of(kind) if not one.room or one.room in keys)
        told[kind] = [[one.subject, keys.get(one.room, ""), one.value] for one in facts]
        struck[kind] = [one for one in past.told(kind) if one not in told[kind]]
    deeds = [
        (keys[room], command, points, needs(command))
        for room, command, points, *_ in knowledge.memory["trail"]
        if points > 0 and room in keys
    ]
    tried = _tried(knowledge.attempts, past, {**keys, INVENTORY: INVENTORY})
    return Lessons(tried=tried, deeds=deeds[-_MOST_DEEDS:], told=told, struck=struck)


def both_learned(old: Lessons, new: Lessons) -> Lessons:
    """What both tell; the newer one comes first, and has struck out what it does not hold."""
    tried = {
        room: _both_tried(old["tried"].get(room, {}), new["tried"].get(room, {}))
        for room in [*{**old["tried"], **new["tried"]}][:_MOST_ROOMS]
    }
    deeds: dict[tuple[str, str], Deed] = {}
    for deed in (*old["deeds"], *new["deeds"]):
        before = deeds.pop((deed[0], deed[1]), deed)
        deeds[deed[0], deed[1]] = deed if deed[2] >= before[2] else before
    told: Told = {}
    for kind in LASTING:
        rows, struck = new["told"].get(kind, []), new["struck"].get(kind, [])
        others = (one for one in old["told"].get(kind, ()) if one not in (*rows, *struck))
        told[kind] = [*rows, *others][:_MOST_FACTS]
    return Lessons(tried=tried, deeds=[*deeds.values()][-_MOST_DEEDS:], told=told, struck={})


def _tried(
    attempts: AttemptsData, past: Past, keys: Mapping[str, str]
) -> dict[str, dict[str, Trials]]:
    """Without what was hindered, which may succeed the next time, and harm that others did."""
    table: dict[str, dict[str, Trials]] = {}
    known = ((keys[room], rows) for room, rows in attempts.items() if room in keys)
    for key, rows in known:
        new, expected = {}, past.dangers(key)
        for action, row in rows.items():
            worked = row.get("worked", 0)
            times = max(worked, row.get("times", 0) - row.get("hindered", 0))
            harm = row.get("harm", 0.0) - expected.get(action, 0.0) - row.get("dealt", 0.0)
            no_way = row.get("reason") == _NO_WAY and not worked
            trials: Trials = [times, worked, round(max(0.0, harm), 3), int(no_way)]
            if any(trials):
                new[action] = trials
        table[key] = _both_tried(table.get(key, {}), new)
    return table


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
        self.lessons = lessons or Lessons(tried={}, deeds=[], told={}, struck={})
        self._rooms = atlas or {}

    def __bool__(self) -> bool:
        return bool(self._rooms)

    def attempts(self, ids: Mapping[str, str]) -> AttemptsData:
        """What no room lets through, and the harm to be expected, under the rooms' ids."""
        shut: AttemptRow = {"refused": 2, "since": 0, "reason": _NO_WAY}
        found: AttemptsData = {}
        for room, tried in self.lessons["tried"].items():
            if room in ids:
                rows = {way: shut for way, (*_, no_way) in tried.items() if no_way}
                for action, chance in self.dangers(room).items():
                    rows[action] = {"harm": round(chance, 3)}
                found[ids[room]] = rows
        return found

    def facts(self, ids: Mapping[str, str]) -> FactsData:
        """What earlier episodes were told, and which rooms were always bright."""
        bright = (Fact(ids[room]) for room, known in self._rooms.items() if known["bright"])
        board = Blackboard().with_("bright", bright, MOST_ROOMS)
        for kind in LASTING:
            rows = self.told(kind)
            facts = [Fact(subject, ids.get(room, ""), value) for subject, room, value in rows]
            board = board.with_(kind, facts)
        return board.data

    def told(self, kind: Lasting) -> list[list[str]]:
        """What an episode starts with of a kind of fact: the latest, of rooms that are known."""
        rows = self.lessons["told"].get(kind, ())
        return [one for one in rows if not one[1] or one[1] in self._rooms][:MOST]

    def dangers(self, room: str) -> dict[str, float]:
        """What did harm in a room: command to the share of attempts."""
        rows = self.lessons["tried"].get(room, {}).items()
        return {action: harm / (times + 1) for action, (times, _, harm, _) in rows if harm}

    def recognised(self, title: str, key: str) -> str:
        """The remembered room that has this key, or alone has this title; empty for none."""
        if key in self._rooms:
            return key
        same = [one for one in self._rooms if title and title_of(one) == title]
        return same[0] if len(same) == 1 else ""

    def worked(self, room: str, command: str) -> bool:
        """Whether a command has worked in a remembered room."""
        return self._trials(room, command)[1] > 0

    def freshness(self, room: str, command: str) -> float:
        """Less for what was tried in a remembered room in vain, the more often the less.

        What only tells something has told it by then.
        """
        times, successes = self._trials(room, command)
        if times and parse(command).has("tells"):
            successes = 0
        return float(((successes + 1) / (times + 1)) ** _IN_VAIN)

    def _trials(self, room: str, command: str) -> tuple[float, float]:
        """Attempts and successes."""
        times, worked, *_ = self.lessons["tried"].get(room, {}).get(command, (0, 0))
        return times, worked


NO_PAST = Past()
"""Of an episode that starts without a memory."""
