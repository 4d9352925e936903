"""Rows as a Parquet file, for pandas, DuckDB and the like; needs pyarrow."""

from __future__ import annotations

import importlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from environments.extras import installing
from orchestrator.errors import ConfigError, writing


def as_parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """One column a key, in the order in which they come; what is no plain value is JSON.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    arrow, files = _library()
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [arrow.array([_cell(row.get(name)) for row in rows]) for name in names]
    for place, column in enumerate(columns):
        if arrow.types.is_null(column.type):
            columns[place] = column.cast(arrow.string())
    content = io.BytesIO()
    files.write_table(arrow.table(columns, names=names), content, compression="zstd")
    return content.getvalue()


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write `as_parquet(rows)` to a file.

    Raises:
        ConfigError: pyarrow is not installed.
        RunError: the file cannot be written.
    """
    content = as_parquet(rows)
    with writing(path):
        path.write_bytes(content)


def check_installed() -> None:
    """See to it that Parquet can be written, before something long begins.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    _library()


def _cell(value: Any) -> Any:
    return to_json(value).decode() if isinstance(value, dict | list | tuple) else value


def _library() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise ConfigError(f"Parquet needs pyarrow: {installing('parquet')}") from error
