"""How fast the viewer's page is: `python -m benchmarks.viewer RUN...` (see docs/viewer.md).

It measures what a person has before them: `zork view` in a process of its own, and a browser.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.arguments import given
from benchmarks.browser import Page, browser, missing
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.export import export

_TURNS = 60
_ZORK = [sys.executable, "-c", "from orchestrator.cli.main import main; main()"]


def main(names: list[str]) -> int:
    """Print the figures of each run; the limits are the project's own."""
    if missing() or not names:
        print(f"viewer: {missing() or 'name some runs'}; tests/browser/setup.sh installs a browser")
        return 1
    for name in names:
        run = RunDirectory.find(name)
        print(f"{run.path.name}: {run.status(run.record())}")
        with _viewed(run) as address, browser() as page:
            before = page.process_memory()
            began = time.monotonic()
            page.open(address)
            page.until("return document.documentElement.dataset.turn")
            print(f"  opened in {time.monotonic() - began:.2f} s, ", end="")
            print(f"first paint {page.first_paint():.0f} ms")
            print(f"  a turn (median, worst of {_TURNS}): {_turns(page)}")
            print(f"  then heap {page.memory():.0f} MB, the page's process ", end="")
            print(f"{page.process_memory():.0f} MB, empty it has {before:.0f} MB")
        with tempfile.TemporaryDirectory() as folder, browser() as page:
            path = Path(folder) / "run.html"
            print(f"  exported: {export(run, path) / 1e6:.2f} MB")
            page.open(path.as_uri())
            print(f"  from disk, a turn: {_turns(page)}, asked {page.hosts() - {''}}")
    return 0


@contextmanager
def _viewed(run: RunDirectory) -> Iterator[str]:
    """The address that `zork view` prints."""
    command = [*_ZORK, "view", str(run.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as viewing:
        assert viewing.stdout
        try:
            yield viewing.stdout.readline().strip()
        finally:
            viewing.terminate()


def _turns(page: Page) -> str:
    """How long it takes until a turn anywhere in the run is shown."""
    last = int(page.text(".where").rpartition("/")[2])
    rng, times, turn = random.Random(1), [], 0
    for _ in range(_TURNS):
        turn = (turn + rng.randint(1, last)) % (last + 1)
        page.run("performance.clearMeasures(); location.hash = arguments[0]", _hash(page, turn))
        page.turn(turn)
        times.append(
            page.until("return performance.getEntriesByName('shown').at(-1)?.duration ?? 0")
        )
    return f"{statistics.median(times):.0f} ms, {max(times):.0f} ms, of {last} turns"


def _hash(page: Page, turn: int) -> str:
    here = str(page.run("return location.hash"))
    return f"{here.rpartition('/')[0]}/t{turn}" if here.startswith("#/run/") else f"#t{turn}"


if __name__ == "__main__":
    sys.exit(main(given(__doc__)))
