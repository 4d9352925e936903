"""Playing on where a run stands: after a crash, a kill, a pause, or for more steps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, get_type_hints

from langgraph.types import StateSnapshot
from pydantic import TypeAdapter, ValidationError

from environments.catalog import find_story, list_stories
from environments.game import GameError
from environments.story import Story, read_story
from orchestrator.checkpoints import read_turns
from orchestrator.episode import Episode, recorded, started
from orchestrator.errors import RunError
from orchestrator.graph import compile_graph
from orchestrator.keep import Keep
from orchestrator.parts import importable
from orchestrator.record import Record
from orchestrator.runs import RUNS, RunDirectory, new_session, versions
from orchestrator.setup import Setup
from orchestrator.state import WRITES, State
from orchestrator.traces.reader import TraceReader
from orchestrator.traces.segments import read_segments
from orchestrator.traces.writer import Usage

EXACT = ("zork-orchestrator", "jericho")
"""The packages whose other versions may play differently from the same state."""


def resume(
    run: str | Path,
    *,
    steps: int | None = None,
    game: str | None = None,
    out: Path = RUNS,
    any_version: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Play a run on from its last checkpoint and return its result.

    Args:
        run: id of a run under `out`, or its directory.
        steps: so many turns more; by default up to the run's own limit.
        game: where its story lies, if neither there nor in the catalog any more.
        out: where runs are looked for.
        any_version: play on though the versions that influence play are others.
        options: `watchers` and the like, as for `Setup`.

    Raises:
        RunError: it cannot be restored, or there is nothing left to play.
        GameError: its story is not found.
    """
    with open_resumed(
        RunDirectory.find(run, out), steps, game=game, any_version=any_version, **options
    ) as episode:
        return episode.play()


@contextmanager
def open_resumed(
    run: RunDirectory,
    steps: int | None = None,
    *,
    game: str | None = None,
    any_version: bool = False,
    **options: Any,
) -> Iterator[Episode]:
    """The episode of a run, ready to play on; the run is locked meanwhile."""
    with run.locked():
        record = run.record()
        if not any_version:
            check_versions(record)
        setup = recorded_setup(record, game, **options)
        stand = standing(run, record)
        turn = stand.values.get("turn", 0)
        setup = replace(setup, out=run.path.parent, steps=limit(record, stand, steps))
        with started(setup, record.seed, record.agent_seed) as context:
            run.write_episode(continued(record, run, setup.steps, turn, stand.created_at))
            with recorded(setup, context, run) as episode:
                if episode.tracer:
                    episode.tracer.usage = usage(run)
                yield episode


def recorded_setup(record: Record, game: str | None, **options: Any) -> Setup:
    """The setup of a recorded run, with its story found by content.

    Raises:
        GameError: there is no such story.
    """
    importable([*record.folders, Path.cwd()])
    return Setup(
        story=recorded_story(record, game),
        config=record.config,
        steps=record.max_steps,
        seed=record.seed,
        agent_seed=record.agent_seed,
        keep=Keep.parse(record.keep),
        folders=record.folders,
        **options,
    )


def recorded_story(record: Record, game: str | None) -> Story:
    """The story a run was played with: the one given, or the one with its SHA-256 anywhere."""
    if game is not None:
        story = find_story(game)
        if story.sha256 != record.story_sha256:
            raise GameError(
                f"{story.path} is not the story of this run: SHA-256 {story.sha256[:12]}..., "
                f"wanted {record.story_sha256[:12]}..."
            )
        return story
    for path in [record.story_path, *(at.path for at in list_stories() if at.path)]:
        if path.is_file() and _sha256(path) == record.story_sha256:
            return read_story(path)
    raise GameError(
        f"the story {record.story} with SHA-256 {record.story_sha256[:12]}... is neither at "
        f"{record.story_path} nor in the catalog; say where it is: --game PATH"
    )


def check_versions(record: Record) -> None:
    """Refuse to go on with what may play differently."""
    here = versions()
    for name in EXACT:
        if record.versions.get(name) != here[name]:
            raise RunError(
                f"run {record.run_id} was played with {name} {record.versions.get(name)}, "
                f"here is {here[name]}: install that one, or go on with --any-version"
            )


def standing(run: RunDirectory, record: Record) -> StateSnapshot:
    """Where a run stands, checked; without values before its first checkpoint.

    Raises:
        RunError: its checkpoints are not there, damaged or not its own.
    """
    if not record.checkpoints:
        raise RunError(f"run {record.run_id} was played without checkpoints; play it again")
    begun = run.transcript.is_file() and run.transcript.stat().st_size > 0
    if record.checkpoints == "sqlite" and not begun and not run.checkpoints.is_file():
        return StateSnapshot({}, (), {}, None, None, None, (), ())
    with read_turns(run, record) as saver:
        graph = compile_graph(record.config, saver)
        stand = graph.get_state({"configurable": {"thread_id": record.run_id}})
    if begun and not stand.values:
        raise RunError(f"{str(run.path)!r}: has a transcript, but its checkpoints are gone")
    check_state(stand.values)
    return stand


def check_state(values: Mapping[str, Any]) -> None:
    """Refuse a state that lacks a field of the game's or has one of another type."""
    types = get_type_hints(State)
    missing = sorted(WRITES["game"] - values.keys())
    if values and missing:
        raise RunError(f"the checkpoint is no state of this program: no {', '.join(missing)}")
    for name, value in values.items():
        try:
            TypeAdapter(types[name]).validate_python(value, strict=True)
        except ValidationError as error:
            fault = error.errors()[0]["msg"].lower()
            raise RunError(
                f"the checkpoint is no state of this program: {name}: {fault}"
            ) from error


def limit(record: Record, stand: StateSnapshot, steps: int | None) -> int:
    """The turn up to which a run is played.

    Raises:
        RunError: there is nothing left to play.
    """
    if not stand.values:
        return record.max_steps if steps is None else steps
    turn, tally = stand.values.get("turn", 0), stand.values["score"].last
    if tally.ended and not stand.tasks:
        raise RunError(
            f"run {record.run_id} is over after {turn} turns; "
            f"go back with: zork fork {record.run_id} --turn N"
        )
    if steps is None and turn >= record.max_steps:
        raise RunError(f"run {record.run_id} has played its {turn} turns; give --steps N for more")
    return record.max_steps if steps is None else turn + steps


def continued(
    record: Record, run: RunDirectory, max_steps: int, turn: int, saved: str | None
) -> dict[str, Any]:
    """The record with one session more; a killed one lasted until its last checkpoint."""
    header = record.header()
    last = record.sessions[-1]
    if last.wall_s is None and saved is not None:
        seconds = (datetime.fromisoformat(saved) - last.started).total_seconds()
        header["sessions"][-1]["wall_s"] = round(max(0.0, seconds), 3)
    header["sessions"].append(new_session(turn))
    return {
        **header,
        "run_dir": str(run.path),
        "versions": versions(),
        "max_steps": max_steps,
        "status": "running",
    }


def usage(run: RunDirectory) -> Usage:
    """Model calls and tokens of the earlier sessions, those of a broken turn too."""
    total = Usage()
    if run.trace.is_file():
        reader = TraceReader()
        for part in read_segments(run.trace):
            reader.feed(part)
        for traced in reader.finish().walk():
            if traced.kind == "llm":
                prompt, completion = traced.tokens
                total.llm_calls += 1
                total.add({"input_tokens": prompt, "output_tokens": completion})
    return total


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
