"""What a turn means for the trail that is left to later episodes, and for theirs followed here."""

from __future__ import annotations

import zlib
from typing import Any

from managers.candidates.scene import Scene
from managers.dynamics import Dynamics, Outcome, essence
from managers.extraction import TurnExtraction
from managers.knowledge import Knowledge
from managers.map import Map
from managers.memory.guide import Guide, Played, room_key
from managers.memory.past import Past
from managers.memory.trail import QUESTIONED, Step, is_idle, lengthened
from managers.text.commands import parse_command
from managers.text.directions import direction_of
from managers.text.lexicon import head_of
from managers.world import WorldModel

_MOST_FINDS = 60
_ANSWERED = ("yes_no", "which", "missing")
"""Questions of the game whose answer means nothing without what was asked about."""


def with_trail(
    dynamics: Dynamics,
    outcome: Outcome,
    extraction: TurnExtraction,
    scored: int,
    map_: Map,
    world: WorldModel,
) -> Dynamics:
    """The trail with one more step if it had an effect; nothing is added after a death."""
    data = dynamics.data
    if extraction.died or data.get("died"):
        return Dynamics({**data, "died": 1})
    if outcome.place and extraction.question in _ANSWERED:
        data = {**data, "asked": [outcome.place, outcome.command, extraction.turn]}
    way = direction_of(outcome.command)
    worked = map_.moved if way else outcome.success
    if not outcome.place or not (scored or worked):
        return Dynamics(data)
    if outcome.gain and not way and not _is_by_chance(dynamics, outcome, world):
        found = [outcome.place, outcome.command]
        finds = [one for one in data.get("finds", []) if one != found]
        data = {**data, "finds": [*finds, found][-_MOST_FINDS:]}
    trail, asked = data.get("trail", []), data.get("asked")
    if asked and extraction.turn == asked[2] + 1:
        question = Step(asked[0], asked[1], 0, asked[0], QUESTIONED, asked[2])
        trail = lengthened(trail, question, kind="ask")
    step = Step(outcome.place, outcome.command, scored, map_.here, _held(world), extraction.turn)
    narrow = any(room == outcome.place for room, _ in data.get("leads", {}).get("narrow", ()))
    trail = lengthened(trail, step, kind=outcome.kind, gain=outcome.gain, narrow=narrow)
    return Dynamics({**data, "trail": trail})


def _is_by_chance(dynamics: Dynamics, outcome: Outcome, world: WorldModel) -> bool:
    return _is_retaken(dynamics, outcome) or _is_beside(outcome, world)


def _is_retaken(dynamics: Dynamics, outcome: Outcome) -> bool:
    """It was put down here before; other episodes will not find it here."""
    parts = parse_command(outcome.command)
    dropped = f"drop {parts.object}"
    return parts.verb == "take" and bool(dynamics.tried(outcome.place, dropped).successes)


def _is_beside(outcome: Outcome, world: WorldModel) -> bool:
    """It told of something carried or of nothing, and what came up has come up meanwhile."""
    parts = parse_command(outcome.command)
    held = {thing.noun for thing in world.inventory()}
    telling = is_idle(outcome.kind, outcome.command) or parts.verb == "wait"
    return telling and (not parts.object or head_of(parts.object) in held)


def _held(world: WorldModel) -> int:
    """A number for what is carried."""
    return zlib.crc32(" ".join(sorted(thing.noun for thing in world.inventory())).encode())


def followed(
    knowledge: Knowledge, outcome: Outcome | None, scored: int, past: Past, reply: str
) -> Knowledge:
    """Progress on what earlier episodes found; in a room found again, its dangers and use."""
    scene = Scene.of(knowledge)
    if outcome:
        knowledge = knowledge.with_dynamics(_with_foes(scene, outcome))
    guide = Guide(knowledge.dynamics.get("memory", {}))
    if not guide:
        return knowledge
    if outcome:
        guide = Guide(guide.followed(_played(scene, outcome, scored, reply)))
    data = {**knowledge.dynamics, "memory": guide.data}
    here = scene.here
    if here and here not in guide.data["seen"]:
        room = scene.map.data["rooms"][here]
        own = room_key(room["title"], room["text"])
        known = guide.key(here) or past.recognised(room["title"], own)
        data |= _found_again(data, guide, here, known or (own if room["title"] else ""), past)
    return knowledge.with_dynamics(data)


def _with_foes(scene: Scene, outcome: Outcome) -> dict[str, Any]:
    """What was done by others rather than by a command, and where they bar the way."""
    data, leads = dict(scene.dynamics.data), scene.leads.data
    attacked = scene.dynamics.turn in leads.get("hostile", {}).values()
    if outcome.harm and (attacked or scene.foes):
        place, dealt = f"{outcome.place}|{essence(outcome.command)}", data.get("dealt", {})
        data["dealt"] = {**dealt, place: dealt.get(place, 0.0) + outcome.harm}
    for foe in scene.foes:
        barred, met = data.get("barred", []), [scene.here, foe.name]
        if foe.noun in scene.barring and met not in barred:
            data["barred"] = [*barred, met]
    return data


def _played(scene: Scene, outcome: Outcome, scored: int, reply: str) -> Played:
    return Played(
        turn=scene.dynamics.turn,
        room=outcome.place,
        command=outcome.command,
        moved=scene.map.moved,
        worked=outcome.success,
        scored=scored,
        score=int(scene.dynamics.data["score"]),
        foe=bool(scene.foes),
        died=outcome.harm >= 1,
        hurt=scene.leads.wounds > 0,
        effective=outcome.success
        and (outcome.gain > 0 or not is_idle(outcome.kind, outcome.command)),
        reply=reply,
    )


def _found_again(
    data: dict[str, Any], guide: Guide, here: str, key: str, past: Past
) -> dict[str, Any]:
    feared = {f"{here}|{command}": chance for command, chance in past.deadly(key).items()}
    found = {"memory": guide.located(here, key, feared), "harm": {**feared, **data["harm"]}}
    home, known = past.home, data.get("leads", {})
    if home and home[0] == key and not known.get("home"):
        found["leads"] = {**known, "home": [here, home[1]]}
    return found
