"""Chat models by `provider:name`; a provider's LangChain package is imported when it is named."""

from __future__ import annotations

import copy
import difflib
import importlib
import re
from types import ModuleType
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import ValidationError

from agents.models.config import ModelConfig
from agents.models.embedded import make_embedded
from agents.models.faults import ModelError
from environments.secrets import learn, told

_PROVIDER = re.compile(r"[a-z][a-z0-9_]*")
_BUILT_IN = ("ollama", "embedded")
_PACKAGES = (
    *("anthropic", "aws", "azure_ai", "cerebras", "cohere", "deepseek", "fireworks"),
    *("google_genai", "google_vertexai", "groq", "huggingface", "ibm", "mistralai"),
    *("nvidia_ai_endpoints", "openai", "openrouter", "perplexity", "together", "upstage", "xai"),
)
"""Providers for which LangChain has a package."""


def make_model(config: ModelConfig) -> BaseChatModel:
    """The chat model of a config. No server is asked anything yet.

    Raises:
        ModelError: an unknown provider, a package to install, or options it does not take.
    """
    learn(config.model_dump(include={"base_url", "options"}))
    if config.provider == "embedded":
        return make_embedded(config.name)
    if config.provider == "ollama":
        from agents.models.ollama import BoundedChatOllama, make_ollama

        _check_options(BoundedChatOllama, config)
        return _made(lambda: make_ollama(config), config)
    model = _model_class(config)
    _check_options(model, config)
    return _made(lambda: model(**_arguments(model, config)), config)


def _model_class(config: ModelConfig) -> type[BaseChatModel]:
    module = _package(config)
    classes = [
        value
        for name in getattr(module, "__all__", dir(module))
        if isinstance(value := getattr(module, name, None), type)
        and issubclass(value, BaseChatModel)
        and value is not BaseChatModel
    ]
    if not classes:
        raise ModelError(f"model {config.model!r}: {module.__name__} offers no chat model")
    wanted = "chat" + config.provider.replace("_", "")
    return next((c for c in classes if c.__name__.lower() == wanted), classes[0])


def _package(config: ModelConfig) -> ModuleType:
    if not _PROVIDER.fullmatch(config.provider):
        raise ModelError(
            f"model {config.model!r}: {config.provider!r} is no provider; "
            f"did you mean 'ollama:{config.model}'?"
        )
    name = f"langchain_{config.provider}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise ModelError(
                f"model {config.model!r}: {name} needs {error.name!r}, which is not installed"
            ) from error
        raise ModelError(f"model {config.model!r}: {_missing(config)}") from error
    except ImportError as error:
        raise ModelError(
            f"model {config.model!r}: {name} does not fit the other packages: {error}"
        ) from error


def _missing(config: ModelConfig) -> str:
    """What to do about a provider whose package is not there; no package is made up."""
    if config.provider in _PACKAGES:
        package = f"langchain-{config.provider.replace('_', '-')}"
        return f"provider {config.provider!r} needs its LangChain package: pip install {package}"
    known = [*_BUILT_IN, *_PACKAGES]
    close = difflib.get_close_matches(config.provider, known, n=1)
    hint = f"; did you mean '{close[0]}:{config.name}'?" if close else ""
    return f"no provider {config.provider!r}{hint} (known: {', '.join(known)})"


def _arguments(model: type[BaseChatModel], config: ModelConfig) -> dict[str, Any]:
    """What LangChain's chat models commonly take, as far as this one does and it is set."""
    common = {
        "temperature": config.temperature,
        "seed": config.seed,
        "max_tokens": config.max_tokens,
        "timeout": config.timeout,
        "base_url": config.base_url,
        "max_retries": 0,
    }
    known = _parameters(model)
    if config.base_url is not None and "base_url" not in known:
        raise ModelError(f"model {config.model!r}: {model.__name__} takes no base_url")
    usable = {name: v for name, v in common.items() if v is not None and name in known}
    return {"model": config.name, **usable, **copy.deepcopy(config.options)}


def _parameters(model: type[BaseChatModel]) -> list[str]:
    aliases = (field.alias for field in model.model_fields.values())
    return [*model.model_fields, *(alias for alias in aliases if alias)]


def _check_options(model: type[BaseChatModel], config: ModelConfig) -> None:
    known = _parameters(model)
    for option in config.options:
        if option not in known:
            close = difflib.get_close_matches(option, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ModelError(
                f"model {config.model!r}: {model.__name__} has no option {option!r}{hint}"
            )


def _made(make: Any, config: ModelConfig) -> BaseChatModel:
    try:
        made: BaseChatModel = make()
    except (ValidationError, ValueError, TypeError) as error:
        raise ModelError(f"model {config.model!r} cannot be made: {told(str(error))}") from error
    return made
