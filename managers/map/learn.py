"""What one turn teaches about the map."""

from __future__ import annotations

from typing import Any

from environments.game import Observation
from managers.extraction import TurnExtraction
from managers.map.identity import SHOWN, Arrival, Identity, fingerprint, likeness
from managers.text.commands import parse_command
from managers.text.directions import direction_of, opposite
from managers.text.layout import same_title, shown_title

_STAYS = frozenset(
    (
        "look inventory take drop open close unlock lock light extinguish wear remove put give "
        "throw examine eat drink attack wait push pull turn move sit lie stand tie ask tell say "
        "show touch"
    ).split()
)
_LIKELY_ELSEWHERE = 0.2
_CARRIED_IF_BRIEF = 0.4
"""Likeness of descriptions below which a room of the same title is another room."""
_REFUSAL_SHOWN = 60
_DOUBTS = 2
"""So often must a walked way be refused before it counts as no way from here."""
_DOUBTS_OF_REMEMBERED = 5
"""A way of earlier episodes is there, and may be shut until something is done."""
_MOST_TWINS = 6
_BACK = {"climb": "down", "enter": "out"}
"""What leads back from where one got by a verb."""
_ASKED_FOR = (0, 1000)
"""The style once every room is to be described on every visit."""


class Learner:
    """Applies one turn to copied map data; entries are replaced, never edited."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.rooms: dict[str, dict[str, Any]] = data["rooms"]
        self.edges: dict[str, dict[str, list[Any]]] = data["edges"]

    def apply(self, extraction: TurnExtraction, observation: Observation, command: str) -> None:
        self.turn = extraction.turn
        self.data["moved"] = self.data["new"] = 0
        here: str = self.data["here"]
        arrival = _arrival(extraction, observation)
        if command == "verbose" and extraction.action_result.result != "failure":
            self.data["style"] = list(_ASKED_FOR)
        if not here:
            if arrival is not None:
                known = Identity(self.rooms, self.edges, self._style())
                self._enter(known.find(arrival, "", "", None), arrival, extraction)
        elif self._moved(here, arrival, extraction, command):
            self._travel(here, arrival or Arrival("", "", True), extraction, command)
        else:
            self._stay(here, arrival, extraction, command)

    def _moved(
        self, here: str, arrival: Arrival | None, extraction: TurnExtraction, command: str
    ) -> bool:
        room = self.rooms[here]
        if arrival is None:
            return False
        if arrival.tree_id:
            return bool(room.get("tree") != arrival.tree_id)
        if not arrival.title or not room["title"]:
            return self._moved_in_the_dark(room, arrival, extraction, command)
        if not same_title(room["title"], arrival.title):
            return True
        if extraction.room is None or extraction.action_result.result == "failure":
            return False
        if direction_of(command):
            return True
        return self._carried_off(room, arrival, command)

    def _moved_in_the_dark(
        self, room: dict[str, Any], arrival: Arrival, extraction: TurnExtraction, command: str
    ) -> bool:
        if extraction.action_result.result == "failure":
            return False
        if direction_of(command):
            return True
        return (
            bool(arrival.title) != bool(room["title"]) and not room.get("dark") and not arrival.dark
        )

    def _carried_off(self, room: dict[str, Any], arrival: Arrival, command: str) -> bool:
        """Same title, another description, though nobody walked: a current, a vehicle."""
        if parse_command(command).verb == "look" or not arrival.description or not room["text"]:
            return False
        limit = _CARRIED_IF_BRIEF if self._style() == "brief" else _LIKELY_ELSEWHERE
        return likeness(room["text"], arrival.description) < limit

    def _stay(
        self, here: str, arrival: Arrival | None, extraction: TurnExtraction, command: str
    ) -> None:
        way = direction_of(command) or _way(command)
        passage = direction_of(command) or way in self.edges.get(here, {})
        result = extraction.action_result
        if passage and result.result != "success" and not extraction.died:
            self._block(here, way, extraction)
        if arrival is not None and extraction.room is not None:
            self._see(here, arrival, extraction)

    def _block(self, here: str, direction: str, extraction: TurnExtraction) -> None:
        result = extraction.action_result
        blocked = dict(self.data["blocked"].get(here, {}))
        count = blocked[direction][3] + 1 if direction in blocked else 1
        text = result.prerequisite or (extraction.new_information or ("",))[0]
        blocked[direction] = [result.reason, text[:_REFUSAL_SHOWN], self.turn, count]
        self.data["blocked"] = {**self.data["blocked"], here: blocked}
        edge = self.edges.get(here, {}).get(direction)
        if edge is None:
            return
        walked, since = edge[1], edge[2]
        doubts = _DOUBTS if walked else _DOUBTS_OF_REMEMBERED
        refuted = result.reason == "no_exit" and count >= doubts
        if walked and refuted and self._has_twin(here):
            self._split(here, direction)
        elif refuted or (since and not walked):
            rest = {way: edge for way, edge in self.edges[here].items() if way != direction}
            self.edges[here] = rest

    def _has_twin(self, here: str) -> bool:
        """The place could be another one that looks the same."""
        title, text = self.rooms[here]["title"], self.rooms[here]["text"]
        same = [id for id, room in self.rooms.items() if room["title"] == title]
        known = "tree" in self.rooms[here] or not self.data["came"]
        return not known and len(text) < SHOWN and len(same) < _MOST_TWINS

    def _split(self, here: str, direction: str) -> None:
        """There is no way where one was walked: this is not the room it was taken for."""
        twin = self._create()
        self.rooms[twin] = {**self.rooms[here], "visits": 1, "first": self.turn}
        blocked = dict(self.data["blocked"])
        refusal = blocked[here][direction]
        blocked[here] = {way: one for way, one in blocked[here].items() if way != direction}
        self.data["blocked"] = {**blocked, twin: {direction: refusal}}
        start, way = self.data["came"]
        if self.edges.get(start, {}).get(way, [""])[0] == here:
            self.edges[start] = {**self.edges[start], way: [twin, 1, self.turn]}
        self.data["here"] = twin

    def _travel(
        self, here: str, arrival: Arrival, extraction: TurnExtraction, command: str
    ) -> None:
        way = _way(command)
        back = _back(way)
        identity = Identity(self.rooms, self.edges, self._style())
        found = identity.find(arrival, here, way or "", back)
        self._notice_style(found, arrival)
        there = self._enter(found, arrival, extraction)
        self.data["came"] = [here, way] if way and not extraction.died else []
        if way and not extraction.died:
            self._connect(here, way, there, back)

    def _style(self) -> str:
        brief, verbose = self.data["style"]
        if brief > 2 * verbose:
            return "brief"
        return "verbose" if verbose else ""

    def _notice_style(self, found: str | None, arrival: Arrival) -> None:
        """Does the game describe rooms again on every visit?"""
        if found is None or arrival.dark or not self.rooms[found]["print"]:
            return
        brief, verbose = self.data["style"]
        if not arrival.description:
            self.data["style"] = [brief + 1, verbose]
        elif self.rooms[found]["print"] == fingerprint(arrival.description):
            self.data["style"] = [brief, verbose + 1]

    def _enter(self, found: str | None, arrival: Arrival, extraction: TurnExtraction) -> str:
        there = found or self._create()
        room = self.rooms[there]
        self.rooms[there] = {**room, "visits": room["visits"] + 1, "last": self.turn}
        self._see(there, arrival, extraction)
        self.data["here"] = there
        self.data["moved"] = 1
        self.data["new"] = int(not room["visits"])
        return there

    def _create(self) -> str:
        self.data["count"] += 1
        id = f"L{self.data['count']}"
        self.rooms[id] = {
            "title": "", "text": "", "print": 0, "visits": 0, "first": self.turn, "last": 0,
            "exits": [],
        }  # fmt: skip
        return id

    def _see(self, id: str, arrival: Arrival, extraction: TurnExtraction) -> None:
        room = dict(self.rooms[id])
        room["title"] = room["title"] or arrival.title
        if arrival.tree_id:
            room["tree"] = arrival.tree_id
        if arrival.dark:
            room["dark"] = 1
        else:
            room.pop("dark", None)
        if arrival.description:
            room["text"] = room["text"] or arrival.description[:SHOWN]
            room["print"] = fingerprint(arrival.description)
        if extraction.room is not None and extraction.room.exits:
            room["exits"] = list(dict.fromkeys([*room["exits"], *extraction.room.exits]))
        self.rooms[id] = room

    def _connect(self, start: str, way: str, there: str, back: str | None) -> None:
        self._forget_block(start, way)
        outgoing = dict(self.edges.get(start, {}))
        old = outgoing.get(way)
        if old and old[0] == there:
            outgoing[way] = [there, old[1] + 1, self.turn, *old[3:]]
        elif old and old[1]:
            others = sorted({*(old[3] if len(old) > 3 else []), old[0]} - {there})
            outgoing[way] = [there, 1, self.turn, others]
        else:
            outgoing[way] = [there, 1, self.turn]
        self.edges[start] = outgoing
        returning = self.edges.get(there, {})
        tried = {*returning, *self.data["blocked"].get(there, {})}
        if back and there != start and back not in tried:
            self.edges[there] = {**returning, back: [start, 0, self.turn]}

    def _forget_block(self, start: str, way: str) -> None:
        blocked = self.data["blocked"].get(start, {})
        if way in blocked:
            rest = {key: value for key, value in blocked.items() if key != way}
            self.data["blocked"] = {**self.data["blocked"], start: rest}


def _way(command: str) -> str:
    """The passage a command stands for; empty where it moves nobody by itself."""
    direction = direction_of(command)
    if direction:
        return direction
    parsed = parse_command(command)
    return "" if parsed.verb in _STAYS else " ".join(command.lower().split())


def _back(way: str) -> str | None:
    """The supposed way back of a passage."""
    return opposite(way) or _BACK.get(way.split(" ")[0])


def _arrival(extraction: TurnExtraction, observation: Observation) -> Arrival | None:
    room = extraction.room
    facts = observation.facts.room if observation.facts else None
    shown = shown_title(observation.room)
    if facts is not None:
        view = room.description if room else ""
        return Arrival(facts.name or shown, view, bool(room and room.dark), facts.id)
    if room is None:
        return Arrival(shown, "", False) if shown else None
    return Arrival(room.title or shown, room.description, room.dark)
