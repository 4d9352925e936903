"""The command line in the process of the test; what is about processes starts its own."""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest

from orchestrator.cli import main


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


def zork(*arguments: str, encoding: str = "utf-8", **environment: str) -> Done:
    """Run `zork` as its own process would, with pipes for its output and nothing to read."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding, errors, "\n", write_through=True)
        for errors in ("strict", "backslashreplace")
    )
    mask, handler = os.umask(0o077), signal.getsignal(signal.SIGTERM)
    try:
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", ["zork", *arguments])
            patch.setattr(sys, "unraisablehook", sys.unraisablehook)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
            for name, value in {"COLUMNS": "200", **environment}.items():
                patch.setenv(name, value)
            try:
                main()
                status = 0
            except SystemExit as left:
                status = int(left.code or 0)
    finally:
        os.umask(mask)
        signal.signal(signal.SIGTERM, handler)
    told = (stream.buffer.getvalue().decode(encoding) for stream in (out, err))  # type: ignore[attr-defined]
    return Done(status, *told)
