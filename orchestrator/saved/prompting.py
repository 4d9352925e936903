"""The prompts of a role: as they were in a turn of a run, or as they would have been."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from agents.briefing import Briefing
from agents.models import ModelConfig
from agents.prompting import PROMPTS, PromptError, filled_prompt
from agents.structured import ASKING
from managers.core.value import EVEN, profiles
from orchestrator.checkpoints.opening import read_turns
from orchestrator.errors import ConfigError, RunError
from orchestrator.graph.crew import make_skills
from orchestrator.graph.spec import NodeConfig
from orchestrator.nodes import reviewed
from orchestrator.roles import ROLES
from orchestrator.saved.record import Record
from orchestrator.saved.restore import stand_after, trusted
from orchestrator.saved.runs import RunDirectory
from orchestrator.settings.models import DEFAULT
from orchestrator.settings.parts import load_part, takes_model
from orchestrator.state import WRITES, State
from orchestrator.traces.reader import Run, read_trace
from orchestrator.traces.turns import read_turns as read_traced
from orchestrator.turns.briefings import briefing
from orchestrator.turns.context import Bounds, Views

_ORDER = ("objective_manager", "mode", "planner", "oracle", "actor", "critic", "game", "extractor")


def asked(run: RunDirectory, role: str, turn: int) -> list[str]:
    """What a role asked its model in a turn, word for word; empty where it asked nothing."""
    if not run.trace.is_file():
        return []
    found = [played for played in read_traced(read_trace(run.trace).roots) if played.number == turn]
    calls = (
        call
        for played in found
        for question in played.walk()
        if question.name == f"{ASKING}{role}"
        for call in question.walk()
        if call.kind == "llm"
    )
    return [_said(call) for call in calls]


def would_ask(run: RunDirectory, role: str, turn: int) -> str:
    """The prompt that a role would have had in a turn, filled from the run's checkpoints.

    Raises:
        RunError: the run has no such role, or that turn, or the one before it, is not kept.
    """
    record = run.record()
    if role not in record.config.nodes:
        played = ", ".join(one for one in PROMPTS if one in record.config.nodes) or "none of them"
        raise RunError(f"run {record.run_id} has no node {role!r}; of those asked it has {played}")
    if turn < 1:
        raise RunError(f"turn {turn}: the first that can be shown is 1")
    trusted(record)
    with read_turns(run, record) as saver:
        before = stand_after(saver, record, turn - 1).values
        after = stand_after(saver, record, turn).values
    state = _within(before, after, role)
    bounds = Bounds(record.max_steps, state["score"].last.max_score)
    known = _briefed(state, record, turn, bounds)
    options = record.config.nodes[role].options
    named = str(options.get("prompt") or _usual(record.config.nodes[role].use, role))
    try:
        model = record.config.models.get(str(options.get("model", DEFAULT)), ModelConfig())
        return filled_prompt(named, known, model, tools=bool(options.get("tools")))
    except PromptError as error:
        raise RunError(f"run {record.run_id}: {error}") from error


def _usual(use: str | None, role: str) -> str:
    """The prompt of the part that plays a role; of the usual one where it asks no model."""
    with suppress(ConfigError):
        part = load_part(str(use), ROLES[role].parts, f"nodes.{role}.use", role)
        own = inspect.signature(part).parameters.get("prompt") if takes_model(part) else None
        if own is not None and isinstance(own.default, str):
            return own.default
    return PROMPTS[role]


def _briefed(state: State, record: Record, turn: int, bounds: Bounds) -> Briefing:
    """What the roles of a run are told in a state, by what its graph says of them."""
    config = record.config
    shown = [name for name, it in config.state.items() if it.shown]
    named = config.nodes.get("actor", NodeConfig()).options.get("profile", EVEN)
    return briefing(
        state, record.agent_seed, Views(make_skills(config)), turn,
        profile=profiles().get(str(named)), bounds=bounds, shown=shown,
    )  # fmt: skip


def _within(before: Mapping[str, Any], after: Mapping[str, Any], role: str) -> State:
    """The state that a role finds: what the nodes ahead of it have written, and the rest of old."""
    state = dict(before)
    for node in _ORDER[: _ORDER.index(role)]:
        state |= {field: after[field] for field in WRITES[node] if field in after}
    if role == "objective_manager":
        state["objectives"] = list(reviewed(cast(State, state), Views()).objectives)
    if role == "critic":
        state["judgements"] = after.get("judgements", [])[:-1]
    return cast(State, state)


def _said(call: Run) -> str:
    """The messages of a call one below the other, as `agents.prompting.as_text` shows them."""
    said = [one.words for batch in call.asked.messages[:1] for one in batch]
    return "\n\n".join(f"> {one.text}" if one.type == "ai" else one.text for one in said)
