"""Fits what players of some stories did next, for the order of what a model is offered.

`python -m benchmarks.priors [--out FILE] [--leave-out] STORY...` replays walkthroughs, once as the
rules read the text and once with the story's own dictionary (access `words`), and fits a
conditional logit: of all that could be offered in a turn, the likelihood of what the walkthrough
does is as large as the weights of `agents.shown.priors` can make it, small weights preferred.
It writes them to FILE (by default the program's own). With `--leave-out` nothing is written: each
story in turn is looked at with the weights of the others, and how soon its commands are found is
printed. The same stories give the same file, bit for bit.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.shown.priors import Feature, Learned, phrase
from benchmarks.candidates import (
    FIRST,
    Case,
    Moment,
    cells,
    is_found,
    mean_known,
    moments,
    share,
)
from benchmarks.truth import walkthrough
from environments.catalog import find_story
from environments.game import Access
from managers.language.actions import parse

OUT = Path(__file__).parents[1] / "agents" / "shown" / "priors.toml"
HEAD = """\
# What players of other stories did next: what they usually do (commands), and how much
# likelier what makes a command (a row and a column of a table; priors.py says what they are). Made
# by `make priors` of the walkthroughs of the development half, not by hand.
"""
READ_BY = (Access.TEXT, Access.WORDS)
"""Either finds other things to do something with; the same weights are to order both."""
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_STORIES = 2
"""In so many stories a feature has to occur; a usual command with a thing in one more, without
one in any."""
_CASES = 5
_PENALTY = 20.0
_WAYS = 0.25
"""What finding a direction counts, compared with other commands."""
_STEPS, _MEMORY, _CLOSE = 60, 8, 1e-5
_LEAST = 0.03
_NEAR, _EVERY = 40, 4
"""So many options of a turn are all looked at, of the others every so many."""


class Turn(NamedTuple):
    """What could be done in a turn."""

    command: str
    way: bool
    features: Ints
    """Their numbers, one option after the other."""
    options: Ints
    """Which of the options has each."""
    right: NDArray[np.bool_]
    """Which of the options the walkthrough means."""


class Met(dict[Feature, int]):
    """All features that were met, with their numbers."""

    def __missing__(self, feature: Feature) -> int:
        return self.setdefault(feature, len(self))

    def turn(self, moment: Moment) -> Turn:
        """A turn of a walkthrough, whatever the order of its offers."""
        options, features = moment.pool.choices, moment.pool.features
        commands = [one.command for one in options]
        wanted, *probes = moment.try_out([moment.command, *commands[: FIRST[1]]])
        right = [
            is_found(moment.command, wanted, commands, probes, at) for at in range(len(options))
        ]
        met = [[self[each] for each in features.of(one, at)] for at, one in enumerate(options)]
        return Turn(
            moment.command,
            moment.is_way,
            np.concatenate(met),
            np.repeat(np.arange(len(met)), [len(one) for one in met]),
            np.array(right),
        )


class Data:
    """The choices of several stories; of options far down only every so many is looked at."""

    def __init__(self, stories: Mapping[str, Sequence[Turn]], size: int) -> None:
        cases, occurs = np.zeros(size, int), np.zeros(size, int)
        for choices in stories.values():
            met = sum(np.bincount(np.unique(one.features), minlength=size) for one in choices)
            cases += met
            occurs += np.asarray(met) > 0
        self.known = np.flatnonzero((occurs >= _STORIES) & (cases >= _CASES))
        number = np.full(size, -1)
        number[self.known] = np.arange(len(self.known))
        parts: list[tuple[Any, ...]] = []
        weights: list[float] = []
        rows = 0
        for choices in stories.values():
            for one in filter(lambda one: one.right.any(), choices):
                at = np.arange(len(one.right))
                near = (at < _NEAR) | one.right
                kept = near | (at % _EVERY == 0)
                row = np.cumsum(kept) - 1 + rows
                good = kept[one.options] & (number[one.features] >= 0)
                turns = np.full(kept.sum(), len(weights))
                stand_for = np.where(near, 1.0, _EVERY)[kept]
                parts.append(
                    (number[one.features][good], row[one.options][good], turns, one.right[kept],
                     stand_for)
                )  # fmt: skip
                rows += len(turns)
                weights.append((_WAYS if one.way else 1.0) / len(choices) ** 0.5)
        self._columns, self._rows, self._turns, self._right, self._stand_for = (
            np.concatenate(each) for each in zip(*parts, strict=True)
        )
        self._weights = np.array(weights) / np.mean(weights)

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """How unlikely the right choices are, and how that changes with every weight."""
        scores = np.bincount(self._rows, weights[self._columns], len(self._turns))
        best = np.full(len(self._weights), -np.inf)
        np.maximum.at(best, self._turns, scores)
        odds = np.exp(scores - best[self._turns]) * self._stand_for
        all_of, right_of = (
            np.bincount(self._turns, one, len(self._weights)) for one in (odds, odds * self._right)
        )
        lost = -(self._weights * np.log(right_of / all_of)).sum()
        pull = odds / all_of[self._turns] - odds * self._right / right_of[self._turns]
        pull *= self._weights[self._turns]
        slope = np.bincount(self._columns, pull[self._rows], len(weights))
        return lost + _PENALTY / 2 * (weights**2).sum(), slope + _PENALTY * weights


def fit(stories: Mapping[str, Sequence[Turn]], size: int) -> Floats:
    """The weights of all features under which walkthroughs are likeliest."""
    data, weights = Data(stories, size), np.zeros(size)
    weights[data.known] = np.round(least(data.loss, len(data.known)), 2)
    return np.where(np.abs(weights) < _LEAST, 0.0, weights)


def least(loss: Callable[[Floats], tuple[float, Floats]], size: int) -> Floats:
    """Where a smooth convex function is least, by L-BFGS; sums are made in one order alone."""
    at = np.zeros(size)
    value, slope = loss(at)
    steps: list[tuple[Floats, Floats]] = []
    for _ in range(_STEPS):
        direction = _direction(slope, steps)
        length = 1.0
        while True:
            there = at - length * direction
            lower, new = loss(there)
            if lower <= value - 1e-4 * length * _dot(slope, direction) or length < 1e-6:
                break
            length /= 2
        if _dot(there - at, new - slope) > 0:
            steps = [*steps, (there - at, new - slope)][-_MEMORY:]
        done = value - lower < _CLOSE * abs(value)
        at, value, slope = there, lower, new
        if done:
            break
    return at


def _direction(slope: Floats, steps: Sequence[tuple[Floats, Floats]]) -> Floats:
    found, shares = slope.copy(), []
    for step, change in reversed(steps):
        shares.append(_dot(step, found) / _dot(step, change))
        found -= shares[-1] * change
    step, change = steps[-1] if steps else (slope, slope)
    found *= _dot(step, change) / _dot(change, change) if steps else 1 / np.abs(slope).sum()
    for step, change in steps:
        found += step * (shares.pop() - _dot(change, found) / _dot(step, change))
    return found


def _dot(one: Floats, other: Floats) -> float:
    return float((one * other).sum())


def usual_commands(stories: Iterable[str]) -> tuple[str, ...]:
    """What walkthroughs do with standard verbs, without the names of things: `jump`, `open {}`."""
    doing: dict[tuple[str, bool, str], set[str]] = defaultdict(set)
    heads: dict[tuple[str, bool, str], Counter[str]] = defaultdict(Counter)
    for story in stories:
        for action in map(parse, walkthrough(find_story(story))[0]):
            standard = phrase(action) != "other" and not action.has("meta")
            if (
                standard
                and not action.direction
                and bool(action.preposition) == bool(action.second)
            ):
                key = phrase(action), bool(action.object), action.preposition
                doing[key].add(story)
                heads[key][action.head] += 1
    found = []
    for key, where in sorted(doing.items()):
        _, thing, preposition = key
        if len(where) > (_STORIES if thing else 0):
            head = heads[key].most_common(1)[0][0]
            second = f" {preposition} {{}}" if preposition else ""
            found.append(f"{head}{' {}' if thing else ''}{second}")
    return tuple(found)


def text(commands: Sequence[str], weights: Mapping[Feature, float]) -> str:
    """The file that holds them."""
    lines = [HEAD, f"commands = {list(commands)}".replace("'", '"'), "", "[weights]"]
    tables: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (name, row, column), weight in sorted(weights.items()):
        tables[name][row].append(f'"{column}" = {weight}')
    for name, rows in tables.items():
        lines += ["", f'[weights."{name}"]']
        lines += [f'"{row}" = {{ {", ".join(cells)} }}' for row, cells in rows.items()]
    return "\n".join(lines) + "\n"


def _found(weights: Floats, one: Turn) -> Case:
    scores = np.bincount(one.options, weights[one.features], len(one.right))
    order = np.argsort(-scores, kind="stable")
    place = next((n for n, at in enumerate(order) if one.right[at]), None)
    return Case(one.command, one.way, place, 0, 0)


def leave_out(stories: Mapping[str, Sequence[Turn]], size: int) -> None:
    """Print how soon the commands of each story are found with the weights of the others."""
    rows = []
    for story, choices in stories.items():
        weights = fit({name: rows for name, rows in stories.items() if name != story}, size)
        found = [_found(weights, one) for one in choices]
        parts = [[one for one in found if one.way == way] for way in (True, False)]
        rows.append([share(part, first) for part in parts for first in FIRST])
        print(f"{Path(story).stem:14}", *(f"{one:>6}" for one in cells(rows[-1])), flush=True)
    means = [mean_known(column) for column in zip(*rows, strict=True)]
    print(f"{'mean':14}", *(f"{one:>6}" for one in cells(means)))


def learn_from(stories: Sequence[str]) -> tuple[tuple[str, ...], dict[Feature, float]]:
    """The usual commands and the weights of the features."""
    commands, features, choices = replayed(stories)
    weights = fit(choices, len(features)).tolist()
    return commands, {name: one for name, one in zip(features, weights, strict=True) if one}


def replayed(stories: Sequence[str]) -> tuple[tuple[str, ...], Met, dict[str, list[Turn]]]:
    """The usual commands, all features that were met, and the choices of every story."""
    taught, features = Learned(usual_commands(stories), {}), Met()
    choices = {
        name: [features.turn(one) for access in READ_BY for one in moments(name, access, taught)]
        for name in stories
    }
    return taught.commands, features, choices


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stories", nargs="+")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--leave-out", action="store_true")
    told = parser.parse_args()
    if told.leave_out:
        _, features, choices = replayed(told.stories)
        leave_out(choices, len(features))
    else:
        told.out.write_text(text(*learn_from(told.stories)), encoding="utf-8")


if __name__ == "__main__":
    main()
