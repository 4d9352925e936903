"""How a model and the planner rank what the agent could do, along walkthroughs.

    python -m benchmarks.ranking OUT --model NAME [--first 60] [--every 5] [--alone] [STORY ...]
    python -m benchmarks.ranking OUT --table

Walkthroughs are played, and before every so many commands the model is asked how likely each of
the planner's first eight options is to be typed next, behind all that was news so far (`--alone`:
behind the room and the last reply), and for eight commands of its own. A place is one line of OUT;
what is there already is not asked again. `--table` tells how often the walkthrough's next command
was ranked first and among the first three, with an interval of 95 % over the stories, and how
often the first eight commands hold it, where the model's first proposals come before the
planner's last ones. Commands are compared as actions.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.briefing import Briefing
from agents.models.likelihood import LikelihoodQuestion
from agents.pursuit import read_commands
from agents.rater import LikelihoodRater
from agents.structured import AnyModel
from benchmarks.stories import found_stories
from environments.story import read_story
from environments.walkthroughs import find_walkthrough
from managers.belief.ratings import Ratings
from managers.language.actions import WORDS, canonical, parse, same_action
from managers.language.history import History
from orchestrator.api import play

FIRST = 8
"""Of the options so many are ranked, and so many commands does the model propose."""
PROPOSALS = (0, 1, 4, 8)
WEIGHTS = (0.5, 1.0)
"""The powers of a likelihood by the word that multiply the planner's value."""
Row = dict[str, Any]


class Ranker(LikelihoodRater):
    """A rater that writes down how its model ranks what could be done, and changes nothing."""

    def __init__(
        self,
        *,
        model: AnyModel,
        commands: str,
        out: str,
        story: str,
        every: int = 5,
        alone: bool = False,
    ) -> None:
        super().__init__(model=model)
        self._commands = read_commands(commands)
        self._out, self._story, self._every, self._alone = Path(out), str(story), every, alone
        self._done = {row["turn"] for row in _rows(self._out) if row["story"] == self._story}

    def rate(self, briefing: Briefing, known: Ratings) -> Ratings:
        """The ratings as they were."""
        turn = briefing.turn
        if turn in self._done or turn % self._every or turn > len(self._commands):
            return known
        values: dict[str, float] = {}
        for option in briefing.options:
            if len(values) < FIRST and canonical(option.command) not in map(canonical, values):
                values[option.command] = option.value
        wanted = LikelihoodQuestion(list(values), FIRST, (*WORDS, "go"))
        answer = self.ask(_alone(briefing) if self._alone else briefing, wanted)
        if answer is not None:
            row = {
                "story": self._story,
                "turn": turn,
                "next": self._commands[turn - 1],
                "values": values,
                "likelihoods": {one.command: one.logarithm for one in answer.commands},
                "proposed": answer.proposed,
            }
            with self._out.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(row, ensure_ascii=False)}\n")
        return known


def _alone(briefing: Briefing) -> Briefing:
    """The same without what was said before: the room, and the last reply."""
    room, said = briefing.map.room(briefing.map.here), briefing.history.last.reply
    text = said if room.title in said else f"{room.title}\n{room.text}\n\n{said}"
    return replace(briefing, history=History([[0, "", text, None, ""]]))


def measure(
    path: Path, out: Path, model: str, first: int, every: int, *, alone: bool = False
) -> None:
    """Walk through one story."""
    story = read_story(path)
    commands = find_walkthrough(story)
    ranker = {"use": "benchmarks.ranking:Ranker", "commands": str(commands), "out": str(out)}
    settings = [f"nodes.rater.{name}={value}" for name, value in ranker.items()]
    settings += [f"nodes.rater.story={path.stem}", f"nodes.rater.every={every}"]
    settings += [f"nodes.rater.alone={str(alone).lower()}"]
    settings += ["nodes.actor.use=walkthrough", f"nodes.actor.commands={commands}"]
    with tempfile.TemporaryDirectory() as folder:
        play(
            path,
            graph="likely",
            model=model,
            settings=[*settings, "nodes.critic.use=none", "after_end=stop"],
            steps=min(first, len(read_commands(str(commands)))),
            out=folder,
            checkpoints=False,
            trace=False,
            trust=True,
        )


def _rows(path: Path) -> list[Row]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# -- the table --------------------------------------------------------------------


def by_planner(row: Row) -> Mapping[str, float]:
    """The planner's own values."""
    return dict(row["values"])


def by_likelihood(row: Row) -> Mapping[str, float]:
    """The logarithms of whole commands."""
    return dict(row["likelihoods"])


