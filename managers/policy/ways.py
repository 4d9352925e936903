"""Options of going somewhere new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from managers.language.lexicon import words_of
from managers.policy.option import Draft
from managers.policy.scene import Scene
from managers.world.map import UntriedExit

_NEAREST = 60
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
_SPOKEN_OF = 1.5
"""How much more a way is worth to what has been spoken of."""
_NAMED = 3
_OPENED = 1.5
_DISCOURAGED = 0.85
"""How much less likely a way is for every other one that was refused there."""
_WAY = re.compile(r"\b(?:north|south)?(?:north|south|east|west|up|down)\b", re.IGNORECASE)
_NOT_TOLD = 0.2
"""How much less likely another way is where a refusal has said which ways there are."""
_LIKELY = {"up": 0.4, "down": 0.5, "in": 0.3, "out": 0.3}
_DIAGONAL = 0.35
_IDLE = frozenset({"the", "a", "an", "of", "more", "rest", "another"})


def unexplored(scene: Scene) -> Iterator[Draft]:
    """Ways nobody has gone yet, in this room and in those that can be reached."""
    distances = scene.distances
    far = len(distances) + 1
    rooms = sorted(scene.map.lit_rooms(), key=lambda room: distances.get(room, far))
    places: dict[str, _Place] = {}
    for room, way in islice(scene.map.frontier(rooms), _NEAREST):
        place = places.get(room)
        if place is None:
            place = places[room] = _place(scene, room)
        yield _draft(scene, place, way)


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


class _Place(NamedTuple):
    """A room with unexplored ways."""

    room: str
    text: str
    mentioned: int
    """How many ways its prose mentions."""
    refused: int
    """How many ways out of it were refused."""
    told: set[str]
    """The directions that refusals have named."""


def _place(scene: Scene, room: str) -> _Place:
    entry, refused = scene.map.data["rooms"][room], len(scene.map.blocked(room))
    told = _told_ways(scene, room) if refused else set()
    return _Place(room, entry["text"], len(entry["exits"]), refused, told)


def _draft(scene: Scene, place: _Place, way: UntriedExit) -> Draft:
    room, text, mentioned, refused, told = place
    direction = way.direction
    named = _named_in(text, direction)
    scale = _interest(scene, room, way, named)
    if named and scene.hints & named:
        scale *= _SPOKEN_OF
    if direction in told or (way.mentioned and mentioned < _VAGUE):
        return Draft(room, direction, "exit", scale=scale)
    if way.mentioned:
        return Draft(room, direction, "exit", scale=scale, chance=_ANY)
    chance = _LIKELY.get(direction, _DIAGONAL if len(direction) > 5 else 1.0)
    chance *= _DISCOURAGED**refused
    if told:
        chance *= _NOT_TOLD
    return Draft(room, direction, "probe" if mentioned else "wander", scale=scale, chance=chance)


def _interest(scene: Scene, room: str, way: UntriedExit, named: frozenset[str]) -> float:
    """How much a way is worth, by where it is believed to lead."""
    if scene.leads_back(room, way.direction):
        return 1.0 if _leads_elsewhere(scene, room, way, named) else _SUPPOSED
    past = scene.stance.past
    gone = past and past.worked(scene.guide.key(room), way.direction)
    return _TO_A_MAZE if gone and way.direction not in scene.map.passages(room) else 1.0


def _leads_elsewhere(scene: Scene, room: str, way: UntriedExit, named: frozenset[str]) -> bool:
    """The prose names another place in a direction than the one supposed to lie there."""
    passage = scene.map.passages(room)[way.direction]
    return bool(named) and not named & set(words_of(scene.map.room(passage.to).title))


@lru_cache(maxsize=4096)
def _named_in(text: str, direction: str) -> frozenset[str]:
    """The words of what the prose says to lie in a direction: `To the east is the King's tomb`."""
    match = re.search(rf"\bto the {direction} (?:is|are|lies) ([^.,;]+)", text, re.IGNORECASE)
    words = words_of(match[1])[:_NAMED] if match else []
    return frozenset(word.removesuffix("'s") for word in words) - _IDLE


def _told_ways(scene: Scene, room: str) -> set[str]:
    """The directions that refusals have named: `The only way out is east`."""
    refusals = scene.map.blocked(room).values()
    named = {way for refusal in refusals for way in _ways_in(refusal.error_message)}
    return named - {refusal.command for refusal in refusals}


@lru_cache(maxsize=2048)
def _ways_in(text: str) -> tuple[str, ...]:
    return tuple(way.lower() for way in _WAY.findall(text))
