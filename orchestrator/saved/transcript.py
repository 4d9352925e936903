"""The transcript of a run: what was typed and what the story answered, nothing else."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path

from environments.plain_files import open_plain, read_whole
from environments.plain_text import showable
from orchestrator.errors import RunError
from orchestrator.state import Mark, State

LARGEST = 256 << 20
"""Bytes of a transcript that is read; half a million turns have as many."""


def entry(command: str | None, reply: str) -> str:
    """One turn as it stands in the transcript, fit to be shown; the opening has no command."""
    return showable(f"{reply}\n" if command is None else f"\n> {command}\n{reply}\n")


def extended(mark: Mark, command: str | None, reply: str) -> Mark:
    """How far the transcript has come with one entry more."""
    added = entry(command, reply).encode()
    return Mark(size=mark.size + len(added), crc32=zlib.crc32(added, mark.crc32))


def mended(content: bytes, states: Iterable[State]) -> bytes:
    """The transcript up to the turn of the first state, as the marks in the states say it is.

    What is damaged or missing in `content` is made again.

    Args:
        content: The transcript as it is found.
        states: The kept ones, newest first.

    Raises:
        RunError: there are no states of all turns that have to be made again.
    """
    entries: list[bytes] = []
    turn: int | None = None
    for state in states:
        if state["turn"] == turn:
            continue
        if turn is not None and state["turn"] != turn - 1:
            break
        turn, mark = state["turn"], state["transcript"]
        if mark.size <= len(content) and zlib.crc32(content[: mark.size]) == mark.crc32:
            return b"".join([content[: mark.size], *reversed(entries)])
        entries.append(_last_entry(state))
    if turn != 0:
        raise RunError(
            f"the transcript is damaged before turn {turn}, and the checkpoints of those turns "
            "are not kept; put the whole file back"
        )
    return b"".join(reversed(entries))


def read_transcript(path: Path) -> bytes:
    """A whole transcript, as it lies in the directory of a run.

    Raises:
        RunError: it cannot be read, or is no file of its own.
    """
    try:
        return read_whole(path, largest=LARGEST)
    except OSError as error:
        raise RunError(f"{str(path)!r}: cannot be read: {error.strerror}") from error


class Transcript:
    """Appends turn by turn; after a crash it is brought in line with the last checkpoint."""

    def __init__(self, path: Path) -> None:
        """Open for appending.

        Raises:
            RunError: the file cannot be written.
        """
        self.path = path
        try:
            self._file = open_plain(path, "ab")
        except OSError as error:
            raise self._unwritable(error) from error

    def append(self, state: State) -> None:
        """Write the turn that `state` is the end of."""
        self._write(_last_entry(state))

    def align(self, states: Iterable[State]) -> None:
        """Make the file end with the turn of the first state; see `mended`.

        Raises:
            RunError: it is damaged and cannot be made again.
        """
        found = read_transcript(self.path)
        wanted = mended(found, states)
        same = len(wanted) if found.startswith(wanted) else 0
        self._file.truncate(same)
        self._write(wanted[same:])

    def _write(self, content: bytes) -> None:
        try:
            while content:
                content = content[self._file.write(content) :]
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> RunError:
        return RunError(f"{str(self.path)!r}: cannot be written: {error.strerror}")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _last_entry(state: State) -> bytes:
    command = state["command"] if state["turn"] else None
    return entry(command, state["observation"].text).encode()
