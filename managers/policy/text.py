"""Options that the text itself suggests: what it speaks of doing, asks for, or asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.language.actions import classes, parse
from managers.language.cues import Cue
from managers.language.lexicon import head_of, words_of
from managers.learning.noticing.asking import POSTURE, SPOKEN, Request
from managers.policy.option import REPLY, Draft
from managers.policy.orders import serves
from managers.policy.scene import Scene
from managers.world.attempts import HELD
from managers.world.objects import GameObject

_WITH_TOOL = 1.5
"""How much more it is worth with what the text was about, or with a blade."""
_OVERCOME = frozenset({"locked", "closed", "not_held"})
"""Reasons for a failure that an action may have removed."""
_ELSEWHERE = 0.5
"""How likely what was asked for and failed there works in another room."""
_ASKED = 1.4
_SPOKEN = 5.0
"""How much likelier it is to work what the text has spoken of."""
_ALONE = 0.5
"""How likely it is that a word alone does something here."""
_SURELY_THERE = 0.9
_PERHAPS = 0.5
"""How likely what was refused works after something else than what was asked for."""


def cued(scene: Scene) -> Iterator[Draft]:
    """What the text has spoken of doing with things that are at hand."""
    if not scene.stance.faculties.cues:
        return
    things = (*scene.around, *scene.held)
    done = {fact.subject for fact in scene.board.of("order") if fact.value}
    for fact in scene.board.of("cue"):
        if fact.subject in done:
            continue
        cue, about = Cue.of(fact.subject), fact.value
        thing, second = _meant(cue.noun, things), _meant(cue.second, things)
        if thing is None or (cue.second and second is None):
            continue
        for tool in _tools(scene, cue, about) if second is None else ():
            if tool is not thing:
                command = f"{cue.verb} {scene.called(thing)} with {scene.called(tool)}"
                yield Draft(scene.here, command, "cue", thing.name, scale=_WITH_TOOL)
        place = HELD if thing in scene.held and second is None else ""
        yield Draft(scene.here, _said(scene, cue, thing, second), "cue", thing.name, place=place)


def _meant(name: str, things: Sequence[GameObject]) -> GameObject | None:
    """The thing that goes by the name, or else the first of the same noun."""
    noun, words = head_of(name), set(words_of(name))
    same = [thing for thing in things if noun and thing.noun == noun]
    exact = [thing for thing in same if words.issubset(words_of(thing.name))]
    return next(iter(exact or same), None)


def _tools(scene: Scene, cue: Cue, about: str) -> list[GameObject]:
    """What is carried and could be meant for it: what the text was about, what serves the verb."""
    tools = [thing for thing in scene.held if not thing.has("readable")]
    meant = _meant(about, tools)
    return [tool for tool in tools if tool is meant or serves(tool, cue.verb)]


def _said(scene: Scene, cue: Cue, thing: GameObject, second: GameObject | None) -> str:
    command = f"{cue.verb} {scene.called(thing)}"
    return command if second is None else f"{command} {cue.preposition} {scene.called(second)}"


def overcome(scene: Scene) -> Iterator[Draft]:
    """What failed here before an action has changed what it failed for."""
    changed = scene.knowledge.changed(scene.here)
    for failure in scene.world.failures_at(scene.here):
        tells = parse(failure.command).has("tells")
        again = scene.attempts.of(scene.here, failure.command).turn > failure.turn
        if failure.reason not in _OVERCOME or failure.turn >= changed or tells or again:
            continue
        if scene.changed_since_failure(failure.command, scene.here):
            yield Draft(scene.here, failure.command, "retry")


def asked(scene: Scene) -> Iterator[Draft]:
    """What the game asks for before it lets the agent do something, and then that."""
    for request in scene.requests:
        if request.done:
            for room, blocked in request.blocked:
                if _is_at_hand(scene, blocked):
                    yield Draft(room, blocked, "retry")
        else:
            yield from _open_request(scene, request)
    if scene.world.inside:
        for command in POSTURE:
            yield Draft(scene.here, command, "prepare", chance=0.6, scale=0.7)


def _is_at_hand(scene: Scene, command: str) -> bool:
    """What the command would hand over is carried."""
    parts = parse(command)
    named = parts.verb in ("put", "give", "drop") and head_of(parts.object)
    return not named or any(thing.noun == named for thing in scene.held)


def _open_request(scene: Scene, request: Request) -> Iterator[Draft]:
    for room, blocked in request.blocked:
        if scene.knowledge.changed(room) > scene.attempts.of(room, blocked).turn:
            yield Draft(room, blocked, "retry", chance=_PERHAPS)
    room, blocked = request.blocked[0]
    purpose = f"the game asks for it before `{blocked}`"
    yield Draft(room, request.command, "prepare", purpose=purpose, scale=_ASKED)
    if request.tries and request.command.startswith("get "):
        for command in POSTURE:
            yield Draft(scene.here, command, "prepare", chance=_ELSEWHERE)
    if request.tries and room != scene.here and not _is_fixture(request.command):
        yield Draft(scene.here, request.command, "prepare", chance=_ELSEWHERE)


def _is_fixture(command: str) -> bool:
    """The command is about part of a room, so that no other room will do."""
    known = classes(parse(command).object)
    return bool(known & {"fixed", "scenery", "door", "furniture"})


def answers(scene: Scene) -> Iterator[Draft]:
    """Replies to a question of the game."""
    for reply in scene.board.of("reply"):
        yield Draft(scene.here, reply.subject, REPLY, scale=4)


def unusual(scene: Scene) -> Iterator[Draft]:
    """What the story's own grammar allows beside the usual, most of all what it has spoken of."""
    for fact in scene.board.of("command"):
        chance = _SPOKEN if fact.value == SPOKEN else 1.0
        if "{}" not in fact.subject:
            yield Draft(scene.here, fact.subject, "unusual", chance=chance * _ALONE)
            continue
        for thing in (*scene.around, *scene.held):
            if thing.id and thing.confidence >= _SURELY_THERE:
                command = fact.subject.format(scene.called(thing))
                place = HELD if thing in scene.held else ""
                yield Draft(scene.here, command, "unusual", thing.name, chance=chance, place=place)
