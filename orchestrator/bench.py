"""Grids of games, graphs and seeds, played in worker processes and written down as they end."""

from __future__ import annotations

import gc
import json
import multiprocessing
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from orchestrator.episode import play_setup
from orchestrator.errors import ConfigError, RunError
from orchestrator.runs import versions
from orchestrator.series import Extent, play_series
from orchestrator.setup import Setup


@dataclass(frozen=True)
class Cell:
    """One episode of a grid, or a series of them, isolated from all others."""

    game: str
    graph: str
    seed: int
    steps: int
    settings: tuple[str, ...] = ()
    episodes: int = 1
    total_steps: int | None = None
    replays: int = 0

    @property
    def extent(self) -> Extent:
        return Extent(self.episodes, self.total_steps, self.replays)

    @property
    def name(self) -> str:
        """Of the folder in which a series is kept."""
        told = "/".join([self.game, self.graph, *self.settings, str(self.total_steps)])
        mark = zlib.crc32(told.encode())
        return f"{Path(self.game).stem}-{Path(self.graph).stem}-s{self.seed}-{mark:08x}"

    def setup(self, out: Path, *, trust: bool = False) -> Setup:
        """The cell's setup, without checkpoints, trace and remembered answers."""
        return Setup.resolve(
            self.game,
            graph=self.graph,
            settings=self.settings,
            seed=self.seed,
            steps=self.steps,
            out=out,
            trust=trust,
            checkpoints=False,
            trace=False,
            cache=False,
            fresh=True,
        )


def run_grid(
    cells: Sequence[Cell],
    results: Path,
    workers: int,
    progress: Callable[[Cell, dict[str, Any]], None],
    *,
    trust: bool = False,
) -> list[dict[str, Any]]:
    """Play the cells that are not in the results file yet.

    Args:
        cells: what to play.
        results: JSON lines, one an episode; appended to, so that a stopped grid goes on.
        workers: processes side by side.
        progress: told of every cell as it ends.
        trust: allow the code and the servers that the graphs name, from now on.

    Returns:
        The rows of all cells, in their order.

    Raises:
        ConfigError: `results` is no name of a file with an ending.
    """
    folder = results.with_suffix("")
    if folder == results or results.is_dir():
        raise ConfigError(
            f"--out {str(results)!r}: is to be a results file beside the folder with the episodes; "
            f"give it an ending, for instance {str(folder) + '.jsonl'!r}"
        )
    for game, graph, settings in {(c.game, c.graph, c.settings) for c in cells}:
        Cell(game, graph, 1, 0, settings).setup(results.parent, trust=trust).roles()
    rows = {key_of(row): row for row in read_rows(results)}
    missing = [cell for cell in cells if key_of(asdict(cell)) not in rows]
    for cell, row in _played(missing, folder, workers):
        if row["end_reason"] in ("stopped", "paused"):
            continue
        rows[key_of(row)] = row
        _append(results, row)
        progress(cell, row)
    return [rows[key] for cell in cells if (key := key_of(asdict(cell))) in rows]


def play_cell(cell: Cell, out: Path) -> dict[str, Any]:
    """One cell's row: its coordinates, the episode's result and the versions.

    `steps` is how many were allowed, `turns` how many were played.
    """
    setup = cell.setup(out)
    several = cell.extent.several
    result = play_series(setup, cell.extent, out / cell.name) if several else play_setup(setup)
    own = {"turns": result["steps"], "settings": list(cell.settings), "versions": versions()}
    return {**result, **asdict(cell), **own}


def key_of(row: dict[str, Any]) -> tuple[Any, ...]:
    """What makes a row the same cell."""
    extent = tuple(row.get(name, default) for name, default in Extent._field_defaults.items())
    place = (row["game"], row["graph"], row["seed"], row["steps"])
    return (*place, tuple(row["settings"]), *extent)


def read_rows(results: Path) -> list[dict[str, Any]]:
    """The rows written so far; a last line that was cut off does not count.

    Raises:
        RunError: a line in the middle is not JSON.
    """
    if not results.exists():
        return []
    lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            if number == len(lines) and not line.endswith("\n"):
                break
            raise RunError(f"{str(results)!r} line {number} is no JSON: {error}") from error
    return rows


def seed_range(text: str) -> list[int]:
    """`1-20` or `1,5,9` or both.

    Raises:
        ConfigError: the text is neither.
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise ConfigError(f"--seeds {text!r}: expected for instance 1-20 or 1,5,9")
        seeds.extend(range(int(first), int(last or first) + 1))
    return seeds


def _played(
    cells: Sequence[Cell], out: Path, workers: int
) -> Iterator[tuple[Cell, dict[str, Any]]]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _settle) as pool:
        running = {pool.submit(play_cell, cell, out): cell for cell in cells}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise


def _settle() -> None:
    """What a worker has loaded by now stays; its garbage collector need not look through it."""
    gc.freeze()


def _append(results: Path, row: dict[str, Any]) -> None:
    results.parent.mkdir(parents=True, exist_ok=True)
    with results.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
