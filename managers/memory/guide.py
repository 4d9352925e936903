"""How far this episode has followed what earlier ones found, and which rooms it recognises.

Plain data in the state field `memory`; empty without one. An exploring episode plays an earlier one
once more, command by command: with the same seed of the emulator the same commands lead to the same
state. The first reply that differs ends that; from then on it follows what had an effect.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Mapping
from functools import cached_property
from itertools import pairwise

from managers.language.actions import direction_of, parse
from managers.language.lexicon import head_of
from managers.learning.transition import Transition
from managers.memory.archive import PlayedCommand
from managers.memory.trail import GuideData, Row, TrailStep, is_fight, is_idle
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
        if not self.data.get("exact") or self.is_complete:
            return None
        return PlayedCommand(*self.data["script"][len(self.data["history"])]).command

    @property
    def is_complete(self) -> bool:
        """Whether all of an earlier episode was played again, and was answered as it was then."""
        data = self.data
        return bool(data.get("exact") and len(data["history"]) >= len(data["script"]))

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

    def _ahead(self) -> list[Row]:
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
        return {
            **self.data,
            "found": {**self.data["found"], **({id: key} if key else {})},
            "seen": [*self.data["seen"], id],
            "feared": {**self.data["feared"], id: dict(feared)},
        }

    def followed(self, played: Transition) -> GuideData:
        """The data after a turn."""
        data = self._retraced(played) if "history" in self.data else self._followed(played)
        arrived, score = data["arrived"], played.after.score
        if arrived is None and not data["path"]:
            arrived = played.turn
        found = score > data["top"] and arrived is not None
        earned = data.get("earned", [])
        if played.scored > 0:
            earned = [*earned, [self.key(played.start), played.command]]
        return {
            **data,
            "arrived": arrived,
            "top": max(data["top"], score),
            "finds": data["finds"] + found,
            "earned": earned,
        }

    def _retraced(self, played: Transition) -> GuideData:
        """The data of an exploring episode: word for word the steps are passed as they come up."""
        now = _entry(played)
        script, length = self.data["script"], len(self.data["history"])
        then = PlayedCommand(*script[length]) if length < len(script) else None
        exact = self.data["exact"] and (
            then is None or (then.command, then.reply) == (now.command, now.reply)
        )
        history = [*self.data["history"], list(now)]
        after = Guide({**self.data, "history": history, "exact": exact})
        if then is None or not exact:
            return after._followed(played)
        if after.is_complete:
            return after._at([])
        number = after._number(after._ahead(), played)
        return after._advanced(number, played) or after.data

    def _followed(self, played: Transition) -> GuideData:
        path = self.data["path"]
        if played.harm >= 1 and self.data["target"]:
            fatal = self.data.get("fatal") or self._fatal()
            left = [step for step in self.data["target"][1] if step[:2] not in self.earned]
            return {**self._at(left), "since": played.turn, "fatal": fatal}
        if not path:
            return self.data
        since = played.turn - self.data.get("since", 0)
        slowness = (_SLOWNESS[bool(direction_of(step[1]))] for step in self.data["target"][1])
        if since > sum(slowness) + _PATIENCE:
            return self._at([])
        ahead = self._ahead()
        number = self._number(ahead, played)
        advanced = self._advanced(number, played)
        if advanced:
            return advanced
        if _meets_foe(played) or is_fight(played.command):
            number = None
        hurt = bool(played.after.board.of("wound"))
        return self._delayed(path, ahead, number, patient=hurt)

    def _number(self, ahead: list[Row], played: Transition) -> int | None:
        """Which of the steps ahead was just played."""
        key = self.key(played.start)
        return next(
            (
                number
                for number, (room, command, _) in enumerate(ahead)
                if _same_act(command, played.command) and same_room(room, key)
            ),
            None,
        )

    def _advanced(self, number: int | None, played: Transition) -> GuideData | None:
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

    def _done_early(self, path: list[Row], played: Transition) -> int | None:
        """Where on the path the act stands that was just played before its turn."""
        if direction_of(played.command):
            return None
        key = self.key(played.start)
        return next(
            (
                number
                for number, (room, command, points) in enumerate(path)
                if command == played.command and same_room(room, key) and _done(played, points)
            ),
            None,
        )

    def _delayed(
        self, path: list[Row], ahead: list[Row], number: int | None, *, patient: bool
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

    def _at(self, path: list[Row]) -> GuideData:
        return {**self.data, "path": path, "idle": 0, "rest": 0}


def _after(path: list[Row]) -> list[Row]:
    """What is left once the first step is done; of a fight that is won, no blow."""
    (room, command, _), *rest = path
    if is_fight(command):
        while rest and rest[0][0] == room and not rest[0][2] and _same_act(rest[0][1], command):
            rest = rest[1:]
    return rest


def _entry(played: Transition) -> PlayedCommand:
    """What has been played, as it is compared and handed on."""
    telling = is_idle(played.kind, played.command) and played.gain <= 0
    place = played.start if played.worked and not telling else ""
    reply = zlib.crc32(played.text.encode()) & 0xFFFF
    return PlayedCommand(place, played.command, played.scored, reply)


def _meets_foe(played: Transition) -> bool:
    """Somebody hostile is still here."""
    board = played.after.board
    nouns = set(map(head_of, board.subjects("hostile") | board.subjects("barring")))
    return any(thing.noun in nouns for thing in played.after.around)


def _same_act(one: str, other: str) -> bool:
    """The same command, or a blow at the same foe with whatever there is."""
    if one == other or not (is_fight(one) and is_fight(other)):
        return one == other
    return parse(one).object == parse(other).object


def _done(played: Transition, points: int) -> bool:
    """Whether a step brought what it once did; a fight goes on until nobody is left."""
    if direction_of(played.command):
        return played.moved
    if points > 0:
        return played.scored > 0
    return not _meets_foe(played) if is_fight(played.command) else played.worked
