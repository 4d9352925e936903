"""TOML files of the user's own: read within bounds, their faults told in one line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from orchestrator.errors import ConfigError

MAX_BYTES = 1 << 20
"""Of a file."""
_LINE = re.compile(r"(.*) \(at line (\d+), column \d+\)")


def read_toml(path: Path, what: str) -> tuple[str, dict[str, Any]]:
    """The text of a file, without a byte-order mark, and the table that it holds.

    Args:
        path: the file.
        what: what it is, for messages.

    Raises:
        ConfigError: it cannot be read or is no TOML.
    """
    named = f"{what} {str(path)!r}"
    try:
        if path.exists() and not (path.is_file() and path.stat().st_size <= MAX_BYTES):
            raise ConfigError(f"{named}: is no file of at most 1 MB")
        text = path.read_text(encoding="utf-8-sig")
        return text, tomllib.loads(text)
    except FileNotFoundError as error:
        raise ConfigError(f"{named}: no such file") from error
    except tomllib.TOMLDecodeError as error:
        at = _LINE.fullmatch(str(error))
        told = f"{path}:{at[2]}: {at[1]}" if at else f"{named}: {error}"
        raise ConfigError(f"{told}; it is no valid TOML") from error
    except RecursionError as error:
        raise ConfigError(f"{named}: is nested too deep") from error
    except OSError as error:
        raise ConfigError(f"{named}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # Bytes that are no text, and numbers without end.
        raise ConfigError(f"{named}: {error}") from error
