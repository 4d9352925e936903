"""A reader that is wrong in some of its claims: what notes and score it leaves.

Usage: python -m benchmarks.noisy_reader [STORY...] [--wrong 0,10,30,60] [--seeds 1-2] [--steps N]

The reader knows from the object tree what is in scope (the benchmark alone knows it), says it
through the fake server as the extractor's model, and is wrong in so many per cent of its claims.
The actor is that of `offline`. Beside it stands the rules' reading. Told are the share of false
statements in the notes that an actor's prompt would show (what is carried, commands worth
considering, ways that nobody has gone), and the score.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from agents.llm_extractor import MAX_CHANGES, MAX_OBJECTS
from agents.models.scripts import ModelQuestion
from agents.shown.offers import offers
from benchmarks.stories import found_stories
from benchmarks.truth import Beside, Scope
from environments.catalog import find_story
from managers.core.option import Option
from managers.language.actions import DIRECTIONS, WORDS, parse
from managers.language.history import UNDO, History
from managers.language.lexicon import classes_of, head_of, words_of
from orchestrator import play
from orchestrator.evaluation.plan import seed_range
from orchestrator.events import Event, TurnPlayed
from orchestrator.state import State
from orchestrator.turns.context import Views
from orchestrator.turns.current import knowledge_of
from orchestrator.turns.ends import RESTART
from testing.fake_ollama import FakeOllama

STORIES = ("deephome", "lostpig", "library", "detective", "advent", "reverb")
"""Of the half that the program is developed on."""
FALSE = {10: 0.05, 30: 0.10, 60: 0.10}
"""Per cent of wrong claims -> the most false statements that are wanted."""
_TAKEN_BACK = re.compile(r"\[(?:`[^`]*` is|The last (\d+) commands are) taken back")
NAMED_WAYS = frozenset(word for word in WORDS if len(word) > 2) | {"up"}
WINDOW = ("models.default.num_ctx=131072", "models.default.history=100000")
"""All of the play is in the question, so that it tells where the emulator stands."""


@dataclass
class Shares:
    """So many false statements of so many."""

    false: int = 0
    total: int = 0

    def count(self, right: bool) -> None:
        self.false += not right
        self.total += 1

    @property
    def share(self) -> float:
        return self.false / self.total if self.total else 0.0


class Reader:
    """Says what is in scope and was spoken of, some of it wrongly.

    Args:
        beside: An emulator in step with the play.
        wrong: The share of claims that are wrong.
        seed: Of the noise.
    """

    def __init__(self, beside: Beside, wrong: float, seed: int) -> None:
        self.beside = beside
        self.wrong = wrong
        self.seed = seed
        self.claims = Shares()

    def __call__(self, question: ModelQuestion) -> dict[str, Any] | None:
        if question.title != "ReplyNotes":
            return None
        told = pairwise([*question.messages, ("user", "")])
        played = [(one, reply) for (role, one), (_, reply) in told if role == "assistant"]
        played = [(one, reply) for one, reply in played if not one.startswith("{")]
        rng = random.Random(f"{self.seed}/{len(played)}")
        before, after = self.beside.at(line_of(played[:-1])), self.beside.at(line_of(played))
        said = f"{after.text}\n{played[-1][0] if played else ''}"
        changed = before.places != after.places
        result = self._said("success" if changed else "unknown", ("success", "failure"), rng)
        return {
            "room": self._room(after, rng),
            "objects": list(self._objects(after, said, rng))[:MAX_OBJECTS],
            "changes": list(self._changes(before, after, said, rng))[:MAX_CHANGES],
            "result": result,
            "failure_reason": "",
            "prerequisite": None,
            "suggested_action": None,
            "lesson": "",
            "accomplishment": None,
            "new_information": [],
            "state": [],
            "died": False,
        }

    def _room(self, scope: Scope, rng: random.Random) -> dict[str, Any] | None:
        """Of a described room the ways that it has and speaks of."""
        if not scope.title or scope.title.lower() not in scope.text.lower():
            return None
        ways = sorted(scope.exits & directions_in(scope.text))
        exits = [self._said(way, DIRECTIONS, rng) for way in ways]
        return {"title": scope.title, "exits": exits, "dark": False}

    def _objects(self, scope: Scope, said: str, rng: random.Random) -> Iterator[dict[str, Any]]:
        spoken = spoken_of(scope, said)
        known = {word for _, name in spoken for word in words_of(name)}
        others = [word for word in dict.fromkeys(words_of(said)) if word not in known]
        for number, name in spoken:
            place = "inventory" if number in scope.carried else "here"
            if not self._errs(rng):
                yield thing(name, place)
            elif rng.random() < 0.5 or not others:
                yield thing(name, "here" if place == "inventory" else "inventory")
            else:
                yield thing(rng.choice(others), place)

    def _changes(
        self, before: Scope, after: Scope, said: str, rng: random.Random
    ) -> Iterator[dict[str, str]]:
        places = ("inventory", "here", "gone")
        named = spoken_of(after, said)
        moved = [one for one in named if before.has_moved(one[0], after)]
        for number, name in moved:
            yield change(name, self._said(after.place(number), places, rng))
        still = [name for number, name in named if (number, name) not in moved]
        if still and self._errs(rng):
            yield change(rng.choice(still), rng.choice(places))

    def _said(self, true: str, values: Sequence[str], rng: random.Random) -> str:
        return rng.choice([one for one in values if one != true]) if self._errs(rng) else true

    def _errs(self, rng: random.Random) -> bool:
        errs = rng.random() < self.wrong
        self.claims.count(not errs)
        return errs


def line_of(played: Sequence[tuple[str, str]]) -> list[str]:
    """The commands that count of those played: ends are taken back, or the story is begun anew."""
    line: list[str] = []
    for command, reply in played:
        back = _TAKEN_BACK.search(reply) if command == UNDO else None
        if command == RESTART:
            line = []
        elif back:
            del line[-int(back[1] or 1) :]
        else:
            line.append(command)
    return line


def thing(name: str, place: str) -> dict[str, Any]:
    return {"name": name, "location": place, "properties": [], "state": []}


def change(name: str, place: str) -> dict[str, str]:
    return {"object": name, "property": "location", "new_value": place}


class Run(NamedTuple):
    """Words of a text that follow each other and are all a thing's, a noun of it at the end."""

    thing: int
    start: int
    words: tuple[str, ...]
    own: bool
    """They end with the noun of its name, not with another word for it."""

    def is_within(self, other: Run) -> bool:
        """It is part of another thing's longer name: of a card catalog no card is told."""
        inside = self.start >= other.start and self._end <= other._end
        return inside and self.thing != other.thing and len(self.words) < len(other.words)

    @property
    def _end(self) -> int:
        return self.start + len(self.words)


