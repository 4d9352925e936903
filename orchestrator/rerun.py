"""Playing a recorded run again with the answers that its models gave, without any model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.models import ModelConfig
from agents.models.size import is_asked_short
from orchestrator.config import GraphConfig
from orchestrator.episode import new_run, recorded, recorded_memory, started
from orchestrator.errors import RunError
from orchestrator.saved.record import Record
from orchestrator.saved.restore import recorded_setup, standing
from orchestrator.saved.runs import RUNS, RunDirectory
from orchestrator.settings.models import DEFAULT


def rerun(
    run: str | Path,
    *,
    game: str | None = None,
    out: str | Path = RUNS,
    trust: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Play a run again from its beginning, in a run of its own, and return its result.

    Story, graph, seeds, memory and number of turns are the run's own; every question gets the
    answer that its trace holds. Where a prompt is none of those recorded, the episode pauses.

    Args:
        run: id of a run under `out`, or its directory; it is only read.
        game: where its story lies, if neither there nor in the catalog any more.
        out: where runs are looked for, and where the new one is made.
        trust: allow the code that its config names, from now on.
        options: `watchers`, `keep` and the like, as for `Setup`.

    Raises:
        RunError: it is no whole run.
        ConfigError: its trace is not there, or holds no model answers.
        GameError: its story is not found.
    """
    directory = RunDirectory.find(run, out)
    record = directory.record()
    if record.parent:
        raise RunError(
            f"run {record.run_id} begins at turn {record.parent.turn} of {record.parent.run_id}: "
            "only a whole run can be played again"
        )
    setup = recorded_setup(
        record,
        game,
        trust=trust,
        config=answering(record.config, directory),
        steps=turns_played(directory, record),
        out=out,
        **{"database": "", **options},
    )
    recalled = recorded_memory(directory, record)
    seeds = record.emulator_seeds[0][1], record.agent_seed
    with (
        started(setup, *seeds, recalled) as (context, crew),
        new_run(setup, *seeds, recalled, recording=record.run_id) as new,
        recorded(setup, context, crew, new) as episode,
    ):
        return episode.play()


def answering(config: GraphConfig, recording: RunDirectory) -> GraphConfig:
    """The config with every model replaced by what it answered in a recorded run."""
    model = f"embedded:recording:{recording.path.resolve()}"
    known = {DEFAULT: ModelConfig(), **config.models}
    replaced: dict[str, Any] = {"model": model, "base_url": None, "options": {}}
    told = recording.record().results().get("styles") or {}
    models = {
        name: one.model_copy(
            update={
                **replaced,
                "style": told.get(name) or ("short" if is_asked_short(one) else "full"),
            }
        )
        for name, one in known.items()
    }
    return config.model_copy(update={"models": models})


def turns_played(run: RunDirectory, record: Record) -> int:
    """How far a run has come; by its checkpoints where it has no result."""
    if record.status == "ended" and record.outcome.steps is not None:
        return record.outcome.steps
    return int(standing(run, record).values.get("turn", 0))
