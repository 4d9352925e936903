"""What to do about a model that cannot be used."""

from __future__ import annotations

from agents.models.config import ModelConfig


def advice(kind: str, config: ModelConfig) -> str:
    """One clause with the exact command or key that would help; empty where none is known."""
    if config.provider == "ollama":
        from agents.models.ollama import server_url

        where = server_url(config.base_url)
        start = "start it with `ollama serve`, or set OLLAMA_HOST or base_url"
        own = {
            "down": f"is Ollama up at {where}? {start}",
            "absent": f"{start}; then `ollama pull {config.name}`",
            "missing": f"pull the model with `ollama pull {config.name}`",
        }
        if kind in own:
            return own[kind]
    return {
        "down": f"is the server of {config.provider!r} reachable?",
        "timeout": f"raise timeout (now {config.timeout:g} s), or take a smaller model",
        "denied": f"check the API key of {config.provider!r}",
        "busy": "try again later, or ask fewer questions at a time",
    }.get(kind, "")
