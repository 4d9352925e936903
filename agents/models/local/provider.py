"""The provider `local`: weights on this machine, served by llama.cpp in a child of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.models.config import ModelConfig
from agents.models.faults import ModelError, ModelFault, brief
from agents.models.local.server import LocalServer
from agents.models.local.weights import weights_of
from agents.models.openai import OpenAI
from agents.models.providers import Health, check_options, imported, made

_PLACE = "http://local/v1"
"""Stands for the address of a server, which nobody knows before it has started."""


class ServerOptions(BaseModel):
    """What may stand in `options` for the server; the rest is for the chat model."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    slots: int | None = Field(default=None, ge=1, le=64)
    """Conversations at a time."""
    threads: int | None = Field(default=None, ge=1)


class Local(OpenAI):
    """llama.cpp's server, which is asked like any other of its protocol once it has started."""

    def __init__(self, name: str) -> None:
        super().__init__(name, key="")

    def make(self, config: ModelConfig) -> BaseChatModel:
        imported(self.package, config)
        from agents.models.openai_chat import BoundedChatOpenAI

        server, chat = _server(config), _of_chat(config)
        check_options(BoundedChatOpenAI, chat, config, "client_kwargs")
        found = {"model": f"local:{server.weights.name}", "base_url": _PLACE, "options": chat}
        settings = self._settings(config.model_copy(update=found))
        settings["client_kwargs"]["event_hooks"] = {"request": [_aiming(server)]}
        return made(lambda: BoundedChatOpenAI.of(settings), config)

    def check(self, model: BaseChatModel, config: ModelConfig, *, tools: bool) -> Health:
        """Start the server, then ask it like any other."""
        try:
            server = _server(config)
            if server.file.context and config.num_ctx > server.file.context:
                return Health((_too_long(server, config),))
            server.endpoint()
        except ModelError as error:
            return Health((str(error),))
        return super().check(model, config, tools=tools)

    def remedy(self, kind: str, config: ModelConfig) -> str:
        if kind in ("down", "cut"):
            return "its server has died: is there memory enough? take a smaller num_ctx or model"
        return super().remedy(kind, config)


def _server(config: ModelConfig) -> LocalServer:
    """The server of a config; it is not started yet.

    Raises:
        ModelError: there is no such file, or it is none that can be served.
    """
    if config.base_url:
        raise ModelError(
            f"model {config.model!r} takes no base_url: a server at {config.base_url!r} is asked "
            "as llamacpp:NAME"
        )
    given = {k: v for k, v in config.options.items() if k in ServerOptions.model_fields}
    try:
        own = ServerOptions.model_validate(given)
    except ValidationError as error:
        raise ModelError(f"model {config.model!r}: options: {brief(error)}") from error
    weights = weights_of(config.name)
    return LocalServer(weights, config.num_ctx, slots=own.slots, threads=own.threads)


def _of_chat(config: ModelConfig) -> dict[str, Any]:
    return {k: v for k, v in config.options.items() if k not in ServerOptions.model_fields}


def _aiming(server: LocalServer) -> Callable[[Any], None]:
    """What sends a request to the server, wherever that is by then."""

    def aim(request: Any) -> None:
        try:
            url, key = server.endpoint()
        except ModelError as error:
            raise ModelFault("down", str(error), transient=False) from error
        target = type(request.url)(url)
        request.url = request.url.copy_with(host=target.host, port=target.port)
        request.headers["host"] = f"{target.host}:{target.port}"
        request.headers["authorization"] = f"Bearer {key}"

    return aim


def _too_long(server: LocalServer, config: ModelConfig) -> str:
    return (
        f"model {config.model!r}: num_ctx = {config.num_ctx} is more than the "
        f"{server.file.context} tokens that {server.weights.name} was made for: "
        f"set num_ctx = {server.file.context}"
    )
