"""One waiting task serves all work of its kind, and later work gets another one."""

import time
from collections.abc import Iterator
from contextvars import Context

import pytest
from celery import Celery
from django.db import transaction
from redis import Redis

from empire import on_commit
from empire.cache import pause
from empire.celery import app
from tests.running import running_redis

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]
TASK = "games.tasks.send_due"


@pytest.fixture
def redis(redis_server: str, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """A Redis that is cache and queue of the site."""
    with running_redis(redis_server) as (_process, client):
        settings.REDIS_URL = f"redis://127.0.0.1:{client.get_connection_kwargs()['port']}/0"
        shared = {"BACKEND": "empire.cache.ForgivingRedisCache", "LOCATION": settings.REDIS_URL}
        settings.CACHES = settings.CACHES | {"default": shared}
        monkeypatch.setattr(pause, "until", 0.0)
        site = Celery("site", broker=settings.REDIS_URL, set_as_current=False)
        site.conf.update(task_ignore_result=True, task_default_queue="notices")
        site.set_current()
        try:
            yield client
        finally:
            app.set_current()


def start(*words: object) -> None:
    with transaction.atomic():
        on_commit.delay_once_on_commit(TASK, *words)


def test_one_task_is_queued_however_often_it_is_started_until_it_begins(redis):
    for _notice in range(40):
        start("email")
    assert redis.llen("notices") == 1
    on_commit.note_begun(TASK, "email")  # as the task does before it looks for work
    start("email")
    start("email")
    assert redis.llen("notices") == 2


def test_tasks_of_a_process_begin_at_intervals_in_which_work_gathers(redis, monkeypatch):
    monkeypatch.setattr(on_commit, "_begun", {})
    monkeypatch.setattr(on_commit, "GATHERS", 600)  # however slow the machine is
    waits = list[float]()
    monkeypatch.setattr(time, "sleep", waits.append)
    for channel in ("email", "email", "push"):
        start(channel)
        on_commit.note_begun(TASK, channel)
    (wait,) = waits  # the second for email
    assert 500 < wait <= 600


def test_a_task_for_another_channel_is_queued_too(redis):
    start("email")
    start("push")
    assert redis.llen("notices") == 2


def test_a_lost_task_holds_others_back_for_a_moment_only(redis):
    start("email")
    redis.delete("notices")
    (key,) = redis.keys("*waiting*")
    assert 0 < redis.ttl(key) <= on_commit.BEGINS_WITHIN
    redis.delete(key)  # its time is over
    start("email")
    assert redis.llen("notices") == 1


def test_requests_share_the_connections_to_redis(redis):
    start("email")
    connected = redis.info("stats")["total_connections_received"]
    for _request in range(3):
        Context().run(start, "email")  # each request has a context of its own, and there a cache object of its own
    assert redis.info("stats")["total_connections_received"] == connected


def test_a_transaction_that_fails_starts_no_task(redis):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        on_commit.delay_once_on_commit(TASK, "email")
        raise ZeroDivisionError
    start("email")
    assert redis.llen("notices") == 1


def test_without_redis_every_start_queues_a_task(settings):
    settings.REDIS_URL = ""
    done = []

    @app.task(name="tests.note")
    def note(word: str) -> None:
        done.append(word)

    try:
        with transaction.atomic():
            on_commit.delay_once_on_commit("tests.note", "a")
            on_commit.delay_once_on_commit("tests.note", "a")
    finally:
        app.tasks.unregister("tests.note")
    assert done == ["a", "a"]
