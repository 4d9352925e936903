"""The address of a server, in the one form that every client reads the same way.

Clients differ in what they make of a backslash, of blanks, of two `@` or of an odd number, so
that one who decides by an address and one who connects to it may see two hosts. Such an
address is none.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any, NamedTuple

import httpx

from agents.models.faults import ModelError
from environments.secrets import told

HERE = "127.0.0.1"
FORM = "it looks like http://127.0.0.1:11434 or https://host.example/v1"

_QUOTED = 100
"""Characters of what is no address in a message."""
LONGEST_HOST = 253
"""Characters, as in any name of a host."""

_PARTS = re.compile(
    r"(?:(?P<scheme>https?)://)?"
    r"(?:(?P<login>\[redacted\]|[A-Za-z0-9._~%!$&'*+,;=:-]+)@)?"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?)"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<rest>(?:/[A-Za-z0-9._~%!$&'()*+,;=:/-]*)?(?:\?[A-Za-z0-9._~%!$&'()*+,;=:/\[\]-]*)?)",
    re.ASCII | re.IGNORECASE,
)
_LOOPBACK = ipaddress.IPv6Address("::1")
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?", re.ASCII | re.IGNORECASE)


class Address(NamedTuple):
    """An address, taken apart."""

    text: str
    """The whole of it."""
    scheme: str
    """`http` or `https`; empty where none is said."""
    login: str
    """Before the `@`: a name, perhaps with a password."""
    host: str
    """In small letters, an IPv6 one in its brackets."""
    port: str
    rest: str
    """The path and what follows it."""

    @property
    def is_here(self) -> bool:
        """Whether it surely leads to this very machine."""
        if self.login:
            return False
        if self.host.startswith("["):
            return ipaddress.IPv6Address(self.host[1:-1]) == _LOOPBACK
        number = _NUMBER.fullmatch(self.host) is not None
        return self.host.startswith("127.") if number else self.host == "localhost"

    @property
    def place(self) -> str:
        """Where it leads, without what is secret or what is only for the server."""
        scheme = f"{self.scheme}://" if self.scheme else ""
        return f"{scheme}{self.host}" + (f":{self.port}" if self.port else "")


def parse_address(text: str) -> Address:
    """The parts of an address; the scheme may be left out.

    Raises:
        ValueError: clients might not agree where it leads.
    """
    found = _PARTS.fullmatch(text)
    if (
        found is None
        or "://" in found["rest"]
        or len(found["host"]) > LONGEST_HOST
        or not _is_host(found["host"])
        or int(found["port"] or 1) not in _PORTS
    ):
        raise ValueError(f"no plain address of a server: {FORM}")
    scheme, host = (found["scheme"] or "").lower(), found["host"].lower()
    return Address(text, scheme, found["login"] or "", host, found["port"] or "", found["rest"])


_PORTS = range(1, 65_536)


def _is_host(host: str) -> bool:
    """Whether a name is no number in disguise, and a number is written in full."""
    try:
        if host.startswith("["):
            ipaddress.IPv6Address(host[1:-1])
        elif _NUMBER.fullmatch(host):
            ipaddress.IPv4Address(host)
    except ValueError:
        return False
    return True


def server_address(written: str, key: str, port: int | None = None) -> httpx.URL:
    """The full URL of a server: of `host`, `host:port`, `::1`, `:port` or what is one already.

    Args:
        written: As somebody set it, blanks and all.
        key: Where it was set, for the message.
        port: Where servers of this kind listen, if no port is given.

    Raises:
        ModelError: it is no address.
    """
    try:
        parts = parse_address(completed(written))
    except ValueError as error:
        raise ModelError(f"{key} = {told(repr(written), _QUOTED)}: is {error}") from error
    scheme, rest = parts.scheme or "http", parts.text.rpartition("://")[2].rstrip("/")
    if not parts.scheme and not parts.port and port is not None:
        place = f"{parts.login}@{parts.host}" if parts.login else parts.host
        rest = f"{place}:{port}{parts.rest.rstrip('/')}"
    return httpx.URL(f"{scheme}://{rest}")


def completed(written: str) -> str:
    """An address without its blanks; without a scheme it may be `::1`, `:port` or nothing."""
    address = written.strip()
    if "://" in address:
        return address
    host = re.split(r"[/?#]", address, maxsplit=1)[0]
    path = address[len(host) :]
    if host.count(":") > 1 and not re.search(r"[\[@]", host):
        host = f"[{host}]"
    begin = HERE if host.startswith(":") or not address else ""
    return f"{begin}{host}{path}"


def is_here(url: Any) -> bool:
    """Whether a server is on this very machine."""
    try:
        return parse_address(str(url)).is_here
    except ValueError:
        return False


def shown(url: Any) -> str:
    """A URL as it may be printed: without user, password and query."""
    plain = httpx.URL(str(url)).copy_with(username="", password="", query=None)
    return str(plain).rstrip("/")
