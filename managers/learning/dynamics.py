"""The dynamics model P(s', r given s, a): counts with priors over a state that learns to grow.

The state is the place together with those variables that have proved to decide what a command does
there. Counts back off from the state to the place, to the command elsewhere and to all commands, as
hierarchical Dirichlet priors do (MacKay and Peto 1995), each level with the weight of one
observation. Where a command comes to different outcomes in one state, variables are put on trial
(`managers.learning.review`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from typing_extensions import TypedDict

from managers.learning.cases import (
    Case,
    CaseContext,
    Consequence,
    consequence,
    known,
    renewed,
    tally,
    with_case,
)
from managers.learning.review import (
    Contradiction,
    Dropped,
    Review,
    TrialVerdict,
    Variable,
    contradiction_in,
)

MOST_CONTEXTS = 240
MOST_COMMANDS = 240
_EFFECTS = 40
"""Different outcomes told apart over all commands."""
_LONGEST = 120
"""Characters of a place and a command that count."""
_REQUESTS = 5
_LOOSE = 2.0
"""Observations that what all commands do is worth for one command in a place it is new to."""
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


class AgentState(Protocol):
    """What a state is to the model."""

    @property
    def location(self) -> str:
        """`L3 Kitchen`, of which the id before the space counts, or a room's key."""

    @property
    def tracked_state(self) -> Mapping[str, str]:
        """Variable -> value, `unknown` where it is not known."""


class _Level(NamedTuple):
    """Outcomes and how often they were seen, summed up; each level backs off to the next one."""

    counts: Mapping[Consequence, int]
    total: int
    reward: float
    """All points together."""
    prior: float
    """The observations that the level behind it is worth."""

    @classmethod
    def of(cls, counts: Mapping[Consequence, int], prior: float = 1.0) -> _Level:
        reward = sum(count * one.reward for one, count in counts.items())
        return cls(counts, sum(counts.values()), reward, prior)


def empty() -> DynamicsData:
    """Before anything was seen."""
    return DynamicsData(contexts={}, commands={}, overall=[], variables={}, dropped={})


