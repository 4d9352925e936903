"""The Python API: play an episode with explicit options, get a typed result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from agents.roles import Actor, Critic, Extractor, ObjectiveManagerPart, Oracle
from orchestrator.checkpoints.saver import Keep
from orchestrator.config import listed
from orchestrator.episode import play_setup
from orchestrator.events import Watcher
from orchestrator.roles import ROLES
from orchestrator.roles.judge import JudgePart
from orchestrator.saved.result import Result
from orchestrator.saved.runs import RUNS
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.screen.notebook import NotebookWatcher, in_notebook
from orchestrator.setup import DEFAULT_SEED, DEFAULT_STEPS, Setup
from orchestrator.turns.approval import Approver


def play(
    game: str | Path | None = None,
    *,
    graph: str | Path = "offline",
    configs: Sequence[str | Path] | Path = (),
    settings: Sequence[str] = (),
    model: str | None = None,
    steps: int = DEFAULT_STEPS,
    seed: int = DEFAULT_SEED,
    agent_seed: int | None = None,
    lives: int | None = None,
    fresh: bool | None = None,
    out: str | Path = RUNS,
    extractor: Extractor | None = None,
    objective_manager: ObjectiveManagerPart | None = None,
    oracle: Oracle | None = None,
    actor: Actor | None = None,
    critic: Critic | None = None,
    judge: JudgePart | None = None,
    checkpoints: bool = True,
    database: str = "",
    keep: Keep | None = None,
    trace: bool = True,
    cache: bool = True,
    store: str | Path | None = None,
    watchers: Sequence[Watcher] = (),
    progress: bool | None = None,
    approver: Approver | None = None,
    trust: bool = False,
    episode: int = 1,
    episodes: int = 1,
) -> Result:
    """Play one episode and return its result.

    Example: `play("game.z5", graph="offline", seed=7, critic=MyCritic()).score`. The same call
    plays the same game again: unlike `zork play`, it knows nothing of earlier episodes and leaves
    nothing for later ones, unless `fresh=False` or a `store` says otherwise. `result.remembered`
    tells which it was.

    Args:
        game: Path, catalog id or name of a story, or `module:Class` of one that is told in Python;
            by default the graph's own, or `hollow`.
        graph: A shipped graph or a TOML file.
        configs: TOML files merged over it.
        settings: `KEY=VALUE` texts merged over that.
        model: `models.default`, as `provider:name`.
        steps: Commands at most.
        seed: The emulator's and the agent's.
        agent_seed: The agent's, if another.
        lives: Deaths that end the episode; None where the story decides.
        fresh: Ignore what earlier episodes learned, and leave nothing for later ones; by default
            so, unless a `store` is given.
        out: Where the run directory is made.
        extractor: A part of your own, instead of the graph's; so are the next five.
            Its method may be `async def`.
        objective_manager: See there.
        oracle: See there.
        actor: See there.
        critic: See there.
        judge: See there; for graphs with several proposals a turn, as `council`.
        checkpoints: Keep every turn, so that the run can be resumed and forked.
        database: A PostgreSQL database for them.
        keep: Which of them stay; by default all.
        trace: Write trace.jsonl.
        cache: Take what a model answered to the same question before.
        store: The file of the long-term memory, if not the usual one.
        watchers: Are told of every turn.
        progress: Tell how far it is; by default in a terminal and in a notebook.
        approver: Is asked before every command, if the graph says so.
        trust: Allow the code and the servers that a graph file names.
        episode: The number of this one of several, counted from 1.
        episodes: How many there are.

    Raises:
        ConfigError: The graph, a part of it, or a seed will not do.
        GameError: The story is not there or not one.
    """
    made = {"extractor": extractor, "objective_manager": objective_manager, "oracle": oracle}
    parts = {**made, "actor": actor, "critic": critic, "judge": judge}
    given = {role: part for role, part in parts.items() if part is not None}
    setup = Setup.resolve(
        game,
        graph=graph,
        configs=configs,
        settings=[*listed(settings), *_named(given)],
        model=model,
        steps=steps,
        seed=seed,
        agent_seed=agent_seed,
        lives=lives,
        fresh=store is None if fresh is None else fresh,
        out=out,
        parts=given,
        checkpoints=checkpoints,
        database=database,
        keep=keep or Keep(),
        trace=trace,
        cache=cache,
        store=None if store is None else Path(store),
        watchers=tuple(watchers),
        approver=approver,
        trust=trust,
    )
    with _told(setup, progress) as setup:
        return Result.model_validate(play_setup(setup, episode, episodes))


@contextmanager
def _told(setup: Setup, progress: bool | None) -> Iterator[Setup]:
    """The setup with a line of progress, where one is wanted or somebody may look at it."""
    console = Console(stderr=True)
    if progress is False or (progress is None and not (console.is_terminal or in_notebook())):
        yield setup
    elif in_notebook():
        yield replace(setup, watchers=(*setup.watchers, NotebookWatcher()))
    else:
        line = ConsoleWatcher(console, quiet=True)
        try:
            yield replace(setup, watchers=(*setup.watchers, line))
        finally:
            line.close()


def _named(parts: Mapping[str, Any]) -> list[str]:
    """The settings that write down whose parts they are, for instance `mine:MyCritic`."""
    settings = []
    for role, part in parts.items():
        if isinstance(part, type):
            raise TypeError(f"{role}={part!r}: is a class; give what it makes, {part.__name__}()")
        if not callable(getattr(part, ROLES[role].method, None)):
            raise TypeError(f"{role}={part!r}: has no method {ROLES[role].method}(briefing)")
        kind = type(part)
        settings += [
            f"nodes.{role}.use={kind.__module__}:{kind.__qualname__}",
            f"nodes.{role}.enabled=true",
        ]
    return settings
