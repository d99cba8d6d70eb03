"""Limits on the size and duration of requests, which apply before Django reads them."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from empire.asgi import application
from empire.web import handler
from empire.web.handler import LARGEST_BODY, bounded

HEAD = {"type": "http", "method": "POST", "path": "/verify/", "query_string": b"", "headers": []}


def ask(app: handler.Application, *parts: bytes, headers: tuple = (), ends: bool = True) -> tuple[int, bytes, dict]:
    """Send a body in parts; if `ends` is false it never ends. Return the status, body and headers of the answer."""
    coming: Iterator[bytes] = iter(parts)
    left = len(parts)
    messages: list[dict] = []

    async def receive() -> dict:
        nonlocal left
        left -= 1
        if left < 0:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": next(coming), "more_body": left > 0 or not ends}

    async def send(message: dict) -> None:
        messages.append(message)

    with ThreadPoolExecutor(1) as elsewhere:  # the browser driver keeps an event loop in this thread
        elsewhere.submit(asyncio.run, app({**HEAD, "headers": list(headers)}, receive, send)).result()
    return (
        messages[0]["status"],
        b"".join(message.get("body", b"") for message in messages),
        dict(messages[0]["headers"]),
    )


async def count(scope: handler.Scope, receive: handler.Receive, send: handler.Send) -> None:
    """Answer with the length of the request body."""
    length, more = 0, True
    while more:
        message = await receive()
        length, more = length + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})


def test_a_request_within_the_limits_arrives_whole() -> None:
    assert ask(bounded(count, most=10), b"12345", b"67890")[:2] == (200, b"10")


def test_a_body_that_exceeds_the_limit_is_refused_while_it_arrives() -> None:
    status, body, _headers = ask(bounded(count, most=10), b"12345", b"678901", b"never read")
    assert status == 413 and b"too large" in body


@pytest.mark.parametrize("length", [str(LARGEST_BODY + 1).encode(), b"9" * 400, b"-1", b"many"])
def test_a_body_announced_as_too_large_is_not_read(length: bytes) -> None:
    status, body, headers = ask(application, headers=((b"content-length", length),))
    assert status == 413 and b"too large. The limit is 5 MB." in body
    assert b"default-src 'none'" in headers[b"content-security-policy"]


def test_a_body_that_never_ends_times_out() -> None:
    status, body, _headers = ask(bounded(count, longest=0), b"12345", ends=False)
    assert status == 408 and b"took too long" in body
