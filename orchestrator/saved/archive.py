"""A run as one file: to keep it, or to play it on elsewhere; and removing one."""

from __future__ import annotations

import shutil
import sqlite3
import tarfile
import tempfile
import uuid
import zlib
from contextlib import closing
from pathlib import Path

from environments.plain_files import open_plain
from orchestrator.checkpoints.opening import open_sqlite, open_turns, read_turns, reading
from orchestrator.checkpoints.saver import Keep
from orchestrator.errors import RunError
from orchestrator.saved.record import POSTGRES, SQLITE, Record
from orchestrator.saved.restore import thread
from orchestrator.saved.runs import RUNS, RunDirectory, is_left_over, is_ours, write_json
from orchestrator.saved.unpacking import BadArchive, unpack


def export_run(run: RunDirectory, target: Path) -> None:
    """Pack a run into a gzipped tar file, its checkpoints as one tidy SQLite database.

    Raises:
        RunError: it is being played, cannot be read, or the file cannot be written.
    """
    record = run.record()
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
        part.unlink(missing_ok=True)
        raise RunError(f"{str(target)!r}: cannot be written: {error}") from error


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
            if record.checkpoints == POSTGRES:
                with open_turns(run, record) as saver:
                    saver.turns(record.thread)  # Refuses those of another run.
                    saver.delete_thread(record.thread)
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
    """Copy the checkpoints of a run out of its database into a file."""
    with read_turns(run, record) as source, open_sqlite(path, source.stamp, Keep()) as target:
        for one in source.turns(record.thread):
            if found := source.get_tuple(thread(record, one.id)):
                place = found.parent_config or thread(record)
                versions = found.checkpoint["channel_versions"]
                target.put(place, found.checkpoint, found.metadata, versions)
