"""Small tables whose figures were worked out by hand, as `zork compare` prints them.

A test's p is the share of signs (of orders, where nothing is paired) that make a mean as far from
0: n gains of one sign are 2 of 2^n. Intervals are near Student's, mean +- t(n - 1) s / sqrt(n).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.plan import planned
from orchestrator.evaluation.rows import read_rows
from orchestrator.evaluation.tables import lines
from tests.command_line import zork
from tests.orchestrator.evaluation.inline import InlineEngine

Cell = tuple[str, int, int, float]
"""Story, seed, steps, score."""


class Table(NamedTuple):
    """Two sets of cells, and what is to be said of them."""

    first: Sequence[Cell]
    second: Sequence[Cell]
    said: Sequence[str]
    unsaid: str = "nothing"
    interval: tuple[float, float] | None = None
    """Student's."""
    unpaired: bool = False


def gains(*values: float, story: str = "one", steps: int = 20) -> tuple[list[Cell], list[Cell]]:
    """Pairs that gain so much over 10, a seed each."""
    seeds = [*enumerate(values, start=1)]
    second = [(story, seed, steps, 10 + value) for seed, value in seeds]
    return [(story, seed, steps, 10) for seed, _ in seeds], second


def joined(*parts: tuple[list[Cell], list[Cell]]) -> tuple[list[Cell], list[Cell]]:
    """Several of these."""
    return [cell for first, _ in parts for cell in first], [
        c for _, second in parts for c in second
    ]


