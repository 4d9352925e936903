"""Prospects that the situation itself calls for: light, what the game asked for, a look round."""

from __future__ import annotations

from collections.abc import Iterator

from managers.affordances import affordances
from managers.candidates.candidate import ESCAPE, REPLY
from managers.candidates.prospect import HELD, Prospect
from managers.candidates.scene import Scene
from managers.leads import Request
from managers.text.commands import parse_command
from managers.text.directions import DIRECTIONS
from managers.text.lexicon import head_of
from managers.world import UNKNOWN, GameObject

_LIGHT_COMMANDS = ("turn on {}", "light {}")
_POSTURE = ("stand", "get up", "out")
_ELSEWHERE = 0.5
"""How likely what was asked for and failed there works in another room."""
_ASKED = 1.4
_PERHAPS = 0.5
"""How likely what was refused works after something else than what was asked for."""
_ANY_WAY = 0.01
_FAR = 2
"""So far from the dark a light is better put out."""
_FINDS_AGAIN = 20.0
_LATELY = 6
"""Turns within which it is worth looking for what was lost."""
_VERBOSE = "have every room described on every visit"
_HOMEWARD = "be out of the dark before the light dies"
_HOME = 6.0
"""How much more that is worth than any other escape: it may be far."""
_OUT = 3.0
"""How much more it is worth to get out of a room that fills."""
_BRIGHT = 2.0
"""How much better it is to go where one has seen without a light."""
_STANDING = (("look", "look"), ("inventory", "inventory"), ("wait", "wait"))


def light(scene: Scene) -> Iterator[Prospect]:
    """In the dark: a light, or the way back."""
    if not scene.world.dark:
        return
    for thing in scene.held:
        if "light-source" in thing.classes:
            for command in _LIGHT_COMMANDS:
                light_it = command.replace("{}", scene.called(thing))
                yield Prospect(scene.here, light_it, "light", thing.name, scale=3)
    for command, passage in scene.map.passages(scene.here).items():
        known = _BRIGHT if passage.to not in scene.never_bright else 0.5
        yield Prospect(scene.here, command, ESCAPE, scale=known)
    for direction in DIRECTIONS:
        yield Prospect(scene.here, direction, ESCAPE, scale=0.1)


def surface(scene: Scene) -> Iterator[Prospect]:
    """Out of a room that fills, as long as one can."""
    if scene.here in scene.leads.rising:
        for command in scene.map.passages(scene.here):
            yield Prospect(scene.here, command, ESCAPE, scale=_OUT)


def retreat(scene: Scene) -> Iterator[Prospect]:
    """Out of the dark as long as a dying light still burns."""
    if scene.world.dark or scene.here not in scene.unlit:
        return
    bright = (room for room in scene.distances if room not in scene.unlit)
    nearest = min(bright, key=scene.distances.__getitem__, default=None)
    if nearest is not None:
        yield Prospect(nearest, "look", ESCAPE, purpose=_HOMEWARD, scale=_HOME)


def darken(scene: Scene) -> Iterator[Prospect]:
    """Save the light where it is not needed, nor will be soon."""
    near = any(scene.distances.get(room, _FAR) < _FAR for room in scene.never_bright)
    if scene.is_bright and not scene.world.dark and not (near or _dark_ahead(scene)):
        for thing in scene.held:
            if "light-source" in thing.classes and (thing.is_("lit") or thing.is_("on")):
                yield Prospect(
                    scene.here, f"turn off {scene.called(thing)}", "save", thing.name, place=HELD
                )


def _dark_ahead(scene: Scene) -> bool:
    """Some objective leads into the dark."""
    steps = [step for objective in scene.services.planned for step in objective.plan]
    return any(step.room in scene.dark_rooms for step in steps)


def wanted(scene: Scene) -> Iterator[Prospect]:
    """Give somebody what they have an eye on."""
    here = {thing.noun for thing in scene.around}
    held = {thing.noun for thing in scene.held}
    for thing, who in scene.leads.offers:
        if thing in held and who in here:
            yield Prospect(scene.here, f"give {thing} to {who}", "give", thing, scale=2, chance=3)


def asked(scene: Scene) -> Iterator[Prospect]:
    """What the game asks for before it lets the agent do something, and then that."""
    for request in scene.leads.requests:
        if request.done:
            for room, blocked in request.blocked:
                if _is_at_hand(scene, blocked):
                    yield Prospect(room, blocked, "retry")
        else:
            yield from _open_request(scene, request)
    if scene.world.inside:
        for command in _POSTURE:
            yield Prospect(scene.here, command, "prepare", chance=0.6, scale=0.7)


def _is_at_hand(scene: Scene, command: str) -> bool:
    """What the command would hand over is carried."""
    parts = parse_command(command)
    named = parts.verb in ("put", "give", "drop") and head_of(parts.object)
    return not named or any(thing.noun == named for thing in scene.held)


def _open_request(scene: Scene, request: Request) -> Iterator[Prospect]:
    for room, blocked in request.blocked:
        if scene.leads.changed(room) > scene.dynamics.tried(room, blocked).turn:
            yield Prospect(room, blocked, "retry", chance=_PERHAPS)
    room, blocked = request.blocked[0]
    purpose = f"the game asks for it before `{blocked}`"
    yield Prospect(room, request.command, "prepare", purpose=purpose, scale=_ASKED)
    if request.attempts and room != scene.here and not _is_fixture(request.command):
        yield Prospect(scene.here, request.command, "prepare", chance=_ELSEWHERE)


def _is_fixture(command: str) -> bool:
    """The command is about part of a room, so that no other room will do."""
    known = affordances().classes(parse_command(command).object)
    return bool(known & {"fixed", "scenery", "door", "furniture"})


def answers(scene: Scene) -> Iterator[Prospect]:
    """Replies to a question of the game."""
    for reply in scene.leads.replies:
        yield Prospect(scene.here, reply, REPLY, scale=4)


def resync(scene: Scene) -> Iterator[Prospect]:
    """Look round and count one's things, once, where something that was carried is just lost."""
    lost = [one.last_seen_turn for one in scene.world.objects() if _is_lost(one)]
    since = max(lost, default=-_LATELY)
    if scene.dynamics.turn - since >= _LATELY:
        return
    for command, kind in _STANDING[:2]:
        if scene.dynamics.tried(scene.here, command).turn < since:
            purpose = "see what became of things that were here or carried"
            yield Prospect(scene.here, command, kind, scale=_FINDS_AGAIN, purpose=purpose)


def _is_lost(thing: GameObject) -> bool:
    return bool(thing.taken) and thing.location == UNKNOWN


def standing(scene: Scene) -> Iterator[Prospect]:
    """What can always be done."""
    for command, kind in _STANDING:
        yield Prospect(scene.here, command, kind)
    if not scene.dynamics.used("verbose") and not scene.foes:
        yield Prospect(scene.here, "verbose", "look", scale=100, purpose=_VERBOSE)


def lost(scene: Scene) -> Iterator[Prospect]:
    """Any direction at all, for when the map is wrong or nothing else is left to do."""
    for direction in DIRECTIONS:
        yield Prospect(scene.here, direction, ESCAPE, scale=_ANY_WAY)
