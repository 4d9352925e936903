"""What is printed: words of models and stories are shown and never obeyed by a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from environments.plain_text import showable
from orchestrator.errors import ConfigError

_SIZES = ("COLUMNS", "LINES", "TERMINAL_WIDTH")
"""Variables that libraries take for a size of the terminal as they are."""
_WIDEST_TERMINAL = 10_000


def take_any_terminal() -> None:
    """Have streams and a size that nothing said or read can break on.

    A stream that is closed leads nowhere, signs that its encoding lacks are replaced, and a size
    that is none does not count.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # Its number is taken, here and in every child: no file gets what is printed.
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            os.set_inheritable(nowhere.fileno(), True)
            setattr(sys, name, nowhere)
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    for name in _SIZES:
        size = os.environ.get(name, "")
        if size and not (
            size.isascii() and size.isdigit() and 0 < int(size[:9]) <= _WIDEST_TERMINAL
        ):
            del os.environ[name]


def check_terminal(name: str, instead: str) -> None:
    """Refuse to draw where nobody can see it or press a key.

    Args:
        name: What is to be drawn.
        instead: What would do there.

    Raises:
        ConfigError: input or output is no terminal.
    """
    for stream, what in ((sys.stdout, "standard output"), (sys.stdin, "standard input")):
        if not stream.isatty():
            raise ConfigError(f"{name} needs a terminal, and {what} is none; {instead} will do")


def finish() -> None:
    """Have everything that was printed written.

    Raises:
        OSError: it cannot be.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()


def give_up(stream: TextIO) -> None:
    """Leave unwritten what is still to be written to a stream that takes no more."""
    if isinstance(stream, TextIOWrapper):
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, stream.fileno())
        finally:
            os.close(null)


class Terminal(Console):
    """Rich's console, in which only rich itself may write control characters.

    `:8b:` in the name of a model is no picture, whatever stands between the colons.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(emoji=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of what is printed, made harmless."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else showable(text), style, control)

    def print_whole(self, table: RenderableType) -> None:
        """Print a table as wide as it is: no column is dropped and no name cut at any width."""
        options = self.options.update(width=max(self.width, self.width_of(table)))
        for line in self.render_lines(table, options, pad=False):
            text = Text.assemble(*((part.text, part.style or "") for part in line))
            text.rstrip()
            self.print(text, soft_wrap=True)

    def width_of(self, table: RenderableType) -> int:
        """How many columns it takes to print all of it."""
        return self.measure(table, options=self.options.update(width=WIDEST)).maximum


WIDEST = 10_000


def say(text: str, *, err: bool = False) -> None:
    """Print a text as it is, but for what a terminal would obey."""
    typer.echo(fitted(showable(text), sys.stderr if err else sys.stdout), err=err)


def say_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Print labels with their values beside them."""
    told = list(facts)
    indent = max(len(label) for label, _ in told) + 2
    for label, value in told:
        typer.echo(fitted(f"{label:<{indent}}{showable(value)}", sys.stdout, indent))


def fitted(text: str, stream: TextIO, indent: int = 0) -> str:
    """The text, broken between words where a person reads it in a terminal."""
    if not stream.isatty():
        return text
    wide = textwrap.TextWrapper(
        width=shutil.get_terminal_size().columns,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        expand_tabs=False,
    )
    return "\n".join("\n".join(wide.wrap(line)) for line in text.split("\n"))
