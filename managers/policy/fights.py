"""Options of a fight: against whoever bars the way or attacks, and away from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.policy.option import ESCAPE, Draft
from managers.policy.scene import NO_WEAPON, Scene, is_weapon, weapon_rank
from managers.world.objects import GameObject

_BARRED, _ATTACKED, _AWAY = 5.0, 1.0, 0.7
"""How much it is worth to fight who bars the way, to fight who attacks, and to get away."""
_UNARMED = 0.15
_IN_VAIN = 3
"""After so many attacks another thing is tried that could be a weapon."""


def fight(scene: Scene) -> Iterator[Draft]:
    """Against whoever bars the way or attacks, with the best weapon."""
    arms = sorted((thing for thing in scene.held if is_weapon(thing)), key=weapon_rank)
    for foe in scene.foes:
        arms = sorted(arms, key=lambda arm: _vainly(scene, foe, arm))
        scale = _BARRED if foe.noun in scene.barring else _ATTACKED
        scale *= 1.0 if arms else _UNARMED
        yield Draft(scene.here, _attack(scene, foe, arms), "fight", foe.name, scale=scale)
    for room, foe in scene.lairs.items() if arms and not scene.wounds else ():
        yield Draft(room, _attack(scene, foe, arms), "fight", foe.name)


def flight(scene: Scene) -> Iterator[Draft]:
    """Away from a fight that is not worth it, and back to a weapon that was lost in one."""
    if not scene.foes:
        return
    for thing in scene.around:
        if "weapon" in thing.classes and thing.taken:
            yield Draft(scene.here, f"take {scene.called(thing)}", "prepare", scale=4)
    wounded = scene.wounds > 0
    unarmed = not any(is_weapon(thing) for thing in scene.held)
    if wounded or unarmed or any(foe.noun not in scene.barring for foe in scene.foes):
        for command, passage in scene.map.passages(scene.here).items():
            if scene.leads_back(scene.here, command):
                scale = _AWAY if passage.seen else 0.5
                yield Draft(scene.here, command, ESCAPE, scale=scale)


def best_weapons(scene: Scene) -> frozenset[str]:
    """The nouns of what is best to fight with among what is carried."""
    ranks = {thing.noun: weapon_rank(thing) for thing in scene.held}
    best = min(ranks.values(), default=0)
    return frozenset(noun for noun, rank in ranks.items() if rank == best)


def _vainly(scene: Scene, foe: GameObject, arm: GameObject) -> int:
    """How often something that need not be a weapon was useless, or has not helped, by threes."""
    if weapon_rank(arm) < NO_WEAPON:
        return 0
    attack = f"attack {scene.called(foe)} with {scene.called(arm)}"
    tried = scene.attempts.of(scene.here, attack)
    return tried.times - tried.worked + tried.worked // _IN_VAIN


def _attack(scene: Scene, foe: GameObject, arms: Sequence[GameObject]) -> str:
    attack = f"attack {scene.called(foe)}"
    return f"{attack} with {scene.called(arms[0])}" if arms else attack
