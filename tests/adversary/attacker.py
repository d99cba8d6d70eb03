"""An attacker with a browser: HTTP requests to a running site, with cookies, forms and forged headers."""

import http.client
import json
import re
from dataclasses import dataclass, field
from html import unescape
from http.cookies import SimpleCookie
from itertools import count
from typing import Any
from urllib.parse import urlencode, urlsplit

CSRF = "c" * 32
PATIENCE = 60
PAGES = count(1)


@dataclass
class Reply:
    """A response of the site. `location` is empty unless it redirects."""

    status: int
    page: str
    location: str
    headers: dict[str, str]

    @property
    def alerts(self) -> list[str]:
        """The error messages on the page."""
        matches = re.findall(r'role="alert"(?![^>]*\shidden)[^>]*>(.*?)</', self.page, re.DOTALL)
        return [unescape(re.sub(r"<[^>]+>", "", match)).strip() for match in matches]

    def json(self) -> Any:
        return json.loads(self.page)


@dataclass
class Browser:
    """A browser with the cookies of one visitor. `headers` are sent with each request."""

    port: int
    cookies: dict[str, str] = field(default_factory=lambda: {"csrftoken": CSRF})
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, form: dict[str, object] | None = None, **headers: str) -> Reply:
        """Submit a form of a page that nobody has submitted yet: one that is sent twice opens one game."""
        page = {"csrfmiddlewaretoken": self.cookies["csrftoken"], "page": next(PAGES)}
        body = urlencode({**(form or {}), **page}, doseq=True)
        return self.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded", **headers})

    def ask(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> Reply:
        connection = self.connection()
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **self.headers}
        sent |= {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        try:
            connection.request(method, path, body or None, sent)
            answer = connection.getresponse()
            for line in answer.headers.get_all("Set-Cookie") or []:
                self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
            return Reply(
                answer.status, answer.read().decode(), answer.headers.get("Location", ""), dict(answer.headers.items())
            )
        finally:
            connection.close()

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("localhost", self.port, timeout=PATIENCE)

    def follow(self, reply: Reply) -> Reply:
        """Follow redirects."""
        while reply.status in (301, 302, 303):
            where = urlsplit(reply.location)
            reply = self.get(where.path + (f"?{where.query}" if where.query else ""))
        return reply
