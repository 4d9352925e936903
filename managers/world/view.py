"""The world model as a typed view over plain data that lives in the graph state."""

from __future__ import annotations

from typing import Any

from environments.game import Observation
from managers.extraction import TurnExtraction
from managers.text.commands import parse_command
from managers.text.directions import direction_of
from managers.world.conditions import is_satisfied
from managers.world.data import Store, empty_world
from managers.world.failures import FailedAction, failure_from, record
from managers.world.learn import Learner
from managers.world.objects import INVENTORY, GameObject, object_from


class WorldModel:
    """Things with place and state, failed actions, hypotheses, and what to do about them."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        """Plain data: what goes into the graph state."""
        self.store = Store(data)

    @classmethod
    def empty(cls) -> WorldModel:
        """The world before the first word of the story."""
        return cls(empty_world())

    @classmethod
    def from_state(cls, data: dict[str, Any]) -> WorldModel:
        """A view that leaves the given data as they are, whatever is applied to it."""
        return cls({**data, "objects": dict(data["objects"])})

    def apply(
        self,
        extraction: TurnExtraction,
        observation: Observation,
        room: str,
        *,
        command: str,
        scored: int = 0,
    ) -> None:
        """Learn from one turn, after the map has.

        `room` is the map's `here`, `command` what was played (empty at the opening),
        `scored` by how much the score changed.
        """
        before = self.data["room"] or room
        self.data.update(turn=extraction.turn, room=room)
        if extraction.room is not None:
            self.data.update(dark=int(extraction.room.dark), inside=extraction.room.inside)
        elif parse_command(command).verb in _GETS_OUT and _worked(extraction):
            self.data["inside"] = ""
        Learner(self.store, extraction, room, command).apply(scored)
        for word in extraction.unknown_words:
            self.data["unknown"] = {**self.data["unknown"], word: extraction.turn}
        for text in extraction.new_information:
            self.store.note(text)
        if command and extraction.action_result.result == "failure":
            self._remember_failure(before, command, extraction)

    def _remember_failure(self, room: str, command: str, extraction: TurnExtraction) -> None:
        result = extraction.action_result
        text = (extraction.new_information or ("",))[0]
        failure = FailedAction(
            extraction.turn, _plain(command), text, room, result.reason, result.prerequisite,
            state=self._relevant_state(command, room),
        )  # fmt: skip
        self.data["failed"] = record(self.data["failed"], failure)

    def _relevant_state(self, command: str, room: str) -> str:
        """What the outcome of a command may hang on: its objects, the light, the posture."""
        parsed = parse_command(command)
        parts = ["dark" if self.data["dark"] else "", self.data["inside"]]
        names = [name for name in (parsed.object, parsed.second) if name]
        ids = [id for id in (self.store.find(name, room) for name in names) if id]
        if direction_of(command):
            ids += [id for id in self.store.children(room) if "state" in self.store.objects[id]]
        for id in ids:
            entry = self.store.objects[id]
            held = "held" if self.store.room_of(id) == INVENTORY else entry["at"]
            states = ",".join(f"{k}{int(v)}" for k, v in sorted(entry.get("state", {}).items()))
            parts.append(f"{id}@{held}:{states}")
        return "|".join(parts)

    # -- things ---------------------------------------------------------------

    def objects(self) -> list[GameObject]:
        """All things known, in the order they were met."""
        return [object_from(id, entry) for id, entry in self.data["objects"].items()]

    def get(self, id: str) -> GameObject | None:
        """The thing with this id."""
        entry = self.data["objects"].get(id)
        return object_from(id, entry) if entry else None

    def resolve(self, name: str, room: str | None = None) -> GameObject | None:
        """The thing a phrase means: within reach of `room` first, then anywhere."""
        found = self.store.find_loosely(name.lower(), room or self.data["room"])
        return self.get(found) if found else None

    def inventory(self) -> list[GameObject]:
        """What the player carries, without what is inside of carried things."""
        return self._objects(self.store.children(INVENTORY))

    def contents(self, holder: str) -> list[GameObject]:
        """What is directly in or on a thing."""
        return self._objects(self.store.children(holder))

    def at(self, room: str, *, visible_only: bool = True) -> list[GameObject]:
        """The things in a room, with what lies in or on others there.

        What is in closed things is left out if `visible_only`.
        """
        found: list[GameObject] = []
        queue = self.store.children(room)
        while queue:
            id = queue.pop(0)
            entry = self.data["objects"][id]
            found.append(object_from(id, entry))
            if not visible_only or entry.get("state", {}).get("open") is not False:
                queue.extend(self.store.children(id))
        return found

    def scenery(self, room: str) -> list[str]:
        """Names of what the room's prose mentions in passing."""
        return list(self.data["scenery"].get(room, ()))

    def location_of(self, id: str) -> str:
        """A thing's room or `inventory`; empty where it is gone or not known."""
        place = self.store.room_of(id)
        return "" if place in ("gone", "unknown") else place

    def get_objects_with_property(self, prop: str) -> list[GameObject]:
        """All things that are known or by their name supposed to be something."""
        return [thing for thing in self.objects() if thing.has(prop)]

    def _objects(self, ids: list[str]) -> list[GameObject]:
        return [object_from(id, self.data["objects"][id]) for id in ids]

    # -- circumstances --------------------------------------------------------

    @property
    def dark(self) -> bool:
        """It is too dark to see."""
        return bool(self.data["dark"])

    @property
    def inside(self) -> str:
        """The vehicle or furniture the player is in; empty on one's own feet."""
        return str(self.data["inside"])

    @property
    def unknown_words(self) -> dict[str, int]:
        """Words the game said it does not know, with the turn."""
        return dict(self.data["unknown"])

    def is_unknown(self, word: str) -> bool:
        """The game said it does not know this word."""
        return word.lower() in self.data["unknown"]

    def notes(self) -> list[tuple[int, str, str]]:
        """Turn, room and text of the last sentences that no rule understood."""
        return [(turn, room, text) for turn, room, text in self.data["notes"]]

    # -- failures -------------------------------------------------------------

    def is_satisfied(self, goal: str) -> bool:
        """Whether a goal (`have lamp`, `open door`, `coin in box`) is known to be reached."""
        return is_satisfied(self, goal)

    def failed(self, command: str, room: str) -> FailedAction | None:
        """The failure of a command in a room, if everything relevant is as it was then."""
        entry = self.data["failed"].get(room, {}).get(_plain(command))
        if entry is None or entry[5] != self._relevant_state(command, room):
            return None
        return failure_from(room, _plain(command), entry)

    def failures_at(self, room: str) -> list[FailedAction]:
        """What did not work in a room, oldest first."""
        entries = self.data["failed"].get(room, {})
        return [failure_from(room, command, entry) for command, entry in entries.items()]


_GETS_OUT = frozenset({"stand", "leave"})


def _worked(extraction: TurnExtraction) -> bool:
    return extraction.action_result.result != "failure"


def _plain(command: str) -> str:
    return " ".join(command.lower().split())