def spoken_of(scope: Scope, text: str) -> list[tuple[int, str]]:
    """What is in scope and named in a text: its number, and as much of its name as the text has."""
    told = words_of(text)
    named = [run for number in scope.names for run in runs(scope, number, told)]
    named = [run for run in named if not any(run.is_within(other) for other in named)]
    found: dict[str, int] = {}
    for number in scope.names:
        called = [run for run in named if run.thing == number]
        if called:
            best = max(called, key=lambda run: (run.own, len(run.words)))
            found.setdefault(" ".join(best.words), number)
    return [(number, name) for name, number in found.items()]


def runs(scope: Scope, number: int, told: Sequence[str]) -> Iterator[Run]:
    """Where a text names a thing."""
    name, words = scope.names[number], list[str]()
    nouns = (head_of(" ".join(name)), name[-1])
    for at, word in enumerate([*told, ""]):
        if word and scope.is_called(number, word):
            words.append(word)
            continue
        if words and (words[-1] in nouns or classes_of(words[-1])):
            yield Run(number, at - len(words), tuple(words), words[-1] in nouns)
        words = []


class Watch:
    """Counts the statements of the notes that an actor would be shown, turn by turn."""

    def __init__(self, beside: Beside) -> None:
        self.beside = beside
        self.played: list[tuple[str, str]] = []
        self.kinds = {"carried": Shares(), "offers": Shares(), "ways": Shares()}

    def __call__(self, event: Event) -> None:
        if isinstance(event, TurnPlayed):
            now = event.before
            if not now["observation"].ended:
                scope = self.beside.at(line_of(self.played))
                self._count(now, event.after.get("options", ()), scope)
            self.played.append((event.after["command"], event.after["observation"].text))

    def _count(self, state: State, options: Sequence[Option], scope: Scope) -> None:
        views = Views()
        known = knowledge_of(state, views)
        told, history = views.situation(known), History(state.get("history"))
        for name in told.carried:
            self.kinds["carried"].count(scope.has(name.partition(" (")[0], scope.carried))
        for way in told.untried:
            there = scope.exits | directions_in(scope.room_text)
            self.kinds["ways"].count(way.partition(" ")[0] in there)
        for command in offers(options, views.scene(known), history):
            noun = parse(command).object
            if noun and noun != "all":
                near = scope.has(noun, scope.here | scope.carried)
                self.kinds["offers"].count(near or is_named(noun, scope.room_text))

    @property
    def share(self) -> Shares:
        return Shares(
            sum(one.false for one in self.kinds.values()),
            sum(one.total for one in self.kinds.values()),
        )


