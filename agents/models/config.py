"""The options of one model."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agents.models.addresses import completed, parse_address
from agents.models.faults import ModelError
from environments.secrets import told

DEFAULT_WEIGHTS = "default"
"""The name of the local model that was chosen, or else of the one that a package ships."""
Style = Literal["auto", "short", "full"]
MOST_QUOTED = 100
"""Characters of a value in a message."""
Method = Literal["auto", "json_schema", "function_calling", "json_mode", "plain"]


class ModelConfig(BaseModel):
    """One `[models.<name>]` table of a graph config; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "ollama:llama3.1:8b"
    """`provider:name`, for instance `openai:gpt-4.1-mini` or `embedded:answers:FILE`."""
    base_url: str | None = None
    """Where the server is; for Ollama the default comes from OLLAMA_HOST."""
    temperature: float | None = Field(default=0.2, ge=0)
    """None leaves it to the provider."""
    seed: int | None = None
    """Of its sampling; the agent's where nothing is said."""
    num_ctx: int = Field(default=8192, ge=512)
    """Context window in tokens; always sent, because a server's own default cuts prompts."""
    history: int | None = Field(default=None, ge=0)
    """Tokens of the game's words that a question brings along; by default half of what `num_ctx`
    leaves beside the answer."""
    max_tokens: int = Field(default=2048, ge=16)
    """The longest answer, in tokens, thoughts included."""
    timeout: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    """Seconds for one whole call."""
    keep_alive: str | int = "30m"
    """How long Ollama keeps the model loaded after a call."""
    reasoning: bool | Literal["low", "medium", "high"] | None = None
    """Whether a thinking model thinks; None leaves it to the model."""
    style: Style = "auto"
    """The form of questions and answers: `short` for small models, `full`, or by its size."""
    method: Method = "auto"
    """How structured answers are asked for; `auto` takes the best the provider has."""
    retries: int = Field(default=3, ge=0)
    """How often a call that failed for a passing reason is repeated."""
    backoff: float = Field(default=0.5, ge=0)
    """Seconds before the first repetition; doubled each time, with jitter."""
    tokens_per_minute: int | None = Field(default=None, ge=1)
    """Questions wait so that no more are read and written; None for no bound."""
    input_price: float = Field(default=0.0, ge=0)
    """Per million prompt tokens, in whatever currency the costs are wanted."""
    output_price: float = Field(default=0.0, ge=0)
    """Per million completion tokens."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Further constructor arguments of the provider's own class."""

    @field_validator("model")
    @classmethod
    def _has_provider(cls, model: str) -> str:
        model = f"local:{DEFAULT_WEIGHTS}" if model == "local" else model
        provider, colon, name = model.partition(":")
        if not (colon and provider and name):
            raise ValueError(f"{model!r} is no provider:name, for instance {_instance(model)!r}")
        return model

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if self.max_tokens >= self.num_ctx:
            raise ValueError(
                f"max_tokens = {self.max_tokens} leaves no room for a question in num_ctx = "
                f"{self.num_ctx}: set num_ctx = {max(8192, 2 * self.max_tokens)}, "
                f"or max_tokens = {self.num_ctx // 4}"
            )
        return self

    @field_validator("base_url")
    @classmethod
    def _is_plain(cls, base_url: str | None) -> str | None:
        if not (base_url or "").strip():
            return None
        try:
            return parse_address(completed(base_url or "")).text
        except ValueError as error:
            raise ValueError(f"{told(repr(base_url), MOST_QUOTED)} is {error}") from error

    @property
    def memory(self) -> int:
        """Tokens of the game's words that a question brings along."""
        if self.history is not None:
            return self.history
        return max(self.num_ctx - self.max_tokens, 0) // 2

    @property
    def provider(self) -> str:
        """Before the first colon."""
        return self.model.partition(":")[0]

    @property
    def name(self) -> str:
        """After the first colon."""
        return self.model.partition(":")[2]


def _instance(model: str) -> str:
    """What may have been meant by a name without its provider."""
    if model.lower().endswith(".gguf"):
        return f"local:{model}"
    from agents.models.providers import OWN

    return f"{model}:NAME" if model in OWN else f"ollama:{model or 'x'}"


def configured(table: Mapping[str, Any]) -> ModelConfig:
    """The options of a config table.

    Raises:
        ModelError: an unknown key or a value that will not do, in one line.
    """
    try:
        return ModelConfig.model_validate(dict(table))
    except UnicodeEncodeError as error:
        raise ModelError(f"{told(ascii(error.object), MOST_QUOTED)} is no text") from error
    except ValidationError as error:
        raise ModelError("; ".join(_explained(fault) for fault in error.errors())) from error


def _explained(fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    if fault["type"] != "extra_forbidden":
        return f"model option {where}: {fault['msg']}" if where else str(fault["msg"])
    close = difflib.get_close_matches(where, ModelConfig.model_fields, n=1)
    return f"no model option {where!r}" + (f"; did you mean {close[0]!r}?" if close else "")
