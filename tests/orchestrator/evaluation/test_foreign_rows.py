"""Rows of results that somebody sent: refused in a line, or shown as text and nothing else."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.plan import EvaluationPlan
from orchestrator.pages import policy_tag
from tests.command_line import Done, zork
from tests.orchestrator.evaluation.inline import InlineEngine

MARKUP = "<img src=x onerror=\"document.title='PWN'\">"
needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None,
    reason="matplotlib is not installed (make install EXTRAS=pictures)",
)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Two graphs on one story."""
    plan = EvaluationPlan(games=("morning",), graphs=("offline", "random"), seeds=(1,), steps=(4,))
    out = tmp_path_factory.mktemp("bench") / "rows.jsonl"
    return [dict(row) for row in run_grid(plan.cells(), out, 1, engine=InlineEngine).rows]


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a row but those within its config, which is a graph or none."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*way, key)
        if isinstance(inner, dict | list) and key not in ("config", "cell"):
            yield from places(inner, (*way, key))


def with_value(row: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(row))
    holder = copy
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return dict(copy)


def reported(tmp_path: Path, rows: list[dict[str, Any]]) -> tuple[Done, str]:
    page = tmp_path / "page.html"
    page.unlink(missing_ok=True)
    done = zork("report", written(tmp_path / "rows.jsonl", rows), "-o", str(page))
    return done, page.read_text(encoding="utf-8") if page.is_file() else ""


@pytest.mark.slow
@needs_matplotlib
def test_a_figure_that_is_none_is_refused_in_a_line(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    for name in ("turns", "score", "seed", "deaths", "wall_s", "curve", "max_score", "episodes"):
        done, page = reported(tmp_path, [{**rows[0], name: MARKUP}, rows[1]])
        assert (done.returncode, page) == (2, ""), name
        assert done.stderr.count("\n") == 1
        assert f"line 1 is no row of results: {name}" in done.stderr


@pytest.mark.slow
@needs_matplotlib
def test_texts_are_only_ever_text(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    texts = ("story", "graph", "end_reason", "protocol", "max_score_by", "story_sha256")
    evil = {**rows[0], **dict.fromkeys(texts, MARKUP), "max_score_by": "story"}
    done, page = reported(tmp_path, [evil, {**rows[1], "graph": "$\\frac{", "story": "$x^$"}])
    assert done.returncode == 0, done.stderr
    assert "<img" not in page
    assert "&lt;img" in page
    assert page.count(policy_tag(style="'unsafe-inline'")) == 1
    assert page.index("Content-Security-Policy") < page.index("<style")


@pytest.mark.slow
@needs_matplotlib
def test_markup_anywhere_in_a_row_runs_nowhere(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    for place in places(rows[0]):
        done, page = reported(tmp_path, [with_value(rows[0], place, MARKUP), rows[1]])
        assert "<img" not in page, place
        assert done.returncode in (0, 2), place


def test_a_terminal_obeys_no_row(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """Names that are escape sequences, and one that would end the table of the leaderboard."""
    evil = {"story": "\x1b]0;owned\x07", "graph": "a | b\n\n# <b>c</b>\x1b[2J"}
    one = written(tmp_path / "one.jsonl", [{**rows[0], **evil}])
    two = written(tmp_path / "two.jsonl", [{**rows[0], "story": evil["story"]}])
    for words in (("report", one, "--markdown"), ("compare", one, two)):
        done = zork(*words)
        assert done.returncode == 0, done.stderr
        assert not {"\x1b", "\x07"} & set(done.stdout)
    table = zork("report", one, "--markdown").stdout
    assert "\n# " not in table
    assert "<b>" not in table
    assert "a \\| b" in table


@pytest.mark.parametrize(
    "line",
    [b"[1]", b"5", b'{"story": "\xff"}', b"[" * 100_000, b'{"story":5}', b"{}"],
    ids=["list", "number", "no UTF-8", "nested", "story", "empty"],
)
def test_what_is_no_row_is_told_in_a_line(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(line + b"\n")
    for words in (("report", str(file), "--markdown"), ("reproduce", f"{file}#1")):
        done = zork(*words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "line 1 is no" in done.stderr
        assert len(done.stderr) < 600
