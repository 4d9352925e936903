"""What can be restored of a run, and whether it fits what is installed here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot
from pydantic import TypeAdapter, ValidationError

from environments.catalog import find_story, list_stories
from environments.game import GameError
from environments.plain_files import read_whole
from environments.python_game import PythonStory
from environments.story import MAX_BYTES, Story, read_story
from orchestrator.checkpoints.opening import database_of, read_turns
from orchestrator.checkpoints.saver import Keep, TurnSaver
from orchestrator.config import GraphConfig, check_secrets, overlaid
from orchestrator.errors import ConfigError, RunError
from orchestrator.graph.build import compile_graph
from orchestrator.graph.fields import fields_of
from orchestrator.graph.spec import GAME, NodeConfig
from orchestrator.saved.record import POSTGRES, Record
from orchestrator.saved.runs import RunDirectory, versions
from orchestrator.settings.stories import story_of, tells
from orchestrator.settings.trust import admit
from orchestrator.setup import Setup, whole
from orchestrator.state import WRITES
from orchestrator.turns.ends import AfterEnd, way_on

EXACT = ("zork-orchestrator", "jericho", "code")
"""What may play differently from the same state in another version."""


def recorded_setup(
    record: Record,
    game: str | None = None,
    *,
    trust: bool = False,
    settings: Sequence[str] = (),
    **options: Any,
) -> Setup:
    """The setup of a run, with its story found by content; `options` as for `Setup`.

    `settings` are KEY=VALUE texts for its models: the secrets that a run does not keep.

    Raises:
        ConfigError: its config names code or servers that nobody has allowed here, or secrets.
        GameError: there is no such story.
    """
    trusted(record, trust=trust)
    check_story(record.config, options.get("config", record.config))
    if settings:
        config = options["config"] = with_secrets(record.config, settings)
        folders, what = [*record.folders, Path.cwd()], f"run {record.run_id}"
        admit(config, folders, what, given=settings, trust=trust)
    check_secrets(options.get("config", record.config))
    recorded: dict[str, Any] = {
        "story": recorded_story(record, game),
        "config": record.config,
        "steps": record.max_steps,
        "lives": record.lives,
        "seed": record.seed,
        "agent_seed": record.agent_seed,
        "keep": Keep.parse(record.keep),
        "folders": record.folders,
    }
    if "database" not in options:
        recorded["database"] = database_of(record)
    return Setup(**{**recorded, **options})


def check_story(played: GraphConfig, wanted: GraphConfig) -> None:
    """Refuse to go on with another story, where a class tells it.

    Raises:
        ConfigError: which it is.
    """
    here, there = (config.nodes.get(GAME, NodeConfig()) for config in (played, wanted))
    if (tells(here) or tells(there)) and (here.use, here.options) != (there.use, there.options):
        raise ConfigError(
            f"nodes.{GAME}.use = {there.use!r}: a run goes on with the story that it began with, "
            f"{here.use!r} and its options; play the other one from its beginning"
        )


def with_secrets(config: GraphConfig, settings: Sequence[str]) -> GraphConfig:
    """The config with what was left out of the record.

    Raises:
        ConfigError: a setting is for anything but a model.
    """
    for setting in settings:
        if not setting.startswith("models."):
            raise ConfigError(f"-s {setting!r}: only the models of a run can be set; or fork it")
    return overlaid(config.table, settings=settings)


def trusted(record: Record, *, trust: bool = False) -> None:
    """Let the code of a run's config be loaded.

    Raises:
        ConfigError: nobody has allowed it here; one line lists it.
    """
    admit(record.config, [*record.folders, Path.cwd()], f"run {record.run_id}", trust=trust)


def recorded_story(
    record: Record, game: str | None = None, *, trust: bool = False
) -> Story | PythonStory:
    """The story a run was played with: the one given, or the one with its SHA-256 anywhere.

    Raises:
        ConfigError: it is told by a class that nobody has allowed here, or that is not there.
        GameError: there is no such story.
    """
    if tells(record.config.nodes.get(GAME, NodeConfig())):
        trusted(record, trust=trust)
        return story_of(record.config, game)
    if game is not None:
        story = find_story(game)
        if story.sha256 != record.story_sha256:
            raise GameError(
                f"{story.path} is not the story of this run: SHA-256 {story.sha256[:12]}..., "
                f"wanted {record.story_sha256[:12]}..."
            )
        return story
    for path in [record.story_path, *(at.path for at in list_stories() if at.path)]:
        if _is_story(path, record.story_sha256):
            return read_story(path)
    raise GameError(
        f"the story {record.story} with SHA-256 {record.story_sha256[:12]}... is neither at "
        f"{record.story_path} nor in the catalog; say where it is: --game PATH"
    )


def check_versions(record: Record) -> None:
    """Refuse to go on with what may play differently.

    Raises:
        RunError: a package has another version here.
    """
    here = versions()
    for name in EXACT:
        if record.versions.get(name) != here[name]:
            raise RunError(
                f"run {record.run_id} was played with {name} {record.versions.get(name)}, "
                f"here is {here[name]}: install that one, or go on with --any-version"
            )


def standing(run: RunDirectory, record: Record) -> StateSnapshot:
    """Where a run stands, checked; without values before its first checkpoint.

    Raises:
        RunError: its checkpoints are not there, damaged or not its own.
    """
    if run.has_begun or run.checkpoints.is_file() or record.checkpoints == POSTGRES:
        with read_turns(run, record) as saver:
            stand = compile_graph(record.config, checkpointer=saver).get_state(thread(record))
    else:
        stand = StateSnapshot({}, (), {}, None, None, None, (), ())
    if record.parent and not stand.values:
        raise RunError(
            f"run {record.run_id} was killed before it had its first turn; fork again: "
            f"{RunDirectory(run.path.parent / record.parent.run_id).way_back(record.parent.turn)}"
        )
    if run.has_begun and not stand.values:
        raise RunError(f"{str(run.path)!r}: has a transcript, but its checkpoints are gone")
    check_state(stand.values, record.config)
    return stand


def stand_after(saver: TurnSaver, record: Record, turn: int | None) -> StateSnapshot:
    """Where a run stood at the end of a turn; of the last one that is kept whole, if None.

    Raises:
        RunError: that turn is not kept, and which are.
    """
    graph = compile_graph(record.config, checkpointer=saver)
    wanted = None if turn is None else whole("turn", turn, 0)
    kept = saver.turns(record.thread)
    for one in reversed(kept):
        if wanted in (None, one.turn):
            stand = graph.get_state(thread(record, one.id))
            if not stand.tasks:
                check_state(stand.values, record.config)
                return stand
    stands = (graph.get_state(thread(record, one.id)) for one in kept)
    left = ranges(one.values["turn"] for one in stands if not one.tasks)
    what = "any turn" if wanted is None else f"turn {wanted}"
    raise RunError(f"run {record.run_id} does not keep {what} (kept: {left or 'none'})")


def thread(record: Record, checkpoint_id: str | None = None) -> RunnableConfig:
    """Names the newest checkpoint of a run, or one of them."""
    names = {"thread_id": record.thread, "checkpoint_ns": ""}
    if checkpoint_id is not None:
        names["checkpoint_id"] = checkpoint_id
    return {"configurable": names}


def check_state(
    values: Mapping[str, Any],
    config: GraphConfig,
    what: str = "the checkpoint is no state of this program",
) -> None:
    """Refuse a state that lacks a field of the game's or has one of another type.

    Raises:
        RunError: what is wrong with it.
    """
    types = fields_of(config.state, config.where)
    missing = sorted(WRITES["game"] - values.keys())
    if values and missing:
        raise RunError(f"{what}: no {', '.join(missing)}")
    for name, value in values.items():
        try:
            TypeAdapter(types[name]).validate_python(value, strict=True)
        except ValidationError as error:
            fault = error.errors()[0]["msg"].lower()
            raise RunError(f"{what}: {name}: {fault}") from error


def limit(
    run: RunDirectory,
    record: Record,
    stand: StateSnapshot,
    steps: int | None,
    after_end: AfterEnd | None = None,
) -> int:
    """The turn up to which a run is played on.

    `after_end` is what is to become of it when its story ends, if not what its record says.

    Raises:
        RunError: there is nothing left to play.
    """
    if not stand.values:
        return record.max_steps if steps is None else steps
    turn, tally = stand.values["turn"], stand.values["score"].last
    goes_on = way_on(stand.values["score"], after_end or record.config.after_end)
    if tally.ended and not goes_on and not stand.tasks:
        raise RunError(
            f"run {record.run_id} is over after {turn} turns; go back with: {run.way_back('N')}"
        )
    if steps is None and turn >= record.max_steps and not stand.tasks:
        raise RunError(f"run {record.run_id} has played its {turn} turns; give --steps N for more")
    return record.max_steps if steps is None else turn + whole("steps", steps, 0)


def ranges(numbers: Iterable[int]) -> str:
    """`0-3, 7` for 0, 1, 2, 3 and 7."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in spans)


def _is_story(path: Path, sha256: str) -> bool:
    """Whether a file that may be a story has this SHA-256; a run names any path."""
    try:
        content = read_whole(path, MAX_BYTES, links=True)
    except (OSError, ValueError):
        return False
    return hashlib.sha256(content).hexdigest() == sha256
