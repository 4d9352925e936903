"""What one turn teaches about the map, and which room it is where no room id is given."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, NotRequired

from typing_extensions import TypedDict

from environments.game import Observation
from managers.language.actions import WORDS, canonical, direction_of, opposite, parse
from managers.language.layout import only_exits_in, same_title, sentences, shown_title, slopes_in
from managers.language.lexicon import grammar, words_of
from managers.language.reading import RoomView, TurnExtraction
from managers.world.attempts import Attempts

KEPT_CHARACTERS = 160
_ALIKE = 0.5
_UNLIKE = 0.2
_LONG = 100
_SENTENCE = 40
_TOO_LONG_FOR_TWINS = 200
_DIM = re.compile(r"\b(?:dark|darkness|unlit|gloom)\b", re.IGNORECASE)

Row = Mapping[str, Any]
"""A room as it lies in the state."""
_LIKELY_ELSEWHERE = 0.2
_CARRIED_IF_BRIEF = 0.4
"""Likeness of descriptions below which a room of the same title is another room."""
_DOUBTS = 2
"""So often must a walked way be refused before it counts as no way from here."""
_DOUBTS_OF_REMEMBERED = 5
"""A way of earlier episodes is there, and may be shut until something is done."""
_MOST_TWINS = 6
_MOST_SENTENCES = 12
_SAYS_NOTHING = grammar()["determiner"] | {"of"}
_STEM = 5
_BACK = {"climb": "down", "enter": "out"}
"""What leads back from where one got by a verb."""
_ABOARD = ("in", "out")
"""Ways that also lead into what stands in a room, and out of it."""
EdgeRow = list[Any]
"""Where a way leads, how often it was walked, when last, and where else it has led."""


class Arrival(NamedTuple):
    """What one sees of a room on coming in."""

    title: str
    description: str
    dark: bool
    tree_id: int = 0
    """The room's number in the object tree, where access grants it."""
    unnamed: bool = False
    """No line names the room."""
    short: bool = False
    """In few words, by a story that names no rooms: `You are outside the house.`"""


def fingerprint(description: str) -> int:
    """A number that two descriptions share only if they are the same text."""
    return zlib.crc32(" ".join(description.split()).encode()) if description else 0


def fingerprints(description: str) -> frozenset[int]:
    """Those of its long sentences: what is told once may stand before a description."""
    long = (one for one in sentences(description) if len(one) >= _SENTENCE)
    return frozenset(map(fingerprint, long))


def similarity(one: str, other: str) -> float:
    """How alike two descriptions begin, 0 to 1, by the words that say something."""
    closed = grammar()
    idle = closed["determiner"] | closed["preposition"] | closed["auxiliary"] | closed["pronoun"]
    a, b = (set(words_of(text[:KEPT_CHARACTERS])) - idle - WORDS.keys() for text in (one, other))
    return len(a & b) / len(a | b) if a and b else 0.0


def is_called(room: Row, title: str) -> bool:
    """Whether that is a room's title, or what the story has said of it in few words."""
    return same_title(room["title"], title) or any(
        same_title(one, title) for one in room.get("short", ())
    )


def lights_up(room: Row, arrival: Arrival, rooms: Mapping[str, Row]) -> bool:
    """A dim place under a title that no room has yet, now that there is light: the same place."""
    if any(is_called(one, arrival.title) for one in rooms.values()):
        return False
    told = room["text"] if len(room["text"]) < _LONG else ""  # Of the dark there is little to say.
    was, now = f"{room['title']} {told}", f"{arrival.title} {arrival.description}"
    return bool(_DIM.search(was)) and not _DIM.search(now)


