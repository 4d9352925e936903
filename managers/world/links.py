"""What turned out to be needed for what: found in, opened with, revealed by, reached after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from managers.text.commands import Command
from managers.text.directions import direction_of

if TYPE_CHECKING:
    from managers.extraction import TurnExtraction
    from managers.world.data import Store

MOST_NEEDS = 6
"""How many needs of one thing or room are kept."""
_NO_DEEDS = frozenset(
    "take drop put examine look inventory wait go read ask tell say show wear remove".split()
)


class Links:
    """Needs by goal, both ids of things (`iron_grate`) or rooms (`L9`)."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.data: dict[str, Any] = store.data

    def learn(
        self,
        command: Command,
        extraction: TurnExtraction,
        before: str,
        known: frozenset[str],
        new_room: bool,
    ) -> None:
        """Learn from one turn; `before` is the room it began in, `known` what was known then."""
        room = self.data["room"]
        if room != before:
            if new_room and before:
                self._reached(before, room, extraction.action_result.action)
            self.data["deeds"] = []
        tools = self._meant(command)
        for id in [id for id in self.store.objects if id not in known]:
            self._found(id, room, tools if room == before else [])
        if room == before and tools and extraction.action_result.result != "failure":
            self._done(command, tools)

    def _meant(self, command: Command) -> list[str]:
        """The things a deed was about; taking and looking are no deeds."""
        if not command.object or command.verb in _NO_DEEDS:
            return []
        names = (command.object, command.second)
        found = (self.store.find(name, self.data["room"]) for name in names if name)
        return [id for id in found if id]

    def _found(self, id: str, room: str, causes: list[str]) -> None:
        """A thing seen for the first time: in a holder, by a deed, or just in its room."""
        holder = self.store.objects[id]["at"]
        if holder in self.store.objects:
            self.need(id, holder)
        for cause in causes:
            if cause not in (id, holder) and self.store.room_of(cause) != "unknown":
                self.need(id, cause)
        if room and not causes and holder not in self.store.objects:
            self.need(id, room)

    def _done(self, command: Command, tools: list[str]) -> None:
        deeds = [id for id in self.data["deeds"] if id not in tools] + tools
        self.data["deeds"] = deeds[-MOST_NEEDS:]
        if len(tools) == 2 and command.verb in ("unlock", "open", "attack", "tie", "cut", "light"):
            self.need(tools[0], tools[1])

    def _reached(self, before: str, room: str, action: str) -> None:
        """A new room: it needs the room before, and what was done there to get on."""
        self.need(room, before)
        if direction_of(action) is not None:
            for id in self.data["deeds"]:
                self.need(room, id)

    def need(self, goal: str, needs: str) -> None:
        """Note that a thing or room needs another one."""
        links = self.data["links"]
        known = links.get(goal, [])
        if goal != needs and needs not in known and len(known) < MOST_NEEDS:
            self.data["links"] = {**links, goal: [*known, needs]}
