"""Addresses of servers as people write them, read once and the same way for everybody."""

from __future__ import annotations

import ipaddress
import re
from typing import Any

import httpx

from agents.models.faults import ModelError, brief

HERE = "127.0.0.1"


def address(written: str, key: str, port: int | None = None) -> httpx.URL:
    """A full URL of what may be `host`, `host:port`, `::1`, `:port` or an URL already.

    Args:
        written: By whom it was set, blanks and all.
        key: Where it was set, for the message.
        port: Where servers of this kind listen, if no port is given.

    Raises:
        ModelError: it is no address.
    """
    scheme, colon, rest = written.strip().rpartition("://")
    host, path = _parted(rest)
    if not colon and port is not None and not re.search(r":\d+$", host):
        host = f"{host.rstrip(':')}:{port}"
    try:
        url = httpx.URL(f"{scheme or 'http'}://{host}{path.rstrip('/')}")
        if url.scheme not in ("http", "https") or not re.fullmatch(r"[^\s%]+|.*:.*", url.host):
            raise httpx.InvalidURL("no http:// or https:// address")
    except (httpx.InvalidURL, ValueError, UnicodeError) as error:
        raise ModelError(
            f"{key} = {brief(written)!r}: is no address ({brief(error)}); "
            "write for instance http://127.0.0.1:11434"
        ) from error
    return url


def is_here(url: Any) -> bool:
    """Whether a server is on this very machine."""
    host = httpx.URL(str(url)).host
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def shown(url: Any) -> str:
    """A URL as it may be printed: without user, password and query."""
    plain = httpx.URL(str(url)).copy_with(username="", password="", query=None)
    return str(plain).rstrip("/")


def _parted(rest: str) -> tuple[str, str]:
    """Host with port, brackets where they belong, and what follows it."""
    found = re.match(r"[^/?#]*", rest)
    host = found[0] if found else ""
    path = rest[len(host) :]
    if host.count(":") > 1 and not re.search(r"[\[@]", host):
        host = f"[{host}]"
    return (f"{HERE}{host}" if host.startswith(":") else host or HERE), path
