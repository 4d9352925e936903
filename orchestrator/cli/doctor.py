"""`zork doctor`: what is installed, which stories are found, is a model server there."""

from __future__ import annotations

import os
import platform

import httpx
import typer

from environments.catalog import list_stories
from orchestrator.runs import versions

DEFAULT_SERVER = "http://127.0.0.1:11434"


def doctor() -> None:
    """Look at the installation and say what to do next."""
    typer.echo(f"python      {platform.python_version()} on {platform.system()}")
    for name, found in versions().items():
        typer.echo(f"{name:<12}{found}")
    stories = [listing for listing in list_stories() if listing.path]
    typer.echo(f"stories     {', '.join(listing.id for listing in stories)}")
    models = server_models(server_url())
    if models is None:
        typer.echo(f"models      no Ollama server at {server_url()}")
        typer.echo("next        zork play   (needs no model)")
        typer.echo("            for a model: ollama serve; ollama pull llama3.1:8b; zork doctor")
    else:
        typer.echo(f"models      {', '.join(models) or 'none pulled'} at {server_url()}")
        typer.echo("next        zork play" if models else "next        ollama pull llama3.1:8b")


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
