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
from typing import Protocol

from typing_extensions import TypedDict

from managers.learning.cases import (
    Case,
    CaseContext,
    Consequence,
    alike,
    bounded,
    forgotten,
    known,
    less,
    outcome,
    renewed,
    tally,
    with_case,
)
from managers.learning.prediction import (
    Draw,
    Level,
    drawn,
    information,
    mean_reward,
    predictive,
    success_rate,
)
from managers.learning.review import Contradiction, Review, TrialVerdict, contradiction_in, is_open
from managers.learning.variables import (
    Dropped,
    Variable,
    admitted,
    chance_of,
    may_return,
    named,
    with_dropped,
)

MOST_CONTEXTS = 240
MOST_COMMANDS = 240
_EFFECTS = 40
"""Different outcomes told apart over all commands."""
_LONGEST = 120
"""Characters of a place and a command that count."""
_REQUESTS = 5
_NOTHING = Level.of({})
_LOOSE = 2.0
"""Observations that what all commands do is worth for one command in a place it is new to."""
_PENDING = 8
_EVERY = 16
"""Observations of a context up to which each is judged; later each fourth is."""


class DynamicsData(TypedDict):
    """What the model has learned, as plain data for the graph state."""

    contexts: dict[str, CaseContext]
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
        self._summed: tuple[list[Case], Level] = ([], _NOTHING)

    # -- what is known --------------------------------------------------------

    def observation_count(self, state: AgentState, action: str) -> int:
        """How often the action was seen in this state.

        Where a variable that matters is unknown in the state, all its values count.
        """
        return sum(case["count"] for case in self._here(state, action))

    def failure_count(self, state: AgentState, action: str) -> int:
        """How many of these observations were refusals or deaths."""
        return sum(n for one, n in tally(self._here(state, action)).items() if one.failed)

    def outcomes(self, state: AgentState, action: str) -> dict[Consequence, float]:
        """The outcomes seen in this place with their posterior predictive probabilities."""
        weights, _, _ = self._posterior(state, action)
        total = self.observation_count(state, action) + 1
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
        return drawn(*self._posterior(state, action), rng)

    def information(self, state: AgentState, action: str) -> float:
        """The bits that one more observation is expected to teach about the outcomes.

        What was never seen in this place counts as two outcomes, one that works and one that fails.
        """
        weights, rest, elsewhere = self._posterior(state, action)
        works = success_rate(elsewhere)
        return information([*weights.values(), rest * works, rest * (1 - works)])

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
        old = data["contexts"].get(context) or CaseContext(by=[], cases=[])
        values = known(state.tracked_state, data["variables"])
        entry = CaseContext(by=old["by"], cases=with_case(old["cases"], values, seen, old["by"]))
        cases = with_case(data["commands"].get(command, []), {}, seen)
        self.data = {
            **data,
            "contexts": bounded(renewed(data["contexts"], context, entry, MOST_CONTEXTS)),
            "commands": renewed(data["commands"], command, cases, MOST_COMMANDS),
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
            before = self.data["dropped"].get(name)
            if before:
                chance *= 0.5 ** before["times"]
            if name and (not before or (may_return(before, turn) and self._puzzled())):
                variables = admitted(variables, name, source, chance, turn)
        contexts, dropped = self.data["contexts"], self.data["dropped"]
        for name, old in self.data["variables"].items():
            if name not in variables:
                contexts = forgotten(contexts, name)
                if old["tested"]:
                    dropped = with_dropped(dropped, name, turn)
        self.data = {
            **self.data,
            "contexts": contexts,
            "variables": variables,
            "dropped": dropped,
            "turn": turn,
        }

    def review(self, turn: int) -> list[TrialVerdict]:
        """Keep the variables that explain something, drop those that had their chance."""
        data = self.data
        review = Review(data["contexts"], data["variables"], data["dropped"], turn)
        for context in data["pending"]:
            if context in review.contexts:
                review.judge(context)
        review.tidy()
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
        pending, variables = data["pending"], data["variables"]
        total = sum(case["count"] for case in data["contexts"][context]["cases"])
        if context not in pending and (total <= _EVERY or total % 4 == 0):
            pending = [*pending, context][-_PENDING:]
        if is_open(data["contexts"][context]):
            tested: dict[str, Variable] = {
                name: {**variable, "tested": variable["tested"] + 1, "last": data["turn"]}
                for name, variable in variables.items()
                if name in values
            }
            variables = {**variables, **tested}
        self.data = {**data, "pending": pending, "variables": variables}

    # -- reading the data -----------------------------------------------------

    def _here(self, state: AgentState, action: str) -> list[Case]:
        """The cases seen in this state."""
        entry = self.data["contexts"].get(_context_of(state, action))
        if entry is None:
            return []
        return alike(entry["cases"], known(state.tracked_state, entry["by"]))

    def _levels(self, state: AgentState, action: str) -> list[Level]:
        """What was seen in this state, in its place otherwise, elsewhere, and of all commands."""
        entry = self.data["contexts"].get(_context_of(state, action))
        command = tally(self.data["commands"].get(action[:_LONGEST], []))
        overall = self._overall()
        if entry is None:
            return [_NOTHING, _NOTHING, Level.of(command, _LOOSE), overall]
        place, here = tally(entry["cases"]), tally(self._here(state, action))
        elsewhere = Level.of(less(command, place), _LOOSE)
        return [Level.of(here), Level.of(less(place, here)), elsewhere, overall]

    def _overall(self) -> Level:
        cases = self.data["overall"]
        if self._summed[0] is not cases:
            self._summed = cases, Level.of(tally(cases))
        return self._summed[1]

    def _posterior(
        self, state: AgentState, action: str
    ) -> tuple[dict[Consequence, float], float, list[Level]]:
        """The outcomes seen in this place with their weights, that of all others, and the rest.

        A weight is the observations in this state and what the levels behind it, which come last,
        say; all weights add up to one observation more than were made.
        """
        here, *behind = self._levels(state, action)
        seen = dict.fromkeys((*here.counts, *behind[0].counts))
        weights = {one: here.counts.get(one, 0) + predictive(behind, *one) for one in seen}
        return weights, max(here.total + 1 - sum(weights.values()), 0.0), behind[1:]

    def _puzzled(self) -> bool:
        contexts = self.data["contexts"]
        return any(is_open(contexts[context]) for context in reversed(contexts))

    def _contradiction(self, context: str) -> Contradiction | None:
        entry = self.data["contexts"].get(context)
        return contradiction_in(context, entry) if entry else None


def _context_of(state: AgentState, action: str) -> str:
    """Where an action is counted: by the place's id, since titles may be shared."""
    return f"{state.location.partition(' ')[0]}|{action}"[:_LONGEST]
