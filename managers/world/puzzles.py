"""What turned out to be needed for what: found in, opened with, reached after; and its graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import networkx as nx

from managers.language.actions import Action, direction_of
from managers.language.lexicon import classes_of
from managers.world.objects import INVENTORY

if TYPE_CHECKING:
    from managers.language.reading import TurnExtraction
    from managers.world.map import Map
    from managers.world.things import Things
    from managers.world.view import World

_GLOOM = re.compile(r"\b(?:dark(?:ness)?|gloom|blackness)\b", re.IGNORECASE)
"""Words of a room's description that tell of a dark way on."""
MOST_NEEDS = 6
"""How many needs of one thing or room are kept."""
_MOST_ROOMS = 12
_PREDICATES = frozenset({"unlocks", "opens", "defeats"})
"""Predicates of hypotheses that tell what a thing may need."""
_REVEALS_NOTHING = frozenset("take drop put look inventory wait go ask tell say show talk".split())


class Links:
    """Needs by goal, both ids of things (`iron_grate`) or rooms (`L9`)."""

    def __init__(self, things: Things) -> None:
        self.things = things
        self.data = things.data

    def learn(
        self,
        command: Action,
        extraction: TurnExtraction,
        before: str,
        known: frozenset[str],
        new_room: bool,
    ) -> None:
        """Learn from one turn; `before` is the room it began in, `known` what was known then."""
        room, stays = self.data["room"], self.data["room"] == before
        if new_room and before:
            self._reached(before, room, extraction.action_result.action)
        if extraction.room is not None and extraction.room.description:
            self.data["ways"] = list(extraction.room.exits)
            self.data["gloom"] = int(bool(_GLOOM.search(extraction.room.description)))
        elif not stays:
            self.data["ways"] = []
        meant = self._meant(command) if stays else []
        for id in [id for id in self.things.rows if id not in known]:
            self._found(id, room, meant)
        for change in extraction.state_changes:
            if change.property == "location" and change.new_value == "here":
                self._appeared(change.object, meant)
        if meant and extraction.action_result.result != "failure":
            self._done(command, meant, room)

    def _meant(self, command: Action) -> list[str]:
        """The things that a command was about, if it could reveal or change anything."""
        if not command.object or command.verb in _REVEALS_NOTHING:
            return []
        names = (command.object, command.second)
        found = (self.things.find(name, self.data["room"], gone=True) for name in names if name)
        return [id for id in found if id]

    def _found(self, id: str, room: str, meant: list[str]) -> None:
        """A thing seen for the first time: in a holder, by a deed, or just in its room."""
        holder = self.things.rows[id]["at"]
        causes = [cause for cause in meant if cause not in (id, holder)]
        if holder in self.things.rows:
            causes = [holder, *causes]
        for cause in causes or [room]:
            self.need(id, cause)

    def _appeared(self, name: str, meant: list[str]) -> None:
        """Something came to light here because of what was done."""
        id = self.things.find(name, self.data["room"])
        for cause in meant if id and id not in meant else []:
            self.need(str(id), cause)

    def _done(self, command: Action, meant: list[str], room: str) -> None:
        """Keep what was done here until a new room shows what it was good for."""
        if len(meant) > 1 and command.preposition == "with":
            self.need(meant[0], meant[1])
        if command.has("plain") or self._is_lid(command, meant[0]):
            return
        deeds = dict(self.data["deeds"])
        old = deeds.pop(room, {"sure": [], "other": [], "ways": []})
        sure = command.has("opens")
        done = [[id for id in ids if id not in meant] for ids in (old["sure"], old["other"])]
        done[0 if sure else 1] = [*done[0 if sure else 1], *meant][-MOST_NEEDS:]
        deeds[room] = {"sure": done[0], "other": done[1], "ways": self.data["ways"]}
        self.data["deeds"] = {key: deeds[key] for key in list(deeds)[-_MOST_ROOMS:]}

    def _is_lid(self, command: Action, id: str) -> bool:
        """Opening a box opens no way."""
        kinds = classes_of(self.things.rows[id]["name"])
        return command.verb in ("open", "unlock") and "container" in kinds and "door" not in kinds

    def _reached(self, before: str, room: str, action: str) -> None:
        """A new room: it needs the room before, and what was done there to get on."""
        self.need(room, before)
        if self.data.get("gloom"):
            self._lit_up(room)
        direction = direction_of(action)
        deeds = dict(self.data["deeds"])
        if direction is None or before not in deeds:
            return
        done = deeds[before]
        known = direction in done["ways"]
        for id in done["sure"] if known else [*done["sure"], *done["other"]]:
            self.need(room, id)
        deeds[before] = {**done, "sure": [], "other": done["other"] if known else []}
        self.data["deeds"] = deeds

    def _lit_up(self, room: str) -> None:
        """The way there led into the dark: what burns in the hand has shown it."""
        for id in self.things.children(INVENTORY):
            entry = self.things.rows[id]
            state = entry.get("state", {})
            if "light-source" in classes_of(entry["name"]) and (
                state.get("lit") or state.get("on")
            ):
                self.need(room, id)

    def need(self, goal: str, needs: str) -> None:
        """Note that a thing or room needs another one."""
        links = self.data["links"]
        known = links.get(goal, [])
        if goal != needs and needs not in known and needs and len(known) < MOST_NEEDS:
            self.data["links"] = {**links, goal: [*known, needs]}


def puzzle_graph(world: World, map: Map) -> nx.DiGraph[str]:
    """A graph with an edge from every goal to what it needs.

    Nodes are ids of things and rooms with `name` and `kind`; edges have `sure` (1 for what play
    has shown, the hypothesis's confidence for the rest).
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    for goal, needs in world.links().items():
        for need in needs:
            _edge(graph, world, map, goal, need, 1.0)
    for idea in world.hypotheses():
        known = graph.has_edge(idea.object, idea.subject)
        if idea.predicate in _PREDICATES and not idea.disproven and not known:
            _edge(graph, world, map, idea.object, idea.subject, idea.confidence)
    return graph


def _edge(
    graph: nx.DiGraph[str], world: World, map: Map, goal: str, need: str, sure: float
) -> None:
    for id in (goal, need):
        if id not in graph:
            thing = world.get(id)
            name = thing.name if thing else _title(map, id)
            graph.add_node(id, name=name, kind="thing" if thing else "room")
    graph.add_edge(goal, need, sure=sure)


def _title(map: Map, id: str) -> str:
    return map.room(id).title if id in map.data["rooms"] else id
