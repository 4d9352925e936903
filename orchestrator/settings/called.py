"""How this program was called, so that what it names can be called again."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

PROGRAM = "zork"


def called() -> str:
    """`zork` where a shell finds this very one by that name, else the path it was called by."""
    path = Path(sys.argv[0])
    found = shutil.which(PROGRAM)
    if path.name != PROGRAM or path == Path(PROGRAM):
        return PROGRAM
    if found and Path(found).resolve() == path.resolve():
        return PROGRAM
    return shlex.quote(str(path))
