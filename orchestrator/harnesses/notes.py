"""What an agent has noted of a game, as plain data for others: the one place that reads it."""

from __future__ import annotations

from typing import Any

from managers.world.map import Map
from orchestrator.state import State
from orchestrator.turns.context import Views
from orchestrator.turns.current import knowledge_of


def map_notes(state: State) -> dict[str, Any]:
    """The rooms by id, the ways between them, and where one is.

    A way is in one list: gone, supposed (the way back of one that was gone), refused or untried.
    """
    rooms = knowledge_of(state, Views()).map_view
    return {
        "here": rooms.here,
        "rooms": {
            room.id: {"title": room.title, **_ways(rooms, room.id)} for room in rooms.rooms()
        },
    }


def _ways(rooms: Map, room: str) -> dict[str, Any]:
    ways, refused = rooms.ways(room), rooms.attempts.blocked(room)
    gone = {name: way.to for name, way in ways.passages.items() if way.seen or way.random}
    known = {*gone, *refused}
    supposed = {name: way.to for name, way in ways.passages.items() if name not in known}
    return {
        "ways": gone,
        "supposed": supposed,
        "blocked": sorted(set(refused).difference(gone)),
        "untried": [name for name in (*ways.mentioned, *ways.silent) if name not in supposed],
    }


def world_notes(state: State) -> dict[str, Any]:
    """The things by name, where they are, and what is known of their state."""
    world = knowledge_of(state, Views()).world_view
    return {
        "carried": [thing.name for thing in world.inventory()],
        "things": [
            {
                "name": thing.name,
                "at": world.location_of(thing.id),
                "state": dict(thing.state),
                "properties": list(thing.properties),
            }
            for thing in world.objects()
        ],
        "refused": [
            {"command": failed.command, "reply": failed.error_message}
            for failed in world.attempts.failures_at(world.room)
        ],
    }


def objective_notes(state: State) -> dict[str, Any]:
    """What there may be to do, with the plan for it as far as one is known."""
    told = [
        {"text": one.text, "status": one.status, "priority": one.priority, "plan": one.way}
        for one in state.get("objectives", ())
    ]
    return {"objectives": told}
