"""Providers of models by name: how each one's chat model is made, and asked before play."""

from __future__ import annotations

import difflib
import functools
import importlib
import re
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from agents.models.config import ModelConfig
from agents.models.faults import Diagnosing, ModelError, ModelFault, brief
from environments.extras import installing

if TYPE_CHECKING:
    from agents.models.scripts import ModelQuestion

PACKAGES = (
    *("anthropic", "aws", "azure_ai", "cerebras", "cohere", "deepseek", "fireworks"),
    *("google_genai", "google_vertexai", "groq", "huggingface", "ibm", "mistralai"),
    *("nvidia_ai_endpoints", "openrouter", "perplexity", "together", "upstage", "xai"),
)
"""Providers for which LangChain has a package, and which need nothing else of us."""
QUESTION = "Answer with one word: ready?"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TAG = re.compile(r"latest|(e?\d+(\.\d+)?|\d+x\d+)[bm]([-_].*)?|.*-q\d\w*|mini|small|medium|large")
"""What stands behind the colon of a model's name at Ollama."""


Likely = Callable[["ModelQuestion"], Any]


class Health(NamedTuple):
    """What is found out about a model before the first turn."""

    problems: tuple[str, ...] = ()
    """What keeps it from answering, each with what to do about it."""
    notes: tuple[str, ...] = ()
    """What may go badly, and what would help."""
    billions: float | None = None
    """Of parameters, as the server tells; None where it does not."""
    served: str = ""
    """What the server has loaded, where its name is not the name that it is asked by."""


class Provider:
    """A provider whose LangChain package needs nothing else of us; what others are made from."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def package(self) -> str:
        """The package that its chat models are from."""
        return f"langchain_{self.name}"

    def make(self, config: ModelConfig) -> BaseChatModel:
        """The chat model of a config. No server is asked anything yet.

        Raises:
            ModelError: a package to install, or options that it does not take.
        """
        model = _chat_class(imported(self.package, config), config)
        check_options(model, config.options, config)
        return made(lambda: model(**self.arguments(model, config)), config)

    def arguments(self, model: type[BaseChatModel], config: ModelConfig) -> dict[str, Any]:
        """What LangChain's chat models commonly take, as far as this one does and it is set."""
        common = {
            "temperature": config.temperature,
            "seed": config.seed,
            "max_tokens": config.max_tokens,
            "timeout": config.timeout,
            "base_url": config.base_url,
            "max_retries": 0,
        }
        known = parameters(model)
        if config.base_url is not None and "base_url" not in known:
            raise ModelError(f"model {config.model!r}: {model.__name__} takes no base_url")
        usable = {name: v for name, v in common.items() if v is not None and name in known}
        return {"model": config.name, **usable, **config.options}

    def check(self, model: BaseChatModel, config: ModelConfig, *, tools: bool) -> Health:
        """Whether the model can be asked; `tools` says that somebody wants it to call tools.

        Without a better way it is asked something.
        """
        try:
            with Diagnosing():
                model.invoke([HumanMessage(QUESTION)])
        except ModelFault as fault:
            return Health((self.complaint(fault, config),))
        return Health()

    def complaint(self, fault: ModelFault, config: ModelConfig) -> str:
        """One line on why the model cannot be asked, and what to do about it."""
        remedy = self.remedy(fault.kind, config)
        said = f"model {config.model!r} cannot be asked: {fault}"
        return f"{said}; {remedy}" if remedy else said

    def likelihoods(self, model: BaseChatModel, config: ModelConfig) -> Likely | None:
        """What answers a `LikelihoodQuestion` for a model; None where nothing does."""
        return None

    def can_be_hushed(self, config: ModelConfig) -> bool:
        """Whether `reasoning = false` keeps a model of this config from thinking aloud."""
        return False

    def remedy(self, kind: str, config: ModelConfig) -> str:
        """What to do about a fault of this kind; empty where nothing is known."""
        return {
            "down": f"is the server of {self.name!r} reachable?",
            "timeout": f"raise timeout (now {config.timeout:g} s), or take a smaller model",
            "denied": f"check the API key of {self.name!r}",
            "busy": "try again later, or ask fewer questions at a time",
            "cut": "is the server well, and does it encrypt as its address says (http:// or https://)?",
            "moved": "name the address that it leads on to as base_url",
            "tls": "name the server's certificates with SSL_CERT_FILE, or write http:// if it "
            "does not encrypt",
        }.get(kind, "")


class Embedded(Provider):
    """Models that ship, and need no server."""

    def make(self, config: ModelConfig) -> BaseChatModel:
        from agents.models.embedded import make_embedded

        return make_embedded(config.name)

    def likelihoods(self, model: BaseChatModel, config: ModelConfig) -> Likely | None:
        return (
            getattr(model, "answer", None) if getattr(model, "tells_likelihoods", False) else None
        )

    def check(self, model: BaseChatModel, config: ModelConfig, *, tools: bool) -> Health:
        return Health()


