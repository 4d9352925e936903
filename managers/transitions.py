"""The dynamics model P(s', r | s, a): counts with priors over a learned state abstraction.

The state is the room together with those tracked variables that have proved to matter for the
command. Where the same command in the same state has different outcomes, variables are put on
trial; one is kept where it explains the difference and dropped where it does not
(`managers.variables`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from managers.beliefs import AgentBeliefs
from managers.variables import Tables, Verdict, bits, reviewed, trial_of

MOST_CONTEXTS = 240
MOST_COMMANDS = 240
MOST_OUTCOMES = 6
MOST_REPLIES = 300
MOST_TABLES = 24
"""Contexts in which one variable is tried out."""
OTHER = "other"
"""Stands for the outcomes of a context beyond the most frequent ones."""
MOST_DROPPED = 24
"""Variables that are remembered as useless, so that they are not tried again at once."""
_BAD = ("failure", "death")
_SURPRISE = 1.0
"""Pseudo-count of an outcome never seen."""
_PRIOR_STRENGTH = 2.0
"""How many observations the command's record elsewhere is worth."""
_CONTRADICTION = 2.0
"""Bits of unexplained outcome from which on a context asks for a variable."""
_MOST_REQUESTS = 5


class Contradiction(NamedTuple):
    """The same command in the same state with different outcomes."""

    room: str
    command: str
    outcomes: tuple[str, ...]
    bits: float
    """How much the state leaves unexplained: observations times entropy."""

    def __str__(self) -> str:
        return f"`{self.command}` in {self.room}: {' or '.join(self.outcomes)}"