class DynamicsModel:
    """A view over plain data; what it learns replaces the data and leaves the old as it was.

    Args:
        data: learned before; nothing if None.
    """

    def __init__(self, data: DynamicsData | None = None) -> None:
        self.data: DynamicsData = data if data is not None else empty()
        self._summed: tuple[list[Case], _Level] = ([], _Level.of({}))

    # -- what is known --------------------------------------------------------

    def observation_count(self, state: AgentState, action: str) -> int:
        """How often the action was seen in this state.

        Where a variable that matters is unknown in the state, all its values count.
        """
        return sum(self._here(state, action).values())

    def failure_count(self, state: AgentState, action: str) -> int:
        """How many of these observations were refusals or deaths."""
        return sum(n for one, n in self._here(state, action).items() if one.failed)

    def probability(
        self, state: AgentState, action: str, effect: str, reward: float | None = None
    ) -> float:
        """The posterior predictive probability of an effect, with a reward or with any."""
        wanted = consequence(effect, reward or 0.0)
        levels = self._levels(state, action)
        return _predictive(levels, wanted.effect, None if reward is None else wanted.reward)

    def expected_reward(self, state: AgentState, action: str) -> float:
        """The posterior mean of the points, drawn towards what the action brought elsewhere."""
        mean = 0.0
        for level in reversed(self._levels(state, action)):
            mean = (level.reward + level.prior * mean) / (level.total + level.prior)
        return mean

    def information(self, state: AgentState, action: str) -> float:
        """What one more observation may teach: how unlikely the likeliest outcome is, 0 to 1.

        Where none was seen in this state, a half.
        """
        seen = {one.effect for one in self._here(state, action)}
        return 1.0 - max((self.probability(state, action, one) for one in seen), default=0.5)

    def contradictions(self) -> list[Contradiction]:
        """What the states do not explain, the most bits first, a bounded number."""
        found = (contradiction_in(*one) for one in self.data["contexts"].items())
        ranked = sorted((one for one in found if one), key=lambda one: -one.bits)
        return ranked[:_REQUESTS]

    def contradiction(self, state: AgentState, action: str) -> Contradiction | None:
        """What the states do not explain about one action in the present place."""
        context = _context_of(state, action)
        entry = self.data["contexts"].get(context)
        return contradiction_in(context, entry) if entry else None

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
        data, seen = self.data, consequence(effect, reward)
        context, command = _context_of(state, action), action[:_LONGEST]
        old = data["contexts"].get(context) or CaseContext(by=[], cases=[])
        values = known(state.tracked_state, data["variables"])
        entry = CaseContext(by=old["by"], cases=with_case(old["cases"], values, seen))
        cases = with_case(data["commands"].get(command, []), {}, seen)
        self.data = {
            **data,
            "contexts": renewed(data["contexts"], context, entry, MOST_CONTEXTS),
            "commands": renewed(data["commands"], command, cases, MOST_COMMANDS),
            "overall": with_case(data["overall"], {}, seen, _EFFECTS),
        }

    def propose(self, names: Iterable[str], source: str, turn: int, accuracy: float = 0.5) -> None:
        """Put variables on trial; the likeliest to matter get the places.

        Args:
            names: of the variables.
            source: who suggested them, `rules` or `oracle`.
            turn: of the proposal.
            accuracy: how often the oracle's suggestions proved useful, 0 to 1.
        """
        review = self._review(turn)
        for name in names:
            review.propose(name, source, accuracy)
        self._take(review)

    def review(self, turn: int) -> list[TrialVerdict]:
        """Judge variables by the latest outcome: keep those that explain something."""
        review = self._review(turn)
        latest = next(reversed(self.data["contexts"]), None)
        cases = self.data["contexts"][latest]["cases"] if latest else []
        total = sum(case["count"] for case in cases)
        if latest and len(tally(cases)) > 1 and (total <= _EVERY or total % 4 == 0):
            review.judge(latest)
        review.tidy()
        self._take(review)
        return review.verdicts

    def _review(self, turn: int) -> Review:
        data = self.data
        return Review(data["contexts"], data["variables"], data["dropped"], turn)

    def _take(self, review: Review) -> None:
        found: DynamicsData = {
            **self.data,
            "contexts": review.contexts,
            "variables": review.variables,
            "dropped": review.dropped,
        }
        self.data = found

    # -- reading the data -----------------------------------------------------

    def _here(self, state: AgentState, action: str) -> dict[Consequence, int]:
        """What was seen in this state."""
        entry = self.data["contexts"].get(_context_of(state, action))
        if entry is None:
            return {}
        given = known(state.tracked_state, entry["by"]).items()
        return tally(case for case in entry["cases"] if given <= case["values"].items())

    def _levels(self, state: AgentState, action: str) -> list[_Level]:
        """What was seen in this state, in its place otherwise, elsewhere, and of all commands."""
        entry = self.data["contexts"].get(_context_of(state, action))
        place = tally(entry["cases"]) if entry else {}
        here = self._here(state, action) if entry and entry["by"] else place
        command = tally(self.data["commands"].get(action[:_LONGEST], []))
        elsewhere = _Level.of(_less(command, place), _LOOSE)
        return [_Level.of(here), _Level.of(_less(place, here)), elsewhere, self._overall()]

    def _overall(self) -> _Level:
        cases = self.data["overall"]
        if self._summed[0] is not cases:
            self._summed = cases, _Level.of(tally(cases))
        return self._summed[1]


def _context_of(state: AgentState, action: str) -> str:
    """Where an action is counted: by the place's id, since titles may be shared."""
    return f"{state.location.partition(' ')[0]}|{action}"[:_LONGEST]


def _less(
    outer: Mapping[Consequence, int], inner: Mapping[Consequence, int]
) -> dict[Consequence, int]:
    """The observations of the outer table that are not among those of the inner one."""
    return {one: left for one, n in outer.items() if (left := n - inner.get(one, 0)) > 0}


def _predictive(levels: Sequence[_Level], effect: str, reward: float | None = None) -> float:
    """The probability of an effect, with a reward or with any, by the levels, nearest first."""
    chance = _by_its_letters(effect)
    if reward is not None:
        chance *= _by_its_letters(repr(reward))
    for level in reversed(levels):
        if reward is None:
            agreeing = sum(count for one, count in level.counts.items() if one.effect == effect)
        else:
            agreeing = level.counts.get(Consequence(effect, reward), 0)
        chance = (agreeing + level.prior * chance) / (level.total + level.prior)
    return chance


def _by_its_letters(text: str) -> float:
    """A prior over all texts that adds up to 1: 256 bytes and an end, all equally likely."""
    return 257.0 ** -(len(text.encode()) + 1)
