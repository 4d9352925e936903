"""Stories as Gymnasium environments, over the emulator that nothing typed can break.

Once this module is imported, `gymnasium.make("ZorkOrchestrator/hollow-v0")` makes one, and so for
each of the stories that ship; `gymnasium.make("ZorkOrchestrator/Story-v0", game=PATH)` any other.
"""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium import spaces
from gymnasium.vector.utils import create_shared_memory

from environments.catalog import find_story
from environments.game import Access, Game, Step
from environments.jericho_game import MAX_SEED
from environments.offering import game_for_agents
from orchestrator.errors import ConfigError, unknown

MAX_TEXT = 1 << 16
"""Characters of an observation; no reply is longer."""
MAX_COMMAND = 256


class Replies(spaces.Text):
    """What a story says. Gymnasium reads texts in shared memory as a row of equal letters."""


@create_shared_memory.register(Replies)
def _refuse_sharing(*_: object, **__: object) -> None:
    raise gymnasium.error.CustomSpaceError("texts are not read from shared memory as written")


class StoryEnv(gymnasium.Env[str, str]):
    """Texts in, texts out; the reward is what the score gains.

    `terminated` is the story's own end, `truncated` the bound on commands. `info` holds `score`,
    `max_score` where it is told, `moves`, `deaths` so far and whether the story was `won`; besides
    `location`, `inventory` and `admissible_commands`, each None where the access does not tell it.

    Several play at once in a vector environment; `AsyncVectorEnv` needs `shared_memory=False`.

    Args:
        game: Path, catalog id or name of a story.
        max_steps: Commands of an episode; None for no bound.
        access: What is told besides the text, for instance `text+tree+actions`: `tree` tells of
            location and inventory, `actions` of commands that would change something.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: str | Path = "hollow",
        max_steps: int | None = 400,
        access: str = "text",
        render_mode: str | None = None,
    ) -> None:
        self.observation_space = Replies(MAX_TEXT, min_length=0, charset=_CHARACTERS)
        self.action_space = spaces.Text(MAX_COMMAND, min_length=1, charset=_COMMANDS)
        self.render_mode = render_mode
        self._story, self._max_steps = find_story(str(game)), max_steps
        self._access = frozenset(map(_told_by, access.split("+")))
        self._game: Game | None = None
        self._step: Step | None = None
        self._turn = self._deaths = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin the story anew with this seed, or one drawn by it where it is 0 or too large."""
        super().reset(seed=seed)
        if self._game is None:
            self._game = game_for_agents(self._story, self._access)
        drawn = int(self.np_random.integers(1, 2**31 - 1))
        self._step = self._game.start(seed if seed and seed <= MAX_SEED else drawn)
        self._turn = self._deaths = 0
        return self._told()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play one command.

        Raises:
            gymnasium.error.ResetNeeded: no episode is open.
        """
        if self._game is None or self._step is None or self._step.tally.ended:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset()")
        before = self._step.tally.score
        self._step = self._game.play(self._step.snapshot, action)
        self._turn += 1
        self._deaths += self._step.tally.died
        text, info = self._told()
        ended = self._step.tally.ended
        truncated = not ended and self._max_steps is not None and self._turn >= self._max_steps
        return text, float(self._step.tally.score - before), ended, truncated, info

    def render(self) -> str | None:  # type: ignore[override]
        """The last reply, with render mode `ansi`."""
        return self._step.observation.text if self.render_mode == "ansi" and self._step else None

    def close(self) -> None:
        """End the emulator; closing twice is harmless."""
        if self._game is not None:
            self._game.close()
            self._game = self._step = None

    def _told(self) -> tuple[str, dict[str, Any]]:
        assert self._step is not None
        tally = self._step.tally
        told = {name: getattr(tally, name) for name in ("score", "max_score", "moves", "won")}
        text = "".join(c if c in _KNOWN else "?" for c in self._step.observation.text)
        return text[:MAX_TEXT], {**told, "deaths": self._deaths, **self._around()}

    def _around(self) -> dict[str, Any]:
        """Where one is, what one has and what could be done, as far as the access tells it."""
        assert self._step is not None
        seen = self._step.observation
        facts, actions = seen.facts, seen.actions
        room = facts.room.name if facts and facts.room else seen.room
        return {
            "location": room,
            "inventory": facts and [thing.name for thing in facts.inventory],
            "admissible_commands": None if actions is None else [one.command for one in actions],
        }


def _told_by(name: str) -> Access:
    """The access of a name.

    Raises:
        ConfigError: there is none.
    """
    known = {access.value: access for access in Access}
    if name not in known:
        raise ConfigError(unknown("access", name, known))
    return known[name]


_COMMANDS = string.ascii_letters + string.digits + " .,'\"-?!"
_TYPOGRAPHY = range(0x2010, 0x2027)
_CHARACTERS = string.printable + "".join(map(chr, (*range(0xA0, 0x180), *_TYPOGRAPHY)))
_KNOWN = frozenset(_CHARACTERS)

# Gymnasium knows an environment by its name once the module that offers it is imported.
_STORIES = {"Story": {}, **{name: {"game": name} for name in ("hollow", "morning", "workshop")}}
for _name, _given in _STORIES.items():
    gymnasium.register(f"ZorkOrchestrator/{_name}-v0", f"{__name__}:StoryEnv", kwargs=_given)
