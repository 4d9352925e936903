"""Options out of earlier episodes: the best trajectory step by step, and what scored."""

from __future__ import annotations

from collections.abc import Iterator

from managers.language.actions import direction_of, parse
from managers.language.lexicon import head_of
from managers.memory.guide import Guide
from managers.memory.trail import TrailStep, is_fight, needs
from managers.policy.carrying import squeeze
from managers.policy.needs import best_weapons
from managers.policy.option import Draft
from managers.policy.scene import NO_WEAPON, Scene, weapon_rank

_ABSENCE = ("not_here", "unknown_word")
_PATH = "memory"
"""Where attempts at a trajectory's steps are remembered: it may ask for the same one again."""
_IN_TROUBLE = 0.1
_DRIVE = 2.0
"""How much more than usual the next step of the trajectory counts."""
_TO_THE_END = 3.0
"""How much more a fight counts that has begun."""
_ASIDE = 0.3
"""What scored off the trajectory, compared with its next step."""


def remembered(scene: Scene) -> Iterator[Draft]:
    """What earlier episodes would do now."""
    guide = scene.guide
    if not guide:
        return
    step = guide.next_step(scene.here, scene.distances)
    fights = _to_be_fought(scene, step)
    if scene.here in fights and scene.wounds:
        yield from _ways_back(scene)
        return
    if step:
        yield from _next(scene, step)
    if not scene.foes:
        for aside in _asides(scene, guide):
            if is_fight(aside.command) == (aside.room in fights):
                yield aside


def _next(scene: Scene, step: TrailStep) -> Iterator[Draft]:
    """The next step of the trajectory, or what it takes to do it."""
    if not scene.foes:
        step = _fetched(scene, step) or step
        before = _to_be_done_before(scene, step)
        if before:
            yield Draft(scene.here, before, "remembered", scale=_DRIVE, place=_PATH)
            return
    step, attacked = _armed(scene, step), scene.attacked
    if _is_open(scene, step) and _is_timely(scene, step, attacked):
        blow = is_fight(step.command)
        yield Draft(
            step.room,
            step.command,
            "remembered",
            scale=_DRIVE * (_TO_THE_END if attacked and blow else 1.0),
            chance=_IN_TROUBLE if _is_in_trouble(scene, blow, attacked) else 1.0,
            place=_PATH,
        )


def _fetched(scene: Scene, step: TrailStep) -> TrailStep | None:
    """To fetch what the step is done with, or fought with better, where it was left behind."""
    held = {thing.noun for thing in scene.held}
    lacking = [noun for noun in needs(step.command) if noun not in held]
    fights = is_fight(step.command)
    best = min(map(weapon_rank, scene.held), default=NO_WEAPON)
    for thing in scene.world.objects() if lacking or fights else ():
        better = fights and thing.taken and weapon_rank(thing) < best
        if better or thing.noun in lacking:
            room = scene.world.location_of(thing.id)
            if room in scene.distances:
                return TrailStep(room, f"take {thing.noun}", 0)
    return None


def _armed(scene: Scene, step: TrailStep) -> TrailStep:
    """The step with the best weapon that is carried, if it is a blow."""
    if _is_armed(scene, step):
        return step
    foe, arms = parse(step.command).object, best_weapons(scene)
    weapons = (thing.noun for thing in scene.held if weapon_rank(thing) < NO_WEAPON)
    best = next((noun for noun in weapons if noun in arms), None)
    return step._replace(command=f"attack {foe} with {best}") if best else step


def _to_be_done_before(scene: Scene, step: TrailStep) -> str | None:
    """What the game asked for before what comes next, or what is put down for a narrow way."""
    command = _first_command(scene, step)
    for request in scene.requests:
        blocked = (scene.here, command) in request.blocked and not request.done
        if blocked and scene.world.failed(request.command, scene.here) is None:
            return request.command
    if command in scene.board.subjects("narrow", scene.here):
        freed = (one.command for one in squeeze(scene) if one.room == scene.here)
        return next(freed, None)
    return None


def _first_command(scene: Scene, step: TrailStep) -> str:
    return (*scene.routes.to(step.room), step.command)[0]


