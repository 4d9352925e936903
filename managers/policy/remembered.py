"""Options out of earlier episodes: the best trajectory step by step, and what scored."""

from __future__ import annotations

from collections.abc import Container, Iterator

from managers.language.actions import direction_of, parse
from managers.language.lexicon import head_of
from managers.memory.trail import TrailStep, is_fight, needs
from managers.policy.needs import squeeze
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
    if not scene.guide:
        return
    step = scene.guide.next_step(scene.here, scene.distances)
    fights = _to_be_fought(scene, step)
    if scene.here in fights and scene.wounds:
        # Away from a fight that hurts, to come back later.
        for command in scene.map.passages(scene.here):
            if scene.leads_back(scene.here, command):
                yield Draft(scene.here, command, "remembered", place=_PATH)
        return
    if step:
        yield from _next(scene, step)
    if not scene.foes:
        yield from _asides(scene, fights)


def _next(scene: Scene, step: TrailStep) -> Iterator[Draft]:
    """The next step of the trajectory, or what it takes to do it."""
    if not scene.foes:
        step = _fetched(scene, step) or step
        before = _to_be_done_before(scene, step)
        if before:
            yield Draft(scene.here, before, "remembered", scale=_DRIVE, place=_PATH)
            return
    armed = _armed(scene, step)
    if armed and _is_open(scene, armed) and _is_timely(scene, armed):
        blow = is_fight(step.command)
        wounded = scene.wounds and (blow or scene.foes)
        # Something else comes first: a light, a fight, or to get away from one.
        in_trouble = scene.world.dark or wounded or (scene.attacked and not blow)
        scale = _DRIVE * (_TO_THE_END if scene.attacked and blow else 1.0)
        chance = _IN_TROUBLE if in_trouble else 1.0
        yield Draft(step.room, armed.command, "remembered", scale=scale, chance=chance, place=_PATH)


def _fetched(scene: Scene, step: TrailStep) -> TrailStep | None:
    """To fetch what the step is done with, or fought with better, where it was left behind."""
    lacking = [noun for noun in needs(step.command) if noun not in scene.held_nouns]
    fights, best = is_fight(step.command), min(map(weapon_rank, scene.held), default=NO_WEAPON)
    for thing in scene.world.objects() if lacking or fights else ():
        better = fights and thing.taken and weapon_rank(thing) < best
        if better or thing.noun in lacking:
            room = scene.world.location_of(thing.id)
            if room in scene.distances:
                return TrailStep(room, f"take {thing.noun}", 0)
    return None


def _armed(scene: Scene, step: TrailStep) -> TrailStep | None:
    """The step, if it is a blow with the best weapon that is carried; None if it lacks one."""
    action, rank = parse(step.command), min(map(weapon_rank, scene.held), default=NO_WEAPON)
    best = [thing.noun for thing in scene.held if weapon_rank(thing) == rank]
    tool = head_of(action.second)
    if not is_fight(step.command) or not tool or tool in best:
        return step
    if rank == NO_WEAPON:
        return None
    return step._replace(command=f"attack {action.object} with {best[0]}")


def _to_be_done_before(scene: Scene, step: TrailStep) -> str | None:
    """What the game asked for before what comes next, or what is put down for a narrow way."""
    command = scene.routes.first(step.room) or step.command
    for request in scene.requests:
        blocked = (scene.here, command) in request.blocked and not request.done
        if blocked and scene.world.failed(request.command, scene.here) is None:
            return request.command
    if command in scene.board.subjects("narrow", scene.here):
        freed = (one.command for one in squeeze(scene) if one.room == scene.here)
        return next(freed, None)
    return None


def _to_be_fought(scene: Scene, step: TrailStep | None) -> set[str]:
    """The rooms where somebody is to be beaten: on the way, or for points as once before."""
    guide = scene.guide
    won = {room for room, command in guide.earned if is_fight(command)}
    blows = (one for one, _ in guide.fruitful(scene.stance.past) if is_fight(one.command))
    rooms = guide.lairs | {one.room for one in blows if guide.key(one.room) not in won}
    return rooms | {step.room} if step and is_fight(step.command) else rooms


def _asides(scene: Scene, fights: Container[str]) -> Iterator[Draft]:
    """What scored elsewhere, as long as it has neither been done nor has failed as things are.

    A fight is one only in the rooms where somebody is to be beaten, and for nobody hurt.
    """
    for step, tools in scene.guide.fruitful(scene.stance.past):
        blow = is_fight(step.command)
        past = scene.wounds if blow else scene.attempts.of(step.room, step.command).worked
        timely = blow == (step.room in fights) and not past and scene.held_nouns.issuperset(tools)
        if timely and _is_open(scene, step) and not _is_blind(scene, step):
            noun = parse(step.command).object
            yield Draft(step.room, step.command, "remembered", noun, scale=_ASIDE)


def _is_open(scene: Scene, step: TrailStep) -> bool:
    """Nothing speaks against it as things are; a blow that misses is no failure."""
    if (step.room, step.command) in scene.worth_another_try:
        return True
    failed = scene.world.failed(step.command, step.room)
    return failed is None or (is_fight(step.command) and failed.reason not in _ABSENCE)


def _is_blind(scene: Scene, step: TrailStep) -> bool:
    """It is to be done in the dark, or leads there, without a light that lasts."""
    return not scene.world.dark and scene.is_unlit(step.room, step.command)


def _is_timely(scene: Scene, step: TrailStep) -> bool:
    """One is free for it, would see something there, and meet nobody one had better not.

    Whoever is attacked strikes or walks, and leaves things alone.
    """
    if scene.attacked and not is_fight(step.command) and not direction_of(step.command):
        return False
    if _is_barred(scene, scene.routes.first(step.room) or step.command):
        return False
    return not _is_blind(scene, step) and not _is_rash(scene, step)


def _is_barred(scene: Scene, command: str) -> bool:
    """It is a way on, past somebody here who lets nobody pass."""
    barred = any(foe.noun in scene.barring for foe in scene.foes)
    return barred and bool(direction_of(command)) and not scene.leads_back(scene.here, command)


def _is_rash(scene: Scene, step: TrailStep) -> bool:
    """It leads past somebody one is not fit to meet."""
    way = scene.map.passages(step.room).get(step.command)
    passed = {step.room, *scene.routes.rooms(step.room), *([way.to] if way else ())}
    return not passed.isdisjoint(scene.shunned)
