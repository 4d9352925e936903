"""What one turn teaches about the map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NotRequired

from typing_extensions import TypedDict

from environments.game import Observation
from managers.language.actions import canonical, direction_of, opposite, parse
from managers.language.exits import slopes_in
from managers.language.layout import same_title, shown_title
from managers.language.reading import RoomView, TurnExtraction
from managers.world.attempts import Attempts
from managers.world.identity import (
    KEPT_CHARACTERS,
    Arrival,
    Identity,
    fingerprint,
    fingerprints,
    lights_up,
    similarity,
)

_LIKELY_ELSEWHERE = 0.2
_CARRIED_IF_BRIEF = 0.4
"""Likeness of descriptions below which a room of the same title is another room."""
_DOUBTS = 2
"""So often must a walked way be refused before it counts as no way from here."""
_DOUBTS_OF_REMEMBERED = 5
"""A way of earlier episodes is there, and may be shut until something is done."""
_MOST_TWINS = 6
_MOST_SENTENCES = 12
_BACK = {"climb": "down", "enter": "out"}
"""What leads back from where one got by a verb."""
_ABOARD = ("in", "out")
"""Ways that also lead into what stands in a room, and out of it."""


class RoomRow(TypedDict):
    """A room as it lies in the state."""

    title: str
    text: str
    """The beginning of its description, as first seen in the light."""
    print: int
    """A number for the description."""
    visits: int
    last: int
    exits: list[str]
    claimed: NotRequired[list[str]]
    """Exits that a model alone has read."""
    slopes: NotRequired[dict[str, str]]
    """Up or down -> the direction in which that is."""
    said: NotRequired[list[int]]
    """The fingerprints of long sentences that were told of it."""
    tree: NotRequired[int]
    dark: NotRequired[int]


EdgeRow = list[Any]
"""Where a way leads, how often it was walked, when last, and where else it has led."""


class MapData(TypedDict):
    """The state field `map`."""

    here: str
    moved: int
    """1 where the last turn led into another room."""
    new: int
    """1 where it led into a room never seen before."""
    style: list[int]
    """How often rooms were described briefly, and in full, on a later visit."""
    came: list[str]
    """The room one came from, and by which way."""
    twin: list[str]
    """Room, and the one it was split from, if the last turn showed that there are two."""
    rooms: dict[str, RoomRow]
    edges: dict[str, dict[str, EdgeRow]]


def empty_map() -> MapData:
    """The map before the first room."""
    return {
        "here": "", "moved": 0, "new": 0, "style": [0, 0], "came": [], "twin": [],
        "rooms": {}, "edges": {},
    }  # fmt: skip


def new_room(title: str = "", text: str = "", print: int = 0, exits: Iterable[str] = ()) -> RoomRow:
    """A room where nobody has been."""
    return RoomRow(title=title, text=text, print=print, visits=0, last=0, exits=[*exits])


class MapUpdate:
    """Applies one turn to copied map data; rows are replaced, never edited."""

    def __init__(
        self,
        data: MapData,
        attempts: Attempts,
        extraction: TurnExtraction,
        observation: Observation,
        command: str,
    ) -> None:
        self.data, self.rooms, self.edges = data, data["rooms"], data["edges"]
        self.attempts = attempts
        self.turn, self.reading = extraction.turn, extraction
        self.command, self.actions = command, observation.actions
        self.here = data["here"]
        # What is told of the game itself is no place, nor is a page before one presses a key.
        asked = parse(command).has("meta") or extraction.question == "key"
        self.arrival = None if asked else _arrival(extraction, observation)

    def apply(self) -> None:
        """Take in where the command has led, and what is said of the place."""
        self.data["moved"] = self.data["new"] = 0
        self.data["twin"] = []
        if self.command == "verbose" and self.reading.action_result.result != "failure":
            # Every room is to be described on every visit from now on.
            self.data["style"] = [0, 1000]
        if self.arrival is not None and (not self.here or self._has_moved(self.arrival)):
            self._travel(self.arrival)
        elif self.here:
            if is_refused(self.reading):
                self._block(self._way())
            if self.arrival is not None:
                self._see(self.here, self.arrival)
        if self.data["here"] and self.actions:
            # The emulator says which ways lead on, whatever the prose mentions.
            ways = [direction_of(action.command) for action in self.actions]
            room = self.rooms[self.data["here"]]
            self.rooms[self.data["here"]] = {**room, "exits": [way for way in ways if way]}

    def _has_moved(self, arrival: Arrival) -> bool:
        """The player is not where the turn began."""
        room, failed = self.rooms[self.here], self.reading.action_result.result == "failure"
        way = direction_of(self.command)
        if arrival.tree_id:
            return room.get("tree") != arrival.tree_id
        if not arrival.title or not room["title"]:
            return way is not None and not failed
        if not same_title(room["title"], arrival.title):
            stays = parse(self.command).has("stays")
            return not (stays and lights_up(room, arrival, self.rooms))
        if self.reading.room is None or failed:
            return False
        if way in _ABOARD and fingerprint(arrival.description) in (0, room["print"]):
            return False
        if way is not None or parse(self.command).verb == "look":
            return way is not None
        # Another description, though nobody walked: one was carried off by a current, a vehicle.
        limit = _CARRIED_IF_BRIEF if self._style() == "brief" else _LIKELY_ELSEWHERE
        described = arrival.description and room["text"]
        return bool(described) and similarity(room["text"], arrival.description) < limit

    # -- staying ----------------------------------------------------------------

    def _block(self, way: str) -> None:
        """A way that was walked or supposed is refused."""
        edge = self.edges.get(self.here, {}).get(way)
        if edge is None:
            return
        before = self.attempts.blocked(self.here).get(canonical(way))
        walked, since = edge[1], edge[2]
        times = before.count + 1 if before else 1
        often = times >= (_DOUBTS if walked else _DOUBTS_OF_REMEMBERED)
        refuted = often and self.reading.action_result.reason == "no_exit"
        room = self.rooms[self.here]
        same = [one for one in self.rooms.values() if one["title"] == room["title"]]
        known = "tree" in room or not self.data["came"] or len(room["text"]) >= KEPT_CHARACTERS
        if walked and refuted and not known and len(same) < _MOST_TWINS:
            self._split()
        elif refuted or (since and not walked):
            self.edges[self.here] = {**self.edges[self.here]}
            del self.edges[self.here][way]

    def _split(self) -> None:
        """There is no way where one was walked: this is another room that looks the same."""
        twin = self._create()
        self.rooms[twin] = {**self.rooms[self.here], "visits": 1}
        self.data["twin"] = [twin, self.here]
        start, way = self.data["came"]
        if self.edges.get(start, {}).get(way, [""])[0] == self.here:
            self.edges[start] = {**self.edges[start], way: [twin, 1, self.turn]}
        self.data["here"] = twin

    # -- moving -----------------------------------------------------------------

    def _travel(self, arrival: Arrival) -> None:
        way = "" if self.reading.died or not self.here else self._way()
        back = self._back(way, arrival)
        known = Identity(self.rooms, self.edges, self._style(), arrival, self.here, back)
        found = known.find(way)
        if found and self.rooms[found]["print"] and not arrival.dark:
            # Does the game describe rooms again on every visit?
            brief, verbose = self.data["style"]
            if not arrival.description:
                self.data["style"] = [brief + 1, verbose]
            elif self.rooms[found]["print"] == fingerprint(arrival.description):
                self.data["style"] = [brief, verbose + 1]
        there = found or self._create()
        visits = self.rooms[there]["visits"]
        self.rooms[there] = {**self.rooms[there], "visits": visits + 1, "last": self.turn}
        self._see(there, arrival)
        self.data["here"], self.data["moved"], self.data["new"] = there, 1, int(not visits)
        self.data["came"] = [self.here, way] if way else []
        if way:
            self._connect(way, there, back)

    def _way(self) -> str:
        """The passage of the command; `north` for `up` where that is up to the north."""
        way = passage_of(self.command)
        return self.rooms[self.here].get("slopes", {}).get(way, way)

    def _back(self, way: str, arrival: Arrival) -> str | None:
        """What should lead back: down where one went up, though that is south again."""
        here = self.rooms[self.here].get("slopes", {}) if self.here else {}
        steep = next((one for one, other in here.items() if other == way), way)
        there = slopes_in(arrival.description)
        return there.get(opposite(steep) or "") or opposite(way) or _BACK.get(way.split(" ")[0])

    def _style(self) -> str:
        brief, verbose = self.data["style"]
        if brief > 2 * verbose:
            return "brief"
        return "verbose" if verbose else ""

    def _create(self) -> str:
        id = f"L{max((int(one[1:]) for one in self.rooms), default=0) + 1}"
        self.rooms[id] = new_room()
        return id

    def _see(self, id: str, arrival: Arrival) -> None:
        """Take in what is seen of a room."""
        room: RoomRow = {**self.rooms[id]}
        other = bool(arrival.title) and not same_title(room["title"], arrival.title)
        if arrival.tree_id:
            room["tree"] = arrival.tree_id
        if not room["title"] or (other and not arrival.tree_id):
            room["title"], room["text"] = arrival.title or room["title"], ""
        if arrival.dark:
            room["dark"] = 1
        else:
            room.pop("dark", None)
        if not room["text"] or similarity(room["text"], arrival.description) >= _LIKELY_ELSEWHERE:
            # What is said of a known room and is quite unlike its description lists what is there.
            room["text"] = room["text"] or arrival.description[:KEPT_CHARACTERS]
            room["print"] = fingerprint(arrival.description) or room["print"]
        if new := sorted(fingerprints(arrival.description).difference(room.get("said", ()))):
            room["said"] = [*room.get("said", ()), *new][:_MOST_SENTENCES]
        if slopes := slopes_in(arrival.description):
            room["slopes"] = dict(slopes)
        if self.reading.room is not None:
            _add_ways(room, self.reading.room)
        self.rooms[id] = room

    def _connect(self, way: str, there: str, back: str | None) -> None:
        outgoing = self.edges.get(self.here, {})
        to, walked, _, *others = outgoing.get(way, ("", 0, 0))
        edge: EdgeRow = [there, 1, self.turn]
        if to == there:
            edge = [there, walked + 1, self.turn, *others]
        elif walked:
            edge.append(sorted({*(others[0] if others else ()), to} - {there}))
        self.edges[self.here] = {**outgoing, way: edge}
        returning = self.edges.get(there, {})
        tried = {*returning, *self.attempts.blocked(there)}
        known = any(edge[0] == self.here for edge in returning.values())
        if back and there != self.here and back not in tried and not known:
            self.edges[there] = {**returning, back: [self.here, 0, self.turn]}


def _add_ways(room: RoomRow, seen: RoomView) -> None:
    """What a description says of ways, and which of them only a model has read."""
    known = {*room["exits"], *room.get("slopes", {})}
    ways = [way for way in dict.fromkeys(seen.exits) if way not in known]
    room["exits"] = [*room["exits"], *ways]
    if claimed := [way for way in ways if way in seen.claimed]:
        room["claimed"] = [*room.get("claimed", ()), *claimed]


def passage_of(command: str) -> str:
    """The passage a command stands for; empty where it moves nobody by itself."""
    action = parse(command)
    if action.direction or action.has("stays"):
        return action.direction
    return " ".join(command.lower().split())


def is_refused(extraction: TurnExtraction) -> bool:
    """Somebody who meant to go has not got anywhere, and is alive."""
    return extraction.action_result.result != "success" and not extraction.died


def _arrival(extraction: TurnExtraction, observation: Observation) -> Arrival | None:
    room = extraction.room
    facts = observation.facts.room if observation.facts else None
    shown = shown_title(observation.room)
    if facts is not None:
        view = room.description if room else ""
        return Arrival(facts.name or shown, view, bool(room and room.dark), facts.id)
    if room is None:
        return Arrival(shown, "", False) if shown else None
    return Arrival(room.title, room.description, room.dark)