def by_word(row: Row) -> Mapping[str, float]:
    """The logarithms by the word."""
    return {one: said / (len(one.split()) + 1) for one, said in row["likelihoods"].items()}


def by_both(weight: float) -> Callable[[Row], Mapping[str, float]]:
    """The planner's value times a power of the likelihood by the word; ways as the mean."""

    def rank(row: Row) -> Mapping[str, float]:
        words = by_word(row)
        deeds = [said for one, said in words.items() if not parse(one).direction]
        mean = fmean(deeds) if deeds else 0.0
        return {
            one: math.log(max(value, 1e-6))
            + (0.0 if parse(one).direction else weight * (words[one] - mean))
            for one, value in row["values"].items()
        }

    return rank


WAYS_TO_RANK: dict[str, Callable[[Row], Mapping[str, float]]] = {
    "planner": by_planner,
    "likelihood": by_likelihood,
    "likelihood, by the word": by_word,
    **{f"both, weight {one}": by_both(one) for one in WEIGHTS},
}


def place_of(wanted: str, ranked: Sequence[str]) -> int | None:
    """At which place a command stands, from 1 on; None where it does not."""
    return next((at for at, one in enumerate(ranked, 1) if same_action(one, wanted)), None)


def first_eight(row: Row, proposals: int) -> list[str]:
    """The planner's first options, the last of them replaced by what the model proposes."""
    options = [*row["values"]]
    new = [one for one in row["proposed"] if place_of(one, options) is None][:proposals]
    return [*options[: FIRST - len(new)], *new]


def interval(rows: Sequence[Row], figure: Callable[[Row], float], draws: int = 2000) -> str:
    """The mean over places with its interval of 95 %, by drawing stories anew."""
    told: dict[str, list[float]] = {}
    for row in rows:
        told.setdefault(row["story"], []).append(figure(row))
    stories, chance = list(told.values()), random.Random(1)
    means = sorted(
        fmean([one for some in chance.choices(stories, k=len(stories)) for one in some])
        for _ in range(draws)
    )
    low, high = means[draws // 40], means[-draws // 40 - 1]
    return f"{fmean(map(figure, rows)):.0%} [{low:.0%}, {high:.0%}]"


def tables(rows: Sequence[Row]) -> Iterator[Table]:
    """The ranks of what is among the first eight, and how much is."""
    for kind, part in (
        ("all", rows),
        ("ways", [row for row in rows if parse(row["next"]).direction]),
        ("others", [row for row in rows if not parse(row["next"]).direction]),
    ):
        known = [row for row in part if place_of(row["next"], [*row["values"]])]
        if known:
            yield _ranks(f"{kind}: {len(known)} of {len(part)} places", known)
    others = [row for row in rows if not parse(row["next"]).direction]
    if others:
        recall = Table("proposals", "among the first eight", title=f"others: {len(others)} places")
        for count in PROPOSALS:
            found = _finder(count)
            recall.add_row(str(count), interval(others, found))
        yield recall


def _finder(count: int) -> Callable[[Row], float]:
    return lambda row: float(place_of(row["next"], first_eight(row, count)) is not None)


def _ranks(title: str, rows: Sequence[Row]) -> Table:
    table = Table("ranked by", "first", "first three", "mean rank", title=title)
    for name, score in WAYS_TO_RANK.items():
        places = _places(rows, score)
        firsts, threes = (_within(places, most) for most in (1, 3))
        mean = f"{fmean(places.values()):.2f}"
        table.add_row(name, interval(rows, firsts), interval(rows, threes), mean)
    return table


def _places(
    rows: Iterable[Row], score: Callable[[Row], Mapping[str, float]]
) -> dict[tuple[str, int], int]:
    places = {}
    for row in rows:
        scores = score(row)
        ranked = sorted(scores, key=lambda one: -scores[one])
        places[row["story"], row["turn"]] = place_of(row["next"], ranked) or len(ranked)
    return places


def _within(places: Mapping[tuple[str, int], int], most: int) -> Callable[[Row], float]:
    return lambda row: float(places[row["story"], row["turn"]] <= most)


def main() -> None:
    """Measure what is left to measure, or print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("stories", type=Path, nargs="*")
    parser.add_argument("--model", default="local")
    parser.add_argument("--first", type=int, default=60)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if not asked.table:
        for path in asked.stories or found_stories():
            out, model = asked.out.resolve(), asked.model
            measure(path, out, model, asked.first, asked.every, alone=asked.alone)
    for table in tables(_rows(asked.out)):
        Console().print(table)


if __name__ == "__main__":
    main()
