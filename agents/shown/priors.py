"""How likely a player is to do something next, by what players of other stories did.

A command is described by features, each a cell of a table of `priors.toml`: the table's name, a
row, mostly its verb, and a column. Their weights, fitted by `benchmarks/priors.py`, add up.
Nothing but standard verbs, classes of nouns and what has become of things is looked at.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from managers.core.scene import Scene
from managers.language import patterns
from managers.language.actions import Action, classes, opposite, parse, table
from managers.language.history import History
from managers.language.lexicon import head_of, words_of
from managers.world.attempts import Tried
from managers.world.objects import INVENTORY

Feature = tuple[str, str, str]
"""Table, row and column."""
_PLACES = (0, 1, 2, 3, 5, 8, 12)
"""Where the planner's ranking is cut into pieces, counted from 0."""
_AGO = (2, 6, 21)
_MOST = 3
"""Numbers are counted so far."""
_LATELY, _JUST = 8, 4
LEAST_VALUE, _MOST_VALUE = -6, 5
_APART = frozenset(("read", "search", "look in", "look under", "look behind", "listen", "smell"))
"""What is told from other examining."""


class Offer(NamedTuple):
    """Something that could be done."""

    command: str
    kind: str
    value: float
    """What the planner thinks it is worth."""
    far: bool = False
    """It is the first step to what is done elsewhere."""


class Learned(NamedTuple):
    """All of `priors.toml`."""

    commands: tuple[str, ...]
    """What is usually done: `listen`, `open {}`, `put {} in {}`."""
    weights: Mapping[str, Mapping[str, Mapping[str, float]]]
    """Table, row and column."""

    def score(self, features: Iterable[Feature]) -> float:
        """The sum of the weights of some features."""
        return sum(
            self.weights.get(name, {}).get(row, {}).get(column, 0.0)
            for name, row, column in features
        )


@cache
def learned() -> Learned:
    """What the program knows of it, read once."""
    data = patterns.read_table("priors", __package__)
    return Learned(tuple(data["commands"]), data["weights"])


def phrase(action: Action) -> str:
    """The standard verb of a command with its preposition; `other` for a story's own."""
    if action.verb not in table().verbs:
        return "other"
    verb = action.head if action.head in _APART else action.verb
    return f"{verb} {action.preposition}".rstrip()


class Features:
    """What tells how likely commands are in one turn."""

    def __init__(self, scene: Scene, history: History) -> None:
        said = history.exchanges
        done = [parse(one.command) for one in said]
        self._scene = scene
        self._things = {thing.noun: thing for thing in (*scene.around, *scene.held)}
        self._phrases = {phrase(one) for one in done}
        """Of all commands that were played."""
        self._handled = Counter(head_of(name) for one in done for name in (one.object, one.second))
        """How often something was done with a noun."""
        self._last_with: dict[str, str] = {}
        """What was done last with a noun, and whether it was the last command of all."""
        for number, action in enumerate(done, 1):
            just = " just" if number == len(done) else ""
            for name in filter(None, (action.object, action.second)):
                self._last_with[head_of(name)] = phrase(action) + just
        words = [frozenset(words_of(one.reply)) for one in said[-_LATELY:]]
        self._replies = {
            last: Counter(chain.from_iterable(words[-last:])) for last in (1, _JUST, _LATELY)
        }
        """In how many of the last replies, so many of them, a word stands."""
        rooms = [one.room for one in reversed(said)]
        self._since = next((n for n, room in enumerate(rooms) if room != scene.here), 0)
        """How many commands were played here since one came."""
        last = parse(history.last.command)
        self._came = last.direction if scene.map.moved else ""
        """The direction in which the last command has led here, if it did."""
        worked = said and scene.attempts.of(said[-1].room, said[-1].command).worked
        became = "moved" if scene.map.moved or not said else "worked" if worked else "vain"
        self._before = f"{'go' if last.direction else phrase(last)} {became}"
        """What was done last, and what came of it."""

    def of(self, choice: Offer, place: int) -> Iterator[Feature]:
        """Those of a choice that has a place in the planner's ranking."""
        action = parse(choice.command)
        sort = "way" if action.direction else "deed"
        worth = round(math.log2(choice.value)) if choice.value > 0 else LEAST_VALUE
        yield "kind", choice.kind, "far" if choice.far else "here"
        yield "rank", sort, str(bisect(_PLACES, place))
        yield "value", sort, str(max(LEAST_VALUE, min(worth, _MOST_VALUE)))
        yield from self._way(action.direction) if action.direction else self._deed(action)

    def _deed(self, action: Action) -> Iterator[Feature]:
        verb, scene = phrase(action), self._scene
        here = (scene.attempts.of(room, action.canonical) for room in (scene.here, INVENTORY))
        tried: Tried = max(here, key=lambda one: one.turn)
        ago = bisect(_AGO, scene.turn - tried.turn)
        became = f"{'worked' if tried.worked else 'vain'} {ago}" if tried.times else "never"
        yield "verb", "thing" if action.object else "alone", verb
        yield "after", verb, self._before
        yield "done", "yes" if verb in self._phrases else "no", verb
        yield "tried", became, verb
        for role, name in (("", action.object), ("second ", action.second)):
            if name:
                yield from self._noun(role, verb, name)

    def _noun(self, role: str, verb: str, name: str) -> Iterator[Feature]:
        noun, replies = head_of(name), self._replies
        thing = self._things.get(noun)
        where = "away" if thing is None else "held" if noun in self._scene.held_nouns else "here"
        for one in sorted(classes(name)) or ("unknown",):
            yield f"{role}class", where, one
            yield f"{role}fit", verb, one
        listed = "listed" if thing is not None and thing.id else "mentioned"
        yield f"{role}where", f"{where} {listed}", verb
        news = "now" if noun in replies[1] else "lately" if noun in replies[_JUST] else "before"
        yield f"{role}news", news, verb
        yield f"{role}last", verb, self._last_with.get(noun, "nothing")
        yield f"{role}handled", where, str(min(self._handled[noun], _MOST))
        yield f"{role}spoken", where, str(min(replies[_LATELY][noun], _MOST))

    def _way(self, way: str) -> Iterator[Feature]:
        scene, here = self._scene, self._scene.here
        known = scene.map.ways(here).passages.get(way)
        gone = "new" if known is None else "gone" if known.seen else "supposed"
        named = "named" if here and way in scene.exits(here) else "unnamed"
        blocked = "refused" if way in scene.attempts.blocked(here) else "free"
        turns = {opposite(self._came): "back", self._came: "on"} if self._came else {}
        new = f"{gone} {named}"
        yield "way", new, blocked
        yield "way after", gone, self._before
        yield "way turn", new, turns.get(way, "aside") if turns else "none"
        yield "way visit", new, str(min(self._since, _MOST))
        if known is not None:
            left = min(len(scene.map.ways(known.to).mentioned), _MOST)
            visits = min(scene.map.room(known.to).visits, _MOST)
            yield "way to", gone, f"{visits} visits {left} left"
