"""Secrets, and texts without them.

What was given as a key, a password or a header is known from then on and replaced wherever it
stands, in an answer or an error too that repeats it. What nobody gave is known by its shape, or by
the name before it.
"""

from __future__ import annotations

import base64
import binascii
import functools
import html
import json
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from environments.plain_text import storable

REDACTED = "[redacted]"
LONG = 8
"""A shorter secret counts only where no letter or digit stands beside it."""
WORD, SHORTEST = 6, 4
"""Letters alone are a secret from `WORD` on, anything else from `SHORTEST`."""
MOST_TOLD = 1_500
"""Characters of an error that are told."""

_KEY = re.compile(
    r"(?:api|access|auth|private|license|subscription|account|shared|master|signing)[-_.]?key"
    r"|(?:^|[-_.])(?:token|sig|sas|signature|pwd|pass|pin|otp|jwt|auth|passphrase)$"
    r"|secret|passw(?:or)?d|authorization|credential|cookie|(?-i:[a-z](?:Token|Pass|Pwd|Pin|Sig)$)",
    re.IGNORECASE,
)
_NAME = (
    r"[\w.-]{0,40}?(?:key|token|sig|sas|signature|code|pwd|pass|pin|otp|jwt|auth|secret"
    r"|passw(?:or)?d|passphrase|credentials?|authorization)"
)
_PARAMETER = rf"(?P<name>[?&;]{_NAME}=)[^\s&;\"'\\<>#]+"
_SHAPE = (
    r"\b(?:sk-|lsv2_|hf_|AIza)[A-Za-z0-9_.-]{12,}"
    r"|\beyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+"
    r"|(?<=earer )[A-Za-z0-9._~+/-]{10,}=*"
    r"|(?<=://)[^\s@/?#\"']+(?=@)"
    r"|(?<=[_-]key=)[^\s&\"']+"
)
_MARKS = ("sk-", "lsv2_", "hf_", "AIza", "eyJ", "earer ", "://", "key=")
"""One of them stands in every text with a secret's shape."""
_SHAPES = re.compile(_SHAPE), re.compile(_SHAPE.encode())
_PARAMETERS = (
    re.compile(_PARAMETER, re.IGNORECASE | re.ASCII),
    re.compile(_PARAMETER.encode(), re.IGNORECASE),
)
_BYTE_MARKS = tuple(mark.encode() for mark in _MARKS)
_PARAMETER_NAME = re.compile(_NAME, re.IGNORECASE | re.ASCII)
_LOGIN = re.compile(r"://([^\s@/?#\\\"']+)@")
_PUBLIC = frozenset(
    "accept accept-charset accept-encoding accept-language cache-control connection content-type"
    " host http-referer origin referer user-agent x-title openai-organization openai-project"
    " anthropic-version".split()
)
"""Headers that hold no secret."""
_PLACEHOLDERS = frozenset(
    "anything api-key api_key apikey changeme default disabled dummy embedded empty enabled false"
    " llama.cpp lm-studio lmstudio local localhost n/a no-key no-key-required none not-needed"
    " not-used nothing null ollama openai password placeholder required secret sk-no-key-required"
    " test token true unused vllm xxxx your-api-key".split()
)
"""What people write where a server wants some key and takes any."""


@functools.lru_cache(maxsize=1024)
def is_secret(key: Any) -> bool:
    """Whether a key, a header or a variable says by its name that its value is a secret."""
    return isinstance(key, str) and _KEY.search(key) is not None


def hides(table: str, key: Any) -> bool:
    """Whether the value under a key of a table is a secret; `table` is what the table is called.

    A header is one unless it is known to be none. A parameter of a query may be called what is
    no secret elsewhere: a code, a key.
    """
    table = table.lower()
    if table.endswith("headers"):
        return str(key).lower() not in _PUBLIC
    if table.endswith(("query", "params")) and _PARAMETER_NAME.fullmatch(str(key)):
        return True
    return is_secret(key)


