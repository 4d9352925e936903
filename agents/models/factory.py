"""Chat models by `provider:name`; a provider's LangChain package is imported when it is named."""

from __future__ import annotations

import copy

from langchain_core.language_models import BaseChatModel

from agents.models.config import ModelConfig
from agents.models.providers import provider_of
from environments.secrets import learn


def make_model(config: ModelConfig) -> BaseChatModel:
    """The chat model of a config. No server is asked anything yet.

    Raises:
        ModelError: an unknown provider, a package to install, or options it does not take.
    """
    learn(config.model_dump(include={"base_url", "options"}))
    own = config.model_copy(update={"options": copy.deepcopy(config.options)})
    return provider_of(config.provider).make(own)
