"""What can be achieved in a story, by name, and what of it an episode did: rooms and gains.

`STORY.achievements.toml` beside the story file lists it; the stories that ship have one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from environments.python_game import PythonStory
from environments.story import Story
from orchestrator.errors import ConfigError
from orchestrator.events import EpisodeStarted, Event, TurnPlayed
from orchestrator.graph.spec import Strict
from orchestrator.saved.runs import write_json
from orchestrator.settings.toml_files import read_toml
from orchestrator.turns.current import place_of

_NAMES = TypeAdapter(list[str])
_NUMBER = re.compile(r"L\d+ ")
"""What a map puts before a room's title."""


class Achievement(Strict):
    """To be in a room, or to gain points."""

    name: str
    room: str = ""
    """The title of the room in which a turn ends; empty for anywhere."""
    gain: int | None = Field(default=None, ge=1)
    """So many points gained in that turn; without it, being there is enough."""
    says: str = ""
    """Words of the command or of the reply, where several gains are alike."""

    @model_validator(mode="after")
    def _is_something(self) -> Achievement:
        if not self.room and self.gain is None:
            raise ValueError("give a room, a gain or both")
        return self

    def is_reached(self, room: str, gain: int = 0, said: str = "") -> bool:
        """Whether a turn that ended so has achieved it."""
        there = not self.room or room == self.room
        gained = self.gain is None or gain == self.gain
        heard = not self.says or re.search(rf"\b{re.escape(self.says)}\b", said)
        return there and gained and bool(heard)


class Achievements(Strict):
    """All that can be achieved in a story."""

    achievement: tuple[Achievement, ...] = ()


def achievements_of(story: Story | PythonStory) -> tuple[Achievement, ...]:
    """What the file beside the story lists; nothing where there is none.

    Raises:
        ConfigError: what is wrong with it, in one line.
    """
    path = story.path.with_suffix(".achievements.toml") if isinstance(story, Story) else None
    if path is None or not path.is_file():
        return ()
    try:
        return Achievements.model_validate(read_toml(path, "achievements")[1]).achievement
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ConfigError(f"achievements {str(path)!r}: {where}: {fault['msg']}") from error


class AchievementWatcher:
    """Notes what the episodes of a cell achieve, in a file of its folder that outlives a kill."""

    def __init__(self, story: Story | PythonStory, folder: Path) -> None:
        self._all = achievements_of(story)
        self._path = folder / "achieved.json"
        self._reached: dict[str, None] = {}
        # Damaged is as if nothing was reached.
        with suppress(OSError, ValueError):
            self._reached = dict.fromkeys(_NAMES.validate_json(self._path.read_bytes()))

    @property
    def row(self) -> dict[str, Any]:
        """For a row of results: what was achieved, of how many; nothing where nobody lists any."""
        return {"achieved": [*self._reached], "achievements": len(self._all)} if self._all else {}

    def __call__(self, event: Event) -> None:
        match event:
            case EpisodeStarted(state=state):
                self._note(_room(state))
            case TurnPlayed(before=before, after=state):
                gain = state["score"].last.score - before["score"].last.score
                said = " ".join(f"{state['command']} {state['observation'].text}".split())
                self._note(_room(state), gain, said)

    def _note(self, room: str, gain: int = 0, said: str = "") -> None:
        new = [one.name for one in self._all if one.is_reached(room, gain, said)]
        if self._reached.keys() >= set(new):
            return
        self._reached |= dict.fromkeys(new)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_json(self._path, [*self._reached])


def _room(state: Mapping[str, Any]) -> str:
    """The title of the room in which a turn ended."""
    return _NUMBER.sub("", place_of(state), count=1)
