"""How far this episode has followed what earlier ones found, and which rooms it recognises.

Plain data in the state field `memory`; empty without one.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from managers.language.actions import direction_of, parse
from managers.memory import retrace
from managers.memory.data import GuideData
from managers.memory.trail import TrailStep, is_fight
from managers.world.identity import fingerprint

_UNDESCRIBED = " #00000000"
_WALK = 40
"""So many steps of mere walking are looked ahead over."""
_PATIENCE = 24
"""Turns without progress after which a step is given up."""
_SLOWNESS = {True: 2.5, False: 8.0}
"""How many turns a return may take for a step of the way, and for an act with the walk there."""
_REST = 6
"""Turns for which a step that was refused is left alone, if it moves or scores."""


def room_key(title: str, text: str) -> str:
    """A room's identity in every episode: its title, and a number for how it is described."""
    return f"{title} #{fingerprint(text):08x}"


def same_room(one: str, other: str) -> bool:
    """Whether two keys are of one room; a room that was never described has nothing but a title."""
    if one == other or not one or not other:
        return one == other
    described = is_described(one) and is_described(other)
    return not described and title_of(one) == title_of(other)


def is_described(key: str) -> bool:
    """Whether the key holds more than a title."""
    return not key.endswith(_UNDESCRIBED)


def title_of(key: str) -> str:
    """The title in a room's key."""
    return key.rpartition(" #")[0]


class Played(NamedTuple):
    """A turn as the guide judges it."""

    turn: int
    room: str
    """Where the command was played."""
    command: str
    moved: bool
    worked: bool
    scored: int
    score: int
    """The total afterwards."""
    foe: bool
    """Somebody hostile is still here."""
    died: bool
    hurt: bool = False
    """One has been wounded lately, and had better wait."""
    effective: bool = True
    """It changed something."""
    reply: str = ""


