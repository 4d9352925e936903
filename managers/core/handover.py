"""What an episode hands on to later ones: distilled at its end, merged, recalled at an opening.

What is recalled is a prior: ways are supposed, and the game has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator
from typing_extensions import TypedDict

from managers.belief.outlook import KeptOutlook, Outlook, both_kept, restored, what_lasts
from managers.memory.archive import (
    Archive,
    ArchivePoint,
    Quest,
    Standpoint,
    archived,
    both_archived,
    sound,
    target_of,
)
from managers.memory.atlas import Atlas, both_drawn, drawn, is_described, room_key, unfolded
from managers.memory.lessons import NO_PAST, Lessons, Past, both_learned, learned
from managers.world.knowledge import Knowledge
from managers.world.trail import GuideData

FORMAT: Literal[5] = 5
_MOST_RUNS = 64
_MOST_WORDS = 60


class Memory(TypedDict, total=False):
    """Everything that episodes of a story hand on; empty where there were none."""

    format: Literal[5]
    runs: list[str]
    """The names of the episodes."""
    unknown: list[str]
    """Words the game does not know."""
    archive: Annotated[Archive, AfterValidator(sound)]
    atlas: Atlas
    lessons: Lessons
    outlook: KeptOutlook
    of: dict[str, str]
    """The story and graph of an exported one."""


class Recalled(NamedTuple):
    """What an episode starts with."""

    knowledge: Knowledge
    outlook: Outlook
    past: Past


def distil(knowledge: Knowledge, outlook: Outlook, recalled: Memory, run: str) -> Memory:
    """What an episode adds to the memory it started with, given what is known at its end.

    `run` is a unique name of the episode; the same one is merged only once.
    """
    found = knowledge.memory["guide"].get("found", {})
    rooms = knowledge.map["rooms"].items()
    own = {id: room_key(entry["title"], entry["text"]) for id, entry in rooms}
    keys = {**own, **{id: key for id, key in found.items() if is_described(key)}}
    return Memory(
        format=FORMAT,
        runs=[run],
        unknown=list(knowledge.world["unknown"])[-_MOST_WORDS:],
        archive=archived(_points(knowledge, keys)),
        atlas=drawn(knowledge.map, keys, knowledge.board.subjects("bright")),
        lessons=learned(knowledge, recall(recalled).past, keys),
        outlook=what_lasts(outlook, keys),
    )


def both_memories(old: Memory, new: Memory) -> Memory:
    """The memory with one episode more, or two memories in one; either may be empty."""
    if not old or not new:
        return old or new
    runs = [run for run in new["runs"] if run not in old["runs"]]
    if not runs:
        return old
    unknown = dict.fromkeys((*old["unknown"], *new["unknown"]))
    return Memory(
        format=FORMAT,
        runs=[*old["runs"], *runs][-_MOST_RUNS:],
        unknown=list(unknown)[-_MOST_WORDS:],
        archive=both_archived(old["archive"], new["archive"]),
        atlas=both_drawn(old["atlas"], new["atlas"]),
        lessons=both_learned(old["lessons"], new["lessons"]),
        outlook=both_kept(old["outlook"], new["outlook"]),
    )


def recall(memory: Memory, quest: Quest | None = None, seed: int = 0) -> Recalled:
    """What an episode starts with; `seed` decides where one that is sent on a quest explores."""
    known, outlook, past, target = Knowledge.new(), Outlook.new(), NO_PAST, None
    ids: dict[str, str] = {}
    if memory:
        map_, ids = unfolded(memory["atlas"])
        past = Past(memory["lessons"], memory["atlas"])
        outlook = restored(memory["outlook"], ids)
        target = target_of(memory["archive"], quest, seed)
        known = known._replace(
            world={**known.world, "unknown": dict.fromkeys(memory["unknown"], 0)},
            map=map_,
            attempts=past.attempts(ids),
            facts=past.facts(ids),
        )
    if memory or quest:
        path = [list(step) for step in target.steps] if target else []
        guide: GuideData = {
            "path": path,
            "target": [list(target.point), path] if target else [],
            "found": {id: key for key, id in ids.items()},
            "idle": 0,
            "arrived": None if path else 0,
            "top": 0,
            "finds": 0,
            "earned": [],
        }
        known = known._replace(memory={**known.memory, "guide": guide})
    return Recalled(known, outlook, past)


def _points(knowledge: Knowledge, keys: Mapping[str, str]) -> list[ArchivePoint]:
    """Where the episode scored, with the steps there; and the point it was sent to."""
    points, way, score = [], [], 0
    for room, command, gained, to, held in knowledge.memory["trail"]:
        if room not in keys or to not in keys:
            break
        score += gained
        way.append((keys[room], command, gained))
        if gained > 0 and score > 0:
            points.append(ArchivePoint(Standpoint(score, keys[to], held), tuple(way)))
    target = knowledge.memory["guide"].get("target")
    if target:
        point, steps = Standpoint(*target[0]), tuple((*step,) for step in target[1])
        points.append(ArchivePoint(point, steps, 1, knowledge.score))
    return points
