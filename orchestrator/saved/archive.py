"""A run as one file: to keep it, or to play it on elsewhere; and removing one."""

from __future__ import annotations

import shutil
import sqlite3
import tarfile
import tempfile
import uuid
import zlib
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from environments.plain_files import open_plain
from orchestrator.checkpoints.opening import (
    delete_turns,
    open_sqlite,
    own_types,
    read_turns,
    reading,
)
from orchestrator.checkpoints.saver import Keep, TurnSaver
from orchestrator.errors import RunError, check_spared
from orchestrator.saved.record import POSTGRES, SQLITE, Record
from orchestrator.saved.restore import thread
from orchestrator.saved.runs import RUNS, RunDirectory, is_left_over, is_ours, write_json
from orchestrator.saved.unpacking import BadArchive, unpack


def export_run(run: RunDirectory, target: Path) -> None:
    """Pack a run into a gzipped tar file, its checkpoints as one tidy SQLite database.

    Raises:
        RunError: it is being played, cannot be read, or the file cannot be written there.
    """
    record = run.record()
    check_spared(target, *run.files())
    if target.exists() and not target.is_file():
        kind = "a folder" if target.is_dir() else "a pipe or a device"
        raise RunError(f"{str(target)!r}: is {kind}; name a file, for instance run.tar.gz")
    part = target.with_name(f"{target.name}.part")
    try:
        with (
            run.locked(),
            tempfile.TemporaryDirectory() as folder,
            tarfile.open(part, "w:gz") as tar,
        ):
            files = {path.name: path for path in run.files()}
            files |= {path.name: path for path in _portable(run, record, Path(folder))}
            for name, path in files.items():
                _add(tar, path, f"{record.run_id}/{name}")
        part.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise RunError(f"{str(target)!r}: cannot be written: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def import_run(archive: Path, out: Path = RUNS) -> RunDirectory:
    """Unpack an exported run under `out`.

    Raises:
        RunError: it is no exported run, is damaged, or a run of that name is there already.
    """
    draft = RunDirectory(out / f".{uuid.uuid4().hex}")
    try:
        draft.path.mkdir(parents=True, mode=0o700)
        unpack(archive, draft.path, is_ours)
        record = draft.record()
        if record.checkpoints == POSTGRES:
            raise RunError(
                f"{str(archive)!r}: keeps its checkpoints in a database, not in the archive"
            )
        run = RunDirectory(out / record.run_id)
        if run.path.exists():
            raise RunError(f"{str(run.path)!r}: is there already")
        draft.path.rename(run.path)
    except BadArchive as error:
        raise RunError(f"{str(archive)!r}: {error}") from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise RunError(f"{str(archive)!r}: cannot be imported: {reason}") from error
    finally:
        shutil.rmtree(draft.path, ignore_errors=True)
    return run


def remove_run(run: RunDirectory) -> None:
    """Delete a run: its own files, what it has in a database, and the folder if that is empty.

    Raises:
        RunError: it is being played, cannot be deleted, or the folder holds something else.
    """
    record = run.record()
    try:
        with run.locked():
            delete_turns(run, record)
            for path in run.path.iterdir():
                if is_ours(path.name) or is_left_over(path.name):
                    path.unlink()
            if others := sorted(path.name for path in run.path.iterdir()):
                raise RunError(f"{str(run.path)!r}: stays, it also holds {', '.join(others)}")
            run.path.rmdir()
    except OSError as error:
        raise RunError(f"{str(run.path)!r}: cannot be removed: {error}") from error


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    with open_plain(path) as file:
        tar.addfile(tar.gettarinfo(arcname=name, fileobj=file), file)


def _portable(run: RunDirectory, record: Record, folder: Path) -> list[Path]:
    """The files of a run that are packed in another form than they have, made in `folder`."""
    copy = folder / run.checkpoints.name
    if record.checkpoints == POSTGRES:
        _copy_turns(run, record, copy)
        header = {**record.header(), **record.results(), "checkpoints": SQLITE}
        write_json(folder / "episode.json", header)
        return [copy, folder / "episode.json"]
    if not run.checkpoints.is_file():
        return []
    with reading(run.checkpoints) as (database, _), closing(sqlite3.connect(copy)) as target:
        database.backup(target)
    return [copy]


def _copy_turns(run: RunDirectory, record: Record, path: Path) -> None:
    """Copy the checkpoints of a run out of its database into a file.

    What nodes of a turn that broke off have written comes along; a graph within that broke off
    begins anew.
    """
    with (
        read_turns(run, record) as source,
        open_sqlite(path, source.stamp, Keep(), own_types(record)) as target,
    ):
        for one in source.turns(record.thread):
            if found := source.get_tuple(thread(record, one.id)):
                place = found.parent_config or thread(record)
                versions = found.checkpoint["channel_versions"]
                target.costs = partial(dict, one.metadata.get("costs") or {})
                saved = target.put(place, found.checkpoint, found.metadata, versions)
                _copy_writes(target, saved, found.pending_writes or ())


def _copy_writes(
    target: TurnSaver, saved: RunnableConfig, pending: Iterable[tuple[str, str, Any]]
) -> None:
    by_task: dict[str, list[tuple[str, Any]]] = {}
    for task, channel, value in pending:
        by_task.setdefault(task, []).append((channel, value))
    for task, writes in by_task.items():
        target.put_writes(saved, writes, task)
