"""What a turn means for the trail that is left to later episodes, and for theirs followed here."""

from __future__ import annotations

import zlib

from managers.knowledge import Knowledge
from managers.language.lexicon import head_of
from managers.learning.transition import Transition
from managers.memory.guide import Guide, room_key
from managers.memory.past import Past
from managers.memory.trail import (
    QUESTIONED,
    GuideData,
    MemoryData,
    TrailStep,
    is_idle,
    lengthened,
)
from managers.world.facts import Fact

_MOST_FINDS = 60
_ANSWERED = ("yes_no", "which", "missing")
"""Questions of the game whose answer means nothing without what was asked about."""


def follow(transition: Transition, past: Past) -> Transition:
    """The transition with the trail, the progress on earlier ones, and rooms found again."""
    after = transition.after
    memory = _with_trail(transition) if transition.command else after.memory
    after = after.with_(memory=memory)
    guide = Guide(memory["guide"])
    if guide:
        if transition.command:
            guide = Guide(guide.followed(transition))
        after = after.with_(memory={**memory, "guide": guide.data})
        here = after.here
        if here and here not in guide.data["seen"]:
            after = _found_again(after, guide, here, past)
    return transition.with_after(after)


def _with_trail(transition: Transition) -> MemoryData:
    """The trail with one more step if it had an effect; nothing is added after a death."""
    memory: MemoryData = {**transition.after.memory}
    start, action = transition.start, transition.action
    if transition.reading.died or memory["died"]:
        return {**memory, "died": 1}
    if start and transition.reading.question in _ANSWERED:
        memory["asked"] = [start, transition.command, transition.turn]
    worked = transition.moved if action.direction else transition.worked
    if not start or not (transition.scored or worked):
        return memory
    if transition.gain and not action.direction and not _is_by_chance(transition):
        found = [start, transition.command]
        finds = [one for one in memory["finds"] if one != found]
        memory["finds"] = [*finds, found][-_MOST_FINDS:]
    memory["trail"] = _lengthened(transition, memory)
    return memory


def _lengthened(transition: Transition, memory: MemoryData) -> list[list[str | int]]:
    after, trail, asked = transition.after, memory["trail"], memory["asked"]
    if asked and transition.turn == int(asked[2]) + 1:
        place, command = str(asked[0]), str(asked[1])
        question = TrailStep(place, command, 0, place, QUESTIONED, int(asked[2]))
        trail = lengthened(trail, question, kind="ask")
    step = TrailStep(
        transition.start,
        transition.command,
        transition.scored,
        after.here,
        zlib.crc32(" ".join(sorted(thing.noun for thing in after.held)).encode()),
        transition.turn,
    )
    narrow = bool(after.board.subjects("narrow", transition.start))
    return lengthened(trail, step, kind=transition.kind, gain=transition.gain, narrow=narrow)


def _is_by_chance(transition: Transition) -> bool:
    """Put down here before, or come up while the command told of something else."""
    action, after = transition.action, transition.after
    if action.verb == "take":
        dropped = after.attempts_view.of(transition.start, f"drop {action.object}")
        return bool(dropped.worked)
    telling = is_idle(transition.kind, transition.command) or action.verb == "wait"
    held = {thing.noun for thing in after.held}
    return telling and (not action.object or head_of(action.object) in held)


def _found_again(after: Knowledge, guide: Guide, here: str, past: Past) -> Knowledge:
    """In a room that earlier episodes knew: its dangers, and whether treasures belong there."""
    room = after.map_view.data["rooms"][here]
    own = room_key(room["title"], room["text"])
    known = guide.key(here) or past.recognised(room["title"], own)
    key = known or (own if room["title"] else "")
    feared = past.deadly(key)
    located: GuideData = guide.located(here, key, feared)
    after = after.with_(memory={**after.memory, "guide": located})
    if feared:
        attempts = after.attempts_view.feared(here, feared)
        after.world_view.attempts = attempts
        after = Knowledge.seen(after, after.world_view, after.map_view.knowing(attempts), attempts)
    home = past.home
    if home and home[0] == key and not after.board.of("home"):
        board = after.board.with_("home", [Fact(home[1], here, turn=after.turn)])
        after = after.with_(facts=board.data)
    return after