NO_INTERVAL = r"\[|p =|p <|smallest"
TABLES = {
    # Eight seeds, each with 20 and with 60 steps: means 2, 2, 3, ..., 3. 2 of 2^8, not of 2^16.
    "two lengths of one seed": Table(
        *joined(gains(1, 1, 1, 1, 2, 2, 2, 2), gains(3, 3, 3, 3, 4, 4, 4, 4, steps=60)),
        ["8 pairs  2.5 [", "8 better, 0 worse", "different (p = 0.0078)", "16 cells were paired"],
        interval=(2.05, 2.95),
    ),
    # s = 2.449, s / sqrt(8) = 0.866, t(7) = 2.365; 2.802 * 0.866 = 2.4.
    "eight gains": Table(
        *gains(1, 2, 3, 4, 5, 6, 7, 8),
        ["8 pairs  4.5 [", "(p = 0.0078)", "better: 1.00 (no spread)", "so many show: 2.4"],
        unsaid="cells were paired",
        interval=(2.45, 6.55),
    ),
    # 29 in all, 27 seen: the flips of nothing, of the one 1 and of the other, twice: 6 of 256.
    "one loss": Table(
        *gains(1, 2, 3, 4, 5, 6, 7, -1), ["7 better, 1 worse", "different (p = 0.023)"]
    ),
    # Five pairs of eight say nothing: 2 of 2^3.
    "ties": Table(
        *gains(4, 4, 4, 0, 0, 0, 0, 0),
        ["3 better, 0 worse", "not shown to be different (p = 0.25)", "better: 0.69 ["],
    ),
    "six": Table(*gains(1, 2, 3, 4, 5, 6), ["6 pairs  3.5 [", "different (p = 0.031)"]),
    "five": Table(
        *gains(9, 9, 9, 9, 8),
        ["5 pairs  8.8 (seed 1: 10 -> 19, ", "seed 5: 10 -> 18)", "too few to show anything"],
        unsaid=NO_INTERVAL,
    ),
    "two": Table(
        *gains(2, 4), ["2 pairs  3.0 (seed 1: 10 -> 12, seed 2: 10 -> 14)"], unsaid=NO_INTERVAL
    ),
    "one": Table(*gains(2), ["1 pair   2.0 (seed 1: 10 -> 12)", "too few"], unsaid=NO_INTERVAL),
    "all the same": Table(
        *gains(5, 5, 5, 5, 5, 5, 5, 5),
        ["8 pairs  5.0 (no spread)", "different (p = 0.0078)"],
        unsaid=r"\[|smallest",
    ),
    # 12 in all, 10 seen: nothing, or one of three ones besides the one that is: 8 of 64.
    "two stories": Table(
        *joined(gains(3, 3, 3), gains(1, 1, -1, story="two")),
        ["one              3 pairs  3.0 (seed 1", "all              6 pairs  1.7 [", "(p = 0.12)"],
    ),
    # A gain of one counts 4 / 4, one of two 1 / 2: (4 + 1) / 2, and 2 of 2^6.
    "stories of unequal size": Table(
        *joined(gains(4, 4, 4, 4), gains(1, 1, story="two")),
        ["all              6 pairs  2.5 (no spread)", "different (p = 0.031)"],
    ),
    # Stories with one seed each are a sample of stories: s / sqrt(6) = 0.764, t(5) = 2.571.
    "a seed a story": Table(
        *joined(*(gains(gain, story=f"story {gain}") for gain in range(1, 7))),
        ["all              6 pairs  3.5 [", "different (p = 0.031)", "so many show: 2.1"],
        interval=(1.54, 5.46),
    ),
    "more than can be counted": Table(
        *gains(*range(1, 18)), ["17 pairs  9.0 [", "(p < 0.001, of 20,000 drawn at random)"]
    ),
    # 2 of the 924 ways to put 12 episodes on two sides.
    "nothing paired": Table(
        [("one", seed, 20, seed) for seed in range(1, 7)],
        [("one", seed, 20, seed) for seed in range(11, 17)],
        ["one           10.0 [", "different (p = 0.0022)"],
        unpaired=True,
    ),
    # 12 against 12 rows, but two lengths of six seeds.
    "two lengths, nothing paired": Table(
        [("one", seed, steps, seed) for seed in range(1, 7) for steps in (20, 60)],
        [("one", seed, steps, seed) for seed in range(11, 17) for steps in (20, 60)],
        ["one           10.0 [", "different (p = 0.0022)"],
        unpaired=True,
    ),
    "three against three": Table(
        [("one", seed, 20, seed) for seed in (1, 2, 3)],
        [("one", seed, 20, seed) for seed in (11, 12, 13)],
        ["one           10.0 (too few for an interval)", "6 independent seeds on either side"],
        unsaid=NO_INTERVAL,
        unpaired=True,
    ),
}


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A row as `zork bench` writes it."""
    plan = planned({"games": "workshop", "graphs": "idle", "steps": 0}, "test")
    out = tmp_path_factory.mktemp("bench") / "rows.jsonl"
    return run_grid(plan.cells(), out, 1, engine=InlineEngine).rows[0]


def written(path: Path, row: dict[str, Any], cells: Iterable[Cell]) -> str:
    """The cells as a results file."""
    rows = [
        {
            **{**row, "story": story, "seed": seed, "steps": steps, "score": score},
            "story_sha256": hashlib.sha256(story.encode()).hexdigest(),
        }
        for story, seed, steps, score in cells
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_comes_to_what_it_does_by_hand(
    table: Table, row: dict[str, Any], tmp_path: Path
) -> None:
    first = written(tmp_path / "first.jsonl", row, table.first)
    second = written(tmp_path / "second.jsonl", row, table.second)
    told = zork("compare", first, second, *(["--unpaired"] if table.unpaired else [])).stdout
    for part in table.said:
        assert part in told
    below = told.partition("\n")[2]
    assert not re.search(table.unsaid, below), below
    if table.interval:
        low, high = map(float, re.findall(r"\[([\d.]+), ([\d.]+)\]", told)[0])
        assert (low, high) == pytest.approx(table.interval, abs=0.35)


def test_a_story_has_one_maximum_or_none(row: dict[str, Any], tmp_path: Path) -> None:
    """Some tell it only at their end: what one row tells counts for all, two that differ do not."""
    cells = [(story, seed, 20, 3.0) for story in ("one", "two", "three") for seed in range(1, 7)]
    told = {("one", 2): 6, ("two", 3): 7, ("two", 4): 100}
    rows = [{**row, "max_score": told.get((story, seed))} for story, seed, *_ in cells]
    paths = [tmp_path / name for name in ("first.jsonl", "second.jsonl")]
    for path, more in zip(paths, (0, 1.5), strict=True):
        lines = [
            written(path, one, [(story, seed, steps, score + more)]) and path.read_text()
            for one, (story, seed, steps, score) in zip(rows, cells, strict=True)
        ]
        path.write_text("".join(lines), encoding="utf-8")
    report = zork("report", str(paths[0]), "--markdown").stdout
    assert "maximum: the story's own for one; not known for three, two" in report
    assert "| idle | 1 | 6 | 50.0 (no spread) |" in report
    compared = zork("compare", *map(str, paths)).stdout
    assert "score / maximum, %: 25.0 (no spread) (without two, three: not known)" in compared


def test_a_report_does_not_take_the_place_of_its_rows(row: dict[str, Any], tmp_path: Path) -> None:
    rows = Path(written(tmp_path / "rows.html", row, [("one", 1, 20, 3.0)]))
    before = rows.read_bytes()
    for output in ([], ["--output", str(tmp_path / "." / "rows.html")]):
        done = zork("report", str(rows), *output)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "would be lost" in done.stderr
    done = zork("bench", "--output", str(rows), "--parquet", str(rows))
    assert (done.returncode, "would be lost" in done.stderr) == (2, True)
    assert rows.read_bytes() == before


@pytest.mark.parametrize("asked", ["report X", "report X --markdown", "compare X --by graph"])
def test_an_empty_file_of_results_is_one_line(asked: str, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    done = zork(*asked.replace("X", str(tmp_path / "empty.jsonl")).split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "empty.jsonl': has no rows; zork bench" in done.stderr


def test_costs_are_of_an_episode(row: dict[str, Any], tmp_path: Path) -> None:
    """A row of several holds their sums; who has no maximum has no place on the leaderboard."""
    several = {**row, "deaths": 4, "wall_s": 20.0, "series": [{"score": 3.0}] * 4}
    other = {**row, "deaths": 9, "max_score": None}
    parts = (
        Path(written(tmp_path / "rows.jsonl", one, [(story, 1, 20, 3.0)])).read_bytes()
        for one, story in ((several, "one"), (other, "two"))
    )
    (tmp_path / "both.jsonl").write_bytes(b"".join(parts))
    one, _ = lines(read_rows(tmp_path / "both.jsonl"))
    assert (one.deaths, one.wall_s) == (1.0, 5.0)
    told = zork("report", str(tmp_path / "both.jsonl"), "--markdown").stdout
    assert "| idle | 1 | 1 |" in told
    assert told.endswith("| 1.00 |\n")


def test_few_scores_stand_for_themselves(row: dict[str, Any], tmp_path: Path) -> None:
    """In the table of a report, too: of two seeds, with two lengths of each."""
    cells = [("one", seed, 20, 1 + seed) for seed in (1, 2)]
    told = zork("report", written(tmp_path / "few.jsonl", row, cells), "--markdown").stdout
    assert "| 1 | 2 | 25.0 (20.0, 30.0) |" in told
    same = [("one", seed, 20, 3.0) for seed in range(1, 9)]
    told = zork("report", written(tmp_path / "same.jsonl", row, same), "--markdown").stdout
    assert "| 1 | 8 | 30.0 (no spread) |" in told