def _ollama(name: str) -> Provider:
    from agents.models.ollama import Ollama

    return Ollama(name)


def _local(name: str) -> Provider:
    from agents.models.local.provider import Local

    return Local(name)


def _openai(**row: Any) -> Callable[[str], Provider]:
    def provider(name: str) -> Provider:
        from agents.models.openai import OpenAI

        return OpenAI(name, **row)

    return provider


OWN: dict[str, Callable[[str], Provider]] = {
    "ollama": _ollama,
    "embedded": Embedded,
    "local": _local,
    "openai": _openai(key="OPENAI_API_KEY"),
    "llamacpp": _openai(
        key="LLAMA_API_KEY", port=8080, start="start it with `llama-server -m FILE.gguf`"
    ),
    "lmstudio": _openai(
        key="LM_API_TOKEN", port=1234, start="start its server with `lms server start`"
    ),
    "vllm": _openai(key="VLLM_API_KEY", port=8000, start="start it with `vllm serve MODEL`"),
    "openai-compatible": _openai(key="OPENAI_COMPATIBLE_API_KEY"),
}
"""Providers that need something of us."""


@functools.cache
def provider_of(name: str) -> Provider:
    """The provider of a name, whether or not there is a package for it."""
    return OWN.get(name, Provider)(name)


def check(model: BaseChatModel, config: ModelConfig, *, tools: bool = False) -> Health:
    """Whether a model that was made of a config can be asked."""
    return provider_of(config.provider).check(model, config, tools=tools)


def imported(package: str, config: ModelConfig) -> ModuleType:
    """A provider's package.

    Raises:
        ModelError: it is not there, or does not fit; no package is made up.
    """
    if package == f"langchain_{config.provider}" and not _NAME.fullmatch(config.provider):
        raise ModelError(_unknown(config))
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise ModelError(
                f"model {config.model!r}: {package} needs {error.name!r}, which is not installed"
            ) from error
        raise ModelError(_missing(package, config)) from error
    except Exception as error:
        raise ModelError(
            f"model {config.model!r}: {package} does not fit the other packages: {brief(error)}"
        ) from error


def _missing(package: str, config: ModelConfig) -> str:
    if config.provider not in (*OWN, *PACKAGES):
        return _unknown(config)
    name = package.replace("_", "-")
    extra = "local" if config.provider == "local" else "openai"
    how = installing(extra) if name == "langchain-openai" else f"pip install {name}"
    return (
        f"model {config.model!r}: provider {config.provider!r} needs its LangChain package: {how}"
    )


def _unknown(config: ModelConfig) -> str:
    """What may have been meant: a model of Ollama's without its provider, or a slip of the pen."""
    known = [*OWN, *PACKAGES]
    plain = re.sub(r"[^a-z]", "", config.provider.lower())
    close = difflib.get_close_matches(config.provider, known, n=1, cutoff=0.7)
    close = [plain] if plain in known else close
    tagged = _TAG.fullmatch(config.name) or not _NAME.fullmatch(config.provider)
    meant = (
        [f"ollama:{config.model}"]
        if tagged and plain not in known
        else [f"{one}:{config.name}" for one in close]
    )
    hint = f"; did you mean {meant[0]!r}?" if meant else ""
    return (
        f"model {config.model!r}: no provider {config.provider!r}{hint} (known: {', '.join(known)})"
    )


def _chat_class(module: ModuleType, config: ModelConfig) -> type[BaseChatModel]:
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


def parameters(model: type[BaseChatModel]) -> list[str]:
    """The names of what a chat model's class takes."""
    aliases = (field.alias for field in model.model_fields.values())
    return [*model.model_fields, *(alias for alias in aliases if alias)]


def check_options(
    model: type[BaseChatModel], options: dict[str, Any], config: ModelConfig, *more: str
) -> None:
    """Refuse options that neither the class nor we (`more`) know.

    Raises:
        ModelError: the first of them, and what may have been meant.
    """
    known = [*parameters(model), *more]
    for option in options:
        if option not in known:
            close = difflib.get_close_matches(option, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ModelError(
                f"model {config.model!r}: {model.__name__} has no option {option!r}{hint}"
            )


def made(make: Callable[[], BaseChatModel], config: ModelConfig) -> BaseChatModel:
    """What a provider's package makes.

    Raises:
        ModelError: whatever it complains of.
    """
    try:
        return make()
    except ModelError as error:
        raise ModelError(f"model {config.model!r}: {error}") from error
    except Exception as error:
        raise ModelError(f"model {config.model!r} cannot be made: {brief(error)}") from error
