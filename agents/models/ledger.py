"""What the questions cost, by role."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from agents.models.config import ModelConfig
from agents.parsing import Fault


class CallRecord(BaseModel):
    """What became of one question."""

    model_config = ConfigDict(frozen=True)

    role: str
    model: str
    answer_type: str
    outcome: Literal["answered", "repaired", "failed"]
    cached: bool = False
    calls: int = 0
    """Times the model was asked, repetitions included."""
    answers: int = 0
    """Times it answered, well or badly."""
    lookups: int = 0
    """Tool calls before the answer."""
    prompt_chars: int = 0
    """Of the question itself, before any retry."""
    input_tokens: int = 0
    uncached_tokens: int = 0
    """Those of the question that the server had to read anew."""
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    faults: tuple[Fault, ...] = ()
    thoughts: str = ""
    """What the model thought aloud; no part of its answer."""


@dataclass
class RoleUsage:
    """Sums over the questions of one role."""

    questions: int = 0
    cached: int = 0
    calls: int = 0
    lookups: int = 0
    repaired: int = 0
    failed: int = 0
    prompt_chars: int = 0
    longest_prompt: int = 0
    """In characters."""
    input_tokens: int = 0
    uncached_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)

    def add(self, record: CallRecord) -> None:
        """Count one question."""
        self.questions += 1
        self.cached += record.cached
        self.calls += record.calls
        self.lookups += record.lookups
        self.repaired += record.outcome == "repaired"
        self.failed += record.outcome == "failed"
        self.prompt_chars += record.prompt_chars
        self.longest_prompt = max(self.longest_prompt, record.prompt_chars)
        self.input_tokens += record.input_tokens
        self.uncached_tokens += record.uncached_tokens
        self.output_tokens += record.output_tokens
        self.cost += record.cost
        self.seconds += record.seconds
        self.faults.update(fault.kind for fault in record.faults)

    def merge(self, other: RoleUsage) -> None:
        """Add the sums of other questions."""
        longest = max(self.longest_prompt, other.longest_prompt)
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        self.longest_prompt = longest


class Habits:
    """What keeps going wrong with the answers of models, and what to set against it.

    Safe with many threads.
    """

    def __init__(self) -> None:
        self._answers: Counter[str] = Counter()
        self._faults: Counter[tuple[str, str]] = Counter()
        self._configs: dict[str, ModelConfig] = {}
        self._told: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def add(self, record: CallRecord, config: ModelConfig) -> None:
        """Count the answers to one question."""
        with self._lock:
            self._configs[record.model] = config
            self._answers[record.model] += record.answers
            kinds = (fault.kind for fault in record.faults if fault.kind in _REMEDIES)
            self._faults.update((record.model, kind) for kind in kinds)

    def news(self) -> tuple[str, ...]:
        """A line on each fault that has just become a habit."""
        with self._lock:
            new = {key for key, count in self._faults.items() if count >= OFTEN} - self._told
            self._told |= new
            return tuple(self._line(*key) for key in sorted(new))

    def all(self) -> tuple[str, ...]:
        """A line on each fault that was a habit, or befell all answers."""
        with self._lock:
            return tuple(
                self._line(*key)
                for key, count in sorted(self._faults.items())
                if count >= min(OFTEN, self._answers[key[0]])
            )

    def _line(self, model: str, kind: str) -> str:
        counts = f"{self._faults[model, kind]} of {self._answers[model]} answers of {model}"
        return f"{counts} {_REMEDIES[kind](self._configs[model])}"


def _thought(config: ModelConfig) -> str:
    ways = [] if config.reasoning is False else ["reasoning = false"]
    return f"were cut while it thought: set {', or '.join([*ways, _longer(config)])}"


def _cut(config: ModelConfig) -> str:
    return f"were cut at max_tokens = {config.max_tokens}: set {_longer(config)}"


def _longer(config: ModelConfig) -> str:
    wanted = 4 * config.max_tokens
    room = f" and num_ctx = {2 * wanted}" if wanted >= config.num_ctx else ""
    return f"max_tokens = {wanted}{room}"


def _crowded(config: ModelConfig) -> str:
    return (
        f"were given to a question that does not fit into num_ctx = {config.num_ctx}, and was "
        f"cut by the server: set num_ctx = {max(8192, 2 * config.num_ctx)}, or less history"
    )


OFTEN = 3
"""Equal faults after which the user is told."""
_REMEDIES: dict[str, Callable[[ModelConfig], str]] = {
    "thinking": _thought,
    "truncated": _cut,
    "loop": lambda _config: "went round in a circle and were broken off: try a larger model",
    "context": _crowded,
}
_SUMS = TypeAdapter(dict[str, RoleUsage])


class Ledger:
    """Adds up records; safe with many threads."""

    def __init__(self) -> None:
        self.habits = Habits()
        self._roles: dict[str, RoleUsage] = {}
        self._lock = threading.Lock()

    def add(self, record: CallRecord, config: ModelConfig | None = None) -> None:
        """Count one question to the model of a config."""
        with self._lock:
            if config is not None:
                self.habits.add(record, config)
            self._roles.setdefault(record.role, RoleUsage()).add(record)

    def as_data(self) -> dict[str, Any]:
        """The sums as plain data, which `start_from` takes."""
        return dict(_SUMS.dump_python(self.by_role(), mode="json"))

    def start_from(self, sums: Mapping[str, Any]) -> None:
        """Count on from what was spent before."""
        with self._lock:
            self._roles = _SUMS.validate_python(sums)

    def add_sums(self, sums: Mapping[str, Any]) -> None:
        """Count what was spent elsewhere, told as `as_data` tells it."""
        with self._lock:
            for role, usage in _SUMS.validate_python(sums).items():
                self._roles.setdefault(role, RoleUsage()).merge(usage)

    def by_role(self) -> dict[str, RoleUsage]:
        """The sums of every role that was asked."""
        with self._lock:
            return dict(self._roles)

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens of all roles."""
        return sum(u.input_tokens + u.output_tokens for u in self.by_role().values())

    @property
    def uncached_tokens(self) -> int:
        """Prompt tokens of all roles that servers had to read anew."""
        return sum(usage.uncached_tokens for usage in self.by_role().values())

    @property
    def cost(self) -> float:
        """Of all roles, in the currency of the configured prices."""
        return sum(usage.cost for usage in self.by_role().values())
