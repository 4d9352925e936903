"""The dynamics model P(s', r given s, a): counts with priors over a state that learns to grow.

The state is the place together with those variables that have proved to decide what a command does
there. Counts back off from the state to the place and to the command elsewhere, as hierarchical
Dirichlet priors do (MacKay and Peto 1995).

Where a command comes to different outcomes in one state, variables are put on trial. One starts
with the odds that its suggestion gives it, wins or loses the bits that every context has for it
(`managers.belief.cases.evidence`), and is kept at 95 %; it is given up when it has said nothing
for long, or when there is nothing left to explain.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol

from typing_extensions import TypedDict

from environments.figures import Few
from managers.belief.cases import (
    LONGEST,
    UNKNOWN,
    Case,
    CaseContext,
    Consequence,
    Variable,
    chance_of,
    evidence,
    odds_of,
    renewed,
    said_for,
    tally,
    unexplained,
    with_case,
    with_evidence,
)

MOST_CONTEXTS = 240
MOST_COMMANDS = 240
MOST_ON_TRIAL = 8
MOST_KEPT = 8
MOST_GIVEN_UP = 24
SCORED = "scored already"
"""The variable that the model itself knows: whether a command has brought points in its place."""
_LONGEST_CONTEXT = 120
_LONGEST_NAME = 60
_REQUESTS = 5
_ELSEWHERE = 2.0
"""Observations that those of a command in other places are worth for a place it is new to."""
_MOST_DIVIDING = 3
_OPEN = 2.0
"""Bits of unexplained outcome from which on a context asks for a variable."""
_CHANCE, _ORACLES_CHANCE, _LEAST_CHANCE, _MOST_CHANCE = 0.1, 0.5, 0.02, 0.8
"""How often what rules suggest matters, what an oracle does, and anything at least and at most."""
_SURE = math.log2(0.95 / 0.05)
_LEAD, _TIE = 0.5, 16.0
"""Bits by which a variable has to be better than the next, as both may mean the same; and bits
beyond being sure from which on equals are no longer told apart."""
_PATIENCE = 30
"""Unexplained outcomes after which a variable has to have said something."""
_CLEARLY = 1.5
"""How much likelier to matter a new variable has to be than the one it displaces."""
_NEVER_PLAYED = CaseContext(by=[], cases=[])


class DynamicsData(TypedDict):
    """What the model has learned, as plain data for the graph state."""

    contexts: dict[str, CaseContext]
    """`place|command` -> what it came to there; the latest last."""
    commands: dict[str, list[Case]]
    """Command -> what it came to anywhere."""
    variables: dict[str, Variable]
    given_up: dict[str, Few]
    """Variables that explained nothing -> how often."""


class AgentState(Protocol):
    """What a state is to the model."""

    @property
    def location(self) -> str:
        """`L3 Kitchen`, of which the id before the space counts, or a room's key."""

    @property
    def tracked_state(self) -> Mapping[str, str]:
        """Variable -> value, `unknown` where it is not known."""


class Contradiction(NamedTuple):
    """The same command in the same state with different outcomes."""

    place: str
    command: str
    outcomes: tuple[Consequence, ...]
    bits: float
    """How much the state leaves unexplained: observations times entropy."""

    def __str__(self) -> str:
        return f"`{self.command}` in {self.place}: {' or '.join(map(str, self.outcomes))}"


class TrialVerdict(NamedTuple):
    """What became of a variable on trial."""

    name: str
    useful: bool
    source: str


