"""What the agent believes after a turn, how far it trusts its oracle, and what it expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from managers.belief.beliefs import AgentBeliefs, BeliefUpdater, observe
from managers.belief.cases import UNKNOWN
from managers.belief.deliberation import Advice
from managers.belief.dynamics import SCORED, DynamicsModel
from managers.belief.outlook import Outlook
from managers.belief.ratings import Ratings, Worth, kind_of
from managers.belief.reliability import OracleReliability, ReadingKind
from managers.belief.wording import sort_of
from managers.core.credit import Aftermath, Reward, judge, reward_of
from managers.core.option import Option
from managers.language.actions import direction_of, parse, same_action
from managers.language.reading import FailureAnalysis, ProgressReport, Reading
from managers.planning.objectives import Objective
from managers.world.objects import INVENTORY, READ, GameObject
from managers.world.transition import Transition
from managers.world.view import World

_MISPLACED = frozenset({"not_here", "not_held"})
"""Reasons for a failure that say that a thing is not where it was taken to be."""
_FAILS_ANYWHERE = frozenset({"unknown_word", "unknown_verb", "pointless"})
DARK, SEATED = "dark", "inside something"
_MOST = 6
_ONCE = 0.5
"""How likely it is, before anything was seen, that a story gives the same points but once."""
_STATES = ("open", "locked", "lit", "worn", "on")


class Choice(NamedTuple):
    """What the command was chosen by."""

    objectives: Sequence[Objective] = ()
    options: Sequence[Option] = ()
    option: Option | None = None
    """The one that was played, if it was any of them."""
    advice: Advice | None = None
    """The oracle's answer of this turn, if it was asked."""
    ratings: Ratings | None = None
    """How likely a model held commands, where a graph has a rater."""


def reflect(outlook: Outlook, transition: Transition, choice: Choice) -> tuple[Outlook, Reward]:
    """The outlook after one more turn, and what the turn brought; the old one stays as it was."""
    model = DynamicsModel(outlook.dynamics)
    reliability = OracleReliability(outlook.reliability, transition.turn)
    beliefs, advice, reading = outlook.beliefs, choice.advice, transition.reading
    if advice is not None:
        beliefs = _advised(beliefs, advice, reliability)
    reward = reward_of(transition, choice.objectives, beliefs)
    if transition.command:
        beliefs = judge(reliability, beliefs, _outcome(transition, choice, reward), advice)
        _count(model, beliefs, transition, reward)
        if advice is not None:
            told = (*advice.variables, *advice.understanding.important_state_variables)
            model.propose(told, "oracle", reliability.variable_accuracy)
        _judge_rating(reliability, transition, choice, reward)
        for verdict in model.review():
            if verdict.source == "oracle":
                reliability.update_variable(verdict.useful)
    beliefs = _present(beliefs, transition, model, reward)
    if isinstance(reading, Reading):
        for kind, right in claims_judged(transition, reading):
            reliability.update(kind, right)
    beliefs = _revised(beliefs, transition, reward, reliability)
    return Outlook(beliefs, reliability.data, model.data), reward


def _judge_rating(
    reliability: OracleReliability, transition: Transition, choice: Choice, reward: Reward
) -> None:
    """Learn what ratings are worth from a command that had one, where it was played."""
    command, room, ratings = transition.command, transition.start, choice.ratings
    if ratings is None:
        return
    idea = choice.option is None and ratings.proposes(room, command)
    height = 0.0 if idea else ratings.height(room, command)
    if not idea and not height:
        return
    kind, known = "idea" if idea else kind_of(command), reliability.data.ratings
    worth = (known.get(kind) or Worth()).after(height, reward.helped)
    reliability.replace(ratings={**known, kind: worth})


def claims_judged(transition: Transition, reading: Reading) -> Iterator[tuple[ReadingKind, bool]]:
    """The claims of a reader that the game has borne out or refuted in a turn.

    What the rules have read, too, is not the reader's fault.
    """
    before, after = transition.before, transition.after
    yield from reading.judged
    way, rooms = direction_of(transition.command), before.map_view.data["rooms"]
    claimed = rooms[transition.start].get("claimed", ()) if transition.start else ()
    if way in claimed and (transition.moved or transition.reason == "no_exit"):
        yield "way", transition.moved
    if INVENTORY in reading.listed:
        listed = {thing.id for thing in after.held}
        claims = (thing for thing in before.held if thing.guess == READ)
        yield from (("place", thing.id in listed) for thing in claims)
    elif transition.failed and transition.reason in _MISPLACED:
        known = before.world_view.meant(transition.action.object)
        near = (*before.held, *before.around)
        if known is not None and known in near and known.guess == READ:
            yield "place", False


def _advised(beliefs: AgentBeliefs, advice: Advice, reliability: OracleReliability) -> AgentBeliefs:
    """The beliefs with what the oracle said before the command was chosen."""
    beliefs = _told_of_last(beliefs, advice, reliability)
    beliefs = BeliefUpdater(reliability).update_from_understanding(beliefs, advice.understanding)
    return beliefs.model_copy(update={"tracked_state": {**beliefs.tracked_state, **advice.state}})


def _told_of_last(
    beliefs: AgentBeliefs, told: Advice | Reading, reliability: OracleReliability
) -> AgentBeliefs:
    """The beliefs with what is said of the last command: why it failed, what it brought."""
    updater = BeliefUpdater(reliability)
    if told.failure is not None and beliefs.action_history:
        last = beliefs.action_history[-1]
        beliefs = updater.update_from_failure_analysis(beliefs, last, told.failure)
    if told.progress is not None:
        beliefs = updater.update_from_progress(beliefs, told.progress)
    return beliefs


