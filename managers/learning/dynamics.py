"""The dynamics model P(s', r given s, a): counts with priors over a state that learns to grow.

The state is the place together with those variables that have proved to decide what a command does
there. Counts back off from the state to the place, to the command elsewhere and to all commands, as
hierarchical Dirichlet priors do (MacKay and Peto 1995), each level with the weight of one
observation. Where a command comes to different outcomes in one state, variables are put on trial
(`managers.learning.variables`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple, Protocol, TypedDict, TypeVar

from managers.learning.cases import (
    Case,
    Context,
    Outcome,
    alike,
    known,
    outcome,
    tally,
    with_case,
)
from managers.learning.evidence import unexplained
from managers.learning.prediction import drawn, information, mean_reward, predictive, success_rate
from managers.learning.review import CONTRADICTION, Review, Verdict, forgotten
from managers.learning.variables import Dropped, Variable, admitted, chance_of, may_return, named

MOST_CONTEXTS = 240
MOST_CASES_IN_ALL = 1200
MOST_COMMANDS = 240
_EFFECTS = 60
"""Different outcomes told apart over all commands."""
_LONGEST = 120
"""Characters of a place and a command that count."""
_REQUESTS = 5
_T = TypeVar("_T")
_PENDING = 8


class DynamicsData(TypedDict):
    """What the model has learned, as plain data for the graph state."""

    contexts: dict[str, Context]
    """`place|command` -> what it came to there; the latest last."""
    commands: dict[str, list[Case]]
    """Command -> what it came to anywhere."""
    overall: list[Case]
    """What any command came to."""
    variables: dict[str, Variable]
    dropped: dict[str, Dropped]
    pending: list[str]
    """Contexts with something to judge variables by, since the last review."""
    turn: int
    """Of the last proposal or review."""


class AgentState(Protocol):
    """What a state is to the model."""

    @property
    def location(self) -> str:
        """`L3 Kitchen`, of which the id before the space counts, or a room's key."""

    @property
    def tracked_state(self) -> Mapping[str, str]:
        """Variable -> value, `unknown` where it is not known."""


class Draw(NamedTuple):
    """What a command may come to if the model is as it was drawn."""

    success: float
    """Probability that it is neither refused nor deadly."""
    reward: float
    """Points to be expected."""


class Contradiction(NamedTuple):
    """The same command in the same state with different outcomes."""

    place: str
    command: str
    outcomes: tuple[Outcome, ...]
    bits: float
    """How much the state leaves unexplained: observations times entropy."""

    def __str__(self) -> str:
        return f"`{self.command}` in {self.place}: {' or '.join(map(str, self.outcomes))}"


def empty() -> DynamicsData:
    """Before anything was seen."""
    return DynamicsData(
        contexts={}, commands={}, overall=[], variables={}, dropped={}, pending=[], turn=0
    )