class DynamicsModel:
    """A view over plain data; `observe` and `review` replace what they change."""

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        self.data: dict[str, Any] = {
            **{"contexts": {}, "commands": {}, "variables": {}, "dropped": [], "replies": {}},
            **(data or {}),
        }
        """Plain data: what goes into the graph state."""

    # -- what is known --------------------------------------------------------

    def observation_count(self, beliefs: AgentBeliefs, action: str) -> int:
        """How often the action was seen in this state."""
        return sum(count for count, _ in self._table(beliefs, action).values())

    def failure_count(self, beliefs: AgentBeliefs, action: str) -> int:
        """How many of these observations were refusals or deaths."""
        table = self._table(beliefs, action)
        return sum(count for outcome, (count, _) in table.items() if outcome.startswith(_BAD))

    def expected_reward(self, beliefs: AgentBeliefs, action: str) -> float:
        """The posterior mean of the points, drawn towards what the action brought elsewhere."""
        times, rewards = self.data["commands"].get(action, (0, 0.0))
        elsewhere = rewards / (times + _PRIOR_STRENGTH)
        table = self._table(beliefs, action)
        total = float(sum(reward for _, reward in table.values()))
        count = sum(count for count, _ in table.values())
        return float((total + _PRIOR_STRENGTH * elsewhere) / (count + _PRIOR_STRENGTH))

    def probability(self, beliefs: AgentBeliefs, action: str, outcome: str) -> float:
        """The posterior predictive of one outcome; a never seen one shares the pseudo-count."""
        table = self._table(beliefs, action)
        total = float(sum(count for count, _ in table.values())) + _SURPRISE
        return float(table[outcome][0] if outcome in table else _SURPRISE) / total

    def outcomes(self, beliefs: AgentBeliefs, action: str) -> dict[str, float]:
        """The outcomes seen in this state with their posterior predictive probabilities."""
        table = self._table(beliefs, action)
        return {outcome: self.probability(beliefs, action, outcome) for outcome in table}

    def contradictions(self) -> list[Contradiction]:
        """What the state does not explain, the most bits first, a bounded number."""
        found = [self._contradiction(context) for context in self.data["contexts"]]
        ranked = sorted((one for one in found if one), key=lambda one: -one.bits)
        return ranked[:_MOST_REQUESTS]

    def contradiction(self, beliefs: AgentBeliefs, action: str) -> Contradiction | None:
        """What the state does not explain about one action in the present room."""
        return self._contradiction(context_of(beliefs, action))

    def _contradiction(self, context: str) -> Contradiction | None:
        tables = self.data["contexts"].get(context, {"seen": {}})["seen"].values()
        surprise = sum(bits(_counts(table)) for table in tables if len(table) > 1)
        if surprise < _CONTRADICTION:
            return None
        room, _, command = context.partition("|")
        outcomes = {name: 0 for table in tables for name in table}
        return Contradiction(room, command, tuple(outcomes), round(surprise, 2))

    @property
    def tracked(self) -> list[str]:
        """The variables whose values are wanted every turn: those kept and those on trial."""
        return list(self.data["variables"])

    @property
    def kept(self) -> list[str]:
        """The variables that have proved to matter."""
        return [name for name, entry in self.data["variables"].items() if entry["kept"]]

    # -- learning -------------------------------------------------------------

    def observe(
        self, beliefs: AgentBeliefs, action: str, outcome: str, reward: float = 0.0
    ) -> None:
        """Count one outcome of an action taken in the state that `beliefs` describe."""
        context = context_of(beliefs, action)
        entry = self.data["contexts"].get(context) or {"by": [], "seen": {}}
        key = _state_key(entry["by"], beliefs.tracked_state)
        table = _added(entry["seen"].get(key, {}), outcome, reward)
        entry = {**entry, "seen": {**entry["seen"], key: table}}
        self.data["contexts"] = _renewed(self.data["contexts"], context, entry, MOST_CONTEXTS)
        times, rewards = self.data["commands"].get(action, (0, 0.0))
        totals = [times + 1, rewards + reward]
        self.data["commands"] = _renewed(self.data["commands"], action, totals, MOST_COMMANDS)
        self._try_out(context, beliefs, outcome)

    def is_new_reply(self, kind: int, turn: int) -> bool:
        """Whether a kind of reply is seen for the first time; from now on it is known."""
        new = str(kind) not in self.data["replies"]
        self.data["replies"] = _renewed(self.data["replies"], str(kind), turn, MOST_REPLIES)
        return new

    def propose(self, names: Mapping[str, str], turn: int) -> None:
        """Put variables on trial, as long as there is room for more.

        Args:
            names: variable -> who suggested it (`rules` or `oracle`).
            turn: of the proposal.
        """
        variables = self.data["variables"]
        for name, source in names.items():
            variables = trial_of(variables, self.data["dropped"], name, source, turn)
        self.data["variables"] = variables

    def review(self, turn: int) -> list[Verdict]:
        """Keep the variables that explain something, drop those that had their chance."""
        result = reviewed(self.data["variables"], turn)
        if result.splits or result.dropped:
            self.data["variables"] = result.variables
            self.data["dropped"] = [*self.data["dropped"], *result.dropped][-MOST_DROPPED:]
            for context, name, tables in result.splits:
                self._split(context, name, tables)
        return result.verdicts

    def _try_out(self, context: str, beliefs: AgentBeliefs, outcome: str) -> None:
        variables = self.data["variables"]
        tried = {
            name: {**entry, "tables": _cross_counted(entry["tables"], context, value, outcome)}
            for name, entry in variables.items()
            if (value := beliefs.tracked_state.get(name, "unknown")) != "unknown"
            and self._is_open(context, name, entry)
        }
        if tried:
            self.data["variables"] = {**variables, **tried}

    def _is_open(self, context: str, name: str, entry: Mapping[str, Any]) -> bool:
        """Whether it is still to be found out if the variable matters in the context."""
        known = self.data["contexts"][context]
        if name in known["by"] or len(entry["tables"]) >= MOST_TABLES:
            return False
        differing = any(len(table) > 1 for table in known["seen"].values())
        return differing or context in entry["tables"]

    def _split(self, context: str, name: str, tables: Tables) -> None:
        """From now on the variable is part of the state of this context."""
        entry = self.data["contexts"].get(context)
        if entry is None or name in entry["by"]:
            return
        by = [*entry["by"], name]
        seen = {}
        if len(by) == 1:
            seen = {
                _state_key(by, {name: value}): {o: [n, 0.0] for o, n in table.items()}
                for value, table in tables.items()
            }
        self.data["contexts"] = {**self.data["contexts"], context: {"by": by, "seen": seen}}

    def _table(self, beliefs: AgentBeliefs, action: str) -> dict[str, list[Any]]:
        entry = self.data["contexts"].get(context_of(beliefs, action))
        if entry is None:
            return {}
        table: dict[str, list[Any]] = entry["seen"].get(
            _state_key(entry["by"], beliefs.tracked_state), {}
        )
        return table


def context_of(beliefs: AgentBeliefs, action: str) -> str:
    """Where an action's outcomes are counted: by the room's id, since titles may be shared."""
    return f"{beliefs.location.partition(' ')[0]}|{action}"


def _state_key(by: list[str], values: Mapping[str, str]) -> str:
    return ",".join(f"{name}={values.get(name, 'unknown')}" for name in by)


def _counts(table: Mapping[str, list[Any]]) -> list[int]:
    return [count for count, _ in table.values()]


def _added(table: Mapping[str, list[Any]], outcome: str, reward: float) -> dict[str, list[Any]]:
    if outcome not in table and len(table) >= MOST_OUTCOMES:
        outcome = OTHER
    count, total = table.get(outcome, (0, 0.0))
    return {**table, outcome: [count + 1, round(total + reward, 3)]}


def _cross_counted(
    tables: Mapping[str, Tables], context: str, value: str, outcome: str
) -> dict[str, Tables]:
    here = tables.get(context, {})
    row = here.get(value, {})
    row = {**row, outcome: row.get(outcome, 0) + 1}
    return {**tables, context: {**here, value: row}}


def _renewed(table: Mapping[str, Any], key: str, value: Any, most: int) -> dict[str, Any]:
    """The table with the entry at its end; the one not touched for longest gives way."""
    renewed = dict(table)
    renewed.pop(key, None)
    if len(renewed) >= most:
        del renewed[next(iter(renewed))]
    renewed[key] = value
    return renewed
