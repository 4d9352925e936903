"""Pictures in files: what a name ends in says what is written."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from environments.extras import installing
from orchestrator.errors import ConfigError, writing

_DPI = 96
"""How many pixels an inch has in an SVG whose size is told in points."""

Drawing = Callable[[], str]
"""Makes the text of a file."""


def write_picture(path: Path, drawings: Mapping[str, Drawing]) -> None:
    """Write what the path's ending says; a PNG is made of the SVG.

    Raises:
        ConfigError: nothing can be written with this ending.
        RunError: the file cannot be written.
    """
    ending = path.suffix.removeprefix(".").lower()
    known = [*drawings, *(["png"] if "svg" in drawings else [])]
    if ending not in known:
        raise ConfigError(f"{str(path)!r}: give a file that ends in .{', .'.join(known)}")
    content = png(drawings["svg"]()) if ending == "png" else drawings[ending]().encode()
    with writing(path):
        path.write_bytes(content)


def png(svg: str) -> bytes:
    """An SVG document as a PNG.

    Raises:
        ConfigError: what it needs is not installed.
    """
    return bytes(needed("resvg_py", "pictures").svg_to_bytes(svg_string=svg, dpi=_DPI))


def needed(module: str, extra: str) -> Any:
    """A module that an extra brings along.

    Raises:
        ConfigError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ConfigError(f"{error.name!r} is not installed: {installing(extra)}") from error
