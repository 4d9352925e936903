"""`zork trace` as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from orchestrator import play
from orchestrator.cli.main import make_app
from orchestrator.errors import ConfigError, RunError
from orchestrator.evaluation import charts
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.traces.outcomes import objection_stats
from orchestrator.traces.reader import read_trace
from orchestrator.traces.turns import read_turns
from orchestrator.turns.approval import Approval, Question
from tests.orchestrator.langsmith_recorder import recording

WAYS = r"(accepted at once|revised|overruled) (\d+) (\d+) (\d+) (\d+) \d+"
ROLES = "tests.orchestrator.trace_roles"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """Where the runs are, an offline one, and one whose actor asks a model."""
    out = tmp_path_factory.mktemp("runs")
    settings = (f"nodes.actor.use={ROLES}:TalkingActor", f"nodes.critic.use={ROLES}:PickyCritic")
    offline = play("hollow", steps=20, seed=4, out=out)
    return out, offline, play("hollow", steps=6, seed=4, out=out, settings=settings)


def zork(*arguments: str | Path) -> str:
    result = CliRunner().invoke(make_app(), ["trace", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def words(text: str) -> str:
    return " ".join(text.split())


def test_runs_are_listed(runs: Any) -> None:
    out, offline, talking = runs
    listed = zork("list", "--out", out)
    assert offline["run_id"] in listed
    assert talking["run_id"] in listed


def test_every_command_can_be_traced_to_what_chose_it(runs: Any) -> None:
    out, offline, _ = runs
    transcript = Path(offline["run_dir"], "transcript.txt").read_text(encoding="utf-8")
    commands = [line[2:] for line in transcript.splitlines() if line.startswith("> ")]
    assert len(commands) == 20
    for turn, command in enumerate(commands, start=1):
        shown = zork("show", offline["run_id"], "--turn", str(turn), "--out", out)
        assert f"> {command}" in shown
        assert "option" in shown
        assert "accepted: " in shown or "the critic was not asked" in shown
        assert "beliefs" in shown


def test_the_model_answer_and_the_objections_are_shown(runs: Any) -> None:
    out, _, talking = runs
    shown = words(zork("show", talking["run_id"], "--turn", "4", "--out", out))
    assert "objection to 'inventory': attempt 1" in shown
    assert "accepted: attempt 2" in shown
    assert "answered: inventory" in shown
    assert "80 + 4 tokens" in shown


def test_what_a_person_decided_is_part_of_the_turn(tmp_path: Path) -> None:
    answers = iter([Approval(do="reject", text="not yet"), Approval(do="edit", text="inventory")])
    play(
        "morning",
        steps=1,
        out=tmp_path,
        settings=("approve=true",),
        approver=lambda _question: next(answers),
    )
    shown = words(zork("show", "--turn", "1", "--out", tmp_path))
    assert "> inventory" in shown
    assert ": not yet" in shown
    assert "a person let it play 'inventory'" in shown
    assert "asks a person" in shown
    assert zork("show", "--errors", "--out", tmp_path) == "nothing went wrong\n"


def test_whoever_follows_sees_a_turn_once_its_person_has_answered(tmp_path: Path) -> None:
    asked: list[int] = []

    def answer(_question: Question) -> Approval:
        (trace,) = tmp_path.glob("*/trace.jsonl")
        asked.append(trace.stat().st_size)
        return Approval()

    options: dict[str, Any] = {"settings": ("approve=true",), "approver": answer}
    result = play("morning", steps=2, out=tmp_path, **options)
    trace = Path(result["run_dir"], "trace.jsonl")
    whole = trace.read_bytes()
    for size, turns in ((asked[0], ["0"]), (asked[1], ["0", "1"]), (len(whole), ["0", "1", "2"])):
        trace.write_bytes(whole[:size])
        _, *lines = zork("show", "--follow", "--out", tmp_path).splitlines()
        assert [line.split()[0] for line in lines] == turns


def test_all_turns_come_in_one_line_each(runs: Any) -> None:
    out, offline, _ = runs
    title, *lines = zork("show", offline["run_id"], "--out", out).splitlines()
    assert title == f"{offline['run_id']}, hollow, graph offline, seed 4, access text"
    assert [line.split()[0] for line in lines] == ["turn", *map(str, range(21))]
    assert lines == zork("show", offline["run_id"], "--out", out, "--follow").splitlines()


def test_one_node_and_all_errors(runs: Any) -> None:
    out, _, talking = runs
    critic = words(zork("show", talking["run_id"], "--node", "critic", "--out", out))
    assert critic.count("accepts: attempt 2") == 6
    errors = zork("show", talking["run_id"], "--errors", "--out", out)
    assert errors.count("RuntimeError('no answer')") >= 4
    with pytest.raises(RunError, match="did you mean 'critic'"):
        zork("show", talking["run_id"], "--node", "critik", "--out", out)


def test_two_runs_side_by_side(runs: Any) -> None:
    out, offline, talking = runs
    shown = zork("diff", offline["run_id"], talking["run_id"], "--out", out)
    assert "the same up to turn 0" in shown
    assert "not 'inventory': attempt 1" in words(shown)
    assert f"{talking['run_id']}: 6 turns, score" in shown
    assert "the same 20 turns" in zork("diff", offline["run_id"], offline["run_dir"], "--out", out)
    shown = zork("diff", offline["run_id"], talking["run_id"], "--turns", "1", "--out", out)
    assert re.findall(r"^ *(\d+)  > ", shown, re.MULTILINE) == ["1"]
    for few in ("0", "-1"):
        arguments = ["trace", "diff", offline["run_dir"], talking["run_dir"], "--turns", few]
        assert CliRunner().invoke(make_app(), arguments).exit_code == 2


def test_a_run_beside_its_fork(runs: Any) -> None:
    out, offline, _ = runs
    same = fork(offline["run_id"], 12, out=out)
    compared = zork("diff", offline["run_id"], same["run_id"], "--out", out)
    assert compared == "the same 20 turns\n"
    critic = f"nodes.critic.use={ROLES}:PickyCritic"
    other = fork(offline["run_id"], 12, settings=[critic], out=out)
    shown = zork("diff", offline["run_id"], other["run_id"], "--out", out)
    first = re.search(r"^ *(\d+)  > ", shown, re.MULTILINE)
    assert first is not None
    assert int(first[1]) >= 13


def test_statistics(runs: Any) -> None:
    out, offline, talking = runs
    shown = words(zork("stats", talking["run_id"], "--out", out))
    assert "critic 12" in shown
    assert "GenericFakeChatModel (llm) 12" in shown
    assert "SilentModel (llm) 4" in shown
    assert "revised 6" in shown
    ways = objection_stats(read_turns(read_trace(Path(offline["run_dir"], "trace.jsonl")).roots))
    assert sum(outcomes.turns for outcomes in ways.values()) == 20
    shown = words(zork("stats", offline["run_id"], "--out", out))
    assert f"accepted at once {ways['accepted at once'].turns}" in shown
    assert shown.startswith("20 turns and 1 opening in ")
    both = words(zork("stats", offline["run_id"], talking["run_id"], "--out", out))
    assert both.startswith("26 turns and 2 openings in ")
    for way, turns, worked, failed, unclear in re.findall(WAYS, shown):
        assert int(turns) == int(worked) + int(failed) + int(unclear), way


def test_a_turn_that_is_not_there_is_told_with_those_that_are(runs: Any) -> None:
    out, offline, _ = runs
    with pytest.raises(RunError, match=r"no turn 21 in it \(it has 0-20\)"):
        zork("show", offline["run_id"], "--turn", "21", "--out", out)


def test_export_as_a_table(runs: Any) -> None:
    out, _, talking = runs
    rows = list(
        csv.DictReader(io.StringIO(zork("export", talking["run_id"], "-f", "csv", "--out", out)))
    )
    trace = read_trace(Path(talking["run_dir"], "trace.jsonl"))
    assert [row["id"] for row in rows] == [run.record["id"] for run in trace.walk()]
    models = [row for row in rows if row["run_type"] == "llm" and not row["error"]]
    assert {row["prompt_tokens"] for row in models} == {"40"}


def test_export_as_langsmith_records(runs: Any, tmp_path: Path) -> None:
    out, offline, _ = runs
    target = tmp_path / "runs.jsonl"
    zork("export", offline["run_id"], "-o", target, "--out", out)
    records = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    trace = read_trace(Path(offline["run_dir"], "trace.jsonl"))
    assert records == [json.loads(json.dumps(run.record)) for run in trace.walk()]
    kept = Path(shutil.copyfile(Path(offline["run_dir"], "trace.jsonl"), tmp_path / "trace.jsonl"))
    with pytest.raises(RunError, match="would be lost"):
        zork("export", kept, "-f", "csv", "-o", kept)
    assert kept.read_bytes() == Path(offline["run_dir"], "trace.jsonl").read_bytes()


def test_export_as_opentelemetry_spans(runs: Any) -> None:
    out, _, talking = runs
    request = json.loads(zork("export", talking["run_id"], "-f", "otlp", "--out", out))
    spans = request["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ids = {span["spanId"] for span in spans}
    assert len(ids) == len(spans)
    assert all(span.get("parentSpanId", span["spanId"]) in ids for span in spans)
    assert {len(span["traceId"]) for span in spans} == {32}
    (model, attributes), *_ = operations(spans)["chat"]
    assert model["name"].startswith("chat ")
    assert model["kind"] == 3
    assert attributes["gen_ai.usage.input_tokens"] == {"intValue": "40"}
    assert attributes["gen_ai.provider.name"]["stringValue"]
    assert not {"gen_ai.system", "gen_ai.prompt", "gen_ai.completion"} & attributes.keys()
    asked, answered = (
        json.loads(attributes[f"gen_ai.{side}.messages"]["stringValue"])
        for side in ("input", "output")
    )
    assert {one["role"] for one in asked} <= {"system", "user", "assistant", "tool"}
    assert all(part["content"] for one in asked for part in one["parts"])
    assert [(one["role"], one["finish_reason"]) for one in answered] == [("assistant", "stop")]
    assert int(model["startTimeUnixNano"]) < int(model["endTimeUnixNano"])
    assert "actor" in {
        of["gen_ai.agent.name"]["stringValue"] for _, of in operations(spans)["invoke_agent"]
    }
    assert operations(spans).keys() <= {"chat", "invoke_agent", "invoke_workflow", "execute_tool"}


def operations(spans: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """The spans with their attributes, by what the conventions call them."""
    found: dict[str, list[Any]] = {}
    for span in spans:
        attributes = {entry["key"]: entry["value"] for entry in span["attributes"]}
        if "gen_ai.operation.name" in attributes:
            name = attributes["gen_ai.operation.name"]["stringValue"]
            found.setdefault(name, []).append((span, attributes))
    return found


def test_spans_may_have_the_names_of_before(runs: Any) -> None:
    out, _, talking = runs
    request = json.loads(zork("export", talking["run_id"], "-f", "otlp-old", "--out", out))
    (_, attributes), *_ = operations(request["resourceSpans"][0]["scopeSpans"][0]["spans"])["chat"]
    assert {"gen_ai.system", "gen_ai.prompt", "gen_ai.completion"} <= attributes.keys()
    assert "gen_ai.provider.name" not in attributes


def test_push(runs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out, offline, _ = runs
    monkeypatch.delenv("LANGSMITH_API_KEY", raising=False)
    with recording() as recorder:
        arguments = ("push", offline["run_id"], "--endpoint", recorder.url, "--out", out)
        assert (
            f"{len(list(read_trace(Path(offline['run_dir'], 'trace.jsonl')).walk()))} runs sent"
            in zork(*arguments)
        )
        assert "0 runs sent" in zork(*arguments)
    with pytest.raises(RunError, match="needs LANGSMITH_API_KEY"):
        zork("push", offline["run_id"], "--out", out)


def test_wrong_names_are_explained(runs: Any, tmp_path: Path) -> None:
    out, offline, _ = runs
    with pytest.raises(RunError, match="did you mean"):
        zork("show", offline["run_id"][:-1] + "x", "--out", out)
    with pytest.raises(RunError, match="no turn 99"):
        zork("show", offline["run_id"], "--turn", "99", "--out", out)
    with pytest.raises(RunError, match="`zork play` makes one"):
        zork("show", "--out", tmp_path)
    for option in (("--turn", "3"), ("--node", "actor"), ("--errors",)):
        with pytest.raises(ConfigError, match="--follow shows all turns"):
            zork("show", offline["run_id"], "--follow", *option, "--out", out)


@pytest.mark.slow
def test_scores_and_chances_are_drawn(runs: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="make install EXTRAS=pictures")
    out, offline, talking = runs
    for what in ("score", "calibration"):
        file = tmp_path / f"{what}.svg"
        zork("draw", offline["run_id"], talking["run_id"], "-o", file, "--what", what, "--out", out)
        assert "<svg" in file.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_a_chart_of_nothing_is_drawn_in_silence(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="make install EXTRAS=pictures")
    idle = play("hollow", steps=0, graph="idle", out=tmp_path)
    for what in ("score", "calibration"):
        zork("draw", idle["run_dir"], "-o", tmp_path / "x.svg", "--what", what)
    assert "<svg" in charts.scores({})


def test_runs_of_the_same_name_are_told_apart_and_one_that_is_named_twice_counts_once(
    half: Path, tmp_path: Path
) -> None:
    """A run and what came of its copy elsewhere."""
    pytest.importorskip("matplotlib", reason="make install EXTRAS=pictures")
    copy = tmp_path / "there" / half.name
    shutil.copytree(half, copy)
    resume(copy, steps=2)
    file = tmp_path / "scores.svg"
    zork("draw", str(half), str(copy), "-o", str(file))
    assert {f"<!-- {run} -->" in file.read_text(encoding="utf-8") for run in (half, copy)} == {True}
    assert f"{copy}: 14 turns" in zork("diff", str(half), str(copy))
    assert zork("stats", str(half), str(half)).startswith("12 turns and 1 opening in ")
