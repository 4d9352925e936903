"""What turned out to be needed for what: found in, opened with, reached after; and its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from managers.language.actions import Action, direction_of
from managers.language.lexicon import classes_of
from managers.world.hypotheses import HELP

if TYPE_CHECKING:
    from managers.language.reading import TurnExtraction
    from managers.world.map import Map
    from managers.world.things import Things
    from managers.world.view import World

_MOST_NEEDS = 6
_MOST_ROOMS = 12
_REVEALS_NOTHING = frozenset("take drop put look inventory wait go ask tell say show talk".split())


def learn_needs(
    things: Things,
    command: Action,
    extraction: TurnExtraction,
    before: str,
    known: frozenset[str],
    new_room: bool,
) -> None:
    """Learn what needs what (ids of things, `iron_grate`, or rooms, `L9`) from one turn.

    `before` is the room it began in, `known` are the things known then.
    """
    room, action = things.room, extraction.action_result
    if new_room and before:
        # It needs the room before, and what was done there to get on.
        deeds = things.data["deeds"].get(before, ()) if direction_of(action.action) else ()
        for cause in (before, *deeds):
            _need(things, room, cause)
    meant: list[str] = []
    if room == before and command.object and command.verb not in _REVEALS_NOTHING:
        names = filter(None, (command.object, command.second))
        meant = [id for name in names if (id := things.find(name, room, gone=True))]
    for id in [id for id in things.rows if id not in known]:
        # It was found in a holder, by a deed, or just in its room.
        holder = things.rows[id]["at"]
        causes = [holder] if holder in things.rows else []
        causes += [cause for cause in meant if cause not in (id, holder)]
        for cause in causes or [room]:
            _need(things, id, cause)
    if meant and action.result != "failure":
        _remember_deed(things, command, meant)


def _remember_deed(things: Things, command: Action, meant: list[str]) -> None:
    """Keep what was done here until a new room shows what it was good for."""
    if len(meant) > 1 and command.preposition == "with":
        _need(things, meant[0], meant[1])
    kinds = classes_of(things.rows[meant[0]]["name"])
    lid = command.verb in ("open", "unlock") and "container" in kinds and "door" not in kinds
    if command.has("plain") or lid:  # Opening a box opens no way.
        return
    deeds = dict(things.data["deeds"])
    done = [id for id in deeds.pop(things.room, ()) if id not in meant]
    deeds[things.room] = [*done, *meant][-_MOST_NEEDS:]
    things.data["deeds"] = {key: deeds[key] for key in list(deeds)[-_MOST_ROOMS:]}


def _need(things: Things, goal: str, needs: str) -> None:
    """Note that a thing or room needs another one."""
    links = things.data["links"]
    known = links.get(goal, [])
    if goal != needs and needs not in known and needs and len(known) < _MOST_NEEDS:
        things.data["links"] = {**links, goal: [*known, needs]}


def puzzle_graph(world: World, map: Map) -> nx.DiGraph[str]:
    """A graph with an edge from every goal to what it needs.

    Nodes are ids of things and rooms with `name` and `kind`; edges have `sure` (1 for what play
    has shown, the hypothesis's confidence for the rest).
    """
    links = world.data["links"].items()
    needs = {(goal, cause): 1.0 for goal, causes in links for cause in causes}
    for idea in world.hypotheses():
        if idea.predicate in HELP and not idea.disproven:
            needs.setdefault((idea.object, idea.subject), idea.confidence)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for (goal, cause), sure in needs.items():
        for id in (goal, cause):
            thing, title = world.get(id), map.title(id) if id in map.data["rooms"] else id
            name, kind = (thing.name, "thing") if thing else (title, "room")
            graph.add_node(id, name=name, kind=kind)
        graph.add_edge(goal, cause, sure=sure)
    return graph
