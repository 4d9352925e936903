"""Who may look: this machine, with the token, from a page of our own."""

from __future__ import annotations

import secrets
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from orchestrator.pages import policy

HEADERS = {
    "Content-Security-Policy": policy(
        script="'self'", style="'self'", img="'self' data:", connect="'self'"
    )
    + "; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets in who has the token and comes from our own address; all others get a plain no."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}
        self.cookie = f"zork-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        answer = self._refusal(headers, scope)
        if answer is None:
            await self.app(scope, receive, _with_headers(send))
        else:
            await answer(scope, receive, _with_headers(send))

    def _refusal(
        self, headers: dict[str, str], scope: Scope
    ) -> PlainTextResponse | RedirectResponse | None:
        """What is answered instead of the page; None where nothing speaks against it."""
        if headers.get("host") not in self.hosts:
            return PlainTextResponse("this address is not served here", 421)
        if headers.get("origin", "") not in {"", *self.origins}:
            return PlainTextResponse("other pages may not ask here", 403)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self._fits(given) and scope["path"] == "/":
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
            return answer
        if self._fits(_cookie(headers, self.cookie)) or self._fits(_bearer(headers)):
            return None
        return PlainTextResponse("open the address that was printed, with its token", 401)

    def _fits(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())


def _cookie(headers: dict[str, str], name: str) -> str:
    """A cookie's value; those of other programs on this machine may look like anything."""
    pieces = (piece.strip().partition("=") for piece in headers.get("cookie", "").split(";"))
    return next((value for key, _, value in pieces if key == name), "")


def _bearer(headers: dict[str, str]) -> str:
    return headers.get("authorization", "").removeprefix("Bearer ")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *own]}
        await send(message)

    return sending