def directions_in(text: str) -> frozenset[str]:
    """The directions of which a text has a word: what is shut leads nowhere now, and is a way.

    Abbreviations do not count, nor does `in`, which says nothing of a way.
    """
    if "all directions" in text:
        return frozenset(DIRECTIONS)
    return frozenset(WORDS[word] for word in words_of(text) if word in NAMED_WAYS)


def is_named(name: str, text: str) -> bool:
    """The room's description speaks of it: scenery that the object tree may not have."""
    return head_of(name) in words_of(text)


class Outcome(NamedTuple):
    """What came of one episode."""

    score: int
    notes: Shares
    kinds: dict[str, Shares]
    claims: Shares


def episode(story: str, seed: int, steps: int, wrong: float | None) -> Outcome:
    """One episode of `offline`; with the rules' reading where `wrong` is None."""
    path = str(found(story))
    with tempfile.TemporaryDirectory() as out, Beside(find_story(path), seed) as beside:
        watch, reader = Watch(beside), Reader(beside, wrong or 0.0, seed)
        options: dict[str, Any] = {
            "graph": "offline", "seed": seed, "steps": steps, "out": Path(out), "fresh": True,
            "cache": False, "watchers": [watch],
        }  # fmt: skip
        if wrong is None:
            result = play(path, **options)
        else:
            with FakeOllama(reader) as fake:
                told = [
                    f"models.default.base_url={fake.base_url}",
                    "nodes.extractor.use=llm",
                    *WINDOW,
                ]
                result = play(
                    path, settings=["models.default.model=ollama:llama3.1:8b", *told], **options
                )
    return Outcome(int(result["best_score"]), watch.share, watch.kinds, reader.claims)


def found(story: str) -> Path:
    """The story's file, beside the project or where `ZORK_STORIES` says."""
    return next(path for path in found_stories() if path.stem == story)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stories", nargs="*", default=STORIES)
    parser.add_argument("--wrong", default="0,10,30,60")
    parser.add_argument("--seeds", default="1-2")
    parser.add_argument("--steps", type=int, default=100)
    told = parser.parse_args(arguments)
    rates = [None, *(int(one) for one in told.wrong.split(","))]
    seeds = seed_range(told.seeds)
    sums: dict[int | None, list[Outcome]] = {rate: [] for rate in rates}
    for story in told.stories:
        for rate in rates:
            played = [
                episode(story, seed, told.steps, None if rate is None else rate / 100)
                for seed in seeds
            ]
            sums[rate] += played
            print(line(f"{story}, {label(rate)}", played), flush=True)
    print()
    for rate, played in sums.items():
        print(line(f"all, {label(rate)}", played))
    return int(any(share(sums[rate]) > most for rate, most in FALSE.items() if rate in sums))


def label(rate: int | None) -> str:
    return "rules" if rate is None else f"{rate} % wrong"


def share(played: Sequence[Outcome]) -> float:
    return Shares(sum(o.notes.false for o in played), sum(o.notes.total for o in played)).share


def line(name: str, played: Sequence[Outcome]) -> str:
    told = []
    for kind in played[0].kinds:
        false = sum(one.kinds[kind].false for one in played)
        total = sum(one.kinds[kind].total for one in played)
        told.append(f"{kind} {Shares(false, total).share:.1%} of {total}")
    wrong = sum(one.claims.false for one in played)
    claims = Shares(wrong, sum(one.claims.total for one in played))
    score = statistics.fmean(one.score for one in played)
    return (
        f"{name:24}score {score:6.1f}  false notes {share(played):6.1%} ({', '.join(told)}); "
        f"claims wrong {claims.share:.1%} of {claims.total}"
    )


if __name__ == "__main__":
    sys.exit(main())
