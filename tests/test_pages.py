"""README and docs can be read: short, with links that lead somewhere, and as the program is."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from agents.models.config import ModelConfig
from orchestrator.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
MADE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
PAGES = [*(ROOT / name for name in MADE), *sorted((ROOT / "docs").rglob("*.md"))]
MOST_WORDS = 25_000
LONGEST_LINE = 120
LARGEST_PAGE = 12_000
LINK = re.compile(r"\]\(([^)\s]+)\)")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(page: Path) -> Iterator[str]:
    """The lines that are no code, no table and no picture."""
    shown = False
    for line in text_of(page).splitlines():
        if line.lstrip().startswith("```"):
            shown = not shown
        elif not shown and not line.startswith(("|", "![")):
            yield line


def anchors(page: Path) -> set[str]:
    """Where a link into a page may lead."""
    headings = [line.lstrip("# ") for line in prose(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", one.lower()).strip().replace(" ", "-") for one in headings}


def broken(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere."""
    for link in LINK.findall("\n".join(line for line in text_of(page).splitlines())):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if link.startswith(("http:", "https:")):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{page.relative_to(ROOT)}: {link}"


def test_every_link_leads_somewhere() -> None:
    assert [link for page in PAGES for link in broken(page)] == []


def test_pages_are_short() -> None:
    words = sum(len(text_of(page).split()) for page in PAGES)
    assert words <= MOST_WORDS
    large = [page.name for page in PAGES if page.stat().st_size > LARGEST_PAGE]
    assert large == []


def test_no_line_of_prose_is_long() -> None:
    long = [line for page in PAGES for line in prose(page) if len(line) > LONGEST_LINE]
    assert long == []


def test_every_page_of_the_docs_begins_with_what_it_is_for() -> None:
    first = {page.name: text_of(page).splitlines()[2] for page in PAGES if page.name != "README.md"}
    assert {name: line for name, line in first.items() if not line.startswith("This page ")} == {}


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    site = text_of(ROOT / "mkdocs.yml")
    listed = set(re.findall(r": ([\w/-]+\.md)$", site, re.M))
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert listed == pages | {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    citation = dict(
        line.split(": ", 1) for line in text_of(ROOT / "CITATION.cff").splitlines() if ": " in line
    )
    released = re.findall(r"^## \[(\d[\w.]*)\] - (\S+)$", text_of(ROOT / "CHANGELOG.md"), re.M)
    assert citation["version"] == project["version"]
    assert released[0] == (project["version"], citation["date-released"])


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that MkDocs calls."""
    for name in ("COLUMNS", "TYPER_USE_RICH"):
        monkeypatch.setenv(name, "")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    monkeypatch.delitem(sys.modules, "made", raising=False)
    import made

    return made


def test_the_reference_has_every_command_with_its_help(made: ModuleType) -> None:
    told = made.on_page_markdown("<!-- made: commands -->", None, None, None)
    headings = set(re.findall(r"^## zork ([a-z]+)$", told, re.M))
    assert headings == set(COMMANDS)
    assert "--agent-seed" in told.partition("## zork fork")[2].partition("## ")[0]
    assert "## zork trace push" in told


def shown_commands() -> Iterator[list[str]]:
    """Every `zork ...` that the pages show, by itself or in a sentence."""
    for page in PAGES:
        if page.name == "CHANGELOG.md":
            continue
        fenced = re.findall(r"^(?:\w+=\S+ )*(zork .*)$", text_of(page), re.M)
        for text in [*fenced, *re.findall(r"`(zork [^`]*)`", text_of(page))]:
            yield shlex.split(text.replace("...", ""), comments=True)[1:]


def fault(words: list[str], helps: dict[str, str]) -> str:
    """What a command that is shown has and the program does not; empty for nothing."""
    name, inner = words[0], " ".join(words[:2])
    groups = {one.partition(" ")[0] for one in helps if " " in one}
    if name in groups and words[1:]:
        name = inner
    if name not in helps:
        return name
    options = [one.partition("=")[0] for one in words if re.match("--?[a-z]", one)]
    return " ".join(one for one in options if not re.search(rf"{one}\b", helps[name]))


def test_every_command_that_is_shown_has_the_options_that_are_shown(made: ModuleType) -> None:
    told = made.on_page_markdown("<!-- made: commands -->", None, None, None)
    helps = dict(re.findall(r"^## zork ([a-z ]+)\n(.*?)(?=^## zork |\Z)", told, re.M | re.S))
    shown = [words for words in shown_commands() if words and words[0] not in ("COMMAND", "--help")]
    assert len(shown) > 100
    wrong = {" ".join(words): fault(words, helps) for words in shown}
    assert {words: what for words, what in wrong.items() if what} == {}


def test_every_mark_of_the_pages_is_filled_in(made: ModuleType) -> None:
    marks = [mark for page in PAGES for mark in made.MARK.findall(text_of(page))]
    assert {name for name, _ in marks} == set(made.MADE)
    assert [mark for mark in marks if not made.MADE[mark[0]](mark[1])] == []


def test_the_reference_has_the_shipped_parts_with_their_options(made: ModuleType) -> None:
    rows = made.parts("").splitlines()[2:]
    assert "| `critic` | `rules` | `danger` (0.5), `once` (false) |" in rows
    assert (
        '| `rater` | `likelihood` | `model` (default), `prompt` ("likely"), `most` (8), '
        in "".join(rows)
    )


def test_the_reference_has_the_types_of_a_plan_without_their_checks(made: ModuleType) -> None:
    told = made.settings("orchestrator.evaluation.plan:EvaluationPlan")
    assert "| `games` | `tuple[str, ...]` |" in told
    assert "Annotated" not in told


def test_the_reference_has_every_key_of_a_model(made: ModuleType) -> None:
    rows = made.settings("agents.models.config:ModelConfig").splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(ModelConfig.model_fields)
    assert [row for row in rows if row.startswith("| `timeout` |")] == [
        "| `timeout` | `float` | `120.0` | Seconds for one whole call. |"
    ]
