"""What is printed: words of models and stories are shown and never obeyed by a terminal."""

from __future__ import annotations

from collections.abc import Iterable

import typer
from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
from rich.segment import Segment

from environments.plain_text import showable


class Terminal(Console):
    """Rich's console, in which only rich itself may write control characters."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of what is printed, made harmless."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else showable(text), style, control)

    def print_whole(self, table: RenderableType) -> None:
        """Print a table as wide as it is: no column is dropped and no name cut at any width."""
        size = self.size
        self.size = ConsoleDimensions(WIDEST, size.height)
        width = max(size.width, self.measure(table).maximum)
        self.size = ConsoleDimensions(width, size.height)
        try:
            self.print(table, crop=False)
        finally:
            self.size = size


WIDEST = 10_000


def say(text: str, *, err: bool = False) -> None:
    """Print a line as it is, but for what a terminal would obey."""
    typer.echo(showable(text), err=err)
