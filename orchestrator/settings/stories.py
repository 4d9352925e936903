"""What is played: a story file in an emulator, or a Python class that a graph names."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from environments import textworld
from environments.catalog import find_story
from environments.python_game import METHODS, PythonStory
from environments.story import Story
from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError
from orchestrator.graph.spec import GAME, NodeConfig, names_code
from orchestrator.settings.parts import load_part, make, refuse_async

DEFAULT_STORY = "hollow"
EMULATOR = "jericho"
"""The short name of what plays story files."""


def setting_for(game: str | Path | None) -> list[str]:
    """The setting that has a Python class tell the story, where one is named as the game."""
    is_code = re.fullmatch(r"[\w.]+:[\w.]+", str(game)) and not _is_file(str(game))
    return [f"nodes.{GAME}.use={game}"] if is_code else []


def story_of(config: GraphConfig, game: str | Path | None = None) -> Story | PythonStory:
    """The story that is played: the class that the graph names, or else the one named `game`.

    Raises:
        ConfigError: both are named, and are not the same; or the class will not do.
        GameError: there is no such story.
    """
    own = own_story(config)
    if own is None:
        return find_story(DEFAULT_STORY if game is None else str(game))
    if game is not None and str(game) != own.name:
        raise ConfigError(
            f"--game {str(game)!r}: the graph plays {own.name!r}; leave one of them out, "
            f"for instance -s nodes.{GAME}.use={EMULATOR}"
        )
    return own


def own_story(config: GraphConfig) -> PythonStory | None:
    """What the class tells that the graph names; None where it names none.

    Raises:
        ConfigError: the class will not do.
    """
    node = config.nodes.get(GAME, NodeConfig())
    if not tells(node):
        return None
    key, use = config.where("nodes", GAME, "use"), str(node.use)
    part = teller(node, key)
    content = json.dumps([use, node.options], sort_keys=True, default=str)
    return PythonStory(
        name=use,
        make=partial(make, part, node.options, key, use),
        path=Path(inspect.getsourcefile(part) or use),
        sha256=hashlib.sha256(content.encode()).hexdigest(),
    )


def tells(node: NodeConfig) -> bool:
    """Whether a class tells the story, and no file."""
    return node.use not in (None, EMULATOR)


def teller(node: NodeConfig, key: str) -> Any:
    """The class that tells the story, loaded and not yet called.

    Raises:
        ConfigError: there is none, or it does not fit.
    """
    use = str(node.use)
    shipped = {EMULATOR: "environments.jericho_game:JerichoGame"}
    if use not in shipped and not names_code(use):
        where = "story files are named by --game"
        raise ConfigError(f"{key} = {use!r}: is no {EMULATOR} and no module:Class; {where}")
    part = load_part(use, shipped, key, "environment")
    for method in METHODS if tells(node) else ():
        if not (inspect.isclass(part) and callable(getattr(part, method, None))):
            raise ConfigError(
                f"{key} = {use!r}: tells no story, it is no class with a method {method}; "
                "see docs/environments.md"
            )
    refuse_async(part, key, use, *(METHODS if tells(node) else ()))
    return part


def _is_file(game: str) -> bool:
    return game.startswith(textworld.SCHEME) or Path(game).exists()
