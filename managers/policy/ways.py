"""Options of going somewhere new."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from managers.policy.option import Draft
from managers.policy.scene import Scene
from managers.world.map import UntriedExit

_NEAREST = 30
"""How many unexplored ways are weighed, nearest first; the cost must not grow with the map."""
_SUPPOSED = 0.1
"""What it is worth to see that a way leads back, as it is supposed to."""
_TO_A_MAZE = 0.2
"""What a way is worth that earlier episodes went and have no room for on their map."""
_VAGUE = 7
"""From so many mentioned ways on, the prose says no more than that one is in the open."""
_ANY = 0.5
"""How likely a way is where the prose says that ways lead everywhere."""
_FREE = 0.6
"""How likely a way is free where something has changed since it was refused."""
_OPENED = 1.5
_DISCOURAGED = 0.85
"""How much less likely a way is for every other one that was refused there."""
_LIKELY = {"up": 0.4, "down": 0.5, "in": 0.3, "out": 0.3}
_DIAGONAL = 0.35


def unexplored(scene: Scene) -> Iterator[Draft]:
    """Ways nobody has gone yet, in this room and in those that can be reached."""
    distances = scene.distances
    far = len(distances) + 1
    rooms = sorted(scene.map.lit_rooms(), key=lambda room: distances.get(room, far))
    for room, way in islice(scene.map.frontier(rooms), _NEAREST):
        yield _draft(scene, room, way)


def _draft(scene: Scene, room: str, way: UntriedExit) -> Draft:
    mentioned, direction, scale = len(scene.exits(room)), way.direction, 1.0
    if scene.leads_back(room, direction):
        scale = _SUPPOSED
    elif _was_lost(scene, room, direction):
        scale = _TO_A_MAZE
    if way.mentioned:
        chance = 1.0 if mentioned < _VAGUE else _ANY
        return Draft(room, direction, "exit", scale=scale, chance=chance)
    chance = _LIKELY.get(direction, _DIAGONAL if len(direction) > 5 else 1.0)
    chance *= _DISCOURAGED ** len(scene.map.blocked(room))
    return Draft(room, direction, "probe" if mentioned else "wander", scale=scale, chance=chance)


def _was_lost(scene: Scene, room: str, direction: str) -> bool:
    """Earlier episodes went there, and there is no room for it on their map."""
    past = scene.stance.past
    gone = past and past.worked(scene.guide.key(room), direction)
    return bool(gone) and direction not in scene.map.passages(room)


def opened(scene: Scene) -> Iterator[Draft]:
    """Ways that an action seems to have opened."""
    for way in scene.board.of("opened"):
        walked = scene.map.passages(way.room)
        if way.subject not in walked or not walked[way.subject].seen:
            yield Draft(way.room, way.subject, "exit", scale=_OPENED)


def refused(scene: Scene) -> Iterator[Draft]:
    """Ways that were refused for a reason that may be gone by now."""
    for room in scene.distances:
        blocked = scene.map.blocked(room)
        mentioned = scene.exits(room) if blocked else ()
        if len(mentioned) < _VAGUE:
            for direction, refusal in blocked.items():
                if scene.leads_back(room, direction):
                    continue
                if scene.knowledge.changed_here(room) >= refusal.turn:
                    yield Draft(room, direction, "exit", chance=_FREE)
                elif direction in mentioned and not scene.is_hopeless(direction, room):
                    yield Draft(room, direction, "again")
