"""What the agent of a graph is capable of: the shipped skills, as its file changes them."""

from __future__ import annotations

from typing import Any

from managers.core.skill import Skill, Skills
from managers.core.value import TERMS
from managers.skills import SHIPPED
from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.spec import SkillConfig
from orchestrator.settings.parts import load_part, make, refuse_async

_HOOKS = ("notice", "offer", "weighs", "weigh", "toll", "obstacles", "tell")
_CLASSES = {name: f"{one.__module__}:{one.__name__}" for name, one in SHIPPED.items()}


def make_skills(config: GraphConfig) -> Skills:
    """The skills of a graph: the shipped ones in their order, then its own ones.

    Raises:
        ConfigError: a skill is unknown, or cannot be made with its options.
    """
    for name, table in config.skills.items():
        key = config.where("skills", name)
        if name in TERMS:
            raise ConfigError(f"{key}: {name!r} is a term of every option's value; call it else")
        if name not in SHIPPED and table.use is None:
            raise ConfigError(
                f"{key}: {unknown('skill', name, SHIPPED)}; for one of your own say use"
            )
    names = dict.fromkeys([*SHIPPED, *config.skills])
    tables = {name: config.skills.get(name, SkillConfig()) for name in names}
    return Skills({name: _made(config, name, it) for name, it in tables.items() if it.enabled})


def _made(config: GraphConfig, name: str, table: SkillConfig) -> Skill:
    use = table.use or name
    key = config.where("skills", name, *(["use"] if table.use else []))
    part: Any = load_part(use, _CLASSES, key, "skill")
    refuse_async(part, key, use, *_HOOKS)
    made = make(part, table.options, config.where("skills", name), use)
    if not isinstance(made, Skill):
        raise ConfigError(
            f"{key} = {use!r}: is no skill; write a class that inherits managers.core.skill.Skill"
        )
    return made
