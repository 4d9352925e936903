"""What was seen of a command: cases, each with the state's values, an outcome and a count.

Everything here is plain data that can be stored; no function changes what it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from typing_extensions import TypedDict

UNKNOWN = "unknown"
"""What a variable is where its value is not known; never counted as a value."""
OTHER = "other"
"""The effect that stands for all beyond the first few different ones."""
MOST_CASES = 60
"""Cases of one context; the oldest are forgotten."""
MOST_OUTCOMES = 6
"""Different outcomes told apart in one context, and with one command."""
_LONGEST = 80
"""Characters of an effect or a value that count."""
_FAILED = ("failure", "death")
_T = TypeVar("_T")


class Consequence(NamedTuple):
    """What a command came to: its effect and the points it brought."""

    effect: str
    reward: float

    @property
    def failed(self) -> bool:
        """Whether it was a refusal or a death."""
        return self.effect.startswith(_FAILED)

    def __str__(self) -> str:
        return f"{self.effect} ({self.reward:+g} points)" if self.reward else self.effect


class Case(TypedDict):
    """An outcome together with the values known before it."""

    values: dict[str, str]
    effect: str
    reward: float
    count: int


class CaseContext(TypedDict):
    """One command in one place."""

    by: list[str]
    """The variables that its outcomes depend on."""
    cases: list[Case]
    """The latest last."""


def consequence(effect: str, reward: float) -> Consequence:
    """An outcome as it is counted: the text of bounded length, points to three decimals."""
    return Consequence(effect[:_LONGEST], round(float(reward), 3))


def known(values: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The values of those variables that have one."""
    found = {name: values.get(name, UNKNOWN)[:_LONGEST] for name in names}
    return {name: value for name, value in found.items() if value not in (UNKNOWN, "")}


def tally(cases: Iterable[Case]) -> dict[Consequence, int]:
    """How often each outcome was seen."""
    counts: dict[Consequence, int] = {}
    for case in cases:
        seen = Consequence(case["effect"], case["reward"])
        counts[seen] = counts.get(seen, 0) + case["count"]
    return counts


def with_case(
    cases: Sequence[Case], values: dict[str, str], seen: Consequence, most: int = MOST_OUTCOMES
) -> list[Case]:
    """The cases with one more observation, at the end.

    Args:
        cases: what was seen before.
        values: the known values of variables at the time.
        seen: what the command came to.
        most: different outcomes that are told apart.
    """
    known = {(case["effect"], case["reward"]) for case in cases}
    if seen not in known and len(known) >= most:
        seen = seen._replace(effect=f"failure: {OTHER}" if seen.failed else OTHER)
    one = Case(values=values, effect=seen.effect, reward=seen.reward, count=1)
    return _joined(cases, one)[-MOST_CASES:]


def forgotten(contexts: Mapping[str, CaseContext], name: str) -> dict[str, CaseContext]:
    """The contexts without the values of one variable; what is the same then is one case."""
    left = dict(contexts)
    for key, entry in contexts.items():
        if name in entry["by"] or any(name in case["values"] for case in entry["cases"]):
            cases: list[Case] = []
            for case in entry["cases"]:
                values = {one: value for one, value in case["values"].items() if one != name}
                cases = _joined(cases, {**case, "values": values})
            left[key] = CaseContext(by=[one for one in entry["by"] if one != name], cases=cases)
    return left


def renewed(table: Mapping[str, _T], key: str, value: _T, most: int) -> dict[str, _T]:
    """The table with the entry at its end; those not touched for longest give way."""
    entries = {**table}
    entries.pop(key, None)
    entries[key] = value
    while len(entries) > most:
        del entries[next(iter(entries))]
    return entries


def _joined(cases: Sequence[Case], one: Case) -> list[Case]:
    """With one more case, which is counted with the one that is the same."""
    bare = {**one, "count": 0}
    same = [case for case in cases if {**case, "count": 0} == bare]
    more: Case = {**one, "count": one["count"] + sum(case["count"] for case in same)}
    return [*(case for case in cases if case not in same), more]
