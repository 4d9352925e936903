"""The files of the page, and all of them in one for `--export`."""

from __future__ import annotations

import base64
import gzip
import re
from importlib.resources import files
from typing import Any

from pydantic_core import to_json

from orchestrator.pages import digest, policy_tag

SCRIPTS = (
    "dom.js", "icons.js", "data.js", "help.js", "timeline.js", "story.js", "board.js", "map.js",
    "diagram.js", "card.js", "sections.js", "trace.js", "turn.js", "runs.js", "compare.js",
    "live.js", "app.js",
)  # fmt: skip
"""Each uses only those before it."""
FILES = ("index.html", "style.css", *SCRIPTS)
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}

_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_AHEAD = re.compile(r"<!-- ahead -->.*<!-- /ahead -->\n", re.DOTALL)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def page_file(name: str) -> str:
    """One of the page's files."""
    return (files("orchestrator.viewer") / "static" / name).read_text(encoding="utf-8")


def whole_page(data: Any) -> str:
    """A page in one file that holds its data and asks nobody for anything."""
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", page_file(name))) for name in SCRIPTS)
    script = f'"use strict";\n{{\n{script}\n}}'
    style = page_file("style.css")
    packed = base64.b64encode(gzip.compress(to_json(data), 9)).decode()
    policy = policy_tag(script=digest(script), style=digest(style), img="data:")
    page = _AHEAD.sub("", page_file("index.html"))
    for old, new in {
        "<!-- policy -->": policy,
        '<link rel="stylesheet" href="style.css">': f"<style>{style}</style>",
        '<script type="module" src="app.js"></script>': (
            f'<script type="text/plain" id="data">{packed}</script>\n<script>{script}</script>'
        ),
    }.items():
        assert old in page
        page = page.replace(old, new)
    return page
