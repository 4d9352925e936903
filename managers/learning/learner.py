"""What the learner does with one turn: map, world, statistics, leads, and what is left undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from environments.game import Observation
from managers import leads
from managers.affordances import verb_of
from managers.candidates.candidate import REPLY
from managers.candidates.prospect import HELD, Prospect
from managers.candidates.ranking import agenda, left_undone
from managers.candidates.scene import Scene, is_precious
from managers.candidates.stance import PLAIN, Stance
from managers.dynamics import Outcome
from managers.extraction import TurnExtraction
from managers.following import followed, with_trail
from managers.knowledge import Knowledge
from managers.leads.burden import laden
from managers.leads.others import HURT
from managers.map import Map
from managers.text.commands import parse_command
from managers.text.directions import direction_of
from managers.text.lexicon import head_of
from managers.world.requests import ToolRequest, apply_requests

_WORTH_OF_ROOM = 3.0
_WORTH_OF_THING = 0.5
_MOST_THINGS = 6
_LIFELESS = frozenset(
    {
        *("weapon", "nature", "structure", "furniture", "clothing", "door", "container", "plant"),
        *("device", "readable", "food", "drink"),
    }
)
_LIVING = frozenset({"person", "creature"})
_WOUND = 0.3
"""How much of a death a wound is."""
_HINDRANCES = frozenset({"closed", "dark", "not_held", "posture", "too_heavy", "too_full"})
"""Reasons for a failure that say nothing of what was to be done."""
_TELLING = frozenset(
    {"examine", "read", "search", "talk", "ask", "look", "inventory", "wait", "fight"}
)
"""Kinds whose success is a text, so that any reply which is no refusal counts."""


class Lesson(NamedTuple):
    """One turn as the learner sees it."""

    turn: int
    command: str
    """What was played; empty at the opening."""
    observation: Observation
    extraction: TurnExtraction


def learn(
    knowledge: Knowledge,
    lesson: Lesson,
    stance: Stance = PLAIN,
    requests: Sequence[ToolRequest] = (),
    objected: Sequence[str] = (),
) -> Knowledge:
    """The knowledge with one more turn and what was asked to be noted before it.

    What it got stays as it was. `objected` are the commands somebody was kept from playing.
    """
    before, faculties = Scene.of(knowledge, stance=stance), stance.faculties
    scored = _scored(knowledge.dynamics, lesson)
    known, held = len(before.world.objects()), len(before.held)
    map_, world = knowledge.map_view.copy(), knowledge.world_view.copy()
    apply_requests(world, requests)
    map_.apply(lesson.extraction, lesson.observation, lesson.command)
    world.apply(
        lesson.extraction,
        lesson.observation,
        map_.here,
        command=lesson.command,
        scored=scored,
    )
    if not faculties.failures:
        world.forget_failures()
    found = len(world.objects()) - known + max(0, len(world.inventory()) - held)
    # What a death costs says nothing of what such an action is worth: that is its danger.
    earned = max(0, scored) if lesson.extraction.died else scored
    gain = earned + _WORTH_OF_ROOM * map_.new_room + _WORTH_OF_THING * min(found, _MOST_THINGS)
    dynamics, outcome = before.dynamics, None
    if lesson.command:
        outcome = _outcome(before, map_, lesson, gain)
        dynamics = dynamics.record(outcome, lesson.turn, counting=faculties.statistics)
        dynamics = dynamics.noted(*_mentioned(before, lesson))
        if objected:
            dynamics = dynamics.objected_to(before.here, objected)
        dynamics = with_trail(dynamics, outcome, lesson.extraction, scored, map_, world)
    data = {**dynamics.data, "score": knowledge.dynamics["score"] + scored}
    if lesson.observation.actions is not None:
        data["offered"] = {
            action.command: action.points
            for action in lesson.observation.actions
            if not action.ended or action.points > 0
        }
    knowledge = _with_brightness(Knowledge.seen(world, map_, data, knowledge.kept))
    knowledge = _with_leads(knowledge, lesson, before, scored)
    return followed(knowledge, outcome, scored, stance.past, lesson.observation.text)


def _may_shine(scene: Scene) -> bool:
    """A light is carried that burns, or may burn for all one knows."""
    used = "light" in scene.dynamics.data["kinds"]
    lights = [thing for thing in scene.held if "light-source" in thing.classes]
    states = [thing.is_("lit") if thing.is_("on") is None else thing.is_("on") for thing in lights]
    return any(state or (state is None and used) for state in states)


def _with_brightness(knowledge: Knowledge) -> Knowledge:
    """Rooms one can see in without a light of one's own are remembered as bright."""
    scene = Scene.of(knowledge)
    bright = knowledge.dynamics.get("bright", [])
    if not scene.here or scene.world.dark or scene.here in bright or _may_shine(scene):
        return knowledge
    return knowledge.with_dynamics({**knowledge.dynamics, "bright": [*bright, scene.here]})


def _scored(dynamics: dict[str, Any], lesson: Lesson) -> int:
    """The points of this turn, from the status line, else from what the text says."""
    if lesson.observation.score is None:
        return lesson.extraction.score_change
    return lesson.observation.score - int(dynamics["score"])


