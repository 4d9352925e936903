"""What one turn teaches about things: changes first, then what is seen, then what is missing."""

from __future__ import annotations

from typing import Any

from managers.extraction import ObjectMention, StateChange, TurnExtraction
from managers.text.commands import Command, parse_command
from managers.world.data import Store, is_scenery
from managers.world.names import FITS, SAME, fit, likeness
from managers.world.objects import GONE, INVENTORY, UNKNOWN

_SURE = 0.6


class Learner:
    """Applies one extraction to copied world data."""

    def __init__(self, store: Store, extraction: TurnExtraction, room: str, command: str) -> None:
        self.store = store
        self.extraction = extraction
        self.room = room
        self.command = parse_command(command)
        self.seen: dict[str, str] = {}
        """Objects met in this turn and the name they went by."""

    def apply(self, scored: int) -> None:
        for change in self.extraction.state_changes:
            self._change(change)
        for mention in sorted(self.extraction.objects_mentioned, key=_holders_first):
            self._mention(mention)
        self._reconcile()
        if scored > 0:
            self._reward(self.command)

    def _change(self, change: StateChange) -> None:
        taken = change.property == "location" and change.new_value == "inventory"
        id = self._object_for(change.object, held=not taken)
        if change.property == "location":
            self._move(id, change.new_value)
        else:
            self.store.set_state(id, change.property, change.new_value == "true")
        self.store.change(id, seen=self.extraction.turn)
        self.seen[id] = change.object

    def _object_for(self, name: str, *, held: bool) -> str:
        found = self.store.find(name, self.room)
        if found is None:
            found = self.store.find_by_kind(name, self.room, held=held)
        if found is None:
            return self.store.add(name, self.room, "command", 0.8)
        self.store.add_alias(found, name)
        return found

    def _move(self, id: str, place: str) -> None:
        if place == "inventory":
            self.store.change(id, at=INVENTORY, taken=self.store.objects[id].get("taken", 0) + 1)
            self.store.add_property(id, "takeable")
        elif place == "here":
            self.store.change(id, at=self.room)
        elif place == "gone":
            self.store.change(id, at=GONE)
        else:
            holder = self._object_for(place, held=False)
            if holder != id:
                self.store.change(id, at=holder)

    def _mention(self, mention: ObjectMention) -> None:
        if mention.confidence < _SURE and not mention.state:
            self._notice(mention.name)
            return
        id = self._identify(mention)
        self.store.change(id, seen=self.extraction.turn)
        self.seen[id] = mention.name
        if mention.confidence >= _SURE:
            self._place(id, mention)
        for prop in mention.properties:
            if prop in ("container", "supporter"):
                self.store.add_property(id, prop)
        for state, value in mention.state.items():
            self.store.set_state(id, state, value == "true")

    def _notice(self, name: str) -> None:
        """Prose speaks of it in passing: part of the room, or a thing known already."""
        for id, entry in self.store.near(self.room):
            if fit(name, entry) >= 2:
                self.seen[id] = name
                self.store.change(id, seen=self.extraction.turn)
                return
        if self.room:
            self.store.add_scenery(self.room, name)

    def _identify(self, mention: ObjectMention) -> str:
        """The object that is meant; a fixture is another one in another room."""
        place = self._place_id(mention.location)
        there = {id: e for id, e in self.store.objects.items() if e["at"] == place}
        for pool in (there, dict(self.store.near(self.room))):
            found = self._unclaimed(mention.name, pool)
            if found:
                return found
        portable = "takeable" in mention.properties or not is_scenery(mention.name)
        fixed = "fixed" in mention.properties and "takeable" not in mention.properties
        if portable and not fixed and mention.confidence > _SURE:
            rest = {i: e for i, e in self.store.objects.items() if e["at"] not in (GONE,)}
            found = self._unclaimed(mention.name, rest)
            if found:
                return found
        how = "listed" if mention.confidence > _SURE else "described"
        return self.store.add(mention.name, place, how, mention.confidence)

    def _unclaimed(self, name: str, pool: dict[str, dict[str, Any]]) -> str | None:
        """The best fit that no other name of this reply has claimed already."""
        best, found = 0.0, None
        for id, entry in pool.items():
            fits = fit(name, entry)
            if fits < SAME and id in self.seen and likeness(self.seen[id], name) < FITS:
                continue
            if fits > best:
                best, found = fits, id
        if found is None or best < FITS:
            return None
        self.store.add_alias(found, name)
        return found

    def _place_id(self, location: str) -> str:
        if location == "inventory":
            return INVENTORY
        if location == "here":
            return self.room
        found = next(
            (id for id, entry in self.store.near(self.room) if fit(location, entry) >= FITS), None
        )
        return found or self.room

    def _place(self, id: str, mention: ObjectMention) -> None:
        place = self._place_id(mention.location)
        entry = self.store.objects[id]
        if place == id:
            return
        if (
            mention.location == "here"
            and mention.confidence < 0.9
            and self.store.room_of(id)
            in (
                self.room,
                INVENTORY,
            )
        ):
            return
        how = "listed" if mention.confidence >= 0.9 else entry["how"]
        self.store.change(id, at=place, how=how)

    def _reconcile(self) -> None:
        """What a complete list does not name is not there; the dark and lids hide things."""
        for holder in self.extraction.listed:
            place = self._place_id(holder) if holder != "inventory" else INVENTORY
            if holder != "inventory" and place == self.room:
                continue
            for id in self.store.children(place):
                if id not in self.seen:
                    self.store.change(id, at=UNKNOWN)
        view = self.extraction.room
        if view is None or view.dark:
            return
        for id in self.store.children(self.room):
            entry = self.store.objects[id]
            if id not in self.seen and entry["how"] == "listed" and entry.get("taken"):
                self.store.change(id, at=UNKNOWN)

    def _reward(self, command: Command) -> None:
        """What brought points: a treasure, a place where treasures count."""
        id = self.store.find(command.object, self.room) if command.object else None
        if id is None:
            return
        if command.verb == "take":
            self.store.add_property(id, "treasure")
        elif command.verb in ("put", "drop", "give"):
            self.store.add_property(id, "treasure")
            holder = self.store.find(command.second, self.room) if command.second else None
            if holder:
                self.store.add_property(holder, "trophy-place")


def _holders_first(mention: ObjectMention) -> int:
    return 0 if mention.location in ("here", "inventory") else 1
