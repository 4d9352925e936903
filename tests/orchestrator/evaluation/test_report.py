"""A report is one page that needs nothing else, and its figures are those of the rows."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np
import pytest
from typer.testing import CliRunner

from managers.belief.reliability import OracleReliability
from orchestrator.cli.main import make_app
from orchestrator.errors import RunError
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.knowledge import trusted
from orchestrator.evaluation.leaderboard import conditions, leaderboard, markdown
from orchestrator.evaluation.plan import planned
from orchestrator.evaluation.report import write_report
from orchestrator.evaluation.rows import read_rows
from orchestrator.evaluation.scores import area_of, curve_in, joined
from orchestrator.evaluation.tables import lines
from tests.command_line import zork
from tests.orchestrator.evaluation.inline import InlineEngine

pytestmark = pytest.mark.slow
needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None,
    reason="matplotlib is not installed (make install EXTRAS=pictures)",
)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two stories under a protocol that begins them again, with the baselines."""
    table = {"games": ["workshop", "morning"], "seeds": [1, 2], "total_steps": 20, "steps": 20}
    table |= {"lives": 1, "counts": "best", "baselines": True}
    out = tmp_path_factory.mktemp("bench") / "rows.jsonl"
    run_grid(planned(table, "test").cells(), out, 1, engine=InlineEngine)
    return out


def test_the_leaderboard_is_what_numpy_says_of_the_rows(results: Path) -> None:
    rows = read_rows(results)
    places = leaderboard(rows)
    assert {place.graph for place in places} == {"offline", "random", "idle", "walkthrough"}
    assert places[0].graph == "walkthrough"
    for place in places:
        own = [row for row in rows if row["graph"] == place.graph]
        shares = {
            story: [
                100 * row["best_score"] / row["max_score"] for row in own if row["story"] == story
            ]
            for story in ("workshop", "morning")
        }
        means = [np.mean(values) for values in shares.values()]
        assert place.mean.mean == pytest.approx(np.mean(means))
        every = np.ravel(list(shares.values()))
        assert place.unweighted.mean == pytest.approx(every.mean())
        assert place.median.mean == pytest.approx(np.median(means))
        whole = np.sort(np.ravel(list(shares.values())))
        assert place.iqm.mean == pytest.approx(whole[1:3].mean())
        assert place.episodes == len(own)
        assert place.deaths == np.mean([one["deaths"] for row in own for one in row["series"]])


def test_the_area_is_the_mean_of_the_best_score_over_the_commands(results: Path) -> None:
    for row in read_rows(results):
        heights = np.zeros(20)
        for turn, best in curve_in(row, 0):
            heights[int(turn) :] = best
        area = area_of(row)
        assert area == pytest.approx(100 * heights.mean() / row["max_score"])
        assert curve_in(row, 0)[-1][1] == row["best_score"]


def test_what_has_to_be_known_is_said(results: Path) -> None:
    told = "; ".join(conditions(read_rows(results)))
    for part in ("access: text", "models: none", "seeds: 1-2", "lives: 1", "counts: the best"):
        assert part in told
    assert markdown(read_rows(results)).count("\n| ") == 5


def test_curves_of_episodes_in_a_row_are_one() -> None:
    first, second = [[0, 1, 0, 0, 0], [5, 3, 2, 10, 0.5]], [[0, 1, 0, 0, 0], [4, 2, 1, 5, 0.25]]
    assert joined([first, second])[-1] == [9, 2, 3, 15, 0.75]


