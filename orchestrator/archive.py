"""A run as one file: to keep it, or to play it on elsewhere."""

from __future__ import annotations

import shutil
import sqlite3
import tarfile
import tempfile
import uuid
import zlib
from contextlib import closing
from pathlib import Path, PurePosixPath

from orchestrator.checkpoints import reading
from orchestrator.errors import RunError
from orchestrator.runs import RUNS, RunDirectory, is_ours


def export_run(run: RunDirectory, target: Path) -> None:
    """Pack a run into a gzipped tar file, its checkpoints as one tidy database.

    Raises:
        RunError: it is being played, cannot be read, or the file cannot be written.
    """
    run_id = run.record().run_id
    part = target.with_name(f"{target.name}.part")
    try:
        with (
            run.locked(),
            tempfile.TemporaryDirectory() as folder,
            tarfile.open(part, "w:gz") as tar,
        ):
            for path in run.files():
                source = path
                if path == run.checkpoints:
                    source = Path(folder, path.name)
                    _tidy(path, source)
                tar.add(source, f"{run_id}/{path.name}")
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
        draft.path.mkdir(parents=True)
        with tarfile.open(archive) as tar:
            for member in tar:
                _extract(tar, member, draft.path)
        run_id = draft.record().run_id
        if PurePosixPath(run_id).name != run_id:
            raise RunError(f"{str(archive)!r}: {run_id!r} is no name for a run")
        run = RunDirectory(out / run_id)
        if run.path.exists():
            raise RunError(f"{str(run.path)!r}: is there already")
        draft.path.rename(run.path)
    except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
        raise RunError(f"{str(archive)!r}: cannot be imported: {error}") from error
    finally:
        shutil.rmtree(draft.path, ignore_errors=True)
    return run


def _tidy(source: Path, target: Path) -> None:
    """Copy a database with what is still in its log."""
    with reading(source) as connection, closing(sqlite3.connect(target)) as copy:
        connection.backup(copy)


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write one file of a run; an archive may hold nothing else."""
    place = PurePosixPath(member.name)
    content = tar.extractfile(member) if member.isfile() else None
    if content is None or len(place.parts) != 2 or not is_ours(place.name):
        raise RunError(f"{tar.name!r}: holds {member.name!r}, which is no file of a run")
    with content, (folder / place.name).open("xb") as target:
        shutil.copyfileobj(content, target)
