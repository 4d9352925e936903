"""What a model and its server can do, found out by asking them and kept.

Whether a server keeps a schema, holds a model to a list or tells probabilities stands in no table
that one could trust: the same model does one thing behind one server and another behind the next.
So each is asked a few short questions about a small scene, which contradict the form they ask for:
an answer in that form is then the server's doing.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel, ConfigDict, ValidationError

from agents.json_text import split_thinking
from agents.models import ModelConfig, make_model
from agents.models.config import Method
from agents.models.faults import Diagnosing, ModelError, ModelFault
from agents.models.local.weights import weights_of
from agents.parsing import read_reply, reasoning, strict_schema
from agents.structured import bind
from environments.folders import cache_folder, make_private

Thinking = Literal["no", "always", "can be switched off"]
METHODS: tuple[Method, ...] = ("json_schema", "function_calling", "json_mode")
"""The ways to ask for a structured answer that servers may enforce, the surest first."""

MAX_ANSWER = 48
"""Tokens; enough to see whether a model thinks first."""
_SYSTEM = "You are playing a text adventure. Answer with the next command."
_SCENE = """You are standing in a small kitchen. A window over the sink looks out on a garden that
nobody has weeded for years. On the table lie a brass lamp and a loaf of bread, and under it stands
a wooden box with an iron lid, which is closed. A door leads north to a hall, and a flight of worn
stairs goes down into the dark. Somewhere below, water drips. The clock over the stove has stopped
at ten past four, and the calendar beside it shows a month of June."""
_THEN = "Nothing happens. The water drips on."
_CONTRADICTING = "Answer with the one word banana."


class Move(BaseModel):
    """What is asked for to see whether a schema is kept."""

    command: Literal["open box", "take lamp", "north", "down"]
    sure: bool


class Abilities(BaseModel):
    """What was found out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    method: Method
    """The surest way to ask for a structured answer that worked; `plain` asks in words."""
    chooses: bool
    """Its server holds it to a list of answers."""
    probabilities: bool
    """Its server tells how likely tokens are."""
    thinking: Thinking
    keeps_prefix: bool | None
    """Its server does not read again what it has just read; None where it does not say."""
    reads: float
    """Tokens of a question a second; 0 where that cannot be told."""
    writes: float
    """Tokens of an answer a second; 0 where that cannot be told."""
    served: str = ""
    """What its server had loaded, where its name is not the name that it is asked by."""

    def lines(self) -> list[tuple[str, str]]:
        """What was asked and what came of it, as a person reads it."""
        read_again = {True: "no", False: "yes", None: "its server does not say"}
        return [
            ("keeps a schema", self.method if self.method != "plain" else "no: is asked in words"),
            ("held to a list", "yes" if self.chooses else "no"),
            ("probabilities", "yes" if self.probabilities else "no"),
            ("thinks", self.thinking),
            ("reads its prefix again", read_again[self.keeps_prefix]),
            ("speed", f"reads {self.reads:.0f}, writes {self.writes:.1f} tokens a second"),
        ]


def examine(config: ModelConfig, served: str = "") -> Abilities:
    """Ask a model a few questions, and keep what they showed.

    Args:
        config: The model's.
        served: What its server said that it has loaded; see `Health`.

    Raises:
        ModelError: it cannot be made.
        ModelFault: it gives no answer at all.
    """
    brief = config.model_copy(update={"max_tokens": MAX_ANSWER})
    model = make_model(brief)
    begun: list[BaseMessage] = [SystemMessage(_SYSTEM), HumanMessage(_SCENE)]
    first = _put(model, begun)
    second = _put(model, [*begun, AIMessage("open box"), HumanMessage(_THEN)])
    method, chooses = _structured(model)
    found = Abilities(
        model=config.model,
        method=method,
        chooses=chooses,
        probabilities=_tells_probabilities(model, begun),
        thinking=_thinking(brief, first.message, begun),
        keeps_prefix=_keeps_prefix(second),
        reads=first.reads,
        writes=second.writes or first.writes,
        served=served,
    )
    _keep(config, found)
    return found


