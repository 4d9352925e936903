"""What is printed: words of models and stories are shown and never obeyed by a terminal."""

from __future__ import annotations

from collections.abc import Iterable

import typer
from rich.console import Console, ConsoleOptions, RenderableType
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


def say(text: str, *, err: bool = False) -> None:
    """Print a line as it is, but for what a terminal would obey."""
    typer.echo(showable(text), err=err)
