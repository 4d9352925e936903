"""TextWorld games by name, as in `textworld:simple?seed=3`: generated once, kept in the cache.

TextWorld is an optional extra. Its `tw-make` runs in a process of its own: nothing of it is
imported here, and a generated game is a story like any other, with a note of what it is about.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from environments.extras import installing
from environments.folders import cache_folder
from environments.game import GameError, Value
from environments.plain_files import read_whole

SCHEME = "textworld:"
TIMEOUT_SECONDS = 600.0


class Options(BaseModel):
    """What every kind of game takes; the other parameters are those of `tw-make`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = Field(1, ge=1)


class Simple(Options):
    """A meal to be prepared in a house."""

    rewards: Literal["dense", "balanced", "sparse"] = "dense"
    goal: Literal["detailed", "brief", "none"] = "detailed"
    test: bool = False


class CoinCollector(Options):
    """A coin to be found."""

    level: int = Field(1, ge=1, le=300)


class TreasureHunter(Options):
    """One thing to be found among others, behind doors and in containers."""

    level: int = Field(1, ge=1, le=30)


class Cooking(Options):
    """A recipe to be followed."""

    recipe: int = Field(1, ge=1)
    take: int = Field(0, ge=0)
    go: Literal["1", "6", "9", "12"] = "1"
    open: bool = False
    cook: bool = False
    cut: bool = False
    drop: bool = False
    recipe_seed: int = Field(0, ge=0)
    split: Literal["train", "valid", "test"] | None = None


KINDS: dict[str, type[Options]] = {
    "simple": Simple,
    "coin_collector": CoinCollector,
    "treasure_hunter": TreasureHunter,
    "cooking": Cooking,
}


class Note(Value):
    """What TextWorld tells of a game it made."""

    name: str
    """By which the game is generated again."""
    max_score: int
    objective: str


def generate(name: str) -> Path:
    """The story file of a TextWorld game; the first time, it is generated.

    Raises:
        GameError: The name is wrong, TextWorld is not installed, or it cannot make the game.
    """
    kind, options = _parse(name)
    arguments = _arguments(options)
    full_name = f"{SCHEME}{kind}?" + "&".join(f"{key}={value}" for key, value in arguments)
    digest = blake2b(full_name.encode("utf-8"), digest_size=4).hexdigest()
    story = cache_folder() / "textworld" / f"{kind}-{options.seed}-{digest}.z8"
    if not story.exists():
        try:
            _make(kind, arguments, full_name, story)
        except OSError as error:
            raise GameError(f"{name} cannot be written to {story.parent}: {error}") from error
    return story


def note_of(story: Path) -> Note | None:
    """What is known of a story that `generate` made."""
    try:
        return Note.model_validate_json(read_whole(story.with_suffix(".json"), links=True))
    except (OSError, ValidationError):
        return None


def walkthrough_of(story: Path) -> Path:
    """The file of commands that win a story that `generate` made."""
    return story.with_suffix(".walkthrough.txt")


def _parse(name: str) -> tuple[str, Options]:
    kind, _, query = name.removeprefix(SCHEME).partition("?")
    if kind not in KINDS:
        raise GameError(f"{name}: no kind of game {kind!r} (known: {', '.join(KINDS)})")
    try:
        return kind, KINDS[kind].model_validate(dict(parse_qsl(query, keep_blank_values=True)))
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(map(str, fault["loc"]))
        known = ", ".join(KINDS[kind].model_fields)
        raise GameError(f"{name}: {field}: {fault['msg']} (parameters: {known})") from error


def _arguments(options: Options) -> list[tuple[str, Any]]:
    """The parameters that are set, in a fixed order."""
    return [(key, value) for key, value in options if value is not None and value is not False]


def _make(kind: str, arguments: list[tuple[str, Any]], full_name: str, story: Path) -> None:
    story.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=story.parent, prefix=".") as folder:
        draft = Path(folder) / story.name
        _run_tw_make(kind, arguments, full_name, draft)
        game = json.loads(draft.with_suffix(".json").read_text(encoding="utf-8"))
        note = Note(name=full_name, max_score=_max_score(game), objective=game["objective"])
        draft.with_suffix(".json").write_text(note.model_dump_json(), encoding="utf-8")
        commands = game["metadata"].get("walkthrough", ())
        walkthrough_of(draft).write_text("".join(f"{c}\n" for c in commands), encoding="utf-8")
        for part in (walkthrough_of(draft), draft.with_suffix(".json"), draft):
            part.replace(story.parent / part.name)


def _run_tw_make(kind: str, arguments: list[tuple[str, Any]], full_name: str, draft: Path) -> None:
    program = Path(sys.executable).with_name("tw-make")
    if not find_spec("textworld") or not program.exists():
        raise GameError(
            f"{full_name} cannot be generated: TextWorld is missing: {installing('textworld')}"
        )
    command = [sys.executable, str(program), f"tw-{kind}", "--silent", "--output", str(draft)]
    for key, value in arguments:
        command.append(f"--{key.replace('_', '-')}")
        command += [] if value is True else [str(value)]
    environment = os.environ | {"PYTHONHASHSEED": "0", "TMPDIR": str(draft.parent)}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GameError(
            f"{full_name} cannot be generated: no end in {TIMEOUT_SECONDS:g} s"
        ) from error
    if done.returncode or not draft.exists():
        reason = (done.stderr or done.stdout).strip().splitlines()
        raise GameError(f"{full_name} cannot be generated: {reason[-1] if reason else 'no reason'}")


def _max_score(game: dict[str, Any]) -> int:
    """The rewards of all quests that count, as TextWorld adds them up."""
    quests = game["quests"]
    return sum(q["reward"] for q in quests if not q.get("optional") or q["reward"] > 0)