@pytest.mark.slow
@needs_matplotlib
def test_a_report_is_one_page(results: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    ran = CliRunner().invoke(make_app(), ["report", str(results), "-o", str(target)])
    assert ran.exit_code == 0, ran.output
    text = target.read_text(encoding="utf-8")
    assert text.count("<svg") == text.count("</svg>") >= 3
    links = re.findall(r"""(?:src|href)=['"]([^'"#]+)""", text)
    assert not [link for link in links if link.startswith(("http", "//"))]
    ids = set(re.findall(r" id=([a-z]+-\d+)", text))
    for place in leaderboard(read_rows(results)):
        for figure in (place.mean, place.unweighted):
            mean, _, spread = str(figure).partition(" ")
            (led,) = set(
                re.findall(f"<a href='#([^']+)'>{mean}</a><small>{re.escape(spread)}", text)
            )
            assert led in ids
    assert text.count("<a href='#runs-") == len(lines(read_rows(results)))
    assert "currentColor" in text


@pytest.mark.slow
@needs_matplotlib
def test_episodes_of_a_report_open_in_the_viewer(tmp_path: Path) -> None:
    table = {"games": ["workshop"], "seeds": [1], "steps": 5, "trace": True}
    run_grid(planned(table, "test").cells(), tmp_path / "rows.jsonl", 1, engine=InlineEngine)
    ran = CliRunner().invoke(make_app(), ["report", str(tmp_path / "rows.jsonl"), "--episodes"])
    assert ran.exit_code == 0, ran.output
    text = (tmp_path / "rows.html").read_text(encoding="utf-8")
    (link,) = re.findall("<a href='([^']+)'>1 workshop", text)
    assert link == "rows-episodes/1.html"
    assert (tmp_path / link).stat().st_size > 10_000


@pytest.mark.slow
@needs_matplotlib
def test_episodes_are_found_from_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows name their runs as seen from where the bench was played."""
    monkeypatch.chdir(tmp_path)
    table = {"games": ["workshop"], "seeds": [1], "steps": 2, "trace": True}
    run_grid(planned(table, "test").cells(), Path("runs/rows.jsonl"), 1, engine=InlineEngine)
    for name in ("elsewhere", "pages"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for more, ends in ([], "/transcript.txt"), (["--episodes"], "r-episodes/1.html"):
        done = zork("report", "../runs/rows.jsonl", "-o", "../pages/r.html", *more)
        assert done.returncode == 0, done.stderr
        text = (tmp_path / "pages" / "r.html").read_text(encoding="utf-8")
        (link,) = re.findall("<a href='([^']+)'>1 workshop", text)
        assert link.endswith(ends)
        assert Path(unquote(urlsplit(urljoin(f"{tmp_path.as_uri()}/pages/", link)).path)).is_file()


@pytest.mark.slow
@needs_matplotlib
def test_episodes_without_a_trace_cannot_be_viewed(results: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="zork bench --trace"):
        write_report(read_rows(results), results, tmp_path / "r.html", episodes=True)


@pytest.mark.slow
@needs_matplotlib
def test_names_in_a_report_are_text(results: Path, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    rows: list[dict[str, Any]] = [
        {**row, "graph": evil, "story": evil} for row in read_rows(results)
    ]
    write_report(rows[:2], results, tmp_path / "r.html")
    assert "<script" not in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_what_cannot_be_reported_is_one_line(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RunError, match="no rows"):
        write_report([], results, tmp_path / "r.html")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = zork("report", str(results))
    assert done.returncode == 2
    assert "make install EXTRAS=pictures" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_baseline_needs_no_model_and_a_walkthrough_only_where_one_is_known() -> None:
    table = {"games": ["workshop"], "models": ["ollama:x"], "graphs": ["llm"], "baselines": True}
    told = [(cell.graph, cell.model) for cell in planned(table, "test").cells()]
    beside = [("random", None), ("idle", None), ("walkthrough", None), ("recalled", "ollama:x")]
    assert told == [("llm", "ollama:x"), *beside]


def test_every_kind_of_answer_that_was_judged_is_told() -> None:
    summary = OracleReliability().get_summary()
    for kind in ("goal", "progress"):
        (told,) = trusted([{"reliability": {**summary, f"total_{kind.removesuffix('s')}s": 3}}])
        assert (told.kind, told.judged) == (kind, 3)
