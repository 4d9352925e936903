"""The results file of a plan: JSON lines, one a cell, appended as they end."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from environments.plain_files import open_plain
from environments.plain_text import storable
from orchestrator.errors import ConfigError, RunError
from orchestrator.evaluation.cells import Key, key_of
from orchestrator.evaluation.row import ResultRow
from orchestrator.traces.redaction import redact_json

Row = dict[str, Any]
MOST_TOLD = 200
"""Characters of what is wrong with a line."""


class Results:
    """The rows of a file by their cells; only one process adds to it at a time."""

    def __init__(self, path: Path) -> None:
        """Names the file; nothing is made yet.

        Raises:
            ConfigError: it is no name of a file with an ending.
        """
        if path.with_suffix("") == path or path.is_dir():
            raise ConfigError(
                f"--output {str(path)!r}: is to be a results file beside the folder with the "
                f"episodes; give it an ending, for instance {str(path) + '.jsonl'!r}"
            )
        self.path = path
        self.folder = path.with_suffix("")
        """Where the cells are played."""

    @contextmanager
    def opened(self) -> Iterator[dict[Key, Row]]:
        """The rows so far, while nobody else adds any; a line that was cut off is taken away.

        Raises:
            RunError: somebody does, or the file cannot be read.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            self._lock(handle)
            yield self.read()
        finally:
            os.close(handle)

    def _lock(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._mend()
        except BlockingIOError as error:
            raise RunError(f"{str(self.path)!r}: another bench is adding to it") from error
        except OSError as error:
            raise self._unwritable(error) from error

    def begin(self) -> None:
        """Make the file.

        Raises:
            RunError: it cannot be written.
        """
        try:
            open_plain(self.path, "ab", links=True).close()
        except OSError as error:
            raise self._unwritable(error) from error

    def read(self) -> dict[Key, Row]:
        """What stands in the file.

        Raises:
            RunError: a line is no row.
        """
        return {key_of(row): row for row in read_rows(self.path)}

    def add(self, row: Mapping[str, Any]) -> Row:
        """Append one row without secrets, safe on the disk, and return it as it will be read.

        Raises:
            RunError: it cannot be written.
        """
        line = redact_json(storable(json.dumps(row, ensure_ascii=False)).encode())
        try:
            with self.path.open("ab") as file:
                file.write(line + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unwritable(error) from error
        return _whole(json.loads(line))

    def _unwritable(self, error: OSError) -> RunError:
        return RunError(f"--output {str(self.path)!r}: cannot be written: {error.strerror}")

    def _mend(self) -> None:
        """Cut off what a killed process left of its last line."""
        if self.path.is_file():
            content = self.path.read_bytes()
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                os.truncate(self.path, whole)


def read_rows(path: Path) -> list[Row]:
    """The rows of a results file, whatever an earlier version did not tell as if nothing was.

    Raises:
        RunError: a line is not one.
    """
    rows = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            row = _whole(line)
            key_of(row)
        except (TypeError, ValueError) as error:
            said = _first_fault(error)
            raise RunError(f"{str(path)!r} line {number} is no row of results: {said}") from error
        rows.append(row)
    return rows


def _whole(line: Any) -> Row:
    """A row with all that readers rely on.

    Raises:
        ValueError: a field is not there, or of another type.
    """
    return {**ResultRow.model_validate(line).model_dump(), **line}


def _first_fault(error: Exception) -> str:
    if isinstance(error, ValidationError):
        fault = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].lower()}"[:MOST_TOLD]
    return " ".join(str(error).split())[:MOST_TOLD]


def read_lines(path: Path) -> list[Row]:
    """The JSON of a file, one object a line; a last line that was cut off does not count.

    Raises:
        RunError: the file cannot be read, or a line in the middle is not JSON.
    """
    if path.exists() and not path.is_file():
        raise RunError(f"{str(path)!r}: is no file of results")
    try:
        content = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise RunError(f"{str(path)!r}: cannot be read: {error.strerror}") from error
    lines = content.removeprefix(codecs.BOM_UTF8).splitlines(keepends=True)
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(json.loads(line.decode()))
        except (ValueError, RecursionError) as error:
            if number == len(lines) and not line.endswith(b"\n"):
                break
            said = str(error)[:MOST_TOLD]
            raise RunError(f"{str(path)!r} line {number} is no JSON: {said}") from error
    return rows