class Identity(NamedTuple):
    """Decides which known room an arrival is."""

    rooms: Mapping[str, Row]
    edges: Mapping[str, Any]
    style: str
    arrival: Arrival
    start: str
    """The room one came from."""
    back: str | None
    """The command that should lead back there, if any."""

    def find(self, command: str) -> str | None:
        """The id of the room a command led to; None for one never seen before."""
        rooms, arrival = self.rooms, self.arrival
        if arrival.tree_id:
            return next((id for id in rooms if rooms[id].get("tree") == arrival.tree_id), None)
        led = self.edges.get(self.start, {}).get(command)
        if led and (lights_up(rooms[led[0]], arrival, rooms) or self._leads_here(led)):
            return str(led[0])
        if not arrival.title:
            return None
        same = [id for id, room in rooms.items() if is_called(room, arrival.title)]
        if arrival.short:
            return self._by_title(same) or self._in_other_words()
        if not arrival.description:
            return self._by_title(same)
        look = fingerprint(arrival.description)
        if exact := [id for id in same if rooms[id]["print"] == look]:
            return self._by_description(exact)
        if len(same) == 1 and same[0] != self.start and len(arrival.description) >= _LONG:
            alike = similarity(rooms[same[0]]["text"], arrival.description) >= _ALIKE
            return same[0] if alike else None
        return None

    def _leads_here(self, led: list[Any]) -> bool:
        """It may be the room where a passage leads or is supposed to, by more than the title."""
        room, walked, arrival = self.rooms[str(led[0])], led[1], self.arrival
        if not arrival.title or not room["title"]:
            titled = arrival.dark or bool(room.get("dark"))
        else:
            titled = is_called(room, arrival.title)
        if arrival.short and not titled:
            return bool(walked or _stems(room["title"]) & _stems(arrival.title))
        if not titled or not arrival.description or not room["print"]:
            return titled
        said = fingerprints(arrival.description).intersection(room.get("said", ()))
        unlike = not said and similarity(room["text"], arrival.description) < _UNLIKE
        if walked:
            return not (unlike and self.style == "verbose")
        if unlike and min(len(room["text"]), len(arrival.description)) >= _LONG:
            return False
        return not self._repeats(room)

    def _repeats(self, room: Row) -> bool:
        """A game that describes rooms only once does not say the very same short text again.

        Of a room that is known from earlier episodes it says it on the first visit.
        """
        return bool(
            self.style == "brief"
            and not self.arrival.unnamed
            and room["visits"]
            and len(self.arrival.description) < _TOO_LONG_FOR_TWINS
            and room["print"] == fingerprint(self.arrival.description)
        )

    def _by_description(self, exact: list[str]) -> str | None:
        """Which of the rooms with exactly this description, if any of them."""
        jumped = self.back is None
        if len(exact) == 1 and (jumped or not self._repeats(self.rooms[exact[0]])):
            return exact[0] if self.style == "brief" or exact[0] != self.start else None
        if self.style == "brief":
            return None
        returning, possible = self._by_way_back(exact)
        return next(iter([*returning, *(id for id in possible if id != self.start)]), None)

    def _by_title(self, same: list[str]) -> str | None:
        """Which of the rooms with this title, where nothing is described: the one seen last."""
        returning, possible = self._by_way_back(same)
        if returning:
            return returning[0]
        possible = possible or same
        others = [id for id in possible if id != self.start] or possible
        return max(others, key=lambda id: int(self.rooms[id]["last"]), default=None)

    def _in_other_words(self) -> str | None:
        """The only room whose title has all words of the short one: `Garden of red flowers`."""
        short = _stems(self.arrival.title)
        found = [id for id, room in self.rooms.items() if short <= _stems(room["title"])]
        return found[0] if len(found) == 1 else None

    def _by_way_back(self, ids: list[str]) -> tuple[list[str], list[str]]:
        """The rooms from which the way back led to the start, and those from which it may."""
        edges = {id: self.edges.get(id, {}).get(self.back) for id in ids}
        walked = {id: edge[0] for id, edge in edges.items() if edge and edge[1]}
        returning = [id for id in ids if walked.get(id) == self.start]
        return returning, [id for id in ids if walked.get(id, self.start) == self.start]


def _stems(title: str) -> frozenset[str]:
    """The beginnings of its words, so that `flower` is `flowers`."""
    return frozenset(word[:_STEM] for word in words_of(title) if word not in _SAYS_NOTHING)


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
    only: NotRequired[int]
    """1 where a refusal has told that there are no other ways."""
    slopes: NotRequired[dict[str, str]]
    """Up or down -> the direction in which that is."""
    said: NotRequired[list[int]]
    """The fingerprints of long sentences that were told of it."""
    unnamed: NotRequired[int]
    """1 where the story names no rooms, and the title is made of its words."""
    short: NotRequired[list[str]]
    """What a story that names no rooms says of it in few words."""
    tree: NotRequired[int]
    dark: NotRequired[int]


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
        self.text = observation.text
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
                if direction_of(self.command) and (told := only_exits_in(self.text)):
                    self._limit(told)
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
        if arrival.unnamed and parse(self.command).verb == "look":
            return False
        if arrival.tree_id:
            return room.get("tree") != arrival.tree_id
        if not arrival.title or not room["title"]:
            into = self.reading.action_result.reason == "dark"  # `enter hole` has worked.
            return (way is not None or into) and not failed
        if not is_called(room, arrival.title):
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

    def _limit(self, told: Iterable[str]) -> None:
        """A refusal that tells which ways there are leaves no others to be tried."""
        room: RoomRow = {**self.rooms[self.here], "only": 1}
        room["exits"] = [*dict.fromkeys((*room["exits"], *told))]
        self.rooms[self.here] = room

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
        if arrival.tree_id:
            room["tree"] = arrival.tree_id
        _name(room, arrival)
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


def _name(room: RoomRow, arrival: Arrival) -> None:
    """Take in what a room is called."""
    if room["title"] and (not arrival.title or is_called(room, arrival.title)):
        return
    if arrival.short and room["title"]:
        room["short"] = [*room.get("short", ()), arrival.title]
    elif not room["title"] or not arrival.tree_id:
        room["title"], room["text"] = arrival.title, ""
    if arrival.unnamed:
        room["unnamed"] = 1


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
    short = room.unnamed and len(room.description) < _LONG and not room.exits
    return Arrival(room.title, room.description, room.dark, unnamed=room.unnamed, short=short)
