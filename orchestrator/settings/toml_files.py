"""TOML files that somebody else may have written, read in a bounded time."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from environments.plain_files import read_whole
from orchestrator.errors import ConfigError
from orchestrator.graph.spec import Table

MAX_BYTES = 256 << 10
"""Of a file; the longest that we ship has 600."""
MAX_PARTS = 20
"""Of a dotted key. The time that a key takes grows with the square of its parts."""
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?m:^[ \t]*+\[{{0,2}}|[{{,])[ \t]*+(?:{_PART}){{{MAX_PARTS}}}")
"""Where a key may stand: at the beginning of a line, in the brackets of a table, or in one within
a line."""
_LINE = re.compile(r"(.*) \(at line (\d+), column \d+\)")


def read_toml(path: Path, what: str) -> tuple[str, Table]:
    """The text of a file, and the table that it is.

    Args:
        path: of the file, which may be a link.
        what: it is to be, for messages.

    Raises:
        ConfigError: it cannot be read, or is no TOML; in one line.
    """
    named = f"{what} {str(path)!r}"
    try:
        text = read_whole(path, MAX_BYTES, links=True).decode("utf-8-sig")
        return text, parse_toml(text)
    except FileNotFoundError as error:
        raise ConfigError(f"{named}: no such file") from error
    except tomllib.TOMLDecodeError as error:
        at = _LINE.fullmatch(str(error))
        told = f"{path}:{at[2]}: {at[1]}" if at else f"{named}: {error}"
        raise ConfigError(f"{told}; it is no valid TOML") from error
    except OSError as error:
        raise ConfigError(f"{named}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{named}: {error}") from error


def parse_toml(text: str) -> Table:
    """The table of a text.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML.
        ValueError: it is nested too deep, or a key or number in it is too long.
    """
    if found := _LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise ValueError(f"line {line}: a key has more than {MAX_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("is nested too deep") from error
