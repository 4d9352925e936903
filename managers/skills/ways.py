"""Ways: the untried ones, those that something has opened, and those that may pass now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from managers.core.option import Draft
from managers.core.scene import FROM_A_TRAP, Scene
from managers.core.skill import Skill
from managers.language.actions import DIRECTIONS, classes
from managers.language.layout import exits_in
from managers.language.outcomes import refusal_in
from managers.language.patterns import phrases
from managers.world.facts import Blackboard
from managers.world.transition import Transition

OPENED = "opened"
"""Fact: a way that an action seems to have opened, until it fails."""
_MOST = 120
_WAYS = phrases(
    "(?:north|south)(?:east|west)", "north", "south", "east", "west", "down", "up",
    r"descend\w*", r"ascend\w*",
)  # fmt: skip
"""Ways that a reply names."""
_SLOPES = {"descen": "down", "ascend": "up"}
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
_BETTER = 1.5
"""How much more than others it is worth to go where an action seems to have opened a way."""
_DISCOURAGED = 0.85
"""How much less likely a way is for every other one that was refused there."""
_PASSING = 0.3
"""How likely a way is free that no text names and that was refused in the story's own words."""
_WALL = 3
"""So many ways are refused in the same words where they are those of a place with no way there."""
_LIKELY = {"up": 0.4, "down": 0.5, "in": 0.3, "out": 0.3}
_DIAGONAL = 0.35


class WaysSkill(Skill):
    """Goes where nobody has gone, and tries again what may be open now."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """Ways that an action seems to have opened."""
        action, room = transition.action, transition.room
        if transition.failed:
            played = (transition.command, room)
            return board.without(OPENED, lambda one: (one.subject, one.room) == played)
        if not action.has("changes"):
            return board
        named = [word.lower() for word in _WAYS.findall(transition.text)]
        ways = [_SLOPES.get(word[:6], word) for word in named]
        if action.verb == "tie":
            ways.append("down")
        if action.verb == "open" and "door" in classes(action.object):
            ways.append(f"enter {action.object}")
        known = [way for way in dict.fromkeys(ways) if way in DIRECTIONS or " " in way]
        return board.with_(OPENED, [transition.fact(way, room=room) for way in known[:4]], _MOST)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """Ways nobody has gone, ways that were opened, ways that were refused and may pass now."""
        yield from _unexplored(scene)
        yield from _opened(scene)
        yield from _refused(scene)


def _unexplored(scene: Scene) -> Iterator[Draft]:
    """Ways nobody has gone yet, in this room and in those that can be reached."""
    distances, past = scene.distances, scene.stance.past
    lit = (room for room in scene.map.lit_rooms() if room in distances)
    rooms = sorted(lit, key=distances.__getitem__)
    for room, way in islice(scene.map.unexplored(rooms), _NEAREST):
        mentioned, scale = scene.exits(room), 1.0
        if scene.leads_back(room, way):
            scale = _SUPPOSED
        elif past and way not in scene.map.ways(room).passages:
            scale = _TO_A_MAZE if past.worked(scene.guide.key(room), way) else 1.0
        if way in mentioned:
            chance = 1.0 if len(mentioned) < _VAGUE else _ANY
            yield Draft(room, way, "exit", scale=scale, chance=chance)
        else:
            chance = _LIKELY.get(way, _DIAGONAL if len(way) > 5 else 1.0)
            chance *= _DISCOURAGED ** len(scene.attempts.blocked(room))
            chance = FROM_A_TRAP if room == scene.here and scene.shut_in else chance
            yield Draft(room, way, "probe" if mentioned else "wander", scale=scale, chance=chance)


def _opened(scene: Scene) -> Iterator[Draft]:
    """Ways that an action seems to have opened."""
    for way in scene.board.of(OPENED):
        passage = scene.map.ways(way.room).passages.get(way.subject)
        if not (passage and passage.seen):
            yield Draft(way.room, way.subject, "exit", scale=_BETTER)


def _refused(scene: Scene) -> Iterator[Draft]:
    """Ways that were refused before something changed in their room, or that may have changed.

    A refusal in the story's own words may pass (`You are paralyzed by fear`), but not one that is
    heard in several rooms or for several ways, or that tells of other ways.
    """
    blocked = {room: ways for room in scene.distances if (ways := scene.attempts.blocked(room))}
    rooms = Counter(
        words for ways in blocked.values() for words in {one.error_message for one in ways.values()}
    )
    said = Counter(one.error_message for ways in blocked.values() for one in ways.values())
    for room, ways in blocked.items():
        changed, exits = scene.knowledge.changed_here(room), scene.exits(room)
        for way, refusal in ways.items():
            words, chance = refusal.error_message, 0.0
            stock = refusal_in(words)
            own = stock is None or stock.reason != "no_exit"
            if own and said[words] >= _WALL and way not in exits:
                continue
            if refusal.turn <= changed and len(exits) < _VAGUE:
                chance = _FREE
            elif rooms[words] == 1 and not exits_in(words) and own:
                chance = 1.0 if way in exits else _PASSING
            if chance and not scene.leads_back(room, way):
                yield Draft(room, way, "exit", chance=chance)


# -- what is noticed -------------------------------------------------------------
