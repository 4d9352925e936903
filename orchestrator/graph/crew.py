"""Who plays a graph: the parts of its nodes, and the skills of the agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from agents.models import ModelConfig
from managers.belief.deliberation import Tariff
from managers.core.skill import HOOKS, Skill, Skills, has_hook
from managers.core.value import TERMS
from managers.skills import SHIPPED
from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.proof import prove_part
from orchestrator.graph.spec import SkillConfig, Where
from orchestrator.graph.topology import Seat, Topology, part_topology, topology_of
from orchestrator.roles import ModelPart
from orchestrator.settings.models import Models
from orchestrator.settings.parts import load_part, make, refuse_async, takes
from orchestrator.turns.context import NAMED, Crew

# -- skills --------------------------------------------------------------------


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
    return Skills({name: _skill(config, name, it) for name, it in tables.items() if it.enabled})


def _skill(config: GraphConfig, name: str, table: SkillConfig) -> Skill:
    use = table.use or name
    key = config.where("skills", name, *(["use"] if table.use else []))
    part: Any = load_part(use, _CLASSES, key, "skill")
    refuse_async(part, key, use, *HOOKS)
    made = make(part, table.options, config.where("skills", name), use)
    if not isinstance(made, Skill):
        raise ConfigError(
            f"{key} = {use!r}: is no skill; write a class that inherits managers.core.skill.Skill"
        )
    if not any(has_hook(made, hook) for hook in HOOKS):
        raise ConfigError(f"{key} = {use!r}: has none of the hooks of a skill: {', '.join(HOOKS)}")
    for hook, given in HOOKS.items():
        if not takes(getattr(made, hook), len(given)):
            raise ConfigError(f"{key} = {use!r}: write {hook}(self, {', '.join(given)})")
    return made


# -- parts ---------------------------------------------------------------------


def make_crew(
    config: GraphConfig, models: Models | None = None, given: Mapping[str, Any] | None = None
) -> Crew:
    """The parts that a graph names, by default with models of their own.

    `given` are parts that are there already, by role.

    Raises:
        ConfigError: one cannot be made with its options, no node plays one that is given, or
            `max_cost` bounds what costs nothing.
    """
    topology, given = topology_of(config, given), given or {}
    _check_priced(config, [seat.model for seat in topology.all_seats if seat.model])
    shown = [name for name, it in config.state.items() if it.shown]
    roles = {seat.role.name for seat in topology.all_seats if seat.role and seat.part is not None}
    for role in given.keys() - roles:
        raise ConfigError(
            f"{role}={given[role]!r}: no node of the graph {config.name!r} plays that role; "
            f"these are played: {', '.join(sorted(roles))}"
        )
    crew = _made_crew(topology, models or Models(config.models), given)
    return replace(crew, shown=tuple(shown), topology=topology)


def check_part(config: GraphConfig) -> list[str]:
    """The fields that a graph which stands for a node writes, if it fits.

    Raises:
        ConfigError: what is wrong with it, but for what its nodes read of the graph around it.
    """
    topology = part_topology(config)
    prove_part(topology)
    _made_crew(topology, Models(config.models), {})
    return sorted(frozenset().union(*(seat.writes for seat in topology.all_seats)))


def _made_crew(topology: Topology, models: Models, given: Mapping[str, Any]) -> Crew:
    parts: dict[str, Any] = {}
    firsts: dict[str, Any] = {}
    for seat, where in _seats(topology):
        if seat.role is not None and seat.part is not None:
            made = given.get(seat.role.name)
            parts[seat.path] = _made(seat, where, models) if made is None else made
            firsts.setdefault(seat.role.name, parts[seat.path])
    named = {name: part for name, part in firsts.items() if name in NAMED}
    return Crew(**named, parts=parts, tariff=_tariff(topology))


def _check_priced(config: GraphConfig, asked: list[str]) -> None:
    """A cost is counted by the prices in the models' tables; without any it stays 0."""
    tables = [config.models.get(name) or ModelConfig() for name in asked]
    priced = any(one.input_price or one.output_price for one in tables)
    if config.max_cost is not None and tables and not priced:
        raise ConfigError(
            f"{config.where('max_cost')} = {config.max_cost:g}: no model that is asked has a "
            f"price, so that this ends nothing; say -s models.{asked[0]}.input_price=... and "
            "output_price, each per million tokens"
        )


def models_asked(config: GraphConfig, given: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Path of a node -> name of the model that its part asks, for the parts that ask one."""
    return {seat.path: seat.model for seat, _ in _seats(topology_of(config, given)) if seat.model}


def _seats(topology: Topology) -> list[tuple[Seat, Where]]:
    """All nodes, those of the graphs within too, each with the place of its own graph."""
    found = []
    for name, seat in topology.seats.items():
        inner = topology.within.get(name)
        found += _seats(inner) if inner else [(seat, topology.where)]
    return found


def _made(seat: Seat, where: Where, models: Models) -> Any:
    options = seat.options
    if seat.model is not None:
        options["model"] = models.asker(seat.model, tools=bool(options.get("tools")))
    if seat.part is ModelPart:
        options["role"] = seat.role
    part = make(seat.part, options, where(*seat.key), str(seat.config.use))
    if seat.model is not None and not getattr(part, "asks", True):
        models.let_go(seat.model)
    return part


def _tariff(topology: Topology) -> Tariff:
    """What the first oracle costs."""
    for seat, where in _seats(topology):
        if seat.role is not None and seat.role.settings:
            given = {key: one for key, one in seat.config.options.items()
                     if key in seat.role.settings}  # fmt: skip
            try:
                return Tariff.model_validate(given)
            except ValidationError as error:
                fault = error.errors()[0]
                at = where(*seat.key, *map(str, fault["loc"]))
                raise ConfigError(f"{at} = {fault['input']!r}: {fault['msg'].lower()}") from error
    return Tariff()
