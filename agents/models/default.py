"""The model that `zork models use` made the default of this user."""

from __future__ import annotations

from agents.models.config import configured
from agents.models.faults import ModelError
from agents.models.local.gguf import read_model_file
from agents.models.local.weights import choice_file, read_choice, weights_of
from agents.models.providers import OWN, PACKAGES

LOCAL = "local:"


def chosen_model() -> str:
    """It as `provider:name`; empty where none was chosen."""
    told = read_choice()
    return told if not told or _provider_in(told) else f"{LOCAL}{told}"


def choose(name: str) -> str:
    """Make a model the default: `provider:name`, or a local one by its name or path.

    Returns:
        It as `provider:name`.

    Raises:
        ModelError: it is none, or the choice cannot be written down.
    """
    model = name if _provider_in(name) else f"{LOCAL}{name}"
    if model.startswith(LOCAL):
        weights = weights_of(model.removeprefix(LOCAL))
        read_model_file(weights.path)
        model = f"{LOCAL}{weights.path if weights.source == 'file' else weights.name}"
    else:
        configured({"model": model})
    try:
        choice_file().parent.mkdir(parents=True, exist_ok=True)
        choice_file().write_text(f"{model}\n", encoding="utf-8")
    except OSError as error:
        raise ModelError(f"{str(choice_file())!r} cannot be written: {error.strerror}") from error
    return model


def _provider_in(name: str) -> bool:
    return name.partition(":")[0] in (*OWN, *PACKAGES) and ":" in name
