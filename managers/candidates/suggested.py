"""Prospects that the text, a change or a hypothesis suggests: cues, what failed, what may help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.candidates.prospect import HELD, Prospect
from managers.candidates.scene import Scene
from managers.text.commands import parse_command
from managers.text.cues import Cue
from managers.text.lexicon import head_of, words_of
from managers.world import GameObject
from managers.world.objects import INVENTORY
from managers.world.resolvers import HELPS

_WITH_TOOL = 1.5
"""How much more it is worth with what the text was about, or with a blade."""
_CUTTING = frozenset({"cut", "slice", "chop", "dice"})
_OVERCOME = frozenset({"locked", "closed", "not_held"})
"""Reasons for a failure that an action may have removed."""
_TELLING = frozenset({"examine", "look"})
_TESTED = frozenset({"unlocks", "opens"})
"""What is worth a test of its own; a fight is another matter."""
_OPENS_SOMETHING = 2.0
"""How much more it is worth to open what has refused than what merely can be opened."""


def cued(scene: Scene) -> Iterator[Prospect]:
    """What the text has spoken of doing with things that are at hand."""
    if not scene.stance.faculties.cues:
        return
    things = (*scene.around, *scene.held)
    for cue, about in scene.leads.cues:
        thing, second = _meant(cue.noun, things), _meant(cue.second, things)
        if thing is None or (cue.second and second is None):
            continue
        for tool in _tools(scene, cue, about) if second is None else ():
            if tool is not thing:
                command = f"{cue.verb} {scene.called(thing)} with {scene.called(tool)}"
                yield Prospect(scene.here, command, "cue", thing.name, scale=_WITH_TOOL)
        place = HELD if thing in scene.held and second is None else ""
        yield Prospect(scene.here, _said(scene, cue, thing, second), "cue", thing.name, place=place)


def _meant(name: str, things: Sequence[GameObject]) -> GameObject | None:
    """The thing that goes by the name, or else the first of the same noun."""
    noun, words = head_of(name), set(words_of(name))
    same = [thing for thing in things if noun and thing.noun == noun]
    exact = [thing for thing in same if words.issubset(words_of(thing.name))]
    return next(iter(exact or same), None)


def _tools(scene: Scene, cue: Cue, about: str) -> list[GameObject]:
    """What is carried and could be meant for it: what the text was about, blades for cutting."""
    tools = [thing for thing in scene.held if not thing.has("readable")]
    meant = _meant(about, tools)
    blades = cue.verb in _CUTTING
    return [tool for tool in tools if tool is meant or (blades and "weapon" in tool.classes)]


def _said(scene: Scene, cue: Cue, thing: GameObject, second: GameObject | None) -> str:
    command = f"{cue.verb} {scene.called(thing)}"
    return command if second is None else f"{command} {cue.preposition} {scene.called(second)}"


def overcome(scene: Scene) -> Iterator[Prospect]:
    """What failed here before an action has changed what it failed for."""
    changed = scene.leads.changed(scene.here)
    for failure in scene.world.failures_at(scene.here):
        tells = parse_command(failure.command).verb in _TELLING
        again = scene.dynamics.tried(scene.here, failure.command).turn > failure.turn
        if failure.reason not in _OVERCOME or failure.turn >= changed or tells or again:
            continue
        if scene.changed_since_failure(failure.command, scene.here):
            yield Prospect(scene.here, failure.command, "retry")


def supposed(scene: Scene) -> Iterator[Prospect]:
    """Test what may open something that has refused, with what is carried and wherever it is."""
    for idea in scene.world.hypotheses():
        helper, trouble = map(scene.world.resolve, (idea.subject, idea.object))
        settled = idea.tested or idea.disproven or idea.predicate not in _TESTED
        if settled or helper is None or trouble is None:
            continue
        room = scene.world.location_of(trouble.id)
        room = scene.here if room == INVENTORY else room
        if helper in scene.held and room in scene.distances:
            command = HELPS[idea.predicate].format(scene.called(trouble), scene.called(helper))
            yield Prospect(
                room,
                command,
                "unlock",
                trouble.name,
                scale=_OPENS_SOMETHING,
                purpose=f"try whether {idea.id} holds",
                odds=idea.confidence,
            )
