"""What an MCP client writes to standard input, so that every request gets an answer.

The SDK drops a line that it cannot read, for half a character in it say, and the client waits for
ever; and it reads a line however long it is.
"""

from __future__ import annotations

import io
import json
import re
from typing import BinaryIO

from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

LONGEST_LINE = 1 << 21
"""Bytes; no request of ours has a thousandth of it."""
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.){0,100}"|-?[0-9]{1,18})')


class Requests(io.TextIOWrapper):
    """Reads requests, a line each. One that cannot be read asks for what is not served instead.

    The server answers that there is no such method, and its name says what is wrong.
    """

    def __init__(self, source: BinaryIO) -> None:
        super().__init__(source, encoding="utf-8", errors="replace")
        self._source = source

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next request; empty at the end of the input."""
        line = self._source.readline(LONGEST_LINE)
        if not line:
            return ""
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            self._skip()
            return _instead(line, f"a request has {LONGEST_LINE:,} bytes at most")
        try:
            text = line.decode(errors="replace")
            jsonrpc_message_adapter.validate_json(text, by_name=False)
        except ValidationError as error:
            return _instead(line, error.errors()[0]["msg"])
        return text

    def _skip(self) -> None:
        """Pass over the rest of a line."""
        while (part := self._source.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
            pass


def _instead(line: bytes, fault: str) -> str:
    """A request with the line's id, if it has one, that is answered with the fault."""
    found = _ID.search(line)
    request = json.dumps({"jsonrpc": "2.0", "id": 0, "method": f"not readable: {fault}"})
    return request.replace('"id": 0', f'"id": {found[1].decode()}') + "\n" if found else "\n"