def _to_be_fought(scene: Scene, step: TrailStep | None) -> frozenset[str]:
    """The rooms where somebody is to be beaten: on the way, or for points as once before."""
    won = {room for room, command in scene.guide.earned if is_fight(command)}
    fruitful = (one for one, _ in scene.guide.fruitful(scene.stance.past))
    blows = [one for one in fruitful if is_fight(one.command)]
    rooms = {one.room for one in blows if scene.guide.key(one.room) not in won}
    rooms |= scene.guide.lairs
    return frozenset(rooms | {step.room}) if step and is_fight(step.command) else frozenset(rooms)


def _ways_back(scene: Scene) -> Iterator[Draft]:
    """Away from a fight that hurts, to come back later."""
    for command in scene.map.passages(scene.here):
        if scene.leads_back(scene.here, command):
            yield Draft(scene.here, command, "remembered", place=_PATH)


def _asides(scene: Scene, guide: Guide) -> Iterator[Draft]:
    """What scored elsewhere, as long as it has neither been done nor has failed as things are."""
    held = {thing.noun for thing in scene.held}
    for step, tools in guide.fruitful(scene.stance.past):
        timely = _is_left(scene, step) and _is_open(scene, step) and not _is_blind(scene, step)
        if timely and held.issuperset(tools):
            noun = parse(step.command).object
            yield Draft(step.room, step.command, "remembered", noun, scale=_ASIDE)


def _is_left(scene: Scene, step: TrailStep) -> bool:
    """It has not been done in this episode, and is no fight for somebody hurt."""
    if is_fight(step.command):
        return not scene.wounds
    return not scene.attempts.of(step.room, step.command).worked


def _is_open(scene: Scene, step: TrailStep) -> bool:
    """Nothing speaks against it as things are; a blow that misses is no failure."""
    if (step.room, step.command) in scene.worth_another_try:
        return True
    failed = scene.world.failed(step.command, step.room)
    return failed is None or (is_fight(step.command) and failed.reason not in _ABSENCE)


def _is_blind(scene: Scene, step: TrailStep) -> bool:
    """It is to be done in the dark, or leads there, without a light that lasts."""
    if not scene.unlit or scene.world.dark:
        return False
    edge = scene.map.data["edges"].get(step.room, {}).get(step.command)
    return step.room in scene.unlit or bool(edge and edge[0] in scene.unlit)


def _is_armed(scene: Scene, step: TrailStep) -> bool:
    """What the step fights with, if it is a fight, is carried, and nothing better is."""
    tool = head_of(parse(step.command).second)
    return not is_fight(step.command) or not tool or tool in best_weapons(scene)


def _is_timely(scene: Scene, step: TrailStep, attacked: bool) -> bool:
    """One is free and armed for it, would see something there, and meet nobody one had better not.

    Whoever is attacked strikes or walks, and leaves things alone.
    """
    if attacked and not is_fight(step.command) and not direction_of(step.command):
        return False
    if _is_barred(scene, _first_command(scene, step)):
        return False
    return _is_armed(scene, step) and not _is_blind(scene, step) and not _is_rash(scene, step)


def _is_barred(scene: Scene, command: str) -> bool:
    """It is a way on, past somebody here who lets nobody pass."""
    barred = any(foe.noun in scene.barring for foe in scene.foes)
    return barred and bool(direction_of(command)) and not scene.leads_back(scene.here, command)


def _is_rash(scene: Scene, step: TrailStep) -> bool:
    """It leads past somebody one is not fit to meet."""
    if not scene.shunned:
        return False
    way = scene.map.passages(step.room).get(step.command)
    passed = {step.room, *scene.routes.rooms(step.room), *([way.to] if way else ())}
    return not passed.isdisjoint(scene.shunned)


def _is_in_trouble(scene: Scene, fights: bool, attacked: bool) -> bool:
    """Something else comes first: a light, a fight, or to get away from one."""
    wounded = scene.wounds > 0 and (fights or bool(scene.foes))
    return scene.world.dark or wounded or (attacked and not fights)
