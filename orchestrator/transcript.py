"""The transcript of a run: what was typed and what the story answered, nothing else."""

from __future__ import annotations

from pathlib import Path

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
        self.path = path
        self._file = path.open("ab", buffering=0)

    def append(self, state: State) -> None:
        """Write the turn that `state` is the end of."""
        self._file.write(_last_entry(state))

    def align(self, state: State) -> None:
        """Make the file end with the turn that `state` is the end of."""
        last = _last_entry(state)
        self._file.truncate(state["transcript_size"] - len(last))
        self._file.write(last)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _last_entry(state: State) -> bytes:
    command = state["proposal"].command if state["turn"] else None
    return entry(command, state["observation"].text).encode()
