"""Keys are masked in all logs, including the web server's log of requested URLs."""

import io
import logging
from urllib.parse import quote

import pytest
from django.core import signing

from accounts.proof import calendar_url
from empire.observability.logs import WithoutKeys


@pytest.mark.parametrize("written", [str, quote], ids=["plain", "as uvicorn writes it"])
def test_a_signed_link_is_masked_anywhere_in_a_line(written):
    key = signing.dumps([1, 2, "0123456789abcdef", 44], salt="x")
    words = (
        '%s - "%s %s HTTP/%s" %d',
        ("127.0.0.1:4", "GET", written(f"/games/abcdefgh/turn/{key}/lake/"), "1.1", 200),
    )
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 1, *words, None)
    assert WithoutKeys().filter(record)
    assert record.getMessage() == '127.0.0.1:4 - "GET /games/abcdefgh/turn/***/lake/ HTTP/1.1" 200'


@pytest.mark.parametrize("written", [str, quote], ids=["plain", "as uvicorn writes it"])
def test_calendar_urls_are_masked(db, alice, written):
    path = written(calendar_url(alice).removeprefix("http://testserver"))
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 1, f"GET {path} HTTP/1.1", None, None)
    WithoutKeys().filter(record)
    assert record.getMessage() == "GET /calendar/***.ics HTTP/1.1"


def test_other_lines_are_unchanged():
    record = logging.LogRecord("games", logging.INFO, "", 1, "Notice %s at 2026-11-21T08:05:00 was sent", (5,), None)
    WithoutKeys().filter(record)
    assert record.getMessage() == "Notice 5 at 2026-11-21T08:05:00 was sent"


def test_client_errors_are_logged_without_a_traceback(client, monkeypatch):
    out = io.StringIO()
    (console,) = [handler for handler in logging.getLogger().handlers if type(handler) is logging.StreamHandler]
    monkeypatch.setattr(console, "stream", out)
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    assert "elsewhere.example" in out.getvalue()
    assert "Traceback" not in out.getvalue()
