"""What a story's memory says of one moment: status line, place, things at hand."""

from __future__ import annotations

import struct

from environments.screen import Status, read_status
from environments.turn import Named, Surroundings, Tree
from environments.zmachine import Header, Objects, variable

_STATUS_VARIABLES = struct.Struct(">HhH")
"""Place, score and moves: the first three global variables (Standard, section 8.2)."""
_ROOMS_HOLDER = 20
"""A parentless object with more children than this holds the rooms, or is no place at all."""


class FactReader:
    """Reads the memory of one story; everything is computed from the present bytes."""

    def __init__(self, memory: memoryview, header: Header, objects: Objects) -> None:
        self._memory = memory
        self._header = header
        self._objects = objects

    def status(self, drawn: str) -> Status:
        """What the status line says now: version 3 defines it, later stories draw their own."""
        if self._header.version > 3:
            return read_status(drawn)
        place, score, moves = _STATUS_VARIABLES.unpack_from(self._memory, self._header.variables)
        title = self._objects.name(place) if 0 < place <= self._objects.count else None
        if self._header.time_game:
            return Status(title, None, None)
        return Status(title, score, moves)

    def tree(self, player: int, digest: bytes) -> Tree:
        """Place and things of the protagonist, who must be known."""
        around = self._objects.ancestors(player)
        room = self._room(around)
        at_hand = self._objects.children(player)
        visible = self._below(room, player) if room else []
        return Tree(
            room=self._named(room) if room else None,
            place=self._named(around[0]) if around else None,
            inventory=[self._named(n) for n in at_hand],
            visible=[self._named(n) for n in visible],
            digest=digest,
        )

    def surroundings(self, player: int) -> Surroundings:
        """The objects around the protagonist, none where it is unknown."""
        if not player:
            return Surroundings(0, 0, [], [])
        room = self._room(self._objects.ancestors(player))
        near = self._below(room, player) if room else []
        return Surroundings(player, room, self._below(player, 0), near)

    def _room(self, around: list[int]) -> int:
        """The room among the objects around the protagonist.

        Global variable 0 names it in version 3 and in most Inform stories; where it does not,
        the room is the outermost object, but for one that holds all rooms.
        """
        if not around:
            return 0
        place = variable(self._memory, self._header, 0)
        if place in around:
            return place
        outermost = around[-1]
        crowded = len(self._objects.children(outermost)) > _ROOMS_HOLDER
        return around[-2] if crowded and len(around) > 1 else outermost

    def _below(self, room: int, player: int) -> list[int]:
        """What the room contains, also inside other things, but for the protagonist's own."""
        found: dict[int, None] = {}
        waiting = self._objects.children(room)
        while waiting:
            number = waiting.pop(0)
            if number != player and number not in found:
                found[number] = None
                waiting += self._objects.children(number)
        return list(found)

    def _named(self, number: int) -> Named:
        return number, self._objects.name(number)