class Known:
    """The secrets that this process was given; safe with many threads."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        self._lock = threading.Lock()
        self._pattern: re.Pattern[str] | None = None
        self._escaped: tuple[bytes, ...] = ()
        self._read = False

    def learn(self, values: Iterable[str]) -> None:
        """Remember what is to be kept out of every text, and what the environment holds now."""
        found = {*values, *_in_environment()}
        with self._lock:
            self._read = True
            new = {value for value in found if _counts(value)} - self._values
            if new:
                self._values |= new
                self._compile()

    def stands_in(self, text: bytes) -> bool:
        """Whether one stands in a JSON text."""
        if not self._read:
            self.learn(())
        return any(one in text for one in self._escaped)

    def removed(self, text: str) -> str:
        """The text with something in the place of each."""
        if not self._read:
            self.learn(())
        return self._pattern.sub(REDACTED, text) if self._pattern else text

    def _compile(self) -> None:
        forms = {form for value in self._values for form in _forms(value)}
        ordered = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_bounded, ordered)))
        texts = {json.dumps(form, ensure_ascii=False)[1:-1] for form in forms}
        self._escaped = tuple(text.encode("utf-8", "replace") for text in texts)


_KNOWN = Known()


def learn(given: Any) -> None:
    """Remember the secrets in what a user gave: keys, headers, logins and queries in addresses."""
    _KNOWN.learn(_found(given))


def learn_secret(*values: str | None) -> None:
    """Remember what a user gave as a secret."""
    _KNOWN.learn(part for value in values if value for part in _parts(value))


def stands_in(text: bytes) -> bool:
    """Whether a secret that is known stands in a JSON text."""
    return _KNOWN.stands_in(text)


def without_known(text: str) -> str:
    """The text without the secrets that are known."""
    return _KNOWN.removed(text)


def without_shapes(text: bytes) -> bytes:
    """The JSON text without what has the shape of a key, a token or a password."""
    if any(mark in text for mark in _BYTE_MARKS):
        text = _SHAPES[1].sub(REDACTED.encode(), text)
    return _PARAMETERS[1].sub(rb"\g<name>" + REDACTED.encode(), text) if b"=" in text else text


def without_secrets(text: str) -> str:
    """The text without the secrets that are known and without what has the shape of one."""
    text = without_known(text)
    if any(mark in text for mark in _MARKS):
        text = _SHAPES[0].sub(REDACTED, text)
    return _PARAMETERS[0].sub(rf"\g<name>{REDACTED}", text) if "=" in text else text


def told(text: str, most: int = MOST_TOLD) -> str:
    """What may be told of an error: in one line, without secrets, its middle left out if long."""
    line = " ".join(storable(without_secrets(text)).split())
    if len(line) <= most:
        return line
    end = most // 3
    return f"{line[: most - end - 5]} ... {line[-end:]}"


def _found(given: Any, table: str = "", *, secret: bool = False) -> Iterator[str]:
    """The secrets in plain data; `table` is what it is called, `secret` says that all of it is."""
    if hasattr(given, "get_secret_value"):
        yield from _parts(str(given.get_secret_value()))
    elif isinstance(given, Mapping):
        for key, item in given.items():
            yield from _found(item, str(key), secret=secret or hides(table, key))
    elif isinstance(given, list | tuple):
        pairs = table.lower().endswith("headers") and all(isinstance(one, list) for one in given)
        for item in given:
            yield from _found(
                dict([item]) if pairs and len(item) == 2 else item, table, secret=secret
            )
    elif isinstance(given, str):
        whole = secret or table.lower() == "options" or table.lower().endswith("headers")
        yield from _parts(given) if whole else _in_address(given)
    elif secret and isinstance(given, int) and not isinstance(given, bool):
        yield str(given)


def _parts(value: str) -> Iterator[str]:
    """A secret and what of it a server may repeat alone."""
    yield value
    yield from _in_address(value)
    scheme, _, rest = value.partition(" ")
    if scheme.lower() in ("basic", "bearer", "token"):
        yield rest.strip()
        if scheme.lower() == "basic":
            yield from _login(_decoded(rest.strip()))
    for pair in value.split(";") if "=" in value else ():
        yield pair.partition("=")[2].strip()


def _in_address(text: str) -> Iterator[str]:
    """The logins and the secret parameters of addresses in a text."""
    for login in _LOGIN.findall(text) if "@" in text else ():
        yield from _login(login)
        yield from _login(unquote(login))
    for parameter in _PARAMETERS[0].finditer(text) if "=" in text else ():
        value = parameter[0][len(parameter["name"]) :]
        yield from (value, unquote(value))


def _login(login: str) -> Iterator[str]:
    """The password of a login, and both as HTTP sends them; a name alone may be a token."""
    name, colon, password = login.partition(":")
    if colon:
        yield from (password, login, base64.b64encode(login.encode("utf-8", "replace")).decode())
    elif login != REDACTED:
        yield name


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""


def _in_environment() -> Iterator[str]:
    """What variables hold that say so by their names, and the logins of proxies and servers."""
    for name, value in os.environ.items():
        if is_secret(name) and not (value.startswith("/") and os.access(value, os.F_OK)):
            yield from _parts(value)
        elif "@" in value and "://" in value:
            yield from _in_address(value)


def _counts(value: str) -> bool:
    """Whether a value is long and odd enough to be a secret, and not a word for none."""
    if len(value) < SHORTEST or value.casefold() in _PLACEHOLDERS or REDACTED in value:
        return False
    return len(value) >= WORD or not value.isalpha()


def _forms(value: str) -> Iterator[str]:
    """How a text may show it."""
    for safe in ("", "/"):
        yield from (coded(value, safe=safe, errors="replace") for coded in (quote, quote_plus))
    yield from (value, html.escape(value))
    yield from (json.dumps(value)[1:-1], repr(value)[1:-1])


def _bounded(form: str) -> str:
    if len(form) >= LONG:
        return re.escape(form)
    return rf"(?<![A-Za-z0-9]){re.escape(form)}(?![A-Za-z0-9])"
