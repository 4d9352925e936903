"""Run directories: what an episode leaves on disk, written as play goes."""

from __future__ import annotations

import datetime
import difflib
import errno
import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from environments.plain_files import LARGEST, check_own, read_whole, write_whole
from orchestrator.errors import RunError, RunInUseError, writing
from orchestrator.own_packages import folder_of
from orchestrator.saved.record import LONGEST, PlaySession, Record
from orchestrator.settings.called import called
from orchestrator.traces.redaction import dumps, redact_json

FORMAT = 1
VERSIONED = ("zork-orchestrator", "jericho", "langgraph", "langchain-core", "pydantic")
CODE = (
    *("environments", "managers", "agents", "prompts", "testing", "orchestrator/graph"),
    *("orchestrator/roles", "orchestrator/nodes.py", "orchestrator/turns/current.py"),
    "orchestrator/reducers.py",
)
"""What decides how a turn goes."""
RUNS = Path("runs")
"""Where run directories are made and looked for, unless something else is said."""

_OURS = re.compile(
    r"episode\.json|transcript\.txt|trace(\.[0-9]+\.jsonl\.gz|\.jsonl)"
    r"|checkpoints\.sqlite|(memory|learned)\.json"
)
MOST_OF_RECORD = 2 << 20
"""Bytes of episode.json; it has five thousand."""
LEAST = 3
"""Letters of a part of an id that may stand for it."""
TRIES, PAUSE_S = 20, 0.01
"""How often whoever takes a run's lock tries, and how long after each time."""
MOST_NAMED = 5
"""Runs in a message about several."""
MOST_OF_NAME = LONGEST - len("-999-01234567")
"""Letters of a new run's name, which a number and a mark of its checkpoints may follow."""
_LEFT_OVER = re.compile(
    r"[a-z0-9.-]+\.part|checkpoints\.sqlite-[a-z]+|trace\.pushed-[0-9a-f]+\.json"
)
_TAKEN = (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR)


