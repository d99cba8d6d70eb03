"""Visits: a request by somebody, what it was answered, and what it wrote; afterwards all is as it was before."""

import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.test import Client

from tests.empire.test_pages import assert_nothing_inline
from tests.walk.world import World

WRITES = re.compile(r'^\s*(?:(INSERT(?: OR \w+)? INTO|REPLACE INTO)|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
KEPT_BY_DJANGO = {"django_session"}
ILL = {"/healthz"}  # says 503 where something is to be looked at
SHOWN_AS_IT_IS = "/mail/"  # a mail in its frame, with a policy of its own
BACKEND = "django.contrib.auth.backends.ModelBackend"


class Answer(NamedTuple):
    who: str
    method: str
    path: str
    status: int
    text: str
    headers: Any
    wrote: frozenset[str]
    error: str

    def __str__(self) -> str:
        return f"{self.method} {self.path} by {self.who}: {self.status}"


class Visitors:
    """Everybody with a browser of their own."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clients = {"nobody": Client(raise_request_exception=False)}
        for name, user in world.people.items():
            self.clients[name] = Client(raise_request_exception=False)
            self.clients[name].force_login(user, backend=BACKEND)
        self.secrets = {who: [one for one in world.secrets if who not in one.known_to] for who in self.clients}

    def ask(self, who: str, method: str, path: str, data: Any = None, **more: Any) -> Answer:
        """Whatever comes of it is undone: each visit finds the world as it was made."""
        client, written, errors = self.clients[who], set[str](), list[str]()

        def note(execute: Callable, sql: str, params: Any, many: bool, context: Any) -> Any:
            result, found = execute(sql, params, many, context), WRITES.match(sql)
            if found and (found[1] or context["cursor"].rowcount):  # of what is inserted SQLite counts nothing yet
                written.add(found[2])
            return result

        def fail(sender: Any, request: Any, **rest: Any) -> None:
            errors.append(repr(sys.exc_info()[1])[:300])

        cookies = client.cookies.copy()
        got_request_exception.connect(fail)
        try:
            with transaction.atomic(), connection.execute_wrapper(note):
                answer = getattr(client, method.lower())(path, data or {}, **more)
                body = answer.getvalue() if answer.streaming else answer.content
                transaction.set_rollback(True)
        finally:
            got_request_exception.disconnect(fail)
            client.cookies = cookies
        text = body.decode("utf-8", "replace")
        wrote = frozenset(written - KEPT_BY_DJANGO)
        return Answer(who, method, path, answer.status_code, text, answer.headers, wrote, "; ".join(errors))

    def complaints(self, answer: Answer) -> list[str]:
        """What is wrong with an answer, whoever got it to whatever they asked."""
        return [f"{answer}: {wrong}" for wrong in self._wrong(answer)]

    def _wrong(self, answer: Answer) -> list[str]:
        wrong = []
        if answer.status >= 500 and answer.path not in ILL:
            wrong.append(f"an error of ours, {answer.error}")
        if "Traceback (most recent" in answer.text:
            wrong.append("shows a trace")
        wrong += [f"tells {one.what}" for one in self.secrets[answer.who] if one.is_told(answer.path, answer.text)]
        wrong += [f"has no {name}" for name in HEADERS if name not in answer.headers]
        if answer.headers.get("Content-Type", "").startswith("text/html") and not answer.path.startswith(
            SHOWN_AS_IT_IS
        ):
            wrong += _inline(answer)
        return wrong


HEADERS = (
    "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy",
    "Cross-Origin-Opener-Policy", "X-Frame-Options",
)  # fmt: skip


def _inline(answer: Answer) -> list[str]:
    try:
        assert_nothing_inline(answer.text)
    except AssertionError as wrong:
        return [f"has something inline: {str(wrong)[:200]}"]
    return []
