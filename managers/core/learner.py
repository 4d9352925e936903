"""What the learner does with one turn: map, world, attempts, statistics, facts, memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from environments.game import Observation
from managers.core import forgetting
from managers.core.skill import Skills
from managers.language.actions import direction_of, parse
from managers.language.layout import sentences
from managers.language.lexicon import head_of
from managers.language.reading import TurnExtraction
from managers.memory.guide import follow
from managers.memory.lessons import LASTING, NO_PAST, Past
from managers.world.attempts import Attempts, FailedAction
from managers.world.facts import Blackboard
from managers.world.knowledge import Knowledge
from managers.world.mapping import is_refused, passage_of
from managers.world.objects import INVENTORY, UNKNOWN, WorldData
from managers.world.queries import NOTE, ToolRequest, apply_requests, noted
from managers.world.rates import Rates
from managers.world.trail import MemoryData
from managers.world.transition import Intention, Transition
from managers.world.view import World

_STAYING = frozenset((*LASTING, "bright", "told", NOTE))
"""Kinds of facts that are true of the story whenever it begins."""


def taken_back(known: Knowledge, world: WorldData, here: str, memory: MemoryData) -> Knowledge:
    """What is known when a command has been taken back: its lesson, and all else as before it."""
    map_, guide = known.map_view.copy(), memory["guide"]
    map_.data["here"] = here
    before = World(world, known.attempts_view)
    if guide:
        guide = {**guide, "found": known.memory["guide"]["found"]}
    known = known._replace(memory={**memory, "guide": guide})
    return known.seen(before, map_)


def begun_anew(known: Knowledge) -> Knowledge:
    """What is known when the story begins again: nobody is anywhere, nothing where it was.

    Of the facts those stay that a later episode would start with, and notes. What worked has to be
    done again, and the way that is followed is gone from its beginning. The trail ends.
    """
    map_, world = known.map_view.copy(), known.world_view.copy()
    map_.attempts = known.attempts_view.begun_anew()
    map_.data["here"] = ""
    for id in world.rows:
        world.change(id, at=UNKNOWN, state={}, taken=0)
    guide = known.memory["guide"]
    if guide:
        guide = {**guide, "path": guide["target"][1] if guide["target"] else [], "earned": []}
    return known._replace(
        facts={kind: rows for kind, rows in known.facts.items() if kind in _STAYING},
        memory={**known.memory, "died": 1, "guide": guide},
    ).seen(World(world.data, map_.attempts), map_)


def learn(
    before: Knowledge,
    turn: int,
    command: str,
    observation: Observation,
    reading: TurnExtraction,
    skills: Skills,
    *,
    intention: Intention | None = None,
    requests: Sequence[ToolRequest] = (),
    objected: Sequence[str] = (),
    past: Past = NO_PAST,
    counting: bool = True,
    remembering: bool = True,
) -> Transition:
    """The record of one more turn; its `after` is what is known now, `before` stays as it was.

    At the opening, turn 0, the command is empty. `skills` notice facts. `intention` is what the
    agent meant by the command, else read from its words; `requests` are what was to be written down
    before it; `objected` are commands that somebody objected to; `past` is what earlier episodes
    say of rooms that are found again. `counting` and `remembering` say whether statistics are kept,
    and what failed.
    """
    meant = intention or intended(before, command)
    played = Transition(turn, command, observation, reading, before, before, meant)
    transition = _perceived(played, requests)
    after, attempts = transition.after, before.attempts_view
    rates = Rates({**before.rates, "score": before.score + transition.scored})
    if command:
        attempts = _attempted(transition, objected, remembering=remembering)
        # A hindrance says nothing of the noun.
        noun = "" if transition.hindered else meant.noun
        room, worked, gain = transition.start, transition.worked, transition.gain
        if counting and direction_of(command):
            # Of ways only a first try tells how many lead on, and not that one is shut just now.
            tried = before.attempts_view.of(room, command).times
            counting = not tried and not transition.hindered
        rates = rates.recorded(
            room, command, meant.kind, noun, worked=worked, gain=gain, counting=counting
        )
    after.map_view.attempts = attempts
    after.world_view.rethink(reading, command, attempts)
    after = after.with_(rates=rates.data).seen(after.world_view, after.map_view)
    transition = replace(transition, after=after)
    board = Blackboard(before.facts, turn)
    after = after.with_(facts=noted(skills.notice(board, transition), requests).data)
    transition = follow(replace(transition, after=after), past)
    things, rooms = len(after.world["objects"]), len(after.map["rooms"])
    if things <= forgetting.MOST_THINGS and rooms <= forgetting.MOST_ROOMS:
        return transition
    return replace(transition, after=forgetting.bounded(transition.after))


def intended(before: Knowledge, command: str) -> Intention:
    """What a command means by its words, to somebody who knows where it is played."""
    if command in before.board.subjects("reply"):
        return Intention("reply")
    if command in before.board.subjects("request"):
        return Intention("prepare")
    direction, here = direction_of(command), before.here
    if direction:
        if here and direction in before.map_view.ways(here).passages:
            return Intention("travel")
        mentioned = before.map_view.data["rooms"][here]["exits"] if here else []
        if direction in mentioned:
            return Intention("exit")
        return Intention("probe" if mentioned else "wander")
    action = parse(command)
    coming_along = {thing.noun for thing in before.world_view.at(INVENTORY)}
    held = head_of(action.object) in coming_along and not action.second
    return Intention(action.kind, action.object, held)


def _perceived(played: Transition, requests: Sequence[ToolRequest]) -> Transition:
    """The transition with map and world as the reply shows them."""
    before, command, reading = played.before, played.command, played.reading
    map_, world = before.map_view.copy(), before.world_view.copy()
    apply_requests(world, requests)
    # Where an answer leads is no passage: it is another question the next time.
    answers = command in before.board.subjects("reply") and not direction_of(command)
    map_.apply(reading, played.observation, "" if answers else command)
    world.apply(reading, played.observation, map_.here, command=command)
    return replace(played, after=before.seen(world, map_))


def _attempted(transition: Transition, objected: Sequence[str], *, remembering: bool) -> Attempts:
    """The attempts with this turn's, and what the reply said against it."""
    command, start, map_ = transition.command, transition.start, transition.after.map_view
    attempts = transition.before.attempts_view.recorded(
        (start, INVENTORY) if transition.meant.held else (start,),
        command,
        transition.turn,
        worked=transition.worked,
        hindered=transition.hindered,
        harm=transition.harm,
        # Somebody else did the harm, not the command.
        dealt=bool(transition.harm) and bool(transition.before.board.of("hostile")),
    )
    edges = map_.data["edges"].get(start, {})
    goes = bool(direction_of(command)) or passage_of(command) in edges
    way = start != "" and not transition.moved and goes
    no_way = way and (transition.observation.facts or is_refused(transition.reading))
    if no_way or (transition.failed and (remembering or way)):
        attempts = attempts.refused(_refusal(transition), way=way)
    return attempts.objected(start, objected, command)


def _refusal(transition: Transition) -> FailedAction:
    """What the reply said against the command, and where."""
    result, after = transition.reading.action_result, transition.after
    twin = after.map_view.data["twin"]
    place = twin[0] if twin else transition.room
    return FailedAction(
        transition.turn,
        transition.command,
        next(iter(sentences(transition.text)), "") or result.prerequisite,
        place,
        result.reason,
        result.prerequisite,
        state=after.world_view.state_for(transition.command, place),
        confidence=result.confidence,
    )
