"""What the learner does with one turn: map, world, attempts, statistics, facts, memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from environments.game import Observation
from managers.knowledge import Knowledge
from managers.language.actions import direction_of, parse
from managers.language.layout import sentences
from managers.language.lexicon import head_of
from managers.language.reading import TurnExtraction
from managers.learning.noticing import asking, others, things
from managers.learning.transition import Intention, Transition
from managers.memory.guide import follow
from managers.memory.lessons import NO_PAST, Past
from managers.planning.world_model import WorldModel
from managers.world.attempts import HELD, Attempts, FailedAction
from managers.world.facts import Blackboard
from managers.world.map import Map
from managers.world.mapping import is_refused, passage_of
from managers.world.objects import WorldData
from managers.world.requests import ToolRequest, apply_requests, noted

Rule = Callable[[Blackboard, Transition], Blackboard]
"""What a turn adds to the blackboard, or takes back."""

_RULES: tuple[Rule, ...] = (
    asking.requests,
    others.hostile,
    others.wounds,
    others.barring,
    others.wanted,
    others.escaped,
    asking.deaf,
    asking.replies,
    things.narrow,
    things.absent,
    things.told,
    things.changed,
    things.ways_opened,
    things.prized,
    things.home,
    things.stuck,
    things.failing,
    things.discarded,
    things.revealed,
    things.hints,
    things.notes,
    asking.cues,
    asking.orders,
    asking.ambiguous,
    asking.commands,
    things.bright,
)
"""Every rule that notices facts, in the order in which they read a turn."""


def taken_back(known: Knowledge, world: WorldData, here: str) -> Knowledge:
    """What is known when a command has been taken back: its lesson, and the world before it."""
    map_ = known.map_view.copy()
    map_.data["here"] = here
    before = WorldModel(world, known.attempts_view)
    return Knowledge.seen(known, before, map_, known.attempts_view)


def begun_anew(known: Knowledge) -> Knowledge:
    """What is known when the story begins again: nobody is anywhere, nothing where it was."""
    map_, world = known.map_view.copy(), known.world_view.copy()
    map_.data["here"] = ""
    world.scatter()
    return Knowledge.seen(known, world, map_, known.attempts_view)


def learn(
    before: Knowledge,
    turn: int,
    command: str,
    observation: Observation,
    reading: TurnExtraction,
    *,
    intention: Intention | None = None,
    requests: Sequence[ToolRequest] = (),
    objected: Sequence[str] = (),
    past: Past = NO_PAST,
    counting: bool = True,
    remembering: bool = True,
) -> Transition:
    """The record of one more turn; its `after` is what is known now, `before` stays as it was.

    Args:
        before: what was known before the turn.
        turn: its number, 0 for the opening.
        command: what was played, empty at the opening.
        observation: what it brought.
        reading: of that reply.
        intention: what the agent meant by it; read from its words if None.
        requests: what was to be written down before it: hypotheses, notes, what has moved.
        objected: commands that somebody objected to.
        past: what earlier episodes say of rooms that are found again.
        counting: whether statistics are kept.
        remembering: whether what failed is remembered.
    """
    meant = intention or intended(before, command)
    played = Transition(turn, command, observation, reading, before, before, meant)
    transition = _perceived(played, requests)
    after, attempts = transition.after, before.attempts_view
    rates = before.statistics.scored(transition.scored)
    if command:
        attempts = _attempted(transition, objected, remembering=remembering)
        rates = rates.recorded(
            transition.start,
            command,
            meant.kind,
            meant.noun,
            worked=transition.worked,
            gain=transition.gain,
            hindered=transition.hindered,
            counting=counting,
        )
    after.map_view.attempts = attempts
    after.world_view.rethink(reading, command, attempts)
    after = Knowledge.seen(
        after.with_(rates=rates.data),
        after.world_view,
        after.map_view,
        attempts,
    )
    transition = replace(transition, after=after)
    board = _notice(transition)
    if requests:
        board = noted(board, requests)
    return follow(replace(transition, after=after.with_(facts=board.data)), past)


def intended(before: Knowledge, command: str) -> Intention:
    """What a command means by its words, to somebody who knows where it is played."""
    board = before.board
    if command in board.subjects("reply"):
        return Intention("reply")
    if command in board.subjects("request"):
        return Intention("prepare")
    direction = direction_of(command)
    if direction:
        known = direction in before.map_view.passages(before.here) if before.here else False
        return Intention("travel" if known else _unwalked(before, direction))
    action = parse(command)
    carried = any(thing.noun == head_of(action.object) for thing in before.held)
    return Intention(action.kind, action.object, carried and not action.second)


def _unwalked(before: Knowledge, direction: str) -> str:
    """The kind of a way nobody has walked: whether the prose mentions it, or any way at all."""
    rooms = before.map_view.data["rooms"]
    mentioned = rooms[before.here]["exits"] if before.here else []
    if direction in mentioned:
        return "exit"
    return "probe" if mentioned else "wander"


def _perceived(played: Transition, requests: Sequence[ToolRequest]) -> Transition:
    """The transition with map and world as the reply shows them."""
    before, command, reading = played.before, played.command, played.reading
    map_, world = before.map_view.copy(), before.world_view.copy()
    if requests:
        apply_requests(world, requests)
    # Where an answer leads is no passage: it is another question the next time.
    answers = command in before.board.subjects("reply") and not direction_of(command)
    map_.apply(reading, played.observation, "" if answers else command)
    world.apply(reading, played.observation, map_.here, command=command, scored=played.scored)
    return replace(played, after=Knowledge.seen(before, world, map_, before.attempts_view))


def _attempted(transition: Transition, objected: Sequence[str], *, remembering: bool) -> Attempts:
    """The attempts with this turn's, and what the reply said against it."""
    command, start, map_ = transition.command, transition.start, transition.after.map_view
    twin = map_.data["twin"]
    attempts = transition.before.attempts_view.recorded(
        (start, HELD) if transition.meant.held else (start,),
        command,
        transition.turn,
        worked=transition.worked,
        hindered=transition.hindered,
        harm=transition.harm,
        # Somebody else did the harm, not the command.
        dealt=bool(transition.harm) and bool(transition.before.board.of("hostile")),
    )
    way = start != "" and not transition.moved and _is_way(transition, map_)
    no_way = way and (transition.observation.facts or is_refused(transition.reading))
    if (transition.failed and remembering) or no_way or (transition.failed and way):
        place = twin[0] if twin else start or map_.here
        attempts = attempts.refused(_refusal(transition, place), way=way)
    return attempts.objected(start, objected, command)


def _is_way(transition: Transition, map_: Map) -> bool:
    way = passage_of(transition.command)
    return bool(direction_of(transition.command)) or (
        bool(way) and way in map_.data["edges"].get(transition.start, {})
    )


def _refusal(transition: Transition, place: str) -> FailedAction:
    result = transition.reading.action_result
    said = next(iter(sentences(transition.text)), "")
    return FailedAction(
        transition.turn,
        transition.command,
        said or result.prerequisite,
        place,
        result.reason,
        result.prerequisite,
        state=transition.after.world_view.state_for(transition.command, place),
        confidence=result.confidence,
    )


def _notice(transition: Transition) -> Blackboard:
    """The blackboard after a turn; the transition's `after` still has the one before it."""
    board = transition.before.board.at(transition.turn)
    for rule in _RULES:
        board = rule(board, transition)
    return board
