"""Points at which earlier episodes scored, each with the shortest list of steps that led there.

An episode follows the steps to the one that promises most; one of an exploration is sent to
promising ones in turn (`Quest`), and plays on from there.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from environments.figures import Count, Number, Points
from environments.game import Value
from managers.world.trail import GuideData

MOST_POINTS = 200
_BEST = MOST_POINTS // 2
"""So many of them are those with the best scores; the others are the latest finds."""
_LENGTH_PRICES = (0.0, 0.05, 0.2)
"""Per step, in hundredths of the best score: some episodes start far out, some near."""
_VISITED = 5.0
"""What visits with a score to a room cost it, in hundredths of the best score."""

Step = tuple[str, str, int]
"""The place, the command, the points it brought."""
_Node = Annotated[int, Field(ge=-1, le=10**9)]
_MOST_STEPS = 1_000_000
"""Of all lists together."""


class Standpoint(NamedTuple):
    """Where an episode stood, the same in every episode."""

    score: int
    place: str
    """The room's key."""
    held: int
    """A number for what was carried."""


class ArchivePoint(NamedTuple):
    """A point with the way there, and what became of those who were sent there."""

    point: Standpoint
    steps: tuple[Step, ...]
    times: int = 0
    """How many episodes followed them."""
    total: int = 0
    """The sum of the scores they ended with."""

    @property
    def promise(self) -> float:
        """The mean of the score it was found with and those that episodes sent there ended with."""
        return (self.total + self.point.score) / (self.times + 1)

    @property
    def merit(self) -> tuple[float, int]:
        """The score with which one is likely to arrive; of equals the shorter way counts more."""
        return min(self.promise, self.point.score), -len(self.steps)


class Archive(TypedDict):
    """Points as plain data: what their lists of steps have in common is kept once, as a tree."""

    nodes: list[tuple[_Node, str, str, Points]]
    """The node before, and the step; -1 for none."""
    points: list[tuple[Points, str, Number, _Node, Count, Points]]
    """Of each its `Standpoint`, the node at which its steps end, times and total."""


def archived(points: Iterable[ArchivePoint]) -> Archive:
    """The points as plain data."""
    nodes: dict[tuple[int, str, str, int], int] = {}
    rows = []
    for point, steps, times, total in points:
        node = -1
        for step in steps:
            node = nodes.setdefault((node, *step), len(nodes))
        rows.append((*point, node, times, total))
    return Archive(nodes=list(nodes), points=rows)


def sound(archive: Archive) -> Archive:
    """The archive itself, if every list of steps in it has an end.

    Raises:
        ValueError: one leads in a circle, or nowhere, or they are too long.
    """
    lengths: list[int] = []
    for node, *_ in archive["nodes"]:
        if node >= len(lengths):
            raise ValueError("steps that lead in a circle")
        lengths.append(1 + (lengths[node] if node >= 0 else 0))
    ends = [row[3] for row in archive["points"]]
    if max(ends, default=-1) >= len(lengths):
        raise ValueError("a point with steps that are not there")
    if sum(lengths[node] for node in ends if node >= 0) > _MOST_STEPS:
        raise ValueError(f"more than {_MOST_STEPS:,} steps")
    return archive


def points_of(archive: Archive) -> list[ArchivePoint]:
    """What `archived` made into plain data."""
    points = []
    for score, place, held, node, times, total in archive["points"]:
        steps: list[Step] = []
        while node >= 0:
            node, room, command, gained = archive["nodes"][node]
            steps.append((room, command, gained))
        point = Standpoint(score, place, held)
        points.append(ArchivePoint(point, tuple(steps[::-1]), times, total))
    return points


def both_archived(old: Archive, new: Archive) -> Archive:
    """Both, each point once with its shortest list; the least promising ones are forgotten."""
    table = {one.point: one for one in points_of(old)}
    for one in points_of(new):
        point, steps, times, total = table.pop(one.point, ArchivePoint(one.point, one.steps))
        shortest = min(steps, one.steps, key=len)
        table[point] = ArchivePoint(point, shortest, times + one.times, total + one.total)
    points = list(table.values())
    best = sorted(points, key=lambda one: one.merit, reverse=True)[:_BEST]
    kept = {one.point for one in best}
    latest = [one.point for one in points if one.point not in kept]
    kept.update(latest[-(MOST_POINTS - _BEST) :])
    return archived(one for one in points if one.point in kept)


def best_point(points: Sequence[ArchivePoint]) -> ArchivePoint | None:
    """The one that promises the highest score, the shortest of equals; None where none scored."""
    scored = (one for one in points if one.point.score > 0)
    return min(scored, key=lambda one: (-one.promise, len(one.steps)), default=None)


def promising(points: Sequence[ArchivePoint], length_price: float) -> ArchivePoint | None:
    """Where to explore from: merit, less the length of the way and what was spent there."""
    top = max((one.point.score for one in points), default=0)
    visits: Counter[tuple[int, str]] = Counter()
    for one in points:
        visits[one.point[:2]] += one.times

    def value(one: ArchivePoint) -> tuple[float, int]:
        spent = _VISITED * math.log1p(visits[one.point[:2]])
        return 100 * one.merit[0] / top - length_price * len(one.steps) - spent, -one.times

    return max(points, key=value) if top > 0 else None


class Quest(Value):
    """Exploration: an episode returns to a point of the archive and plays on from there."""

    target: Literal["promising", "best"] = "promising"
    """The point: promising ones in turn, or the one with the highest score to be expected."""
    turns: int = Field(default=150, ge=0)
    """How many it plays on."""
    bonus: int = Field(default=75, ge=0)
    """How many more for every new score."""
    lives: int = Field(default=1, ge=1)
    """It ends with so many deaths."""
    rehearse: int = Field(default=0, ge=0)
    """Of so many episodes, the last only follows the best trajectory, with a seed of its own."""

    def of_episode(self, number: int) -> Quest:
        """What one of several episodes is sent for, counted from 1."""
        rehearsal = self.rehearse and number % self.rehearse == 0
        return Quest(target="best", turns=0, bonus=0, lives=2) if rehearsal else self

    def is_over(self, guide: GuideData, turn: int, deaths: int) -> bool:
        """Whether the episode has done what it was sent for, or met too many deaths."""
        arrived = guide.get("arrived")
        left = arrived is None or turn < arrived + self.turns + self.bonus * guide["finds"]
        return deaths >= self.lives or not left


def target_of(archive: Archive, quest: Quest | None, seed: int) -> ArchivePoint | None:
    """The point to return to; None where nothing has scored yet."""
    points = points_of(archive)
    if quest is None or quest.target == "best":
        return best_point(points)
    return promising(points, random.Random(f"{seed}/target").choice(_LENGTH_PRICES))
