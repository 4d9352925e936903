"""Playing on differently from any turn of a run, in a run of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from langgraph.checkpoint.base import Checkpoint
from langgraph.types import StateSnapshot

from environments.plain_files import write_whole
from managers.core.handover import Memory
from orchestrator.checkpoints.opening import open_turns, read_turns
from orchestrator.config import GraphConfig, listed, load_config, overlaid, search_path
from orchestrator.episode import Episode, new_run, recorded, recorded_memory, started
from orchestrator.errors import RunError, writing
from orchestrator.saved.record import Record
from orchestrator.saved.restore import (
    check_state,
    check_versions,
    limit,
    recorded_setup,
    stand_after,
    thread,
    trusted,
)
from orchestrator.saved.runs import RUNS, RunDirectory, new_session
from orchestrator.saved.transcript import mended, read_transcript
from orchestrator.settings.identity import named_apart
from orchestrator.settings.trust import admit
from orchestrator.setup import Setup
from orchestrator.turns.context import Context


def fork(
    run: str | Path,
    turn: int | None = None,
    *,
    out: str | Path = RUNS,
    any_version: bool = False,
    trust: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """Start a new run from the end of a turn of another one, play it and return its result.

    Args:
        run: id of a run under `out`, or its directory; it is only read.
        turn: the last one that is taken over; by default the last one there is.
        out: where runs are looked for, and where the new one is made.
        any_version: go on though the versions that influence play are others.
        trust: allow the code and the servers that its config names, from now on.
        changes: see `open_fork`.

    Raises:
        RunError: that turn is not there or cannot be restored.
        ConfigError: a change will not do.
        GameError: the story is not found.
    """
    branch = branch_at(RunDirectory.find(run, out), turn, trust=trust)
    if not any_version:
        check_versions(branch.record)
    with open_fork(branch, out=out, trust=trust, **changes) as episode:
        return episode.play()


class Branch(NamedTuple):
    """The end of a turn of a run."""

    parent: RunDirectory
    record: Record
    stand: StateSnapshot
    checkpoint: Checkpoint
    transcript: bytes
    """Up to that turn."""

    @property
    def turn(self) -> int:
        """The last one that a fork takes over."""
        return int(self.stand.values["turn"])


def branch_at(parent: RunDirectory, turn: int | None = None, *, trust: bool = False) -> Branch:
    """Read the end of a turn, by default of the last one.

    Raises:
        ConfigError: its config names code that nobody has allowed here.
        RunError: it is not there or cannot be restored.
    """
    record = parent.record()
    trusted(record, trust=trust)
    with read_turns(parent, record) as saver:
        stand = stand_after(saver, record, turn)
        found = saver.get_tuple(stand.config)
        if found is None:
            raise RunError(f"run {record.run_id}: turn {turn} was deleted while it was read")
        earlier = saver.states(record.thread, until=stand.values["turn"])
        found_there = read_transcript(parent.transcript) if parent.transcript.exists() else b""
        transcript = mended(found_there, earlier)
    return Branch(parent, record, stand, found.checkpoint, transcript)


@contextmanager
def open_fork(
    branch: Branch,
    *,
    graph: str | Path | None = None,
    configs: Sequence[str | Path] | Path = (),
    settings: Sequence[str] = (),
    seed: int | None = None,
    agent_seed: int | None = None,
    steps: int | None = None,
    game: str | None = None,
    trust: bool = False,
    **options: Any,
) -> Iterator[Episode]:
    """The episode of a new run that stands at a branch.

    Args:
        branch: where it starts.
        graph: another graph; by default the parent's own config.
        configs: TOML files merged over it.
        settings: KEY=VALUE texts merged over that.
        seed: another emulator seed from here on.
        agent_seed: another seed of the agent's.
        steps: so many turns; by default up to the parent's limit.
        game: where the story lies, if neither there nor in the catalog any more.
        trust: allow the code and the servers that the files name, from now on.
        options: `watchers`, `keep` and the like, as for `Setup`.
    """
    record, configs, settings = branch.record, listed(configs), listed(settings)
    base = record.config if graph is None else load_config(graph)
    config = named_apart(overlaid(base.table, configs, settings), base)
    named = search_path(graph or "", configs)
    folders = tuple(dict.fromkeys([*record.folders, *named, *base.folders, *config.folders]))
    admit(config, folders, f"the fork of {record.run_id}", given=settings, trust=trust)
    setup = recorded_setup(
        record,
        game,
        config=config,
        seed=record.seed if seed is None else seed,
        agent_seed=record.agent_seed if agent_seed is None else agent_seed,
        steps=limit(branch.parent, record, branch.stand, steps, config.after_end),
        folders=folders,
        **options,
    )
    recalled = recorded_memory(branch.parent, record)
    with (
        started(setup, *setup.seeds(1), recalled) as (context, crew),
        forked_run(setup, context, branch, recalled) as run,
        recorded(setup, context, crew, run) as episode,
    ):
        yield episode


@contextmanager
def forked_run(
    setup: Setup, context: Context, branch: Branch, recalled: Memory | None
) -> Iterator[RunDirectory]:
    """A new run directory with the branch's transcript, checkpoint and memory."""
    checkpoint, seeds = branch.checkpoint.copy(), branch.record.emulator_seeds
    checkpoint["channel_values"] = _taken_over(branch, setup.config)
    if context.seed != branch.record.seed:
        values = checkpoint["channel_values"]
        snapshot = context.game.reseed(values["snapshot"], context.seed)
        checkpoint["channel_values"] = {**values, "snapshot": snapshot}
        seeds = (*seeds, (branch.turn, context.seed))
    origin = {
        "parent": {"run_id": branch.record.run_id, "turn": branch.turn},
        "emulator_seeds": seeds,
        "sessions": [new_session(branch.turn)],
    }
    with new_run(setup, context.seed, context.agent_seed, recalled, **origin) as run:
        with writing(run.transcript):
            write_whole(run.transcript, branch.transcript)
        record = run.record()
        with open_turns(run, record, setup.database) as saver:
            saver.put(
                thread(record),
                checkpoint,
                {"source": "fork", "step": -1, "parents": {}},
                checkpoint["channel_versions"],
            )
        yield run


def _taken_over(branch: Branch, config: GraphConfig) -> dict[str, Any]:
    """The state at a branch, without the fields that only the parent's graph has.

    Raises:
        RunError: a field has another type in the parent's graph.
    """
    parents = branch.record.config.state
    values = {
        name: value
        for name, value in branch.checkpoint["channel_values"].items()
        if name in config.state or name not in parents
    }
    told = {name: value for name, value in branch.stand.values.items() if name in values}
    what = f"run {branch.record.run_id} has a field of another type; give the graph's another name"
    check_state(told, config, what)
    return values