class RunDirectory:
    """`runs/<run id>/`: episode.json, memory.json, transcript, trace and checkpoints."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextmanager
    def create(
        cls, out: Path, label: str, record: Mapping[str, Any], memory: bytes = b""
    ) -> Iterator[RunDirectory]:
        """A new directory under `out`, named by time and label, locked and with its record.

        Nobody ever sees it without the record, so that it can be resumed after any crash.
        `memory` is the copy of what earlier episodes learned, if the run starts with one.

        Raises:
            RunError: the directory cannot be made.
        """
        stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
        base = f"{stamp}-{re.sub(r'[^A-Za-z0-9]+', '-', label).strip('-').lower()}"
        base = base[:MOST_OF_NAME].rstrip("-")
        draft = cls(out / f".{uuid.uuid4().hex}")
        try:
            draft.path.mkdir(parents=True, mode=0o700)
            if memory:
                draft.memory.write_bytes(memory)
        except OSError as error:
            raise RunError(f"--out {str(out)!r}: cannot make a run directory: {error}") from error
        with draft.locked():
            try:
                run = draft._renamed(out, base, record)
            except RunError:
                shutil.rmtree(draft.path)
                raise
            yield run

    @classmethod
    def find(cls, name: str | Path, out: str | Path = RUNS) -> RunDirectory:
        """The run in this directory, or with this id under `out`: whole, its beginning or a part.

        `last` is the one that was played last.

        Raises:
            RunError: there is none.
        """
        out = Path(out)
        if not str(name):
            raise RunError("no run '': say its name, or last")
        for path in (Path(name), out / name):
            if cls(path).is_there:
                return cls(path if path.name else path.resolve())
        known = list_runs(out)
        if not known:
            raise RunError(f"no run {str(name)!r} in {str(out)!r}; `zork play` makes one")
        if name == "last":
            return max(known, key=RunDirectory.last_played)
        ids = [run.path.name for run in known]
        fitting = [one for one in ids if one.startswith(str(name))] or [
            one for one in ids if len(str(name)) >= LEAST and str(name) in one
        ]
        if len(fitting) == 1:
            return cls(out / fitting[0])
        if fitting:
            raise RunError(f"run {str(name)!r} fits several: {', '.join(fitting[:MOST_NAMED])}")
        close = difflib.get_close_matches(str(name), ids, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise RunError(f"no run {str(name)!r}, neither here nor in {str(out)!r}{hint}")

    @property
    def trace(self) -> Path:
        """LangSmith run records, one a line."""
        return self.path / "trace.jsonl"

    @property
    def checkpoints(self) -> Path:
        """LangGraph checkpoints, one a turn."""
        return self.path / "checkpoints.sqlite"

    @property
    def transcript(self) -> Path:
        """Commands and replies."""
        return self.path / "transcript.txt"

    @property
    def memory(self) -> Path:
        """What was remembered of earlier episodes when this one began."""
        return self.path / "memory.json"

    @property
    def learned(self) -> Path:
        """What this episode learned, where the store could not be written."""
        return self.path / "learned.json"

    def record(self) -> Record:
        """What episode.json says.

        Raises:
            RunError: it is not there or not ours.
        """
        path = self._record
        try:
            return Record.model_validate_json(self.read(path, MOST_OF_RECORD))
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(str(part) for part in fault["loc"])
            raise RunError(
                f"{str(path)!r}: no record of a run that this program can read: "
                f"{where}: {fault['msg'].lower()}".replace(": : ", ": ")
            ) from error

    def status(self, record: Record) -> str:
        """`playing`, `killed`, or how the last session ended.

        Raises:
            RunError: it was removed meanwhile.
        """
        if self.is_in_use():
            return "playing"
        killed = record.status == "running"
        return "killed" if killed else record.outcome.end_reason or record.status

    def is_in_use(self) -> bool:
        """Whether somebody holds its lock; any number may look at the same time.

        Raises:
            RunError: it was removed meanwhile.
        """
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise RunError(f"{str(self.path)!r}: cannot be looked at: {error.strerror}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        return False

    def last_played(self) -> float:
        """Seconds since 1970; reading checkpoints changes the time of the folder itself."""
        return max(told.st_mtime for told in map(_told, (self._record, self.transcript)))

    @property
    def is_there(self) -> bool:
        """Whether it has a record, as a run has that nobody has removed meanwhile."""
        try:
            return self._record.exists()
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return False
            raise

    @property
    def _record(self) -> Path:
        return self.path / "episode.json"

    @property
    def has_begun(self) -> bool:
        """Whether its story was opened."""
        return self.transcript.is_file() and self.transcript.stat().st_size > 0

    @property
    def way_on(self) -> str:
        """The command that plays it on, wherever it lies."""
        return f"{called()} resume {self.typed}"

    def way_back(self, turn: int | str) -> str:
        """The command that goes back to a turn of it, wherever it lies."""
        return f"{called()} fork {self.typed} --turn {turn}"

    @property
    def typed(self) -> str:
        """Its directory as a command takes it, whatever it is called."""
        path = str(self.path)
        return shlex.quote(f"./{path}" if path.startswith("-") else path)

    def files(self) -> list[Path]:
        """What a run consists of on disk, without the log of a database in use."""
        return sorted(path for path in self.path.iterdir() if is_ours(path.name))

    def sizes(self) -> dict[str, int]:
        """The bytes of each of its files; no link is followed, and others may remove it."""
        try:
            return {path.name: _told(path).st_size for path in self.files()}
        except FileNotFoundError:
            return {}

    def check_own(self) -> None:
        """Refuse to write to a directory in which links, pipes and the like stand for its files.

        Raises:
            RunError: which one.
        """
        for path in self.path.iterdir():
            if is_ours(path.name) or is_left_over(path.name):
                try:
                    check_own(path)
                except OSError as error:
                    raise RunError(f"{str(path)!r}: {error.strerror}") from error

    def write_episode(self, record: Mapping[str, Any]) -> None:
        """Replace episode.json atomically, without anything that looks like a secret."""
        write_json(self._record, from_json(redact_json(dumps(record))))

    def keep_learned(self, content: bytes) -> None:
        """Write what could not be remembered.

        Raises:
            RunError: it cannot be written here either.
        """
        with writing(self.learned):
            write_whole(self.learned, content)

    def read(self, path: Path, largest: int = LARGEST) -> bytes:
        """The content of a file of the run that is not large.

        Raises:
            RunError: it cannot be read, or is no file of its own.
        """
        try:
            return read_whole(path, largest)
        except OSError as error:
            raise RunError(f"{str(path)!r}: cannot be read: {error.strerror}") from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else plays or removes the run meanwhile; a dead process holds no lock.

        Raises:
            RunInUseError: somebody does.
        """
        handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self._lock(handle)
            yield
        finally:
            os.close(handle)

    def _lock(self, handle: int) -> None:
        """Try for a moment: who only looks whether it is in use is soon done."""
        for _ in range(TRIES):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                time.sleep(PAUSE_S)
        raise RunInUseError(f"{str(self.path)!r}: another process is playing this run")

    def _renamed(self, out: Path, base: str, record: Mapping[str, Any]) -> RunDirectory:
        """This directory under the first free name that starts with `base`."""
        for number in range(1, 1000):
            path = out / (base if number == 1 else f"{base}-{number}")
            thread = f"{path.name}-{self.path.name[1:9]}"
            names = {"run_dir": str(path), "run_id": path.name, "thread": thread}
            self.write_episode({**record, **names})
            try:
                self.path.rename(path)
            except OSError as error:
                if error.errno in _TAKEN:
                    continue
                raise RunError(f"{str(path)!r}: cannot be made: {error.strerror}") from error
            return RunDirectory(path)
        raise RunError(f"--out {str(out)!r}: too many runs named {base!r}")


