"""Parts by name: short names of the shipped ones, or `module:Class` of a user's own."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Mapping
from typing import Any

from orchestrator.config import GraphConfig, NodeConfig
from orchestrator.errors import ConfigError, unknown
from orchestrator.models import DEFAULT, Models
from orchestrator.trust import require

SHIPPED: dict[str, dict[str, str]] = {
    "extractor": {
        "rules": "agents.extractor:RuleExtractor",
        "llm": "agents.llm_extractor:LLMExtractor",
    },
    "objective_manager": {
        "rules": "agents.objective_manager:RuleObjectiveManager",
        "llm": "agents.llm_objective_manager:LLMObjectiveManager",
    },
    "oracle": {
        "llm": "agents.oracle:LLMOracle",
        "walkthrough": "agents.oracles:WalkthroughOracle",
        "sometimes": "agents.oracles:SometimesOracle",
        "useless": "agents.oracles:UselessOracle",
    },
    "actor": {
        "llm": "agents.llm_actor:LLMActor",
        "bayesian": "agents.bayesian:BayesianActor",
        "random": "agents.actor:RandomActor",
        "idle": "agents.idle:IdleActor",
        "walkthrough": "agents.actor:WalkthroughActor",
        "human": "agents.actor:HumanActor",
    },
    "critic": {"rules": "agents.critic:RuleCritic", "llm": "agents.llm_critic:LLMCritic"},
}
METHODS = {
    "extractor": "extract",
    "objective_manager": "review",
    "oracle": "analyse_situation",
    "actor": "propose",
    "critic": "judge",
}


def make_role(role: str, config: NodeConfig, models: Models | None = None) -> Any:
    """The part that plays a role, made with its own options; None where it is switched off.

    A part that takes a `model` gets the one that its option of that name names.

    Raises:
        ConfigError: no such name, a module that cannot be imported, a class that does not
            fit the role, or options that it does not take.
    """
    if not config.active:
        return None
    key = f"nodes.{role}.use"
    part = _load(config.use, SHIPPED[role], key, role)
    method = METHODS[role]
    if not callable(getattr(part, method, None)):
        raise ConfigError(
            f"{key} = {config.use!r}: does not fit the role {role}, "
            f"it has no method {method}(briefing); see docs/roles.md"
        )
    options = config.options
    if _takes_model(part):
        named, tools = options.get("model", DEFAULT), bool(options.get("tools"))
        options["model"] = (models or Models({})).asker(named, tools=tools)
    return _make(part, options, f"nodes.{role}", config.use)


def models_asked(config: GraphConfig) -> dict[str, str]:
    """Role -> name of the model that its part asks, for the parts that ask one."""
    return {
        role: node.options.get("model", DEFAULT)
        for role, node in iter(config.nodes)
        if node.active and _takes_model(_load(node.use, SHIPPED[role], f"nodes.{role}.use", role))
    }


def make_node(name: str, use: str, options: Mapping[str, Any]) -> Any:
    """An inserted node: a callable that takes the state.

    Raises:
        ConfigError: as for `make_role`.
    """
    part = _load(use, {}, f"insert.{name}.use", "node")
    if not _takes_state(part):
        raise ConfigError(
            f"insert.{name}.use = {use!r}: does not take the state; a node is a function of it, "
            "or a class whose instances are called with it; see docs/roles.md"
        )
    return _make(part, options, f"insert.{name}", use)


def _takes_state(part: Any) -> bool:
    """Whether a node, or an instance of a class, can be called with a state (and a runtime)."""
    if inspect.isclass(part):
        calls = [vars(base)["__call__"] for base in part.__mro__ if "__call__" in vars(base)]
        return bool(calls) and (_binds(calls[0], None, {}) or _binds(calls[0], None, {}, None))
    return callable(part) and (_binds(part, {}) or _binds(part, {}, None))


def _binds(function: Any, *values: Any) -> bool:
    try:
        inspect.signature(function).bind(*values)
    except (TypeError, ValueError):
        return False
    return True


def _needed(part: Any) -> list[str]:
    """The options without which a class cannot be made."""
    found = inspect.signature(part).parameters.items()
    return [name for name, it in found if it.default is it.empty and it.kind is it.KEYWORD_ONLY]


def _takes_model(part: Any) -> bool:
    return inspect.isclass(part) and "model" in inspect.signature(part).parameters


def _load(use: str, shipped: Mapping[str, str], key: str, what: str) -> Any:
    reference = shipped.get(use, use)
    module_name, colon, attribute = reference.partition(":")
    if not colon:
        raise ConfigError(f"{key}: {unknown(what, use, shipped)} or module:Class")
    if use not in shipped:
        require(reference, key)
    module = _import(module_name, f"{key} = {use!r}")
    try:
        return functools.reduce(getattr, attribute.split("."), module)
    except AttributeError as error:
        names = [name for name, value in vars(module).items() if inspect.isclass(value)]
        raise ConfigError(
            f"{key} = {use!r}: {unknown(f'name in {module_name}', attribute, names)}"
        ) from error


def _import(name: str, where: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise ConfigError(
                f"{where}: module {name!r} needs {error.name!r}, which is not installed"
            ) from error
        raise ConfigError(
            f"{where}: no module {error.name!r} beside the config file, "
            "in the working directory or installed"
        ) from error
    except Exception as error:
        raise ConfigError(
            f"{where}: module {name!r} is broken: {type(error).__name__}: {error}"
        ) from error


def _make(part: Any, options: Mapping[str, Any], key: str, use: str) -> Any:
    """An instance of a class; anything else is taken as it is and has no options."""
    if not inspect.isclass(part):
        if options:
            raise ConfigError(f"{key}: {use!r} is not a class and takes no options")
        return part
    parameters = inspect.signature(part).parameters
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for option in options:
        if option not in parameters and not open_ended:
            raise ConfigError(f"{key}: {unknown(f'option of {use}', option, parameters)}")
    for name in _needed(part):
        if name not in options:
            raise ConfigError(f"{key}: {use!r} needs {name}; say -s {key}.{name}=...")
    try:
        return part(**options)
    except Exception as error:
        raise ConfigError(
            f"{key}: {use!r} cannot be made with {dict(options)!r}: {error or type(error).__name__}"
        ) from error
