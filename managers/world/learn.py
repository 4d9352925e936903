"""What one turn teaches about things: changes first, then what is seen, then what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from managers.language.actions import Action, parse
from managers.language.lexicon import classes_of, head_of
from managers.language.reading import ObjectMention, Reading, StateChange, TurnExtraction
from managers.world.names import FITS, SAME, fit, is_bare, likeness
from managers.world.objects import GONE, INVENTORY, READ, SHOWN, SUPPOSED, UNKNOWN, ThingRow
from managers.world.things import Things

_ABLE = {"open": "openable", "locked": "lockable", "on": "switchable", "worn": "wearable"}
"""State -> what a thing is that was seen to change it."""
_SURE = 0.6
_SAYS, _TOLD = 0.85, 0.8
"""From the one on the reply says so, from the other on somebody reads it so."""
_LISTED = 0.9
_CLOSE = 1.5
"""How well a name must fit for a mention to be that thing."""


class WorldUpdate:
    """Applies one extraction to copied world data."""

    def __init__(self, world: Things, extraction: TurnExtraction, room: str, command: str) -> None:
        self.world = world
        self.extraction = extraction
        self.room = room
        self.command = parse(command)
        self.seen: dict[str, str] = {}
        """Objects met in this turn and the name they went by."""
        self.added: list[str] = []
        """Objects first met in this turn."""

    def apply(self, scored: int) -> None:
        """Take in the reading of a turn that brought so many points."""
        self._lose()
        self._bring_along()
        for change in self.extraction.state_changes:
            self._change(change)
        for mention in sorted(self.extraction.objects_mentioned, key=_surest_first):
            self._mention(mention)
        for name in self.extraction.choices:
            self._offered(name)
        if self.extraction.action_result.reason == "locked":
            self._found_locked()
        self._found_missing(self.extraction.action_result.reason)
        self._reconcile()
        if scored > 0 or self.extraction.score_change > 0:
            self._reward(self.command)

    def _offered(self, name: str) -> None:
        """The game asks whether this is meant: it is here, and that is its name."""
        if self.world.find(name, self.room) is None:
            self.seen[self.world.add(name, self.room, "described", 0.8)] = name

    def _found_locked(self) -> None:
        """`It is locked` is said of what the command was about, or of the only door here."""
        name = self.command.object
        if name:
            known = self.world.find(name, self.room) or self.world.promote(name)
            ids = [known or self._object_for(name, held=False)]
        else:
            here = self.world.children(self.room)
            ids = [id for id in here if self._may_be_shut(id)]
        if len(ids) == 1:
            self.world.set_state(ids[0], "locked", True)
            self.world.set_state(ids[0], "open", False)

    def _found_missing(self, reason: str) -> None:
        """`You don't have that`, `You can't see any coin here!`: what was carried is elsewhere.

        The second is believed only of a thing that was taken, so that the game knows its name, and
        not where the command asks for something else beside it: `look under coin`.
        """
        held, command = self.world.only_held(self.command.object), self.command
        if not held:
            return
        beside = command.second or command.head.startswith(("look ", "search"))
        unseen = reason == "not_here" and not beside and self.world.rows[held].get("taken")
        if unseen or (reason == "not_held" and command.has("frees")):
            self.world.change(held, at=UNKNOWN)

    def _may_be_shut(self, id: str) -> bool:
        entry = self.world.rows[id]
        return "door" in classes_of(entry["name"]) and not entry.get("state", {}).get("open")

    def _bring_along(self) -> None:
        """What the player is inside of is where the player is."""
        inside = self.world.data["inside"]
        if not inside:
            return
        id = self.world.find(inside, self.room)
        if id is None:
            id = self.world.add(inside, self.room, "described", _SURE)
        elif self.world.room_of(id) != self.room:
            self.world.change(id, at=self.room)
            self.world.add_alias(id, inside)
        self.seen[id] = inside

    def _change(self, change: StateChange) -> None:
        found = self._moved(change) if change.property == "location" else self._altered(change)
        if found:
            self.world.change(found, seen=self.extraction.turn)
            self.seen[found] = change.object

    def _altered(self, change: StateChange) -> str:
        """The id of what is open, lit or worn now."""
        prop, value = change.property, change.new_value == "true"
        id = self._object_for(change.object, held=True, sure=change.confidence)
        if change.old_value is not None and prop in _ABLE:
            self.world.add_property(id, _ABLE[prop])
        self.world.set_state(id, prop, value)
        if prop == "lit" and "on" in self.world.rows[id].get("state", {}):
            self.world.set_state(id, "on", value)
        if prop == "worn" and value:
            self.world.change(id, at=INVENTORY, guess=SHOWN)
        elif self.world.room_of(id) not in (self.room, INVENTORY):
            self.world.change(id, at=self.room)
        return id

    def _moved(self, change: StateChange) -> str:
        """The id of what is elsewhere now; empty where nobody knows of such a thing.

        What one loses under a name that means nothing here is what one has given away: `He
        catches your treasure`.
        """
        name, place = change.object, change.new_value
        if place in (GONE, UNKNOWN) and not self._is_near(name):
            name = self.command.object if self.command.has("frees") else ""
            if not self._is_near(name):
                return ""
        taken = place == INVENTORY
        id = self._object_for(name, held=not taken, sure=change.confidence)
        known, guess = self.world.rows[id], _how_sure(change.confidence)
        if taken and known["at"] == INVENTORY:
            # What is carried already is not doubted by a guess of it.
            guess = min(guess, known.get("guess", SHOWN))
        self._move(id, place)
        self.world.change(id, guess=guess)
        return id

    def _is_near(self, name: str) -> bool:
        near = self.world.find(name, self.room)
        return near is not None and self.world.room_of(near) in (self.room, INVENTORY)

    def _lose(self) -> None:
        """Nobody keeps what was carried over death; where the story goes on, one will see."""
        if self.extraction.died:
            for id in self.world.children(INVENTORY):
                self.world.change(id, at=UNKNOWN)
        if isinstance(self.extraction, Reading) and self.extraction.unheard:
            self.world.doubt()

    def _object_for(self, name: str, *, held: bool, sure: float = 0.8) -> str:
        found = self.world.find(name, self.room)
        carried = self.world.only_held(name) if held else None
        if carried and (found is None or self.world.room_of(found) != INVENTORY):
            found = carried
        if found is None or self.world.room_of(found) not in (self.room, INVENTORY):
            found = self._commanded(name) or found
        found = found or self.world.find_by_kind(name, self.room, held=held)
        found = found or self.world.latest(name, self.room)
        if found is None or (not held and self._is_one_of(name, found)):
            return self.world.add(name, self.room, "command", sure)
        self.world.add_alias(found, name)
        return found

    def _is_one_of(self, name: str, id: str) -> bool:
        """`statue` is one of the statues, of which the others stay."""
        row = self.world.rows[id]
        return row["at"] != INVENTORY and head_of(row["name"]) == f"{head_of(name)}s"

    def _commanded(self, name: str) -> str | None:
        """What the command calls by its noun alone and the reply by more: the game did not ask."""
        told = self.command.object
        same = is_bare(told) and head_of(told) == head_of(name)
        return self.world.find(told, self.room) if same else None

    def _move(self, id: str, place: str) -> None:
        if place == "inventory":
            self.world.change(id, at=INVENTORY, taken=self.world.rows[id].get("taken", 0) + 1)
            self.world.add_property(id, "takeable")
        elif place == "here":
            how = "tied" if self.command.verb == "tie" else "listed"
            self.world.change(id, at=self.room, how=how)
        elif place in (GONE, UNKNOWN):
            self.world.change(id, at=place)
        else:
            holder = self._object_for(place, held=False)
            if holder != id:
                self.world.change(id, at=holder)

    def _mention(self, mention: ObjectMention) -> None:
        if mention.confidence < _SURE and not mention.state:
            self._notice(mention.name)
            return
        id = self._identify(mention)
        self.world.change(id, seen=self.extraction.turn)
        self.seen[id] = mention.name
        if mention.confidence >= _SURE:
            self._place(id, mention)
        for prop in mention.properties:
            if prop in ("container", "supporter", "person"):
                self.world.add_property(id, prop)
        for state, value in mention.state.items():
            self.world.set_state(id, state, value == "true")

    def _notice(self, name: str) -> None:
        """Prose speaks of it in passing: part of the room, or a thing known already."""
        for id, entry in self.world.near(self.room):
            if fit(name, entry) >= 2:
                self.seen[id] = name
                self.world.change(id, seen=self.extraction.turn)
                return
        if self.room:
            self.world.add_scenery(self.room, name)

    def _spoken_of(self, name: str) -> str | None:
        """The thing the command was about, under the name the game has for it."""
        told = self.command.object
        if not told or self.extraction.question or head_of(told) != head_of(name):
            return None
        found = self.world.find(told, self.room)
        if found is None or self.seen.get(found, name) not in (name, told):
            return None
        self.world.add_alias(found, name)
        return found

    def _identify(self, mention: ObjectMention) -> str:
        """The object that is meant; a fixture is another one in another room."""
        spoken_of = self._spoken_of(mention.name)
        if spoken_of is not None:
            return spoken_of
        place = self._place_id(mention.location)
        for pool in self._pools(mention, place):
            found = self._unclaimed(mention.name, pool)
            if found:
                return found
        how = "listed" if mention.confidence >= _LISTED else "described"
        id = self.world.add(mention.name, place, how, mention.confidence)
        self.added.append(id)
        return id

    def _pools(self, mention: ObjectMention, place: str) -> Iterator[dict[str, ThingRow]]:
        """The things among which it is looked for: at its place, within reach, anywhere."""
        rows = self.world.rows
        yield {id: row for id, row in rows.items() if row["at"] == place}
        near = self.world.near(self.room)
        yield {id: row for id, row in near if self._may_be(id, row, mention)}
        if _moves(mention) and mention.confidence > _SURE:
            known = ((id, row) for id, row in rows.items() if row["at"] != GONE)
            yield {id: row for id, row in known if self._may_be(id, row, mention)}

    def _may_be(self, id: str, entry: ThingRow, mention: ObjectMention) -> bool:
        """What one holds is not what lies here, unless it has the very same name."""
        held = self.world.room_of(id) == INVENTORY
        elsewhere = mention.location != "inventory"
        return not (held and elsewhere) or fit(mention.name, entry) >= SAME or id in self.seen

    def _unclaimed(self, name: str, pool: Mapping[str, ThingRow]) -> str | None:
        """The best fit that no other name of this reply has claimed already."""
        best, found = 0.0, None
        for id, entry in pool.items():
            fits = fit(name, entry)
            if fits < SAME and id in self.seen and likeness(self.seen[id], name) < FITS:
                continue
            if fits > best:
                best, found = fits, id
        if found is None or best < _CLOSE:
            return None
        self.world.add_alias(found, name)
        return found

    def _place_id(self, location: str) -> str:
        if location == "inventory":
            return INVENTORY
        if location == "here":
            return self.room
        found = next(
            (id for id, entry in self.world.near(self.room) if fit(location, entry) >= FITS), None
        )
        return found or self.room

    def _place(self, id: str, mention: ObjectMention) -> None:
        place = self._place_id(mention.location)
        entry = self.world.rows[id]
        if place == id:
            return
        within = self.world.room_of(id) in (self.room, INVENTORY)
        if mention.location == "here" and mention.confidence < _LISTED and within:
            return
        how = "listed" if mention.confidence >= _LISTED else entry["how"]
        self.world.change(id, at=place, how=how, guess=_how_sure(mention.confidence))

    def _reconcile(self) -> None:
        """What a complete list does not name is not there; the dark and lids hide things."""
        if INVENTORY in self.extraction.listed:
            self.world.data["listed"] = self.extraction.turn
        for holder in self.extraction.listed:
            place = self._place_id(holder)
            if place != self.room:
                self._miss(place, self.world.children(place))
        view = self.extraction.room
        if view is not None and not view.dark:
            here = self.world.children(self.room)
            self._miss(self.room, [i for i in here if self.world.rows[i]["how"] == "listed"])

    def _miss(self, place: str, expected: list[str]) -> None:
        """Things not named among what is there: under another name, or gone elsewhere."""
        new = [id for id in expected if id in self.added]
        for id in [id for id in expected if id not in self.seen]:
            noun = head_of(self.world.rows[id]["name"])
            same = [other for other in new if head_of(self.world.rows[other]["name"]) == noun]
            if len(same) == 1:
                self.world.merge(id, same[0])
                new.remove(same[0])
            else:
                self.world.change(id, at=UNKNOWN)

    def _reward(self, command: Action) -> None:
        """What brought points: a treasure, a place where treasures count."""
        id = self.world.find(command.object, self.room) if command.object else None
        if id is None:
            return
        if command.verb == "take":
            self.world.add_property(id, "treasure")
        elif command.verb in ("put", "drop", "give"):
            self.world.add_property(id, "treasure")
            holder = self.world.find(command.second, self.room) if command.second else None
            if holder:
                self.world.add_property(holder, "trophy-place")


def _how_sure(confidence: float) -> int:
    if confidence >= _SAYS:
        return SHOWN
    return READ if confidence >= _TOLD else SUPPOSED


def _moves(mention: ObjectMention) -> bool:
    """It may have been elsewhere before: somebody, or a thing that is not part of a place."""
    kinds = (*mention.properties, *classes_of(mention.name))
    if "person" in kinds or "creature" in kinds or "takeable" in kinds:
        return True
    return "fixed" not in kinds and not _is_scenery(mention.name)


def _surest_first(mention: ObjectMention) -> tuple[bool, float]:
    """Holders before what they hold, and what is described before what is said in passing."""
    return mention.location not in ("here", "inventory"), -mention.confidence


def _is_scenery(name: str) -> bool:
    """A name that usually means part of the place, not a thing to handle."""
    handled = {"takeable", "openable", "container", "supporter", "switch", "person", "creature"}
    return handled.isdisjoint(classes_of(name))
