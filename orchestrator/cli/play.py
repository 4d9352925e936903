"""`zork play`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from orchestrator.batch import play_episodes, results_file, summary
from orchestrator.checkpoints.saver import Keep
from orchestrator.cli.arguments import (
    AsJson,
    Configs,
    Database,
    KeepRule,
    NoCache,
    Out,
    Quiet,
    Settings,
    Trust,
    given_options,
)
from orchestrator.cli.showing import play_on_dashboard, play_on_page, play_one, play_printed
from orchestrator.cli.stopping import leave_if_stopped
from orchestrator.cli.terminal import Terminal, check_terminal, say
from orchestrator.errors import ConfigError
from orchestrator.rerun import rerun
from orchestrator.saved.runs import RUNS, RunDirectory
from orchestrator.saved.transcript import read_transcript
from orchestrator.screen.console import ConsoleWatcher
from orchestrator.screen.keys import can_press
from orchestrator.screen.pace import FOLLOWED, TurnPace
from orchestrator.settings.called import called
from orchestrator.setup import DEFAULT_SEED, DEFAULT_STEPS, Setup

JSON_FIELDS = (
    *("run_id", "run_dir", "story", "story_sha256", "graph", "access", "seed", "steps"),
    *("score", "best_score", "max_score", "deaths", "undone", "restarts", "end_reason"),
    *("llm_calls", "prompt_tokens", "completion_tokens", "wall_s"),
)

_ALONG_WITH_A_RECORDING = ("from_recording", "game", "trust", "out", "quiet", "as_json")


def play(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Option(help="Path, id or name of a story, or module:Class; hollow by default."),
    ] = None,
    graph: Annotated[str, typer.Option(help="Shipped graph or a TOML file.")] = "offline",
    config: Configs = None,
    setting: Settings = None,
    approve: Annotated[
        bool, typer.Option("--approve", help="Ask before every command; Ctrl-D pauses the run.")
    ] = False,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="models.default, as provider:name.")
    ] = None,
    no_cache: NoCache = False,
    steps: Annotated[int, typer.Option(help="Commands per episode.")] = DEFAULT_STEPS,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes in a row.")] = 1,
    total_steps: Annotated[
        int | None, typer.Option(min=1, help="So many commands in episodes in a row.")
    ] = None,
    lives: Annotated[
        int | None, typer.Option(min=1, help="Deaths that end an episode; else the story decides.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Emulator's and agent's seed.")] = DEFAULT_SEED,
    agent_seed: Annotated[int | None, typer.Option(help="The agent's seed, if another.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ignore earlier episodes, leave nothing for later ones.")
    ] = False,
    from_recording: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="Play a run again with the answers its models gave."),
    ] = None,
    keep: KeepRule = "all",
    checkpoints: Database = "",
    trust: Trust = False,
    out: Out = RUNS,
    quiet: Quiet = False,
    as_json: AsJson = False,
    pace: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=3600,
            help="Seconds a turn takes at least; 1 where a person looks on.",
        ),
    ] = None,
    page: Annotated[
        bool, typer.Option("--view", help="Show it in a browser too, which may pause and step.")
    ] = False,
    dashboard: Annotated[
        bool, typer.Option("--dashboard", help="Show it as a dashboard that may pause and step.")
    ] = False,
) -> None:
    """Play a story, with every turn shown as it happens."""
    if page and dashboard:
        raise ConfigError("--view and --dashboard: take one of them")
    if dashboard:
        check_terminal("--dashboard", "--view, or neither")
    if from_recording is not None:
        given = given_options(context)
        options: dict[str, Any] = {"game": game if "game" in given else None, "trust": trust}
        _play_again(from_recording, given, {**options, "out": out}, quiet, as_json)
        return
    with watching(quiet, as_json) as watcher:
        setup = Setup.resolve(
            game,
            graph=graph,
            configs=config or (),
            settings=[*(setting or ()), *(["approve=true"] if approve else [])],
            model=model,
            cache=not no_cache,
            approver=watcher.approve,
            steps=steps,
            lives=lives,
            seed=seed,
            agent_seed=agent_seed,
            fresh=fresh,
            keep=Keep.parse(keep),
            database=checkpoints,
            trust=trust,
            out=out,
        )
        played = partial(play_episodes, episodes=episodes, total_steps=total_steps)
        show = play_on_dashboard if dashboard else play_on_page if page else play_printed
        looks_on = can_press() and not (watcher.quiet or page or setup.config.approve)
        seconds = pace if pace is not None else FOLLOWED if looks_on else 0.0
        results = show(setup, watcher, TurnPace(seconds), played)
    if as_json:
        print_json(results)
    elif len(results) > 1:
        total = summary(results)
        say(
            f"{total['episodes']} episodes: mean score {total['mean_score']}, "
            f"max score {total['max_score']} -> {results_file(results)}"
        )
    leave_if_stopped(results)


def _play_again(
    run: str, given: list[str], options: dict[str, Any], quiet: bool, as_json: bool
) -> None:
    """Play a recorded run again; exit status 1 if it comes out differently."""
    for name in given:
        if name not in _ALONG_WITH_A_RECORDING:
            option = f"--{name.replace('_', '-')}"
            raise ConfigError(f"--from-recording {run}: the run says it all, leave out {option}")
    recording = RunDirectory.find(run, options["out"])
    result = watched(partial(rerun, recording.path, **options), quiet, as_json)
    same = read_transcript(RunDirectory(Path(result["run_dir"])).transcript)
    if same != read_transcript(recording.transcript):
        say(
            f"another transcript than recorded: {called()} trace diff "
            f"{shlex.quote(str(recording.path))} {shlex.quote(result['run_dir'])}",
            err=True,
        )
        raise typer.Exit(1)
    say("the same transcript as recorded", err=as_json)


@contextmanager
def watching(quiet: bool, as_json: bool) -> Iterator[ConsoleWatcher]:
    """The live view; with JSON it goes to standard error and is short."""
    watcher = ConsoleWatcher(Terminal(stderr=as_json), quiet=quiet or as_json)
    try:
        yield watcher
    finally:
        watcher.close()


def watched(
    played: Callable[..., dict[str, Any]], quiet: bool, as_json: bool, **options: Any
) -> dict[str, Any]:
    """The result of an episode that is played with the live view; printed where JSON is wanted."""
    with watching(quiet, as_json) as watcher:
        result = play_one(watcher, played, **options)
    if as_json:
        print_json([result])
    leave_if_stopped([result])
    return result


def print_json(results: list[dict[str, Any]]) -> None:
    """One line per episode."""
    for result in results:
        say(json.dumps({name: result[name] for name in JSON_FIELDS}))
