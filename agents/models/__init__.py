"""Chat models: their options, how they are made, and how they fail."""

from agents.models.config import ModelConfig
from agents.models.factory import make_model
from agents.models.faults import ModelError, ModelFault, ModelUnavailable

__all__ = ["ModelConfig", "ModelError", "ModelFault", "ModelUnavailable", "make_model"]
