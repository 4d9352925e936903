"""The transcript of a run: what was typed and what the story answered, nothing else."""

from __future__ import annotations

from pathlib import Path

from orchestrator.errors import RunError
from orchestrator.state import State


def entry(command: str | None, reply: str) -> str:
    """One turn as it stands in the transcript; the opening has no command."""
    return f"{reply}\n" if command is None else f"\n> {command}\n{reply}\n"


def entry_size(command: str | None, reply: str) -> int:
    """Bytes of the entry in the file."""
    return len(entry(command, reply).encode())


class Transcript:
    """Appends turn by turn; after a crash it is brought in line with the last checkpoint."""

    def __init__(self, path: Path) -> None:
        """Open for appending.

        Raises:
            RunError: the file cannot be written.
        """
        self.path = path
        try:
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise self._unwritable(error) from error

    def append(self, state: State) -> None:
        """Write the turn that `state` is the end of."""
        self._write(_last_entry(state))

    def align(self, state: State) -> None:
        """Make the file end with the turn that `state` is the end of.

        Raises:
            RunError: the turns before it are not all there.
        """
        last = _last_entry(state)
        before = state["transcript_size"] - len(last)
        size = self.path.stat().st_size
        if size < before:
            raise RunError(
                f"{str(self.path)!r}: holds {size} bytes, before turn {state['turn']} it had "
                f"{before}; put the whole file back"
            )
        self._file.truncate(before)
        self._write(last)

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
