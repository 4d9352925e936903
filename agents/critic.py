"""The rule-based critic: what is known to fail, to go round in circles, or to kill."""

from __future__ import annotations

from agents.answers import AgentResponse, Ruling
from agents.briefing import Briefing, RecentTurn
from managers.language.actions import canonical, direction_of, parse
from managers.policy.option import RETRACED

_UNPLANNED = 0.7
"""The chance that what nobody planned works."""


class RuleCritic:
    """Objects to proposals that play has already shown to be bad.

    Args:
        danger: The estimated chance of death from which on it objects.
        repeats: How often the same command may bring the same reply in the recent turns.
        once: It objects only once to a command here; who has heard it and insists may go on.
    """

    def __init__(self, *, danger: float = 0.5, repeats: int = 2, once: bool = False) -> None:
        self._danger = danger
        self._repeats = repeats
        self._once = once

    def judge(self, briefing: Briefing) -> Ruling:
        proposal = briefing.proposal
        if proposal is None:
            return _verdict(False, "there is no proposal to judge", 1.0)
        if self._once and _was_told(briefing, proposal.action):
            return _verdict(True, "the actor insists", _UNPLANNED)
        if any(one.kind == RETRACED and one.command == proposal.action for one in briefing.options):
            return _verdict(True, "the same led on from the very same situation", 1.0)
        rules = [self._deadly, _known_failure, _locked, self._repeated, _circling]
        if parse(proposal.action).has("chancy"):
            rules = [self._deadly]
        for rule in rules:
            reason, confidence = rule(briefing, proposal)
            if reason:
                return _verdict(False, reason, confidence)
        return _verdict(True, "nothing known speaks against it", _likely(briefing, proposal))

    def _deadly(self, briefing: Briefing, proposal: AgentResponse) -> tuple[str, float]:
        chance = briefing.situation.dangers.get(proposal.action, 0.0)
        if chance < self._danger:
            return "", 0.0
        return f"it was deadly here before (chance {chance:.0%})", chance

    def _repeated(self, briefing: Briefing, proposal: AgentResponse) -> tuple[str, float]:
        travelling = direction_of(proposal.action) in briefing.situation.exits
        if travelling and not _just_refused(briefing, proposal.action):
            return "", 0.0
        turns = _since_unburdened(_played_here(briefing), proposal.action)
        replies = [turn.reply for turn in turns if turn.command == proposal.action]
        if len(replies) < self._repeats or len(set(replies[-self._repeats :])) > 1:
            return "", 0.0
        return f"it brought the same reply {len(replies)} times: {replies[-1][:60]!r}", 0.8


def _was_told(briefing: Briefing, command: str) -> bool:
    """Somebody has objected to the command here, in this turn or before."""
    heard = (one.command for one in briefing.objections)
    return command in heard or canonical(command) in briefing.situation.objected


def _verdict(accept: bool, reason: str, confidence: float) -> Ruling:
    return Ruling(accept=accept, reason=reason, confidence=confidence, source="rules")


def _likely(briefing: Briefing, proposal: AgentResponse) -> float:
    """The chance that it works, as far as it was planned."""
    planned = (one for one in briefing.options if one.command == proposal.action)
    return next((one.probability for one in planned), _UNPLANNED)


def _just_refused(briefing: Briefing, command: str) -> bool:
    """The same step led nowhere in the last turn."""
    last = _played_here(briefing)[-1:]
    return any(turn is briefing.recent[-1] and turn.command == command for turn in last)


def _played_here(briefing: Briefing) -> list[RecentTurn]:
    """The recent turns that began and ended in the present room."""
    place, turns = briefing.situation.place, briefing.recent
    ended = (*(turn.room for turn in turns[1:]), place)
    return [turn for turn, room in zip(turns, ended, strict=False) if turn.room == room == place]


def _since_unburdened(turns: list[RecentTurn], command: str) -> list[RecentTurn]:
    """For taking something, only the turns since something was put down."""
    if parse(command).verb != "take":
        return turns
    drops = [at for at, turn in enumerate(turns) if parse(turn.command).verb == "drop"]
    return turns[drops[-1] + 1 :] if drops else turns


def _known_failure(briefing: Briefing, proposal: AgentResponse) -> tuple[str, float]:
    failures = briefing.situation.failures
    command = direction_of(proposal.action) or proposal.action
    if command in briefing.situation.exits and not _just_refused(briefing, proposal.action):
        return "", 0.0
    if command not in failures:
        return "", 0.0
    why = failures[command].replace("_", " ")
    told = f" ({why})" if why and why != "no exit" else ""
    return f"it failed here and nothing is known to have changed since{told}", 0.85


def _locked(briefing: Briefing, proposal: AgentResponse) -> tuple[str, float]:
    """What is known to be locked does not open by itself, unless a key is at hand."""
    command, world = parse(proposal.action), briefing.world
    thing = world.resolve(command.object) if command.verb == "open" and command.object else None
    if thing is None or command.second or not thing.is_("locked"):
        return "", 0.0
    if any(held.has("key-like") for held in world.inventory()):
        return "", 0.0
    return f"the {thing.name} is locked, and no key is at hand", 0.85


def _circling(briefing: Briefing, proposal: AgentResponse) -> tuple[str, float]:
    """Two steps back and forth, twice, with nothing gained between."""
    commands = [turn.command for turn in briefing.recent[-5:]] + [proposal.action]
    if len(commands) < 6 or any(direction_of(command) is None for command in commands):
        return "", 0.0
    if commands[:2] == commands[2:4] == commands[4:6] and commands[0] != commands[1]:
        return "it goes back and forth between two places", 0.6
    return "", 0.0
