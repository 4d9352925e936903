"""Walkthrough files: one command a line."""

from __future__ import annotations

import codecs
from pathlib import Path

from environments.plain_files import read_whole


def read_commands(path: str | Path) -> list[str]:
    """The commands of a walkthrough, whatever bytes it holds; empty lines do not count.

    Raises:
        FileNotFoundError: there is no such file.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise FileNotFoundError(
            f"walkthrough {str(file)!r} is no file; give commands=FILE, one command a line"
        )
    lines = read_whole(file, links=True).removeprefix(codecs.BOM_UTF8).splitlines()
    return [line.decode("utf-8", "replace") for line in lines if line.strip()]
