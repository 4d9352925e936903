"""The ledger of experiments: `python -m benchmarks.ledger` checks it and prints it as a table.

One line of `ledger.jsonl` is one experiment, whatever came of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date as Date
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

LEDGER = Path(__file__).with_name("ledger.jsonl")
HEADINGS = ("change", "hypothesis", "seen", "looks", "verdict")


class Experiment(BaseModel):
    """One change, and what was seen of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    date: Date = Field(strict=False)
    """When it was measured."""
    change: str = Field(min_length=1)
    hypothesis: str = Field(min_length=1)
    """What it was expected to do, before it was measured."""
    measure: str = Field(min_length=1)
    """What was counted, with its unit, and how many pairs or episodes there were."""
    figure: float | None
    """The change less what was before, or what `measure` says; None where nothing was counted."""
    interval: tuple[float, float] | None = Field(strict=False)
    """The 95 % interval of the figure; None where none was told."""
    looks: int | None = Field(ge=1)
    """How often these data were looked at, the figure included; None where nobody noted it."""
    stories: str = Field(min_length=1)
    verdict: Literal["kept", "dropped", "open"]
    commit: str | None = Field(pattern="^[0-9a-f]{8}$")
    """Of the change, or of the page that told of it; None where that is not known."""

    @model_validator(mode="after")
    def _holds_its_figure(self) -> Self:
        if self.interval and (self.figure is None or self.interval[0] > self.interval[1]):
            raise ValueError("an interval has a figure, and its lower end first")
        return self


def experiments(path: Path = LEDGER) -> list[Experiment]:
    """What the ledger holds, in its order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Experiment.model_validate_json(line) for line in lines]


def table(rows: list[Experiment]) -> str:
    """The rows as a table of Markdown, the latest first."""
    newest_first = sorted(rows, key=lambda row: row.date, reverse=True)
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(_cells(row) for row in newest_first)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: Experiment) -> Iterator[str]:
    """What a row says under each of the headings."""
    figure = "" if row.figure is None else f"**{row.figure:g}**"
    interval = f" [{row.interval[0]:g}, {row.interval[1]:g}]" if row.interval else ""
    yield from (row.change, row.hypothesis)
    yield f"{figure}{interval} {row.measure}; {row.stories}"
    yield str(row.looks or "not noted")
    yield ", ".join((row.verdict, row.date.isoformat(), f"`{row.commit}`" if row.commit else ""))


if __name__ == "__main__":
    print(table(experiments()))
