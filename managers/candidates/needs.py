"""Prospects that the situation itself calls for: light, a fight, what a refusal asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from managers.affordances import affordances
from managers.candidates.candidate import REPLY
from managers.candidates.prospect import HELD, Prospect
from managers.candidates.scene import Scene, classes, is_precious
from managers.leads import Request
from managers.leads.burden import least
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
_WITH_TREASURE, _WITHOUT = 1.5, 0.3
"""How much a way is worth for which nearly everything has to be left behind."""
_BARRED, _ATTACKED, _AWAY = 5.0, 1.0, 0.7
"""How much it is worth to fight who bars the way, to fight who attacks, and to get away."""
_UNARMED = 0.15
_IN_VAIN = 3
"""After so many attacks another thing is tried that could be a weapon."""
_BRIGHT = 2.0
"""How much better it is to go where one has seen without a light."""
_SAYS_NOTHING = frozenset({"takeable", "wearable", "openable", "switchable", "lockable"})
"""What a thing was seen to be in play, which no weapon is for that."""
_MIGHT = ("mighty", "weapon")
_STANDING = (("look", "look"), ("inventory", "inventory"), ("wait", "wait"))


def light(scene: Scene) -> Iterator[Prospect]:
    """In the dark: a light, or the way back."""
    if not scene.world.dark:
        return
    for thing in scene.held:
        if "light-source" in classes(thing):
            for command in _LIGHT_COMMANDS:
                light_it = command.replace("{}", scene.called(thing))
                yield Prospect(scene.here, light_it, "light", thing.name, scale=3)
    for command, passage in scene.map.passages(scene.here).items():
        known = _BRIGHT if passage.to not in scene.never_bright else 0.5
        yield Prospect(scene.here, command, "escape", scale=known)
    for direction in DIRECTIONS:
        yield Prospect(scene.here, direction, "escape", scale=0.1)


def darken(scene: Scene) -> Iterator[Prospect]:
    """Save the light where it is not needed, nor will be soon."""
    near = any(scene.distances.get(room, _FAR) < _FAR for room in scene.never_bright)
    if scene.is_bright and not scene.world.dark and not (near or _dark_ahead(scene)):
        for thing in scene.held:
            if "light-source" in classes(thing) and (thing.is_("lit") or thing.is_("on")):
                yield Prospect(
                    scene.here, f"turn off {scene.called(thing)}", "save", thing.name, place=HELD
                )


def _dark_ahead(scene: Scene) -> bool:
    """Some objective leads into the dark."""
    steps = [step for objective in scene.services.planned for step in objective.plan]
    return any(step.room in scene.dark_rooms for step in steps)


def fight(scene: Scene) -> Iterator[Prospect]:
    """Against whoever bars the way or attacks, with the best weapon."""
    arms = sorted((thing for thing in scene.held if is_arm(thing)), key=_might)
    for foe in scene.foes:
        arms = sorted(arms, key=lambda arm: _vainly(scene, foe, arm))
        attack, scale = _attack(scene, foe, arms), _ATTACKED
        if foe.noun in scene.barring:
            scale = _BARRED
        if arms:
            yield Prospect(scene.here, attack, "fight", foe.name, scale=scale)
        else:
            yield Prospect(scene.here, attack, "fight", foe.name, scale=_UNARMED * scale)
    for room, foe in scene.lairs.items() if arms and not scene.leads.wounds else ():
        yield Prospect(room, _attack(scene, foe, arms), "fight", foe.name)


def flight(scene: Scene) -> Iterator[Prospect]:
    """Away from a fight that is not worth it, and back to a weapon that was lost in one."""
    if not scene.foes:
        return
    for thing in scene.around:
        if "weapon" in classes(thing) and thing.taken:
            yield Prospect(scene.here, f"take {scene.called(thing)}", "prepare", scale=4)
    wounded = scene.leads.wounds > 0
    unarmed = not any(is_arm(thing) for thing in scene.held)
    if wounded or unarmed or any(foe.noun not in scene.barring for foe in scene.foes):
        for command, passage in scene.map.passages(scene.here).items():
            if scene.leads_back(scene.here, command):
                scale = _AWAY if passage.seen else 0.5
                yield Prospect(scene.here, command, "escape", scale=scale)


def _vainly(scene: Scene, foe: GameObject, arm: GameObject) -> int:
    """How often something that need not be a weapon was useless, or has not helped, by threes."""
    if _might(arm) < len(_MIGHT):
        return 0
    attack = f"attack {scene.called(foe)} with {scene.called(arm)}"
    tried = scene.dynamics.tried(scene.here, attack)
    return tried.times - tried.successes + tried.successes // _IN_VAIN


def _attack(scene: Scene, foe: GameObject, arms: Sequence[GameObject]) -> str:
    attack = f"attack {scene.called(foe)}"
    return f"{attack} with {scene.called(arms[0])}" if arms else attack


def is_arm(thing: GameObject) -> bool:
    """A weapon or tool by its name, or something whose name says nothing of what it is for."""
    known = classes(thing) | affordances().classes(thing.name.split()[-1])
    return not known.difference(_SAYS_NOTHING) or bool(known & {"weapon", "tool"})


def _might(thing: GameObject) -> int:
    """The lower, the better a thing is to fight with."""
    known = classes(thing)
    return next((rank for rank, kind in enumerate(_MIGHT) if kind in known), len(_MIGHT))


def best_arms(scene: Scene) -> frozenset[str]:
    """The nouns of what is best to fight with among what is carried."""
    ranks = {thing.noun: _might(thing) for thing in scene.held}
    best = min(ranks.values(), default=0)
    return frozenset(noun for noun, rank in ranks.items() if rank == best)


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


def treasures(scene: Scene) -> Iterator[Prospect]:
    """Bring treasures to where a deposit scored, or to where one could expect it to score.

    One way serves for all of them.
    """
    carried = [thing for thing in scene.held if is_precious(scene, thing)]
    home = scene.leads.home
    if home:
        room, template = home
        for thing in carried:
            command = template.replace("{}", scene.called(thing))
            yield Prospect(room, command, "deposit", thing.name, scale=len(carried))
        return
    for room, holder in _displays(scene) if carried else ():
        for thing in carried:
            if not scene.dynamics.tried(room, f"take {thing.noun}").successes:
                command = f"put {scene.called(thing)} in {holder}"
                yield Prospect(room, command, "put", thing.name, scale=6)


def _displays(scene: Scene) -> Iterator[tuple[str, str]]:
    """Room and name of what looks made to show treasures in, wherever it was seen."""
    world, rooms = scene.world, scene.distances
    fit = [thing for thing in world.objects() if _displays_things(thing.name)]
    seen = [(world.location_of(thing.id), thing.name) for thing in fit]
    seen += [(room, name) for room in rooms for name in world.scenery(room)]
    for room, name in seen:
        if room in rooms and _displays_things(name):
            noun = head_of(name)
            if not (scene.leads.is_absent(room, noun) or _holds_in_vain(scene, room, noun)):
                yield room, noun


def _holds_in_vain(scene: Scene, room: str, noun: str) -> bool:
    """Something was put there, and it did not score."""
    tried = scene.dynamics.data["tried"].get(room, {})
    return any(
        command.startswith("put ") and command.endswith(f" {noun}") and successes
        for command, (_, successes, _) in tried.items()
    )


@lru_cache(maxsize=2048)
def _displays_things(name: str) -> bool:
    return any("display" in affordances().classes(word) for word in name.split())


def burden(scene: Scene) -> Iterator[Prospect]:
    """Drop what is least useful when nothing more can be carried; then take what was left."""
    if not scene.leads.overloaded:
        for room, noun in scene.leads.left_behind:
            yield Prospect(room, f"take {noun}", "retry", noun)
        return
    treasures = [thing.noun for thing in scene.held if is_precious(scene, thing)]
    worst = least([thing.noun for thing in scene.held], treasures)
    for thing in scene.held:
        if thing.noun == worst:
            command = f"drop {scene.called(thing)}"
            yield Prospect(scene.here, command, "drop", thing.name, scale=12, place=HELD)


def squeeze(scene: Scene) -> Iterator[Prospect]:
    """Through a way too narrow for what is carried: put down all but a light and treasures."""
    for room, way in scene.leads.narrow:
        lights = [thing for thing in scene.held if "light-source" in classes(thing)][:1]
        kept = lights + [thing for thing in scene.held if is_precious(scene, thing)][:1]
        spare = [thing for thing in scene.held if thing not in kept]
        if len(kept) == len(lights) and any(
            foe.noun in scene.barring for foe in scene.lairs.values()
        ):
            spare = [thing for thing in spare if "weapon" not in classes(thing)]
        scale = _WITH_TREASURE if len(kept) > len(lights) else _WITHOUT
        if room != scene.here or not spare:
            yield Prospect(room, way, "squeeze", scale=scale)
        else:
            command = f"drop {scene.called(spare[0])}"
            yield Prospect(room, command, "squeeze", scale=2 * scale, place=HELD)


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
        yield Prospect(scene.here, direction, "escape", scale=_ANY_WAY)