class DynamicsModel:
    """A view over plain data; what it learns replaces the data and leaves the old as it was."""

    def __init__(self, data: DynamicsData | None = None) -> None:
        nothing = DynamicsData(contexts={}, commands={}, variables={}, given_up={})
        self.data: DynamicsData = nothing if data is None else data

    # -- what is known --------------------------------------------------------

    def observation_count(self, state: AgentState, action: str) -> int:
        """How often the action was seen in this state; of an unknown variable all values count."""
        return self._here(state, action).total()

    def failure_count(self, state: AgentState, action: str) -> int:
        """How many of these observations were refusals or deaths."""
        return sum(n for one, n in self._here(state, action).items() if one.failed)

    def probability(
        self, state: AgentState, action: str, effect: str, reward: float | None = None
    ) -> float:
        """The posterior predictive probability of an effect, with a reward or with any.

        What is left of 1 is that of effects that the action never had.
        """
        effect = effect[:LONGEST]
        return self._mean(
            state, action, lambda one: one.effect == effect and reward in (None, one.reward)
        )

    def expected_reward(self, state: AgentState, action: str) -> float:
        """The posterior mean of the points, drawn towards what the action brought elsewhere."""
        return self._mean(state, action, lambda one: one.reward)

    def information(self, state: AgentState, action: str) -> float:
        """How unlikely the likeliest outcome is, 0 to 1; a half where none was seen here."""
        seen = {one.effect for one in self._here(state, action)}
        return 1.0 - max((self.probability(state, action, one) for one in seen), default=0.5)

    def contradictions(self) -> list[Contradiction]:
        """What the states do not explain, the most bits first, a bounded number."""
        found = filter(None, map(self._contradiction, self.data["contexts"]))
        return sorted(found, key=lambda one: -one.bits)[:_REQUESTS]

    def contradiction(self, state: AgentState, action: str) -> Contradiction | None:
        """What the states do not explain about one action in the present place."""
        return self._contradiction(_context_of(state, action))

    @property
    def tracked(self) -> list[str]:
        """The variables whose values are wanted every turn: those kept and those on trial."""
        return [name for name in self.data["variables"] if name != SCORED]

    @property
    def kept(self) -> list[str]:
        """The variables that have proved to matter."""
        return [name for name, variable in self.data["variables"].items() if variable["kept"]]

    def _contradiction(self, context: str) -> Contradiction | None:
        """What the state leaves unexplained in one context, if that asks for a variable."""
        entry = self.data["contexts"].get(context, _NEVER_PLAYED)
        bits = unexplained(entry["cases"], entry["by"])
        if bits < _OPEN:
            return None
        place, _, command = context.partition("|")
        return Contradiction(place, command, tuple(tally(entry["cases"])), round(bits, 2))

    def _in_place(self, state: AgentState, action: str) -> CaseContext:
        """What was seen in this place."""
        return self.data["contexts"].get(_context_of(state, action), _NEVER_PLAYED)

    def _here(self, state: AgentState, action: str) -> Counter[Consequence]:
        """What was seen in this state."""
        entry = self._in_place(state, action)
        if entry is _NEVER_PLAYED:
            return Counter()
        values = self._values(state, entry) if entry["by"] else {}
        given = {name: values[name] for name in entry["by"] if name in values}.items()
        return tally(case for case in entry["cases"] if given <= case["values"].items())

    def _values(self, state: AgentState, entry: CaseContext) -> dict[str, str]:
        """All that is known of the state, and whether the action has brought points in it."""
        scored = str(entry.get("scored", False)).lower()
        values = {**state.tracked_state, SCORED: scored}
        return {name: one[:LONGEST] for name, one in values.items() if one not in (UNKNOWN, "")}

    def _mean(self, state: AgentState, action: str, value: Callable[[Consequence], float]) -> float:
        """The mean of a value in this state, drawn to that in the place, and that to elsewhere."""
        here = self._here(state, action)
        place = tally(self._in_place(state, action)["cases"])
        command = tally(self.data["commands"].get(action[:_LONGEST_CONTEXT], []))
        mean = 0.0
        for counts, prior in ((command - place, _ELSEWHERE), (place - here, 1.0), (here, 1.0)):
            brought = sum(count * value(one) for one, count in counts.items())
            mean = (brought + prior * mean) / (counts.total() + prior)
        return mean

    # -- learning -------------------------------------------------------------

    def observe(self, state: AgentState, action: str, effect: str, reward: float = 0.0) -> None:
        """Count one outcome of an action taken in a state.

        All values of the state are noted, for variables that nobody has thought of yet.
        """
        data, seen = self.data, Consequence(effect[:LONGEST], round(float(reward), 3))
        context, command = _context_of(state, action), action[:_LONGEST_CONTEXT]
        old = self._in_place(state, action)
        entry = CaseContext(
            by=old["by"],
            cases=with_case(old["cases"], self._values(state, old), seen),
            scored=old.get("scored", False) or seen.reward > 0,
        )
        cases = with_case(data["commands"].get(command, []), {}, seen)
        self.data = {
            **data,
            "contexts": renewed(data["contexts"], context, entry, MOST_CONTEXTS),
            "commands": renewed(data["commands"], command, cases, MOST_COMMANDS),
        }

    def propose(self, names: Iterable[str], source: str, chance: float | None = None) -> None:
        """Put variables on trial, as long as a place is free or held by one clearly less likely.

        `chance` is how often such suggestions prove useful, else what is usual for the source,
        `rules` or `oracle`; a variable suggested again is as likely as its best source says. What
        was given up comes back less likely, and only while something is unexplained.
        """
        usual = _ORACLES_CHANCE if source == "oracle" else _CHANCE
        prior = min(max(usual if chance is None else chance, _LEAST_CHANCE), _MOST_CHANCE)
        for text in names:
            name = " ".join(text.lower().split())
            old, times = self.data["variables"].get(name), self.data["given_up"].get(name, 0)
            if not 0 < len(name) <= _LONGEST_NAME or (times and not self.contradictions()):
                continue
            chance = prior * 0.5**times
            if old is None:
                self._try(name, source, chance)
            elif chance > old["chance"]:
                self._put(name, {**old, "source": source, "chance": chance})

    def review(self) -> list[TrialVerdict]:
        """Judge variables by the latest outcome: keep those that explain something."""
        context, entry = next(reversed(self.data["contexts"].items()), ("", _NEVER_PLAYED))
        if not self.data["variables"] or len(tally(entry["cases"])) < 2:
            return []
        if self._contradiction(context):
            for name, one in self._on_trial().items():
                self._put(name, {**one, "waited": one["waited"] + 1})
        self._weigh(context)
        verdicts, changed = [], [context]
        if best := self._convincing(context):
            kept: Variable = {**self.data["variables"][best], "kept": True}
            self._put(best, kept)
            verdicts.append(TrialVerdict(best, True, kept["source"]))
            changed = [context, *kept["bits"]]
        for other in changed:
            if other in self.data["contexts"]:
                self._divide(other)
        spent = [name for name in self.data["variables"] if self._is_spent(name)]
        return verdicts + [one for name in spent for one in self._give_up(name)]

    def _put(self, name: str, variable: Variable) -> None:
        self.data = {**self.data, "variables": {**self.data["variables"], name: variable}}

    def _on_trial(self) -> dict[str, Variable]:
        return {name: one for name, one in self.data["variables"].items() if not one["kept"]}

    def _try(self, name: str, source: str, chance: float) -> None:
        """Put a new variable on trial if a place is free, or held by one clearly less likely."""
        variable = Variable(source=source, chance=chance, kept=False, waited=0, bits={})
        for context, entry in self.data["contexts"].items():
            variable = with_evidence(name, variable, context, entry)
        rivals = {one: chance_of(its) for one, its in self._on_trial().items() if one != SCORED}
        if name != SCORED and len(rivals) >= MOST_ON_TRIAL:
            least = min(rivals, key=lambda one: rivals[one])
            if chance_of(variable) < _CLEARLY * rivals[least]:
                return
            self._give_up(least)
        self._put(name, variable)

    def _weigh(self, context: str) -> None:
        """Note what the context says about each variable, given those that divide it."""
        entry = self.data["contexts"][context]
        for name, variable in self.data["variables"].items():
            self._put(name, with_evidence(name, variable, context, entry))

    def _convincing(self, context: str) -> str:
        """The variable that is to be kept now; empty for none."""
        rivals = self._on_trial().items()
        odds = {name: odds_of(one) for name, one in rivals if context in one["bits"]}
        if not odds or len(self.kept) >= MOST_KEPT:
            return ""
        *_, second, best = ["", *sorted(odds, key=lambda name: odds[name])]
        lead = odds[best] - odds.get(second, -math.inf)
        sure = odds[best] >= _SURE and (lead >= _LEAD or odds[best] >= _SURE + _TIE)
        return best if sure else ""

    def _divide(self, context: str) -> None:
        """Divide the context by the kept variables that explain it, as far as that pays."""
        entry, by, rest = self.data["contexts"][context], list[str](), self.kept
        while rest and len(by) < _MOST_DIVIDING:
            bits = {name: evidence(entry["cases"], by, name) for name in rest}
            best = max(bits, key=lambda name: bits[name])
            if bits[best] <= 0:
                break
            by.append(best)
            rest.remove(best)
        if by != entry["by"]:
            divided = {**self.data["contexts"], context: CaseContext({**entry, "by": by})}
            self.data = {**self.data, "contexts": divided}
            self._weigh(context)

    def _is_spent(self, name: str) -> bool:
        """It explains nothing any more, has had its chance, or nothing is left to explain.

        The model's own variable takes nobody's place and stays on trial.
        """
        variable = self.data["variables"][name]
        if variable["kept"]:
            return not any(name in entry["by"] for entry in self.data["contexts"].values())
        if name == SCORED:
            return False
        if variable["bits"] and not any(map(self._contradiction, variable["bits"])):
            return True
        turns = variable["waited"] / _PATIENCE
        return turns >= 1 and said_for(variable) < turns - 1

    def _give_up(self, name: str) -> list[TrialVerdict]:
        """Ask for a variable no longer; one that was put to the test has explained nothing."""
        data, variables = self.data, {**self.data["variables"]}
        gone, given_up = variables.pop(name), data["given_up"]
        contexts: dict[str, CaseContext] = {
            key: {**entry, "by": [one for one in entry["by"] if one != name]}
            for key, entry in data["contexts"].items()
        }
        if gone["bits"]:
            given_up = renewed(given_up, name, given_up.get(name, 0) + 1, MOST_GIVEN_UP)
        self.data = {**data, "variables": variables, "contexts": contexts, "given_up": given_up}
        return [TrialVerdict(name, False, gone["source"])] if gone["bits"] else []


def _context_of(state: AgentState, action: str) -> str:
    """Where an action is counted: by the place's id, since titles may be shared."""
    return f"{state.location.partition(' ')[0]}|{action}"[:_LONGEST_CONTEXT]
