"""Database outages and full disks: pages answer 503 with a sentence and a button that sends the request again."""

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import Client

from accounts.models import User
from empire.web import unavailable
from tests.cast import again, in_turns, some_turn

pytestmark = pytest.mark.django_db
TOKEN = "c" * 32
ASKING_FOR_ROWS = 'FROM "tables_game"'


def sqlite_error(code: int) -> OperationalError:
    cause = sqlite3.OperationalError("secret-host")
    cause.sqlite_errorcode = code
    error = OperationalError("secret-host")
    error.__cause__ = cause
    return error


AWAY = OperationalError("secret-host")
FULL = sqlite_error(sqlite3.SQLITE_FULL)


@contextmanager
def failing(error: Exception, where: str) -> Iterator[list[str]]:
    """Raise the error for each SQL statement that contains `where`. Yield the list of these statements."""
    tried: list[str] = []

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if where in sql:
            tried.append(sql)
            raise error
        return execute(sql, *rest)

    with connection.execute_wrapper(run):
        yield tried


def visit(user: User | None = None, **wishes: bool) -> Client:
    browser = Client(raise_request_exception=False, **wishes)
    browser.cookies["csrftoken"] = TOKEN
    if user:
        browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return browser


@pytest.mark.parametrize("debug", [False, True])
def test_a_turn_during_an_outage_can_be_sent_again(alice, bob, settings, debug):
    settings.DEBUG = debug
    game, browser = in_turns(alice, bob), visit(alice)
    _seat, actions = some_turn(game)
    path, form = f"{game.get_absolute_url()}submit", {"seq": game.seq, "action": ";".join(actions), "sure": "1"}
    with failing(AWAY, 'INSERT INTO "tables_entry"'):
        answer = browser.post(path, form)
    page = answer.content.decode()
    assert answer.status_code == 503 and int(answer["Retry-After"]) > 0
    assert "The site is busy" in page and "secret-host" not in page and "Traceback" not in page
    assert f'name="action" value="{form["action"]}"' in page and f'action="{path}"' in page
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert again(game).seq == game.seq
    assert browser.post(path, form).status_code == 302
    assert again(game).seq == game.seq + 1


def test_the_button_that_sends_again_has_a_valid_csrf_token():
    browser = visit(enforce_csrf_checks=True)
    with failing(FULL, 'INSERT INTO "accounts_user"'):
        answer = browser.post("/accounts/guest/", {"csrfmiddlewaretoken": TOKEN, "next": "/lobby/"})
    assert answer.status_code == 503 and not User.objects.exists()
    token = answer.content.decode().partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    assert browser.post("/accounts/guest/", {"csrfmiddlewaretoken": token, "next": "/lobby/"}).status_code == 302


@pytest.mark.parametrize("debug", [False, True])
def test_an_outage_is_noticed_before_the_view_and_the_database_is_asked_once(alice, settings, debug):
    settings.DEBUG = debug
    browser = visit(alice)
    with failing(AWAY, "FROM django_session") as tried:
        answer = browser.get("/lobby/?shown=all")
    assert len(tried) == 1, "each further query would wait for a timeout"
    assert answer.status_code == 503 and 'href="/lobby/?shown=all"' in answer.content.decode()


def test_htmx_requests_get_only_the_sentence(alice, bob):
    game, browser = in_turns(alice, bob), visit(alice)
    with failing(AWAY, ASKING_FOR_ROWS):
        answer = browser.post(f"{game.get_absolute_url()}submit", {"seq": 1}, headers={"HX-Request": "true"})
    assert answer.status_code == 503 and answer.content.decode() == unavailable.sentence()


@pytest.mark.parametrize(
    ("error", "status"),
    [(sqlite_error(sqlite3.SQLITE_ERROR), 500), (DatabaseError("no such column"), 500),
     (OSError(errno.ENOENT, ""), 500), (OSError(errno.ENOSPC, ""), 503),
     (FULL, 503), (sqlite_error(sqlite3.SQLITE_IOERR | 3 << 8), 503)],
)  # fmt: skip
def test_only_outages_and_full_disks_answer_503(alice, bob, error, status):
    game, browser = in_turns(alice, bob), visit(alice)
    with failing(error, ASKING_FOR_ROWS):
        assert browser.get(game.get_absolute_url()).status_code == status
