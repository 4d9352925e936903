"""Prompts as data: Markdown templates whose only variables are the fields of a briefing."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import hashlib
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined, Template, meta
from jinja2.exceptions import SecurityError, TemplateError, TemplateNotFound, TemplateSyntaxError

from prompts.sandbox import Sandbox, bounded

FOLDER = Path(__file__).parent
SUFFIX = ".md"
SHORT = "short/"
"""What the names of prompts for small models begin with."""
HASH_DIGITS = 12
ELLIPSIS = " [...] "
MOST_SAID = 300
_BLANKS = re.compile(r"\n{3,}")
_FAULTS = (
    *(TemplateError, SecurityError, TypeError, ValueError, ArithmeticError),
    *(LookupError, AttributeError, RecursionError),
)
"""What filling a template raises that is wrong."""


class PromptError(ValueError):
    """A prompt cannot be found, read or filled; the message says which and why."""


class Prompt(NamedTuple):
    """A filled prompt: what stays the same from turn to turn, and what does not."""

    name: str
    version: str
    """A hash of the template and its parts."""
    system: str
    user: str


@dataclasses.dataclass(frozen=True)
class PromptTemplate:
    """A prompt that is ready to be filled."""

    name: str
    version: str
    """A hash of the template and its parts."""
    variables: frozenset[str]
    """What it and its parts use."""
    template: Template

    def render(self, briefing: Any) -> Prompt:
        """Fill it from a dataclass whose fields are the variables.

        What is in the fields is data: it is never read as a template.

        Raises:
            PromptError: it asks for what the briefing does not have.
        """
        values = {f.name: getattr(briefing, f.name) for f in dataclasses.fields(briefing)}
        try:
            parts = _filled(self.template, values)
        except _FAULTS as error:
            said = str(error) or type(error).__name__
            raise PromptError(
                f"prompt {self.name!r} cannot be filled: {said[:MOST_SAID]}"
            ) from error
        system, user = (_BLANKS.sub("\n\n", parts.get(p, "")).strip() for p in ("system", "user"))
        return Prompt(self.name, self.version, system, user)

    def check(self, known: Collection[str]) -> PromptTemplate:
        """Itself, if the known variables are enough for it.

        Raises:
            PromptError: it uses others.
        """
        for variable in sorted(self.variables - set(known)):
            close = difflib.get_close_matches(variable, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise PromptError(
                f"prompt {self.name!r} uses {variable!r}{hint} (known: {', '.join(sorted(known))})"
            )
        return self


def load(name: str) -> PromptTemplate:
    """A prompt by name.

    Args:
        name: A shipped prompt, or the path of a file of the user's own (it ends in `.md`).

    Raises:
        PromptError: no such prompt, or it is no template.
    """
    template = _template(name)
    sources = _sources(name)
    found = (_anatomy(text).variables for text in sources.values())
    whole = "\0".join(f"{part}\0{source}" for part, source in sorted(sources.items()))
    digest = hashlib.sha256(whole.encode()).hexdigest()[:HASH_DIGITS]
    return PromptTemplate(name, digest, frozenset().union(*found), template)


def render(name: str, briefing: Any) -> Prompt:
    """Load a prompt and fill it once."""
    return load(name).render(briefing)


def source(name: str) -> str:
    """The text of a prompt's own file, not filled.

    Raises:
        PromptError: no such prompt.
    """
    return _sources(name)[_file(name)]


def shipped() -> list[str]:
    """The names of the prompts that come with the product."""
    paths = [*FOLDER.glob(f"*{SUFFIX}"), *FOLDER.glob(f"{SHORT}*{SUFFIX}")]
    return sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in paths)


def clip(text: Any, limit: int) -> str:
    """A text of at most so many characters: where it is longer, its middle is left out."""
    said = str(text)
    if len(said) <= limit:
        return said
    room = max(limit - len(ELLIPSIS), 0)
    head, tail = said[: room - room // 3], said[len(said) - room // 3 :]
    first, _, _ = head.rpartition(" ")
    _, _, last = tail.partition(" ")
    return (first or head).rstrip() + ELLIPSIS + (last or tail).lstrip()


def begin(text: Any, limit: int) -> str:
    """A text of at most so many characters: where it is longer, its end is left out."""
    said = " ".join(str(text).split())
    return said if len(said) <= limit else said[: limit - 4].rpartition(" ")[0] + " ..."


def fit(items: Iterable[Any], limit: int) -> str:
    """As many of the items as so many characters hold, and how many there are besides."""
    given = [str(one) for one in items]
    shown = [clip(one, limit) for one in given[:1]]
    for one in given[1:]:
        if len(", ".join([*shown, one])) > limit:
            break
        shown.append(one)
    hidden = len(given) - len(shown)
    return ", ".join(shown) + (f" and {hidden} more" if hidden else "")


def quote(text: Any) -> str:
    """A text of others as a block quotation, so that none of its lines can pass for ours."""
    return "\n".join(f"> {line}".rstrip() for line in str(text).strip().splitlines())


def _filled(template: Template, values: dict[str, Any]) -> dict[str, str]:
    """The blocks of a prompt; a template without any is a question as a whole."""
    context = template.new_context(values)
    whole = {"user": template.root_render_func}
    blocks = template.blocks if "user" in template.blocks else whole
    return {name: bounded(block(context)) for name, block in blocks.items()}


def _printable(value: Any) -> str:
    """What is shown of a value: no control or direction signs."""
    said = "" if value is None else str(value)
    return "".join(c for c in said if c.isprintable() or c == "\n")


def _path(name: str) -> Path:
    """Where the file of a path is, links followed."""
    return Path(name).expanduser().resolve()


def _file(name: str) -> str:
    return _path(name).name if name.endswith(SUFFIX) else name + SUFFIX


def _environment_of(name: str) -> Sandbox:
    """Where a prompt and its parts are looked for: a file's parts beside it, then the shipped ones.

    A file that is not there must not be taken for the shipped prompt of its name.
    """
    if not name.endswith(SUFFIX):
        return _environment(FOLDER)
    with suppress(OSError):
        if _path(name).is_file():
            return _environment(_path(name).parent)
    raise PromptError(f"prompt {name!r}: no such file")


@functools.cache
def _environment(folder: Path) -> Sandbox:
    environment = Sandbox(
        loader=ChoiceLoader([FileSystemLoader(folder), FileSystemLoader(FOLDER)]),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    environment.filters |= {"begin": begin, "clip": clip, "fit": fit, "quote": quote}
    return environment


def _template(name: str) -> Template:
    try:
        return _environment_of(name).get_template(_file(name))
    except TemplateNotFound as error:
        raise _missing(name, error) from error
    except TemplateSyntaxError as error:
        raise PromptError(f"prompt {name!r}, line {error.lineno}: {error.message}") from error
    except UnicodeDecodeError as error:
        raise PromptError(f"prompt {name!r} is not UTF-8: {error}") from error
    except (SecurityError, RecursionError) as error:
        raise PromptError(f"prompt {name!r}: {error}") from error


def _sources(name: str) -> dict[str, str]:
    """The text of a prompt and of all parts it includes, by file name."""
    environment = _environment_of(name)
    loader = environment.loader
    if loader is None:
        raise PromptError(f"prompt {name!r} has no folder")
    sources: dict[str, str] = {}
    waiting = [_file(name)]
    while waiting:
        part = waiting.pop()
        if part not in sources:
            try:
                sources[part] = loader.get_source(environment, part)[0]
                waiting += _anatomy(sources[part]).parts
            except TemplateNotFound as error:
                raise _missing(name, error) from error
            except TemplateSyntaxError as error:
                raise PromptError(f"prompt {part!r}, line {error.lineno}: {error}") from error
            except UnicodeDecodeError as error:
                raise PromptError(f"prompt {part!r} is not UTF-8: {error}") from error
    return sources


class _Anatomy(NamedTuple):
    """What a template's text uses."""

    variables: frozenset[str]
    parts: tuple[str, ...]


@functools.lru_cache(maxsize=256)
def _anatomy(text: str) -> _Anatomy:
    """Parsing takes most of the time that loading a prompt takes."""
    tree = _environment(FOLDER).parse(text)
    parts = meta.find_referenced_templates(tree)
    return _Anatomy(frozenset(meta.find_undeclared_variables(tree)), tuple(filter(None, parts)))


def _missing(name: str, error: TemplateNotFound) -> PromptError:
    if error.name != _file(name):
        return PromptError(f"prompt {name!r} includes {error.name!r}, which is not there")
    close = difflib.get_close_matches(name, shipped(), n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return PromptError(
        f"no prompt {name!r}; {hint}(shipped: {', '.join(shipped())}, or a path ending in {SUFFIX})"
    )
