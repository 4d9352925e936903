"""What the pages that this program writes may do: nothing but what each of them needs."""

from __future__ import annotations

import base64
import hashlib
from html import escape


def policy(**allowed: str) -> str:
    """A content security policy: what is not allowed by its kind (`script`, `style`) is not."""
    told = [f"{kind}-src {sources}" for kind, sources in allowed.items()]
    return "; ".join(["default-src 'none'", *told, "base-uri 'none'", "form-action 'none'"])


def policy_tag(**allowed: str) -> str:
    """The same for a page in a file, as an element of its head."""
    content = escape(policy(**allowed), quote=False)
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def digest(content: str) -> str:
    """As a policy names an inline script or style."""
    packed = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{packed}'"
