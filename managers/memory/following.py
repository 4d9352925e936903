"""What a turn means for the episodes to come, and for following those before."""

from __future__ import annotations

from managers.knowledge import Knowledge
from managers.learning.transition import Transition
from managers.memory.atlas import room_key
from managers.memory.guide import Guide
from managers.memory.lessons import Past
from managers.memory.trail import GuideData, MemoryData, TrailStep, lengthened, load_number


def follow(transition: Transition, past: Past) -> Transition:
    """The transition with the trail, the progress on earlier ones, and rooms found again."""
    after = transition.after
    memory = _with_trail(transition) if transition.command else after.memory
    guide = Guide(memory["guide"])
    if guide and transition.command:
        after = after.with_(memory=memory)
        guide = Guide(guide.followed(transition.with_after(after)))
    if guide:
        memory = {**memory, "guide": _located(guide, after, past)}
    return transition.with_after(after.with_(memory=memory))


def _with_trail(transition: Transition) -> MemoryData:
    """The trail with one more step if it had an effect; nothing is added after a death."""
    memory, after = transition.after.memory, transition.after
    start, action = transition.start, transition.action
    if transition.reading.died or memory["died"]:
        return {**memory, "died": 1}
    worked = transition.moved if action.direction else transition.worked
    if not start or not (transition.scored or worked):
        return memory
    held = load_number([thing.noun for thing in after.held])
    step = TrailStep(start, transition.command, transition.scored, after.here, held)
    narrow = bool(after.board.subjects("narrow", start))
    kind, gain = transition.kind, transition.gain
    return {
        **memory,
        "trail": lengthened(memory["trail"], step, kind=kind, gain=gain, narrow=narrow),
    }


def _located(guide: Guide, after: Knowledge, past: Past) -> GuideData:
    """With the remembered room that this one is, or what later episodes will call it."""
    here = after.here
    if not here or guide.key(here):
        return guide.data
    room = after.map_view.data["rooms"][here]
    own = room_key(room["title"], room["text"])
    key = past.recognised(room["title"], own) or (own if room["title"] else "")
    found = guide.data["found"]
    return {**guide.data, "found": {**found, here: key}} if key else guide.data