class DynamicsModel:
    """A view over plain data; what it learns replaces the data and leaves the old as it was.

    Args:
        data: learned before; nothing if None.
    """

    def __init__(self, data: DynamicsData | None = None) -> None:
        self.data: DynamicsData = data if data is not None else empty()

    # -- what is known --------------------------------------------------------

    def observation_count(self, state: AgentState, action: str) -> int:
        """How often the action was seen in this state.

        Where a variable that matters is unknown in the state, all its values count.
        """
        return sum(case["count"] for case in self._here(state, action))

    def failure_count(self, state: AgentState, action: str) -> int:
        """How many of these observations were refusals or deaths."""
        return sum(n for one, n in tally(self._here(state, action)).items() if one.failed)

    def outcomes(self, state: AgentState, action: str) -> dict[Outcome, float]:
        """The outcomes seen in this place with their posterior predictive probabilities."""
        weights = self._weights(state, action)
        total = self.observation_count(state, action) + 1.0
        return {one: weight / total for one, weight in weights.items()}

    def unseen(self, state: AgentState, action: str) -> float:
        """The probability of an outcome never seen in this place: what the seen ones leave of 1."""
        return 1 - sum(self.outcomes(state, action).values())

    def probability(
        self, state: AgentState, action: str, effect: str, reward: float | None = None
    ) -> float:
        """The posterior predictive probability of an effect, with a reward or with any."""
        wanted = outcome(effect, reward or 0.0)
        levels = self._levels(state, action)
        return predictive(levels, wanted.effect, None if reward is None else wanted.reward)

    def expected_reward(self, state: AgentState, action: str) -> float:
        """The posterior mean of the points, drawn towards what the action brought elsewhere."""
        return mean_reward(self._levels(state, action))

    def draw(self, state: AgentState, action: str, rng: Random) -> Draw:
        """Chance of success and expected points in one model drawn from the posterior.

        For Thompson sampling: what was seen often hardly varies, what was never seen comes out as
        something that happened elsewhere.
        """
        levels = self._levels(state, action)
        weights = self._weights(state, action)
        shares = [(one, rng.gammavariate(weight, 1.0)) for one, weight in weights.items()]
        rest = self.observation_count(state, action) + 1.0 - sum(weights.values())
        if rest > 0:
            shares.append((drawn(levels[2:], rng), rng.gammavariate(rest, 1.0)))
        total = sum(share for _, share in shares)
        success = sum(share for one, share in shares if not one.failed)
        reward = sum(share * one.reward for one, share in shares)
        return Draw(success / total, reward / total)

    def information(self, state: AgentState, action: str) -> float:
        """The bits that one more observation is expected to teach about the outcomes.

        What was never seen in this place counts as two outcomes, one that works and one that fails.
        """
        weights = list(self._weights(state, action).values())
        rest = self.observation_count(state, action) + 1.0 - sum(weights)
        works = success_rate(self._levels(state, action)[2:])
        return information([*weights, rest * works, rest * (1 - works)])

    def contradictions(self) -> list[Contradiction]:
        """What the states do not explain, the most bits first, a bounded number."""
        found = [self._contradiction(context) for context in self.data["contexts"]]
        ranked = sorted((one for one in found if one), key=lambda one: -one.bits)
        return ranked[:_REQUESTS]

    def contradiction(self, state: AgentState, action: str) -> Contradiction | None:
        """What the states do not explain about one action in the present place."""
        return self._contradiction(_context_of(state, action))

    @property
    def tracked(self) -> list[str]:
        """The variables whose values are wanted every turn: those kept and those on trial."""
        return list(self.data["variables"])

    @property
    def kept(self) -> list[str]:
        """The variables that have proved to matter."""
        return [name for name, variable in self.data["variables"].items() if variable["kept"]]

    # -- learning -------------------------------------------------------------

    def observe(self, state: AgentState, action: str, effect: str, reward: float = 0.0) -> None:
        """Count one outcome of an action taken in a state."""
        data, seen = self.data, outcome(effect, reward)
        context, command = _context_of(state, action), action[:_LONGEST]
        old = data["contexts"].get(context) or Context(by=[], cases=[])
        values = known(state.tracked_state, data["variables"])
        entry = Context(by=old["by"], cases=with_case(old["cases"], values, seen, old["by"]))
        cases = with_case(data["commands"].get(command, []), {}, seen)
        self.data = {
            **data,
            "contexts": _bounded(_renewed(data["contexts"], context, entry, MOST_CONTEXTS)),
            "commands": _renewed(data["commands"], command, cases, MOST_COMMANDS),
            "overall": with_case(data["overall"], {}, seen, most=_EFFECTS),
        }
        if len(tally(entry["cases"])) > 1:
            self._test(context, values)

    def propose(self, names: Mapping[str, str], turn: int, accuracy: float = 0.5) -> None:
        """Put variables on trial; the likeliest to matter get the places.

        What was dropped may come back after a rest, while contradictions remain.

        Args:
            names: variable -> who suggested it (`rules` or `oracle`).
            turn: of the proposal.
            accuracy: how often the oracle's suggestions proved useful, 0 to 1.
        """
        variables = self.data["variables"]
        for text, source in names.items():
            name, chance = named(text), chance_of(source, accuracy)
            dropped = self.data["dropped"].get(name)
            if dropped:
                chance *= 0.5 ** dropped["times"]
            if name and (not dropped or (may_return(dropped, turn) and self.contradictions())):
                variables = admitted(variables, name, source, chance, turn)
        contexts = self.data["contexts"]
        for name in self.data["variables"]:
            if name not in variables:
                contexts = forgotten(contexts, name)
        self.data = {**self.data, "contexts": contexts, "variables": variables, "turn": turn}

    def review(self, turn: int) -> list[Verdict]:
        """Keep the variables that explain something, drop those that had their chance."""
        data = self.data
        review = Review(data["contexts"], data["variables"], data["dropped"], turn)
        for context in data["pending"]:
            if context in review.contexts:
                review.judge(context)
        review.withdraw()
        self.data = {
            **data,
            "contexts": review.contexts,
            "variables": review.variables,
            "dropped": review.dropped,
            "pending": [],
            "turn": turn,
        }
        return review.verdicts

    def _test(self, context: str, values: Mapping[str, str]) -> None:
        """Note that a context has something to judge variables by, and those known in it."""
        data = self.data
        pending = [*(one for one in data["pending"] if one != context), context]
        variables = data["variables"]
        if self._contradiction(context):
            tested: dict[str, Variable] = {
                name: {**variable, "tested": variable["tested"] + 1, "last": data["turn"]}
                for name, variable in variables.items()
                if name in values
            }
            variables = {**variables, **tested}
        self.data = {**data, "pending": pending[-_PENDING:], "variables": variables}

    # -- reading the data -----------------------------------------------------

    def _here(self, state: AgentState, action: str) -> list[Case]:
        """The cases seen in this state."""
        entry = self.data["contexts"].get(_context_of(state, action))
        if entry is None:
            return []
        return alike(entry["cases"], known(state.tracked_state, entry["by"]))

    def _levels(self, state: AgentState, action: str) -> list[dict[Outcome, int]]:
        """Counts in this state, in its place otherwise, of the command and of all elsewhere."""
        entry = self.data["contexts"].get(_context_of(state, action))
        place = tally(entry["cases"]) if entry else {}
        here = tally(self._here(state, action))
        command = tally(self.data["commands"].get(action[:_LONGEST], []))
        overall = tally(self.data["overall"])
        return [here, _less(place, here), _less(command, place), _less(overall, command)]

    def _weights(self, state: AgentState, action: str) -> dict[Outcome, float]:
        """Each outcome seen in this place with its observations, real and of the prior.

        All outcomes together weigh one observation more than were made in this state.
        """
        here, *rest = self._levels(state, action)
        seen = list(dict.fromkeys((*here, *rest[0])))
        return {one: here.get(one, 0) + predictive(rest, *one) for one in seen}

    def _contradiction(self, context: str) -> Contradiction | None:
        entry = self.data["contexts"].get(context)
        bits = unexplained(entry["cases"], entry["by"]) if entry else 0.0
        if entry is None or bits < CONTRADICTION:
            return None
        place, _, command = context.partition("|")
        return Contradiction(place, command, tuple(tally(entry["cases"])), round(bits, 2))


def _context_of(state: AgentState, action: str) -> str:
    """Where an action is counted: by the place's id, since titles may be shared."""
    return f"{state.location.partition(' ')[0]}|{action}"[:_LONGEST]


def _less(outer: Mapping[Outcome, int], inner: Mapping[Outcome, int]) -> dict[Outcome, int]:
    """The observations of the outer table that are not among those of the inner one."""
    return {one: left for one, n in outer.items() if (left := n - inner.get(one, 0)) > 0}


def _renewed(table: Mapping[str, _T], key: str, value: _T, most: int) -> dict[str, _T]:
    """The table with the entry at its end; the one not touched for longest gives way."""
    renewed = dict(table)
    renewed.pop(key, None)
    renewed[key] = value
    if len(renewed) > most:
        del renewed[next(iter(renewed))]
    return renewed


def _bounded(contexts: dict[str, Context]) -> dict[str, Context]:
    """The contexts without the oldest, as far as there are too many cases in all."""
    total = sum(len(entry["cases"]) for entry in contexts.values())
    while total > MOST_CASES_IN_ALL:
        oldest = next(iter(contexts))
        total -= len(contexts.pop(oldest)["cases"])
    return contexts
