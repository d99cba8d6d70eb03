"""Limits for the size and duration of requests.

Django spools a whole body to disk before it looks at the request, so these limits apply before Django.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from games.rules.record import LARGEST

LARGEST_BODY = LARGEST + 100_000  # bytes: a record and the form around it
LONGEST = 60.0  # seconds to receive a body

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
]


class Refused(Exception):  # noqa: N818 - an answer, not an error
    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def too_large() -> Refused:
    return Refused(413, f"This upload is too large. The limit is {LARGEST_BODY // 1_000_000} MB.")


def bounded(application: Application, most: int = LARGEST_BODY, longest: float = LONGEST) -> Application:
    async def within_bounds(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if announced(scope) > most:
                raise too_large()
            await application(scope, counted(receive, most, longest), send)
        except Refused as refusal:
            await send({"type": "http.response.start", "status": refusal.status, "headers": HEADERS})
            await send({"type": "http.response.body", "body": str(refusal).encode()})

    return within_bounds


def announced(scope: Scope) -> int:
    """Return the Content-Length in bytes; 0 if missing."""
    said = next((value for name, value in scope.get("headers", ()) if name == b"content-length"), b"0")
    return int(said) if said.isdigit() and len(said) < 20 else LARGEST_BODY + 1


def counted(receive: Receive, most: int, longest: float) -> Receive:
    """Wrap `receive` so that it raises `Refused` for bodies that are too large or too slow."""
    deadline = asyncio.get_running_loop().time() + longest
    taken, is_whole = 0, False

    async def hear() -> dict[str, Any]:
        nonlocal taken, is_whole
        if is_whole:
            return await receive()  # wait for the disconnect, without a limit
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            raise Refused(408, "The upload took too long. Try again.") from None
        taken += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if taken > most:
            raise too_large()
        return message

    return hear
