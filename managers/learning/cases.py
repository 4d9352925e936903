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
"""Cases of one context that keep their values."""
MOST_CASES_IN_ALL = 1200
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


def outcome(effect: str, reward: float) -> Consequence:
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


def alike(cases: Iterable[Case], values: Mapping[str, str]) -> list[Case]:
    """The cases that have all of these values."""
    return [
        case
        for case in cases
        if all(case["values"].get(name) == value for name, value in values.items())
    ]


def with_case(
    cases: Sequence[Case],
    values: dict[str, str],
    seen: Consequence,
    by: Sequence[str] = (),
    most: int = MOST_OUTCOMES,
) -> list[Case]:
    """The cases with one more observation, at the end.

    Args:
        cases: what was seen before.
        values: the known values of variables at the time.
        seen: what the command came to.
        by: the variables whose values are kept longest.
        most: different outcomes that are told apart.
    """
    seen = _told_apart(cases, seen, most)
    one = Case(values=values, effect=seen.effect, reward=seen.reward, count=1)
    return _faded(_joined(cases, one), by)


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


def less(
    outer: Mapping[Consequence, int], inner: Mapping[Consequence, int]
) -> dict[Consequence, int]:
    """The observations of the outer table that are not among those of the inner one."""
    return {one: left for one, n in outer.items() if (left := n - inner.get(one, 0)) > 0}


def renewed(table: Mapping[str, _T], key: str, value: _T, most: int) -> dict[str, _T]:
    """The table with the entry at its end; the one not touched for longest gives way."""
    changed = dict(table)
    changed.pop(key, None)
    changed[key] = value
    if len(changed) > most:
        del changed[next(iter(changed))]
    return changed


def bounded(contexts: Mapping[str, CaseContext]) -> dict[str, CaseContext]:
    """The contexts without the oldest, as far as there are too many cases in all."""
    left = dict(contexts)
    total = sum(len(entry["cases"]) for entry in left.values())
    while total > MOST_CASES_IN_ALL:
        total -= len(left.pop(next(iter(left)))["cases"])
    return left


def _told_apart(cases: Sequence[Case], seen: Consequence, most: int) -> Consequence:
    """The outcome itself; one with the effect `other` if there are too many different ones."""
    known = {(case["effect"], case["reward"]) for case in cases}
    if seen in known or len(known) < most:
        return seen
    rewards = {reward for _, reward in known}
    reward = seen.reward
    if reward not in rewards and len(rewards) >= most:
        reward = min(sorted(rewards), key=lambda one: abs(one - seen.reward))
    return Consequence(f"failure: {OTHER}" if seen.failed else OTHER, reward)


def _joined(cases: Sequence[Case], one: Case) -> list[Case]:
    effect, reward, values = one["effect"], one["reward"], one["values"]
    for index, case in enumerate(cases):
        same = case["effect"] == effect and case["reward"] == reward
        if same and case["values"] == values:
            more: Case = {**one, "count": case["count"] + one["count"]}
            return [*cases[:index], *cases[index + 1 :], more]
    return [*cases, one]


def _faded(cases: list[Case], by: Sequence[str]) -> list[Case]:
    """At most MOST_CASES: the oldest forget their values, those of `by` last; counts stay."""
    if len(cases) <= MOST_CASES:
        return cases
    for names in (tuple(by), ()):
        index = 0
        while len(cases) > MOST_CASES and index < len(cases):
            case = cases[index]
            values = {name: case["values"][name] for name in names if name in case["values"]}
            if values == case["values"]:
                index += 1
                continue
            rest = [*cases[:index], *cases[index + 1 :]]
            bare: Case = {**case, "values": values}
            joined = _joined(rest, bare)
            merged = len(joined) < len(cases)
            cases = joined if merged else [*cases[:index], bare, *cases[index + 1 :]]
            index += 0 if merged else 1
    return cases
