"""What one turn teaches about things: changes first, then what is seen, then what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from managers.language.actions import Action, direction_of
from managers.language.lexicon import classes_of, head_of
from managers.language.reading import ObjectMention, Reading, StateChange, TurnExtraction
from managers.world.objects import GONE, INVENTORY, READ, SHOWN, SUPPOSED, UNKNOWN
from managers.world.things import FITS, SAME, SAYS_MORE, Things, fit, is_bare, likeness

_ABLE = {"open": "openable", "locked": "lockable", "on": "switchable", "worn": "wearable"}
"""State -> what a thing is that was seen to change it."""
_SURE = 0.6
_SAYS, _TOLD = 0.85, 0.8
"""From the one on the reply says so, from the other on somebody reads it so."""
_LISTED = 0.9
_CLOSE = 1.5
"""How well a name must fit for a mention to be that thing."""
_MOST_NEEDS = 6
_MOST_ROOMS = 12
_REVEALS_NOTHING = frozenset("take drop put look inventory wait go ask tell say show talk".split())


class WorldUpdate:
    """Applies one reading to copied world data; `command` is what was understood."""

    def __init__(self, world: Things, reading: TurnExtraction, room: str, command: Action) -> None:
        self.world, self.rows = world, world.rows
        self.reading, self.room, self.command = reading, room, command
        self.known = frozenset(self.rows)
        self.seen: dict[str, str] = {}
        """Objects met in this turn and the name they went by."""
        self.added: list[str] = []
        """Objects first met in this turn."""

    def apply(self) -> None:
        """Take in what the reading tells of things."""
        self._lose()
        self._bring_along()
        for change in self.reading.state_changes:
            self._change(change)
        # Things here or in the hand before what is in them, the surest first.
        surest = sorted(self.reading.objects_mentioned, key=lambda one: -one.confidence)
        for mention in sorted(surest, key=lambda one: one.location not in ("here", INVENTORY)):
            self._mention(mention)
        for name in self.reading.choices:
            # The game asks whether this is meant: it is here, and that is its name. A menu's
            # choices are numbers.
            if not name.isdecimal() and self.world.find(name, self.room) is None:
                self.seen[self.world.add(name, self.room, "described", 0.8)] = name
        if self.reading.action_result.reason == "locked":
            self._found_locked()
        self._found_missing()
        self._reconcile()

    # -- what is elsewhere now ----------------------------------------------------

    def _lose(self) -> None:
        """Nobody keeps what was carried over death, nor what only a bad reader saw in the hand."""
        unheard = isinstance(self.reading, Reading) and self.reading.unheard
        for id in self.world.children(INVENTORY):
            if self.reading.died or (unheard and self.rows[id].get("guess") == READ):
                self.world.change(id, at=UNKNOWN)

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

    def _found_missing(self) -> None:
        """`You don't have that`, `You can't see any coin here!`: what was carried is elsewhere.

        The second is believed only of a thing that was taken, so that the game knows its name, and
        not where the command asks for something else beside it: `look under coin`.
        """
        held, command = self.world.only_held(self.command.object), self.command
        if not held:
            return
        reason = self.reading.action_result.reason
        beside = command.second or command.head.startswith(("look ", "search"))
        unseen = reason == "not_here" and not beside and self.rows[held].get("taken")
        if unseen or (reason == "not_held" and command.has("frees")):
            self.world.change(held, at=UNKNOWN)

    # -- what has changed ---------------------------------------------------------

    def _found_locked(self) -> None:
        """`It is locked` is said of what the command was about, or of the only door here."""
        if name := self.command.object:
            known = self.world.find(name, self.room) or self.world.promote(name)
            ids = [known or self._object_for(name, held=False)]
        else:
            here = [(id, self.rows[id]) for id in self.world.children(self.room)]
            doors = [(id, row) for id, row in here if "door" in classes_of(row["name"])]
            ids = [id for id, row in doors if not row.get("state", {}).get("open")]
        if len(ids) == 1:
            self.world.set_state(ids[0], "locked", True)
            self.world.set_state(ids[0], "open", False)

    def _change(self, change: StateChange) -> None:
        id = self._moved(change) if change.property == "location" else self._altered(change)
        if id:
            self.world.change(id, seen=self.reading.turn)
            self.seen[id] = change.object

    def _altered(self, change: StateChange) -> str:
        """The id of what is open, lit or worn now."""
        prop, value = change.property, change.new_value == "true"
        id = self._object_for(change.object, held=True, sure=change.confidence)
        if change.old_value is not None and prop in _ABLE:
            self.world.add_property(id, _ABLE[prop])
        self.world.set_state(id, prop, value)
        if prop == "lit" and "on" in self.rows[id].get("state", {}):
            self.world.set_state(id, "on", value)
        if prop == "worn" and value:
            self.world.change(id, at=INVENTORY, guess=SHOWN)
        elif not self._is_near(id):
            self.world.change(id, at=self.room)
        return id

    def _moved(self, change: StateChange) -> str:
        """The id of what is elsewhere now; empty where nobody knows of such a thing.

        What one loses under a name that means nothing here is what one has given away: `He
        catches your treasure`.
        """
        name, place = change.object, change.new_value
        if place in (GONE, UNKNOWN) and not self._is_near(self.world.find(name, self.room)):
            name = self.command.object if self.command.has("frees") else ""
            if not self._is_near(self.world.find(name, self.room)):
                return ""
        taken = place == INVENTORY
        id = self._object_for(name, held=not taken, sure=change.confidence)
        known, guess = self.rows[id], _how_sure(change.confidence)
        if taken and known["at"] == INVENTORY:
            # What is carried already is not doubted by a guess of it.
            guess = min(guess, known.get("guess", SHOWN))
        self._move(id, place)
        self.world.change(id, guess=guess)
        return id

    def _is_near(self, id: str | None) -> bool:
        return id is not None and self.world.room_of(id) in (self.room, INVENTORY)

    def _move(self, id: str, place: str) -> None:
        if place == INVENTORY:
            self.world.change(id, at=INVENTORY, taken=self.rows[id].get("taken", 0) + 1)
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

    def _object_for(self, name: str, *, held: bool, sure: float = 0.8) -> str:
        """The thing of a name that is told to be held, or not; a new one if there is none."""
        found = self.world.find(name, self.room)
        carried = self.world.only_held(name) if held else None
        if carried and (found is None or self.world.room_of(found) != INVENTORY):
            found = carried
        if not self._is_near(found):
            # What the command calls by its noun alone and the reply by more: the game did not ask.
            told = self._commanded(name) if is_bare(self.command.object) else None
            found = told or found or self.world.find_akin(name, self.room, held=held)
        row = self.rows[found] if found else None
        # `statue` is one of the statues, of which the others stay.
        many = row and row["at"] != INVENTORY and head_of(row["name"]) == f"{head_of(name)}s"
        if found is None or (many and not held):
            return self.world.add(name, self.room, "command", sure)
        self.world.add_alias(found, name)
        return found

    def _commanded(self, name: str) -> str | None:
        """What the command was about, if it has the noun of this name."""
        told = self.command.object
        same = told and head_of(told) == head_of(name)
        return self.world.find(told, self.room) if same else None

    # -- what is seen -------------------------------------------------------------

    def _mention(self, mention: ObjectMention) -> None:
        if mention.confidence < _SURE and not mention.state:
            self._notice(mention.name)
            return
        id = self._identify(mention)
        self.world.change(id, seen=self.reading.turn)
        self.seen[id] = mention.name
        place, listed = self._place_id(mention.location), mention.confidence >= _LISTED
        within = mention.location == "here" and self._is_near(id)
        if mention.confidence >= _SURE and place != id and (listed or not within):
            how, guess = self.rows[id]["how"], _how_sure(mention.confidence)
            self.world.change(id, at=place, how="listed" if listed else how, guess=guess)
        for prop in mention.properties:
            if prop in ("container", "supporter", "person"):
                self.world.add_property(id, prop)
        for state, value in mention.state.items():
            self.world.set_state(id, state, value == "true")

    def _notice(self, name: str) -> None:
        """Prose speaks of it in passing: part of the room, or a thing known already."""
        for id in self.world.near(self.room):
            if fit(name, self.rows[id]) >= SAYS_MORE:
                self.seen[id] = name
                self.world.change(id, seen=self.reading.turn)
                return
        if self.room:
            self.world.add_scenery(self.room, name)

    def _identify(self, mention: ObjectMention) -> str:
        """The object that is meant; a fixture is another one in another room."""
        name, told = mention.name, self._commanded(mention.name)
        names = (name, self.command.object)
        if told and not self.reading.question and self.seen.get(told, name) in names:
            self.world.add_alias(told, name)
            return told
        place = self._place_id(mention.location)
        for pool in self._pools(mention, place):
            if found := self._unclaimed(name, pool):
                self.world.add_alias(found, name)
                return found
        how = "listed" if mention.confidence >= _LISTED else "described"
        self.added.append(self.world.add(name, place, how, mention.confidence))
        return self.added[-1]

    def _pools(self, mention: ObjectMention, place: str) -> Iterator[list[str]]:
        """The things among which it is looked for: at its place, within reach, anywhere."""
        yield self.world.children(place)
        yield [id for id in self.world.near(self.room) if self._may_be(id, mention)]
        if _moves(mention) and mention.confidence > _SURE:
            known = [id for id, row in self.rows.items() if row["at"] != GONE]
            yield [id for id in known if self._may_be(id, mention)]

    def _may_be(self, id: str, mention: ObjectMention) -> bool:
        """What one holds is not what lies here, unless it has the very same name."""
        if mention.location == INVENTORY or self.world.room_of(id) != INVENTORY:
            return True
        return id in self.seen or fit(mention.name, self.rows[id]) >= SAME

    def _unclaimed(self, name: str, pool: list[str]) -> str | None:
        """The best fit that no other name of this reply has claimed already."""
        best, found = 0.0, None
        for id in pool:
            fits = fit(name, self.rows[id])
            claimed = id in self.seen and likeness(self.seen[id], name) < FITS
            if fits > best and (fits >= SAME or not claimed):
                best, found = fits, id
        return found if best >= _CLOSE else None

    def _place_id(self, location: str) -> str:
        if location in ("here", INVENTORY):
            return self.room if location == "here" else INVENTORY
        fits = {id: fit(location, self.rows[id]) for id in self.world.near(self.room)}
        best = max(fits, key=lambda id: fits[id], default="")
        return best if fits.get(best, 0.0) >= FITS else self.room

    # -- what is not seen ---------------------------------------------------------

    def _reconcile(self) -> None:
        """What a complete list does not name is not there; the dark and lids hide things."""
        if INVENTORY in self.reading.listed:
            self.world.data["listed"] = self.reading.turn
        for holder in self.reading.listed:
            place = self._place_id(holder)
            if place != self.room:
                self._miss(self.world.children(place))
        view = self.reading.room
        if view is not None and not view.dark:
            here = self.world.children(self.room)
            self._miss([id for id in here if self.rows[id]["how"] == "listed"])

    def _miss(self, expected: list[str]) -> None:
        """Things not named among what is there: under another name, or gone elsewhere."""
        new = [id for id in expected if id in self.added]
        for id in [id for id in expected if id not in self.seen]:
            noun = head_of(self.rows[id]["name"])
            same = [other for other in new if head_of(self.rows[other]["name"]) == noun]
            if len(same) == 1:
                self.world.merge(id, same[0])
                self.seen[id] = self.seen.pop(same[0])
                new.remove(same[0])
            else:
                self.world.change(id, at=UNKNOWN)

    # -- what was needed for what ---------------------------------------------------

    def find_needs(self, before: str, *, new_room: bool) -> None:
        """What the new room, and what is met for the first time, turned out to need.

        `before` is the room that the turn began in.
        """
        command, result = self.command, self.reading.action_result
        if new_room and before:
            # It needs the room before, and what was done there to get on.
            deeds = self.world.data["deeds"].get(before, ()) if direction_of(result.action) else ()
            for cause in (before, *deeds):
                self._need(self.room, cause)
        meant: list[str] = []
        if self.room == before and command.object and command.verb not in _REVEALS_NOTHING:
            names = filter(None, (command.object, command.second))
            meant = [id for name in names if (id := self.world.find(name, self.room, gone=True))]
        for id in [id for id in self.rows if id not in self.known]:
            # It was found in a holder, by a deed, or just in its room.
            holder = self.rows[id]["at"]
            causes = [holder] if holder in self.rows else []
            causes += [cause for cause in meant if cause not in (id, holder)]
            for cause in causes or [self.room]:
                self._need(id, cause)
        if meant and result.result != "failure":
            self._remember_deed(meant)

    def _remember_deed(self, meant: list[str]) -> None:
        """Keep what was done here until a new room shows what it was good for."""
        command = self.command
        if len(meant) > 1 and command.preposition == "with":
            self._need(meant[0], meant[1])
        kinds = classes_of(self.rows[meant[0]]["name"])
        lid = command.verb in ("open", "unlock") and "container" in kinds and "door" not in kinds
        if command.has("plain") or lid:  # Opening a box opens no way.
            return
        deeds = dict(self.world.data["deeds"])
        done = [id for id in deeds.pop(self.room, ()) if id not in meant]
        deeds[self.room] = [*done, *meant][-_MOST_NEEDS:]
        self.world.data["deeds"] = dict([*deeds.items()][-_MOST_ROOMS:])

    def _need(self, goal: str, needs: str) -> None:
        """Note that a thing or room needs another one."""
        links = self.world.data["links"]
        known = links.get(goal, [])
        if goal != needs and needs not in known and needs and len(known) < _MOST_NEEDS:
            self.world.data["links"] = {**links, goal: [*known, needs]}


def _how_sure(confidence: float) -> int:
    if confidence >= _SAYS:
        return SHOWN
    return READ if confidence >= _TOLD else SUPPOSED


def _moves(mention: ObjectMention) -> bool:
    """It may have been elsewhere before: somebody, or a thing that is not part of a place."""
    kinds = {*mention.properties, *classes_of(mention.name)}
    if not kinds.isdisjoint(("person", "creature", "takeable")):
        return True
    handled = {"openable", "container", "supporter", "switch"}
    return "fixed" not in kinds and not handled.isdisjoint(classes_of(mention.name))