def _told(path: Path) -> os.stat_result:
    """What the system tells of a file; nothing but noughts where there is none any more."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return os.stat_result((0,) * 10)


def list_runs(out: Path = RUNS) -> list[RunDirectory]:
    """The runs under `out`, oldest first."""
    if not out.is_dir():
        return []
    found = sorted(path.parent for path in out.glob("*/episode.json"))
    return [RunDirectory(path) for path in found if not path.name.startswith(".")]


def is_ours(name: str) -> bool:
    """Whether this is the name of a file in a run directory."""
    return _OURS.fullmatch(name) is not None


def is_left_over(name: str) -> bool:
    """Whether a run leaves such a file beside its own: a log, a note, a half-written one."""
    return _LEFT_OVER.fullmatch(name) is not None


def versions() -> dict[str, str]:
    """Of the packages that influence play, and a digest of our own code and data."""
    return {**{name: version(name) for name in VERSIONED}, "code": code_digest()}


@cache
def code_digest() -> str:
    """Tells program states apart that have the same version number."""
    digest = hashlib.blake2b(digest_size=6)
    for part in CODE:
        package, _, inner = part.partition("/")
        start = folder_of(package) / inner
        for path in [start, *sorted(start.rglob("*"))]:
            if path.suffix in (".py", ".toml", ".txt", ".md"):
                digest.update(f"{part}/{path.relative_to(start)}".encode() + path.read_bytes())
    return digest.hexdigest()


def new_session(from_turn: int) -> dict[str, Any]:
    """One that starts now, as it stands in a record."""
    now = datetime.datetime.now(datetime.UTC)
    session = PlaySession(from_turn=from_turn, started=now, versions=versions())
    return session.model_dump(mode="json")


def write_json(path: Path, content: Any) -> None:
    """Written beside, synced and moved into place: no reader and no power failure halves it.

    Raises:
        RunError: the file cannot be written; what was there is untouched.
    """
    with writing(path):
        write_whole(path, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())
