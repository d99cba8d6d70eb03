"""JSON logs with context in each line, and what is sent to Sentry."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO

import pytest
from celery.signals import task_prerun
from django.core import signing
from django.db import transaction

from empire.celery import app
from empire.observability import logs, sentry
from games.tables.services import play
from tests.cast import again, in_turns, some_turn
from tests.running import ROOT

KEY = signing.dumps([1, 2, "0123456789abcdef", 44], salt="x")


@pytest.fixture
def lines() -> Iterator["Lines"]:
    """The log lines that a server would write."""
    logs.begin()
    handler = Lines()
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("django").setLevel(logging.INFO)
    yield handler
    root.removeHandler(handler)
    root.setLevel(level)
    logs.begin()


class Lines(logging.StreamHandler):
    def __init__(self) -> None:
        super().__init__(StringIO())
        self.setFormatter(logs.JsonFormatter())
        self.addFilter(logs.WithoutKeys())

    def of(self, logger: str) -> list[dict]:
        written = [json.loads(line) for line in self.stream.getvalue().splitlines()]
        return [entry for entry in written if entry["logger"] == logger]


def test_a_line_has_time_level_logger_and_message(lines):
    logging.getLogger("games").warning("A line\nand a %s", "half")
    (line,) = lines.of("games")
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "WARNING", "logger": "games", "message": "A line\nand a half"}


def test_an_error_is_in_the_same_line_without_keys(lines):
    try:
        raise ValueError(KEY)
    except ValueError:
        logging.getLogger("games").exception("It broke at /turn/%s/", KEY)
    (line,) = lines.of("games")
    assert line["message"] == "It broke at /turn/***/"
    assert line["error"].startswith("Traceback") and line["error"].endswith("ValueError: ***")


def test_text_logs_of_errors_have_no_keys_either():
    try:
        raise ValueError(KEY)
    except ValueError:
        record = logging.LogRecord("games", logging.ERROR, "", 1, "It broke", None, sys.exc_info())
    assert KEY not in logs.TextFormatter().format(record)


def test_a_request_keeps_its_id_and_returns_it(client, db):
    assert client.get("/rules/", headers={"X-Request-ID": "of-the-proxy.1"})["X-Request-ID"] == "of-the-proxy.1"
    ids = {client.get("/rules/", headers={"X-Request-ID": bad})["X-Request-ID"] for bad in ("", "a b", "x" * 65, "é")}
    assert len(ids) == 4 and all(len(request_id) == 32 for request_id in ids)


def test_lines_of_a_request_name_user_and_game(client, alice, bob, lines):
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/games/bcdfghjk/", headers={"X-Request-ID": "r1"})
    (line,) = lines.of("django.request")
    assert (line["request"], line["user"], line["game"]) == ("r1", alice.pk, "bcdfghjk")
    client.logout()
    client.get("/nowhere/", headers={"X-Request-ID": "r2"})
    line = lines.of("django.request")[-1]
    assert line["request"] == "r2" and "user" not in line and "game" not in line


def test_an_accepted_turn_is_logged_in_one_line(alice, bob, lines, django_capture_on_commit_callbacks):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    logs.begin(request="r3")
    with django_capture_on_commit_callbacks(execute=True):
        play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)
    (line,) = lines.of("games.tables.services.play")
    about = {name: line[name] for name in ("request", "game", "seat", "seq")}
    assert about == {"request": "r3", "game": game.public_id, "seat": seat, "seq": again(game).seq}
    assert logs.facts() == {"request": "r3"}


@pytest.mark.django_db(transaction=True)
def test_a_turn_that_is_rolled_back_is_not_logged(alice, bob, lines):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    before = lines.of("games.tables.services.play")
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)
        raise ZeroDivisionError
    assert lines.of("games.tables.services.play") == before


def test_lines_of_a_task_name_it_and_the_request_that_triggered_it(lines):
    """Publish and run a task in this process, as a worker does."""
    app.conf.task_always_eager = False
    logs.begin(request="r4")
    with app.connection_for_write() as connection:
        queue = connection.SimpleQueue("default", no_ack=True)
        queue.clear()
        app.signature("empire.tasks.hear", args=("bots",)).apply_async()
        headers = queue.get(timeout=30).headers
    logs.begin()
    task = app.tasks["empire.tasks.hear"]
    task.push_request(**headers, is_eager=False)
    try:
        task_prerun.send(sender=task, task=task, task_id=headers["id"])
        assert logs.facts() == {"task": "empire.tasks.hear", "request": "r4"}
    finally:
        task.pop_request()


# Sentry

BROKEN = f"""
import asyncio, json
from asgiref.testing import ApplicationCommunicator
from sentry_sdk.transport import Transport
from empire.observability import sentry
from empire.asgi import application
from django.conf import settings

class Kept(Transport):
    def capture_envelope(self, envelope):
        for item in envelope.items:
            print(item.type, json.dumps(item.payload.json))

HEADERS = {{"host": "localhost", "cookie": "sessionid=hunter2", "x-request-id": "r5", "content-length": "16",
           "content-type": "application/x-www-form-urlencoded", "referer": "http://localhost/turn/{KEY}/"}}

async def ask():
    raw = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    scope = {{"type": "http", "method": "GET", "path": "/healthz", "query_string": b"key={KEY}", "headers": raw,
             "http_version": "1.1", "scheme": "http", "server": ("localhost", 80), "client": ("198.51.100.7", 5)}}
    talk = ApplicationCommunicator(application, scope)
    await talk.send_input({{"type": "http.request", "body": b"password=hunter2"}})
    print((await talk.receive_output(60))["status"])

sentry.start(settings.SENTRY_DSN, transport=Kept())
settings.HEALTH_CHECKS = ["nowhere.alice@example.org to {KEY}"]
asyncio.run(ask())
"""


@pytest.mark.long
def test_sentry_gets_errors_without_names_addresses_forms_or_links(tmp_path):
    """Use a separate process, because Sentry cannot be uninstalled from one."""
    here = {"VAR_DIR": str(tmp_path), "DEBUG": "1", "SENTRY_DSN": "https://key@sentry.example.org/1"}
    run = subprocess.run(
        [sys.executable, "-c", BROKEN],
        cwd=ROOT,
        env=os.environ | here,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    (event,) = [json.loads(line.partition(" ")[2]) for line in run.stdout.splitlines() if line.startswith("event ")]
    assert "500" in run.stdout.splitlines()
    assert event["exception"]["values"][-1]["value"] == "No module named 'nowhere'"
    assert event["tags"]["request"] == "r5"
    assert set(event["request"]) == {"method", "url"} and "user" not in event
    assert not [word for word in (KEY, "hunter2", "alice@", "sessionid", "198.51") if word in json.dumps(event)]


def test_sentry_events_have_context_and_no_links_or_addresses_at_any_depth():
    logs.begin(request="r6", user=5, game="bcdfghjk")
    event = {"user": {"id": 5}, "extra": {"lines": [f"Alice <alice@example.org> opened /turn/{KEY}/", 7, None]}}
    cleaned = sentry.cleaned(event, {})
    logs.begin()
    assert cleaned == {
        "extra": {"lines": ["Alice <***> opened /turn/***/", 7, None]},
        "tags": {"request": "r6", "user": "5", "game": "bcdfghjk"},
    }
