"""Visits: a request, its answer, and what it wrote. Afterwards everything is rolled back."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import unquote

from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.test import Client
from django.urls import Resolver404, resolve

from tests.empire.test_pages import assert_nothing_inline
from tests.walk.changes import HOLDING_A_LINK, Change, Rows
from tests.walk.wire import Heard, Sent, Wire
from tests.walk.world import Secret, World

WRITES = re.compile(r'^\s*(?:(INSERT(?: OR \w+)? INTO|REPLACE INTO)|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
KEPT_BY_DJANGO = {"django_session"}
ILL = {"/healthz"}  # answers 503 if something needs attention
ADMIN = "/admin/"
OUTSIDE = ("/live/", "/livez", "/metrics")  # answered before Django, as plain text
REFUSED_OUTSIDE = {408, 413}
SHOWN_AS_IT_IS = "/mail/"  # emails are shown in a frame with its own policy
BACKEND = "django.contrib.auth.backends.ModelBackend"


Look = Callable[[Heard], list[str]]
Door = tuple[str, frozenset]  # the name of an address and its arguments


def door(path: str) -> Door:
    """The page at a path, however the path is encoded. The name is empty if there is none."""
    try:
        route = resolve(unquote(path))
    except Resolver404:
        return "", frozenset()
    return route.url_name or "", frozenset(route.kwargs.items())


class Answer(NamedTuple):
    who: str
    method: str
    path: str
    status: int
    text: str
    headers: Any
    wrote: frozenset[str]
    error: str
    sent: str = ""  # what the visitor knows because they sent it
    changes: tuple[Change, ...] = ()
    complaints: tuple[str, ...] = ()  # about the consequences

    def __str__(self) -> str:
        return f"{self.method} {self.path[:200]} by {self.who}: {self.status}"


@dataclass
class Noted:
    """What a request wrote to the database, and the errors it caused."""

    written: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    changes: tuple[Change, ...] = ()

    @property
    def wrote(self) -> frozenset[str]:
        return frozenset(self.written - KEPT_BY_DJANGO)

    def statement(self, execute: Callable, sql: str, params: Any, many: bool, context: Any) -> Any:
        result, match = execute(sql, params, many, context), WRITES.match(sql)
        if match and (match[1] or context["cursor"].rowcount):  # SQLite does not count inserted rows yet
            self.written.add(match[2])
        return result

    def error(self, sender: Any, request: Any, **rest: Any) -> None:
        self.errors.append(repr(sys.exc_info()[1])[:300])


class Visitors:
    """All readers, each with a separate browser."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clients = {"nobody": Client(raise_request_exception=False)}
        for name, user in world.people.items():
            self.clients[name] = Client(raise_request_exception=False)
            self.clients[name].force_login(user, backend=BACKEND)
        self.secrets = {who: [secret for secret in world.secrets if who not in secret.known_to] for who in self.clients}
        self.rows = Rows()
        self.wire = Wire()

    def ask(self, who: str, method: str, path: str, data: Any = None, **more: Any) -> Answer:
        """Send a request by a browser, and roll it back: each visit finds the world as it was built."""
        client = self.clients[who]
        cookies = client.cookies.copy()
        with self.noted() as noted:
            answer = getattr(client, method.lower())(path, data or {}, **more)
            body = answer.getvalue() if answer.streaming else answer.content
        client.cookies = cookies
        text, errors = body.decode("utf-8", "replace"), "; ".join(noted.errors)
        return Answer(
            who, method, path, answer.status_code, text, answer.headers, noted.wrote, errors, path, noted.changes
        )

    def send(self, sent: Sent, look: Look = lambda heard: []) -> Answer:
        """Send a raw HTTP request and roll it back. If it wrote, `look` checks the consequences first.

        A request that replaces the cookie of its session comes from nobody.
        """
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self.clients[sent.who].cookies.items())
        heard = Heard()
        with self.noted() as noted:
            try:
                heard = self.wire.send(sent, cookies)
            except Exception as error:
                noted.errors.append(f"the connection broke off: {error!r}"[:300])
            complaints = tuple(look(heard)) if noted.wrote else ()
        headers = {name.decode("latin-1").title(): value.decode("latin-1") for name, value in heard.headers}
        has_own_session = not any(b"sessionid=" in value for name, value in sent.headers if name == b"cookie")
        return Answer(
            sent.who if has_own_session else "nobody", sent.method, sent.path, heard.status or 500, heard.text,
            headers, noted.wrote, "; ".join(noted.errors), sent.text, noted.changes, complaints,
        )  # fmt: skip

    @contextmanager
    def noted(self) -> Iterator[Noted]:
        noted = Noted()
        got_request_exception.connect(noted.error)
        try:
            with transaction.atomic(), connection.execute_wrapper(noted.statement):
                yield noted
                if noted.wrote:
                    noted.changes = tuple(self.rows.changes(noted.written))
                transaction.set_rollback(True)
        finally:
            got_request_exception.disconnect(noted.error)

    def complaints(self, answer: Answer) -> list[str]:
        """What is wrong with an answer to any reader and request."""
        return [f"{answer}: {wrong}" for wrong in self._wrong(answer)]

    def kept_from(self, answer: Answer) -> list[Secret]:
        """Secrets that the answer must not contain. A turn may reveal cards, and view.json lists the unknown ones."""
        shows_cards = "tables_entry" in answer.wrote or answer.path.endswith("/view.json")
        secrets = [secret for secret in self.secrets[answer.who] if answer.path.startswith(secret.within)]
        return [secret for secret in secrets if not (secret.within and shows_cards)]

    def _wrong(self, answer: Answer) -> list[str]:
        wrong = list(answer.complaints)
        if answer.status >= 500 and answer.path not in ILL:
            wrong.append(f"an error of ours, {answer.error}")
        if "Traceback (most recent" in answer.text:
            wrong.append("shows a trace")
        wrong += [
            f"tells {secret.description}"
            for secret in self.kept_from(answer)
            if secret.is_revealed(answer.sent, answer.text)
        ]
        user = self.world.people.get(answer.who)
        if not (answer.path.startswith(ADMIN) or door(answer.path)[0] in HOLDING_A_LINK):
            wrong += self.rows.trespasses(user.pk if user else None, answer.changes)
        if answer.status not in REFUSED_OUTSIDE and not answer.path.startswith(OUTSIDE):
            is_for_frames = answer.path.endswith("/embed/")  # of other sites
            wanted = HEADERS[:-1] if is_for_frames else HEADERS
            wrong += [f"has no {name}" for name in wanted if name not in answer.headers]
        if answer.headers.get("Content-Type", "").startswith("text/html") and not answer.path.startswith(
            SHOWN_AS_IT_IS
        ):
            wrong += _inline(answer)
            tag = TEMPLATE_TAG.search(answer.text)
            if tag and tag[0][:2] not in answer.sent:
                wrong.append(f"shows the template's {tag[0]!r}")
        return wrong


# Django prints a tag that spans two lines as text
TEMPLATE_TAG = re.compile(r"\{[{%#] [^\n]{,40}")

HEADERS = (
    "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy",
    "Cross-Origin-Opener-Policy", "X-Frame-Options",
)  # fmt: skip


def _inline(answer: Answer) -> list[str]:
    try:
        assert_nothing_inline(answer.text)
    except AssertionError as wrong:
        return [f"has something inline or from another site: {str(wrong)[:200]}"]
    return []
