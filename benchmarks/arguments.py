"""The command line of benchmarks that take nothing but names and numbers."""

from __future__ import annotations

import sys


def given(about: str | None) -> list[str]:
    """The arguments; where help is asked for, what the benchmark says of itself, and its end."""
    arguments = sys.argv[1:]
    if {"-h", "--help"} & {*arguments}:
        print(about)
        sys.exit()
    return arguments
