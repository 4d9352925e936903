"""The command line `zork`: every command a thin call of the Python API."""

from orchestrator.cli.main import main

__all__ = ["main"]