def _outcome(before: Scene, after: Map, lesson: Lesson, gain: float) -> Outcome:
    prospect = _prospect(before, lesson.command)
    result = lesson.extraction.action_result.result
    told = result == "unknown" and prospect.kind in _TELLING
    return Outcome(
        place=before.here,
        scope=prospect.scope,
        command=lesson.command,
        kind=prospect.kind,
        noun=prospect.noun,
        success=after.moved or gain > 0 or told or result in ("success", "partial"),
        gain=gain,
        harm=_harm(lesson),
        hindered=_is_hindered(lesson),
    )


def _is_hindered(lesson: Lesson) -> bool:
    """What stood in its way may be gone the next time."""
    reason = lesson.extraction.action_result.reason
    return reason in _HINDRANCES or laden(lesson.observation.text)


def _harm(lesson: Lesson) -> float:
    if lesson.extraction.died:
        return 1.0
    return _WOUND if HURT.search(lesson.observation.text) else 0.0


def _prospect(scene: Scene, command: str) -> Prospect:
    """The prospect a command stands for: the one on the agenda, else read from its words."""
    for prospect in scene.left_undone:
        if prospect.command == command:
            return prospect
    if command in scene.leads.replies:
        return Prospect(scene.here, command, REPLY)
    if any(request.command == command for request in scene.leads.requests):
        return Prospect(scene.here, command, "prepare")
    direction = direction_of(command)
    if direction:
        if direction in scene.map.passages(scene.here):
            return Prospect(scene.here, command, "travel")
        return Prospect(scene.here, command, _unwalked(scene, direction))
    parts = parse_command(command)
    held = any(thing.noun == head_of(parts.object) for thing in scene.held) and not parts.second
    place = HELD if held else ""
    return Prospect(scene.here, command, _kind(command), parts.object, place=place)


def _unwalked(scene: Scene, direction: str) -> str:
    """The kind of a way nobody has walked: whether the prose mentions it, or any way at all."""
    mentioned = scene.exits(scene.here) if scene.here else []
    if direction in mentioned:
        return "exit"
    return "probe" if mentioned else "wander"


def _kind(command: str) -> str:
    verb = parse_command(command).verb
    return _KINDS.get(verb, _KINDS.get(verb_of(command), "use"))


_KINDS = {
    "take": "take",
    "open": "open",
    "unlock": "unlock",
    "examine": "examine",
    "read": "read",
    "enter": "enter",
    "climb": "climb",
    "push": "move",
    "pull": "move",
    "move": "move",
    "turn": "move",
    "attack": "fight",
    "put": "put",
    "give": "give",
    "drop": "drop",
    "light": "light",
    "wear": "wear",
    "eat": "consume",
    "drink": "consume",
    "tie": "tie",
    "look": "look",
    "inventory": "inventory",
    "wait": "wait",
    "talk to": "talk",
    "ask": "ask",
    "stand": "prepare",
    "leave": "prepare",
}


def _with_leads(knowledge: Knowledge, lesson: Lesson, before: Scene, scored: int) -> Knowledge:
    scene = Scene.of(knowledge)
    alive = _alive(scene)
    turn = leads.Turn(
        turn=lesson.turn,
        room=before.here or scene.here,
        command=lesson.command,
        text=lesson.observation.text,
        extraction=lesson.extraction,
        scored=scored,
        others=tuple(dict.fromkeys((*alive, *_able(scene)))),
        able=alive,
        held=tuple(thing.noun for thing in before.held),
        precious=tuple(
            thing.noun for thing in (*before.around, *before.held) if is_precious(before, thing)
        ),
        taken=tuple(sorted({one.noun for one in scene.held} - {one.noun for one in before.held})),
    )
    data = {**knowledge.dynamics, "leads": leads.updated(knowledge.dynamics.get("leads", {}), turn)}
    knowledge = knowledge.with_dynamics(data)
    # The agenda joins the scene it is made from, which nobody else has seen yet.
    data["agenda"] = _agenda(knowledge, before)
    return knowledge


def _mentioned(before: Scene, lesson: Lesson) -> tuple[bool, bool]:
    """Whether the command used a noun of which only the prose spoke, and the game knew it."""
    noun = parse_command(lesson.command).object.split()[-1:]
    only = any(not thing.id and [thing.noun] == noun for thing in before.around)
    known = lesson.extraction.action_result.reason not in ("not_here", "unknown_word")
    return only, known


def _able(scene: Scene) -> list[str]:
    """The names of what could be a person or a creature, for all one knows."""
    return [thing.name for thing in scene.around if thing.classes.isdisjoint(_LIFELESS)]


def _alive(scene: Scene) -> tuple[str, ...]:
    """The names of the persons and creatures here."""
    return tuple(
        thing.name
        for thing in scene.around
        if not _LIVING.isdisjoint(thing.classes) and thing.classes.isdisjoint(_LIFELESS)
    )


def _agenda(knowledge: Knowledge, before: Scene) -> dict[str, list[list[Any]]]:
    """What is left undone, by room; of the room just left only the best is kept."""
    scene = Scene.of(knowledge, stance=before.stance)
    table: dict[str, list[list[Any]]] = dict(knowledge.dynamics.get("agenda", {}))
    if before.here in table and before.here != scene.here:
        table[before.here] = [list(prospect) for prospect in left_undone(before)]
    if scene.here:
        table[scene.here] = [list(prospect) for prospect in agenda(scene)]
    return table