def _outcome(transition: Transition, choice: Choice, reward: Reward) -> Aftermath:
    advice = choice.advice
    told = advice.understanding.recommended_action or "" if advice is not None else ""
    command, before, after = transition.command, transition.before, transition.after
    vague = sort_of(command, listed=False) == "vague"
    serving = choice.option.objective if choice.option else None
    return Aftermath(
        turn=transition.turn,
        command=command,
        reward=reward,
        changed=transition.moved or transition.result in ("success", "partial"),
        idle=transition.reason in _FAILS_ANYWHERE or (transition.result == "unknown" and vague),
        pursued=tuple(one.text for one in choice.objectives if one.id == serving),
        utility=transition.meant.expected,
        listed=bool(told) and any(same_action(told, one.command) for one in choice.options),
        refuted=bool(told) and before.world_view.failed(told, before.here) is not None,
        undone=any(one.taken > 1 and one.noun in transition.taken for one in after.held),
    )


def _count(
    model: DynamicsModel, beliefs: AgentBeliefs, transition: Transition, reward: Reward
) -> None:
    """Count what the command came to; ask for variables where the state explains too little."""
    world, action = transition.before.world_view, transition.action.canonical
    values = {name: value_of(name, world) for name in _circumstances(transition.command, world)}
    state = beliefs.model_copy(update={"tracked_state": {**values, **beliefs.tracked_state}})
    effect = transition.result
    if transition.reading.died:
        effect = "death"
    elif transition.start != transition.after.here:
        effect = f"to {transition.after.here}"
    elif transition.reason:
        effect = f"{transition.result}: {transition.reason}"
    model.observe(state, action, effect, reward.scored)
    if contradiction := model.contradiction(beliefs, action):
        if any(one.reward > 0 for one in contradiction.outcomes):
            model.propose([SCORED], "rules", _ONCE)
        model.propose(suggested(transition.command, world), "rules")


def _revised(
    beliefs: AgentBeliefs, transition: Transition, reward: Reward, reliability: OracleReliability
) -> AgentBeliefs:
    """The beliefs with what the reply shows: first the game's own word, then a model's reading."""
    game, command, reading = BeliefUpdater(), transition.command, transition.reading
    shown = ProgressReport(made_progress=reward.helped, accomplishment=reward.said)
    beliefs = game.update_from_progress(beliefs, shown)
    if command and transition.failed:
        failure = FailureAnalysis(
            failure_reason=transition.reason.replace("_", " ") or "no reason given",
            prerequisite=reading.action_result.prerequisite,
        )
        beliefs = game.update_from_failure_analysis(beliefs, command, failure)
    if command and isinstance(reading, Reading):
        beliefs = _told_of_last(beliefs, reading, reliability)
    return beliefs


def _present(
    beliefs: AgentBeliefs, transition: Transition, model: DynamicsModel, reward: Reward
) -> AgentBeliefs:
    """Place, belongings, histories, and the tracked variables as they are now."""
    reading, world = transition.reading, transition.after.world_view
    told = reading.state if isinstance(reading, Reading) else {}
    now = {
        "location": transition.place or beliefs.location,
        "inventory": tuple(thing.name for thing in transition.after.held),
        "tracked_state": {name: told.get(name) or value_of(name, world) for name in model.tracked},
    }
    beliefs = beliefs.model_copy(update=now)
    turn, command = transition.turn, transition.command
    return observe(beliefs, turn, command, transition.text, brought_new=reward.helped)


def suggested(command: str, world: World) -> list[str]:
    """Variables that may explain why a command has different outcomes, the likeliest first."""
    carried = [f"have {thing.name}" for thing in world.inventory()]
    return list(dict.fromkeys([*_circumstances(command, world), *carried]))[:_MOST]


def _circumstances(command: str, world: World) -> list[str]:
    """The states of the things a command names and of what is around, people, light, posture.

    For a way, of what is around only the states of doors.
    """
    action, room = parse(command), world.room
    found: list[str] = []
    named = [world.meant(name, room) for name in (action.object, action.second) if name]
    for thing in filter(None, named):
        found += _states(thing)
        if thing.portable:
            found.append(f"have {thing.name}")
    for thing in world.at(room) if room else ():
        if thing in named:
            continue
        if thing.has("person") or thing.has("creature"):
            found.append(f"{thing.name} here")
        elif not action.direction or thing.has("door"):
            found += _states(thing)
    return list(dict.fromkeys([*found, DARK, SEATED]))[:_MOST]


def _states(thing: GameObject) -> list[str]:
    return [f"{state} {thing.name}" for state in _STATES if thing.is_(state) is not None]


def value_of(name: str, world: World) -> str:
    """`true`, `false`, or `unknown` where the world model cannot tell."""
    state, _, noun = name.partition(" ")
    value: bool | None = None
    if name == DARK:
        value = world.dark
    elif name == SEATED:
        value = bool(world.inside)
    elif name.endswith(" here"):
        thing = world.meant(name.removesuffix(" here"))
        value = thing is not None and world.location_of(thing.id) == world.room
    elif noun and (thing := world.meant(noun)) is not None:
        in_hand = state == "have"
        value = world.location_of(thing.id) == INVENTORY if in_hand else thing.is_(state)
    return UNKNOWN if value is None else str(value).lower()
