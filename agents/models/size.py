"""How large a model is, as far as its name or its file tells."""

from __future__ import annotations

import re
from pathlib import Path

from agents.models.config import ModelConfig
from agents.models.faults import ModelError
from agents.models.local.gguf import read_model_file
from agents.models.local.weights import weights_of
from agents.models.recording import RECORDING, recorded_model

MAX_SHORT = 14
"""Billions of parameters up to which a model is asked in the short form by default."""
_SIZE = re.compile(
    r"(?<![a-z0-9.])(?:(\d{1,4}(?:\.\d{1,2})?)(b)|(\d{2,3})(m))(?![a-z0-9])", re.IGNORECASE
)
_BILLIONS = {"b": 1.0, "m": 0.001}


def is_asked_short(config: ModelConfig, told: float | None = None) -> bool:
    """Whether a model's questions and answers have their short form.

    Args:
        config: The model's.
        told: Billions of parameters by its server's word, where that is known.
    """
    if config.style != "auto":
        return config.style == "short"
    size = told or billions(config)
    return size is not None and size <= MAX_SHORT


def billions(config: ModelConfig) -> float | None:
    """Billions of parameters of a model; None where nobody says."""
    try:
        return size_in(_told(config))
    except ModelError:
        return None


def _told(config: ModelConfig) -> str:
    """What says how large it is: its name, its file, or the name of the one that was recorded."""
    if config.provider == "local":
        weights = weights_of(config.name)
        return read_model_file(weights.path).parameters or weights.path.name
    if config.provider == "embedded":
        kind, _, place = config.name.partition(":")
        return recorded_model(Path(place)) if kind == RECORDING else ""
    return config.name


def size_in(name: str) -> float | None:
    """Billions of parameters that a name tells of; None where it tells none."""
    found = (match.groups() for match in _SIZE.finditer(name))
    sizes = [float(b or m) * _BILLIONS["b" if b else "m"] for b, _, m, _ in found]
    return max(sizes, default=None)