def known(config: ModelConfig, served: str | None = None) -> Abilities | None:
    """What was found out of a model at an earlier time; None if nobody has asked.

    Nor does it hold for what its server has loaded since, where that is told. A `local` model is
    the file that it was.
    """
    try:
        found = Abilities.model_validate_json(_place(config).read_bytes())
    except (OSError, ValidationError, ModelError):
        return None
    other = served not in (None, found.served) and config.provider != "local"
    return None if other else found


class _Answer(NamedTuple):
    message: AIMessage
    seconds: float

    @property
    def timings(self) -> dict[str, Any]:
        """What llama.cpp and Ollama tell of the time they took, in llama.cpp's words."""
        told = self.message.response_metadata
        timings = told.get("timings")
        if isinstance(timings, dict):
            return timings
        return {
            "prompt_n": told.get("prompt_eval_count"),
            "prompt_ms": (told.get("prompt_eval_duration") or 0) / 1e6,
            "predicted_n": told.get("eval_count"),
            "predicted_ms": (told.get("eval_duration") or 0) / 1e6,
        }

    @property
    def reads(self) -> float:
        return self._speed("prompt_n", "prompt_ms")

    @property
    def writes(self) -> float:
        told = self._speed("predicted_n", "predicted_ms")
        usage = self.message.usage_metadata
        return told or (usage["output_tokens"] / self.seconds if usage else 0.0)

    def _speed(self, count: str, took: str) -> float:
        tokens, milliseconds = self.timings.get(count), self.timings.get(took)
        return 1000 * tokens / milliseconds if tokens and milliseconds else 0.0


def _put(model: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> _Answer:
    started = time.perf_counter()
    with Diagnosing():
        message = model.invoke(list(messages))
    return _Answer(message, max(time.perf_counter() - started, 1e-6))


def _structured(model: Any) -> tuple[Method, bool]:
    """The surest way to ask for an object, and whether a list of values is kept in it."""
    schema = strict_schema(Move)
    asked = [SystemMessage(_SYSTEM), HumanMessage(f"{_SCENE}\n\n{_CONTRADICTING}")]
    for method in METHODS:
        with suppress(ModelFault, NotImplementedError, ValueError, TypeError):
            message = _put(bind(model, schema, method), asked).message
            if read_reply(message, Move).answer is not None:
                return method, method != "json_mode"
    return "plain", False


def _tells_probabilities(model: Any, messages: Sequence[BaseMessage]) -> bool:
    with suppress(ModelFault, ValueError, TypeError):
        message = _put(model.bind(logprobs=True, top_logprobs=3), messages).message
        return bool(message.response_metadata.get("logprobs"))
    return False


def _thinking(config: ModelConfig, message: AIMessage, messages: Sequence[BaseMessage]) -> Thinking:
    if not _thoughts(message):
        return "no"
    with suppress(ModelFault, ModelError):
        quiet = make_model(config.model_copy(update={"reasoning": False}))
        if not _thoughts(_put(quiet, messages).message):
            return "can be switched off"
    return "always"


def _thoughts(message: AIMessage) -> str:
    return reasoning(message) or split_thinking(str(message.text))[0]


def _keeps_prefix(answer: _Answer) -> bool | None:
    usage = answer.message.usage_metadata
    read = usage.get("input_token_details", {}).get("cache_read") if usage else None
    return None if read is None or usage is None else read > usage["input_tokens"] / 2


def _place(config: ModelConfig) -> Path:
    """Where it is kept: by the model and its server's address, or by its file."""
    asked: list[Any] = [config.model, config.base_url, config.options]
    if config.provider == "ollama":
        from agents.models.ollama import server_url

        asked[1] = str(server_url(config.base_url))
    if config.provider == "local":
        found = weights_of(config.name)
        asked = [str(found.path), found.size]
    digest = hashlib.sha256(json.dumps(asked, default=str).encode()).hexdigest()[:16]
    return cache_folder() / "abilities" / f"{digest}.json"


def _keep(config: ModelConfig, found: Abilities) -> None:
    """Write down what was found out; where that cannot be, it is asked again next time."""
    with suppress(OSError):
        place = _place(config)
        make_private(place.parent)
        place.write_text(found.model_dump_json(), encoding="utf-8")
