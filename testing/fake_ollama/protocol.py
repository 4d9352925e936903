"""The Ollama API on the wire: which requests it refuses, and what its answers look like."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
)

from agents.models.scripts import ModelQuestion, wanted

CHARS_PER_TOKEN = 4
DEFAULT_CTX = 4096
DEFAULT_PREDICT = -1
CREATED = "2026-01-01T00:00:00.000000Z"
VERSION = "0.12.0"
_DURATION = re.compile(r"-?(\d+(\.\d+)?(ns|us|ms|s|m|h))+|-?\d+")


class Refusal(Exception):
    """A request is answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class FakeModel:
    """A model that the server pretends to have pulled."""

    name: str
    capabilities: tuple[str, ...] = ("completion", "tools")
    context_length: int = 131072

    @property
    def full_name(self) -> str:
        """With its tag."""
        return self.name if ":" in self.name else f"{self.name}:latest"

    def listing(self) -> dict[str, Any]:
        """Its entry in `/api/tags`."""
        return {
            "name": self.full_name,
            "model": self.full_name,
            "modified_at": CREATED,
            "size": 4_920_753_328,
            "digest": self.name.encode().hex().ljust(64, "0")[:64],
            "details": {
                "parent_model": "",
                "format": "gguf",
                "family": "fake",
                "families": ["fake"],
                "parameter_size": "8.0B",
                "quantization_level": "Q4_K_M",
            },
        }

    def show(self) -> dict[str, Any]:
        """The answer of `/api/show`."""
        return {
            "modelfile": f"FROM {self.full_name}\n",
            "parameters": "",
            "template": "{{ .Prompt }}",
            "details": self.listing()["details"],
            "model_info": {
                "general.architecture": "fake",
                "fake.context_length": self.context_length,
            },
            "capabilities": list(self.capabilities),
            "modified_at": CREATED,
        }


class _Message(BaseModel):
    role: StrictStr
    content: StrictStr = ""
    thinking: StrictStr = ""
    images: list[StrictStr] | None = None
    tool_calls: list[dict[str, Any]] | None = None


class _Body(BaseModel):
    """What chat and generate have in common."""

    model_config = ConfigDict(extra="ignore")

    model: StrictStr = ""
    stream: StrictBool = True
    format: Any = None
    think: StrictBool | StrictStr | None = None
    keep_alive: StrictStr | StrictInt | StrictFloat | None = None
    options: dict[str, Any] | None = None


class ChatBody(_Body):
    """The body of `/api/chat`."""

    messages: list[_Message] = Field(default_factory=list)
    tools: list[dict[str, Any]] | None = None


class GenerateBody(_Body):
    """The body of `/api/generate`."""

    prompt: StrictStr = ""
    system: StrictStr = ""


@dataclass(frozen=True)
class Call:
    """An accepted request for an answer."""

    endpoint: Literal["chat", "generate", "openai"]
    model: FakeModel
    question: ModelQuestion
    stream: bool
    thinks: bool
    tool: str
    """The tool that is called with the answer; empty for none."""
    num_ctx: int
    num_predict: int
    unloads: bool = False

    @property
    def prompt_tokens(self) -> int:
        """Before the context window cuts it."""
        return -(-len(self.question.text) // CHARS_PER_TOKEN)


def parse_json(body: bytes) -> dict[str, Any]:
    """A request's body."""
    if not body.strip():
        raise Refusal(400, "missing request body")
    try:
        value = json.loads(body)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Refusal(400, f"invalid request body: {error}") from error
    if not isinstance(value, dict):
        raise Refusal(400, f"json: cannot unmarshal {type(value).__name__} into a request")
    return value


def parse_chat(body: Mapping[str, Any], models: Sequence[FakeModel]) -> Call:
    """An accepted chat request.

    Raises:
        Refusal: what Ollama would answer instead.
    """
    chat = _validated(ChatBody, body)
    call = _call("chat", chat, models)
    if chat.tools:
        _require(call.model, "tools")
    said = tuple((message.role, message.content) for message in chat.messages)
    form = _formatted(chat.format)
    if form is not None:
        return replace(call, question=ModelQuestion(said, form))
    question = ModelQuestion(said, *wanted(chat.tools or ()))
    return replace(call, question=question, tool=question.title)


def parse_generate(body: Mapping[str, Any], models: Sequence[FakeModel]) -> Call:
    """An accepted generate request."""
    generate = _validated(GenerateBody, body)
    call = _call("generate", generate, models)
    said = [("system", generate.system)] if generate.system else []
    said += [("user", generate.prompt)] if generate.prompt else []
    return replace(call, question=ModelQuestion(tuple(said), _formatted(generate.format)))


def find_model(name: str, models: Sequence[FakeModel]) -> FakeModel:
    """A pulled model by its name, with or without its tag."""
    if not name:
        raise Refusal(400, "model is required")
    for model in models:
        if name in (model.name, model.full_name):
            return model
    raise Refusal(404, f"model '{name}' not found")


def _call(endpoint: Literal["chat", "generate"], body: _Body, models: Sequence[FakeModel]) -> Call:
    model = find_model(body.model, models)
    able = "thinking" in model.capabilities
    if isinstance(body.think, str) and body.think not in ("high", "medium", "low"):
        raise Refusal(400, f'invalid think value: "{body.think}"')
    if body.think and not able:
        raise Refusal(400, f'"{body.model}" does not support thinking')
    if isinstance(body.keep_alive, str) and not _DURATION.fullmatch(body.keep_alive):
        raise Refusal(400, f'time: invalid duration "{body.keep_alive}"')
    options = body.options or {}
    return Call(
        endpoint=endpoint,
        model=model,
        question=ModelQuestion(()),
        stream=body.stream,
        thinks=able if body.think is None else bool(body.think),
        tool="",
        num_ctx=_integer(options, "num_ctx", DEFAULT_CTX),
        num_predict=_integer(options, "num_predict", DEFAULT_PREDICT),
        unloads=body.keep_alive == 0,
    )


def _integer(options: Mapping[str, Any], name: str, default: int) -> int:
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refusal(500, f'option "{name}" must be of type integer')
    return int(value)


def _require(model: FakeModel, capability: str) -> None:
    if capability not in model.capabilities:
        raise Refusal(400, f"{model.full_name} does not support {capability}")


def _formatted(form: Any) -> dict[str, Any] | None:
    """The schema that the answer is to have, where one is given."""
    if isinstance(form, dict):
        return form
    if form not in (None, "", "json"):
        raise Refusal(
            400,
            f'invalid format: {json.dumps(form)}; expected "json" or a valid JSON Schema object',
        )
    return None


def _validated(kind: type[Any], body: Mapping[str, Any]) -> Any:
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise Refusal(
            400, f"json: cannot unmarshal value into field {kind.__name__}.{where}: {fault['msg']}"
        ) from error
