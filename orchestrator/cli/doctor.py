"""`zork doctor`: what is installed, which stories are found, is a model server there."""

from __future__ import annotations

import os
import platform

import httpx
from rich.console import Console
from rich.table import Table

from environments.catalog import list_stories
from orchestrator.runs import versions

DEFAULT_SERVER = "http://127.0.0.1:11434"


def doctor() -> None:
    """Look at the installation and say what to do next."""
    report = Table.grid(padding=(0, 2))
    report.add_row("python", f"{platform.python_version()} on {platform.system()}")
    for name, found in versions().items():
        report.add_row(name, found)
    stories = [listing.id for listing in list_stories() if listing.path]
    report.add_row("stories", ", ".join(stories))
    url = server_url()
    models = server_models(url)
    if models is None:
        report.add_row("models", f"no Ollama server at {url}")
        report.add_row("next", "zork play   (needs no model)")
        report.add_row("", "for a model: ollama serve; ollama pull llama3.1:8b; zork doctor")
    else:
        report.add_row("models", f"{', '.join(models) or 'none pulled'} at {url}")
        report.add_row("next", "zork play" if models else "ollama pull llama3.1:8b")
    Console(soft_wrap=True, highlight=False).print(report)


def server_url() -> str:
    """Where the Ollama server is looked for: `OLLAMA_HOST`, or else the usual port here."""
    host = os.environ.get("OLLAMA_HOST") or DEFAULT_SERVER
    return host if "://" in host else f"http://{host}"


def server_models(url: str) -> list[str] | None:
    """The names of the models a server has; None where no server answers."""
    try:
        with httpx.Client(timeout=3, trust_env=False) as client:
            response = client.get(f"{url}/api/tags")
            response.raise_for_status()
            return [model["model"] for model in response.json()["models"]]
    except (httpx.HTTPError, ValueError, KeyError):
        return None