class Guide:
    """A view of the plain data; what changes it returns new data."""

    def __init__(self, data: GuideData) -> None:
        self.data = data

    def __bool__(self) -> bool:
        return bool(self.data)

    @property
    def bright(self) -> list[str]:
        """The rooms that were always bright in earlier episodes."""
        return list(self.data.get("bright", ()))

    @property
    def barred(self) -> list[str]:
        """The rooms where somebody barred the way in earlier episodes."""
        return list(self.data.get("barred", ()))

    @property
    def earned(self) -> list[list[str]]:
        """What has scored in this episode: the remembered room and the command of each."""
        return list(self.data.get("earned", ()))

    @property
    def lairs(self) -> set[str]:
        """The rooms of this episode in which somebody is still to be beaten on the path."""
        fights = {room for room, command, _ in self.data.get("path", ()) if is_fight(command)}
        return {id for room in fights for id in self.named(room)}

    @property
    def next_in_line(self) -> str | None:
        """What an earlier episode played now, when all went as it does; None where nobody knows."""
        return retrace.next_command(self.data)

    def next_step(self, here: str, reachable: Container[str]) -> TrailStep | None:
        """What comes next, with the room as this episode names it.

        Walking only serves to get to the next act: the step nearest to it that can be played
        here, or else in a room that can be reached, is the next one. Among rooms that look the
        same nothing tells one where one is but the steps so far.
        """
        if self.data.get("rest"):
            return None
        ahead = self._ahead()
        key = self.key(here)
        alike = key in self._alike
        for room, command, points in ahead if alike else reversed(ahead):
            if same_room(room, key):
                return TrailStep(here, command, points)
        for room, command, points in reversed(ahead):
            for id in self.named(room):
                if id in reachable:
                    return TrailStep(id, command, points)
        return None

    @cached_property
    def _alike(self) -> frozenset[str]:
        """The rooms from which walking led to one of the same key."""
        steps = self.data["target"][1] if self.data.get("target") else []
        return frozenset(
            room
            for (room, command, _), (then, *_) in pairwise(steps)
            if room == then and direction_of(command)
        )

    def _ahead(self) -> list[list[Any]]:
        """The next act with the walk there."""
        path = self.data.get("path", [])[:_WALK]
        for number, (_, command, points) in enumerate(path):
            if points or not direction_of(command):
                return list(path[: number + 1])
        return list(path)

    def key(self, id: str) -> str:
        """The remembered room that a room of this episode is; empty for none."""
        return str(self.data.get("found", {}).get(id, ""))

    def named(self, key: str) -> list[str]:
        """The rooms of this episode that are the remembered one."""
        return [id for id in self._ids.get(title_of(key), ()) if same_room(self.key(id), key)]

    @cached_property
    def _ids(self) -> dict[str, list[str]]:
        """By title."""
        ids: dict[str, list[str]] = {}
        for id, key in self.data.get("found", {}).items():
            ids.setdefault(title_of(key), []).append(id)
        return ids

    def located(self, id: str, key: str, feared: Mapping[str, float]) -> GuideData:
        """The data once a room is seen; `key` is empty for one that nobody remembers.

        `feared` is the harm that is expected there: action to the chance.
        """
        found = {**self.data["found"], id: key} if key else self.data["found"]
        seen = [*self.data["seen"], id]
        return {
            **self.data,
            "found": found,
            "seen": seen,
            "feared": {**self.data["feared"], id: dict(feared)},
        }

    def followed(self, played: Played) -> GuideData:
        """The data after a turn."""
        data = self._retraced(played) if "history" in self.data else self._followed(played)
        arrived = data["arrived"]
        if arrived is None and not data["path"]:
            arrived = played.turn
        top, finds = max(data["top"], played.score), data["finds"]
        found = played.score > data["top"] and arrived is not None
        earned = data.get("earned", [])
        if played.scored > 0:
            earned = [*earned, [self.key(played.room), played.command]]
        return {**data, "arrived": arrived, "top": top, "finds": finds + found, "earned": earned}

    def _retraced(self, played: Played) -> GuideData:
        """The data of an exploring episode: word for word the steps are passed as they come up."""
        place = played.room if played.effective else ""
        entry = retrace.entry(place, played.command, played.scored, played.reply)
        exact = retrace.next_command(self.data) == played.command
        after = Guide(retrace.lengthened(self.data, entry))
        if not exact or not after.data["exact"]:
            return after._followed(played)
        if retrace.is_complete(after.data):
            return after._at([])
        number = after._number(after._ahead(), played)
        return after._advanced(number, played) or after.data

    def _followed(self, played: Played) -> GuideData:
        path = self.data["path"]
        if played.died and self.data["target"]:
            fatal = self.data.get("fatal") or self._fatal()
            return {**self._at(self._unearned()), "since": played.turn, "fatal": fatal}
        if not path:
            return self.data
        since = played.turn - self.data.get("since", 0)
        if since > sum(map(_allowance, self.data["target"][1])) + _PATIENCE:
            return self._at([])
        ahead = self._ahead()
        number = self._number(ahead, played)
        advanced = self._advanced(number, played)
        if advanced:
            return advanced
        if played.foe or is_fight(played.command):
            number = None
        return self._delayed(path, ahead, number, patient=played.hurt)

    def _number(self, ahead: list[list[Any]], played: Played) -> int | None:
        """Which of the steps ahead was just played."""
        key = self.key(played.room)
        return next(
            (
                number
                for number, (room, command, _) in enumerate(ahead)
                if _same_act(command, played.command) and same_room(room, key)
            ),
            None,
        )

    def _advanced(self, number: int | None, played: Played) -> GuideData | None:
        """The data after a turn that brought a step of the path to its end."""
        path = self.data["path"]
        if number is not None and _done(played, path[number][2]):
            return self._at(_after(path[number:]))
        early = self._done_early(path, played) if number is None else None
        return None if early is None else {**self.data, "path": [*path[:early], *path[early + 1 :]]}

    def _fatal(self) -> int:
        """How many steps of the whole path there are up to the one at hand; 0 after the last."""
        ahead, steps = self._ahead(), self.data["target"][1]
        if not ahead:
            return 0
        passed = len(steps) - len(self.data["path"]) + len(ahead)
        return next(
            (number for number in range(passed, 0, -1) if steps[number - 1] == ahead[-1]), 0
        )

    def _unearned(self) -> list[list[Any]]:
        """The whole path once more, without what has scored in this episode."""
        return [step for step in self.data["target"][1] if step[:2] not in self.earned]

    def _done_early(self, path: list[list[Any]], played: Played) -> int | None:
        """Where on the path the act stands that was just played before its turn."""
        if direction_of(played.command):
            return None
        key = self.key(played.room)
        return next(
            (
                number
                for number, (room, command, points) in enumerate(path)
                if command == played.command and same_room(room, key) and _done(played, points)
            ),
            None,
        )

    def _delayed(
        self, path: list[list[Any]], ahead: list[list[Any]], number: int | None, *, patient: bool
    ) -> GuideData:
        """The data after a turn without progress."""
        idle, rest = self.data["idle"] + (not patient), max(0, self.data["rest"] - 1)
        if number is not None:
            _, command, points = ahead[number]
            if not points and not direction_of(command):
                return self._at(path[number + 1 :])
            rest = _REST
        if idle > _PATIENCE:
            return self._at(path[len(ahead) :])
        since = self.data.get("since", 0) + patient
        return {**self.data, "idle": idle, "rest": rest, "since": since}

    def _at(self, path: list[list[Any]]) -> GuideData:
        return {**self.data, "path": path, "idle": 0, "rest": 0}


def _after(path: list[list[Any]]) -> list[list[Any]]:
    """What is left once the first step is done; of a fight that is won, no blow."""
    (room, command, _), *rest = path
    if is_fight(command):
        while rest and rest[0][0] == room and not rest[0][2] and _same_act(rest[0][1], command):
            rest = rest[1:]
    return rest


def _allowance(step: list[Any]) -> float:
    return _SLOWNESS[bool(direction_of(step[1]))]


def _same_act(one: str, other: str) -> bool:
    """The same command, or a blow at the same foe with whatever there is."""
    if one == other or not (is_fight(one) and is_fight(other)):
        return one == other
    return parse(one).object == parse(other).object


def _done(played: Played, points: int) -> bool:
    """Whether a step brought what it once did; a fight goes on until nobody is left."""
    if direction_of(played.command):
        return played.moved
    if points > 0:
        return played.scored > 0
    return not played.foe if is_fight(played.command) else played.worked
