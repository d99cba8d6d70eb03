"""Rate limits count exactly, in memory and in Redis, and refuse nobody while Redis is away."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import NamedTuple

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from redis import Redis

from empire.cache import pause
from empire.web import limits
from tests import running

pytestmark = pytest.mark.processes

LIMIT, ATTEMPTS, THREADS = 30, 200, 50


class Server(NamedTuple):
    process: subprocess.Popen
    client: Redis


@pytest.fixture(scope="module")
def running_redis(redis_server: str) -> Iterator[Server]:
    with running.running_redis(redis_server) as (process, client):
        yield Server(process, client)


@pytest.fixture
def redis(running_redis: Server, settings, monkeypatch: pytest.MonkeyPatch) -> Server:
    """An empty Redis in which the limits count."""
    running_redis.client.flushall()
    use(running_redis.client.get_connection_kwargs()["port"], settings, monkeypatch)
    return running_redis


def use(port: int, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    monkeypatch.setattr(limits.limiter, "storage", limits.storage())
    monkeypatch.setattr(pause, "until", 0.0)


@pytest.fixture(autouse=True)
def limited_guests(settings) -> None:
    settings.RATE_LIMITS = {"guest": f"{LIMIT}/h/ip"}


def attempt() -> int:
    request = RequestFactory(REMOTE_ADDR="9.9.9.9").post("/accounts/guest/")
    request.user = AnonymousUser()
    return limits.wait_for(request, "guest")


@pytest.mark.parametrize("where", ["memory", "redis"])
def test_of_200_attempts_at_once_30_pass(request: pytest.FixtureRequest, where: str) -> None:
    if where == "redis":
        request.getfixturevalue("redis")
    barrier = Barrier(THREADS)

    def attempts() -> list[int]:
        barrier.wait()
        return [attempt() for _ in range(ATTEMPTS // THREADS)]

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            waits = [wait for thread in [pool.submit(attempts) for _ in range(THREADS)] for wait in thread.result()]
    finally:
        sys.setswitchinterval(usual)
    assert len(waits) == ATTEMPTS and waits.count(0) == LIMIT
    assert all(3500 < wait <= 3600 for wait in waits if wait)


def test_counts_in_redis_expire_and_hold_no_address_of_a_calendar(redis: Server, settings) -> None:
    settings.RATE_LIMITS = {"calendar": "2/m/key"}
    request = RequestFactory().get("/")
    waits = [limits.wait_for(request, "calendar", key="secret") for _ in range(3)]
    assert waits[:2] == [0, 0] and 50 < waits[2] <= 60
    [key] = redis.client.keys()
    assert b"secret" not in key and 0 < redis.client.ttl(key) <= 60


def test_a_frozen_redis_refuses_nobody_and_holds_up_one_request(redis: Server, caplog) -> None:
    assert [bool(attempt()) for _ in range(LIMIT + 1)] == [False] * LIMIT + [True]
    redis.process.send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    assert [attempt() for _ in range(LIMIT + 1)] == [0] * (LIMIT + 1)
    assert time.monotonic() - begun < 4, "seconds; it waits for one"
    assert len(caplog.records) == 1
    redis.process.send_signal(signal.SIGCONT)
    assert attempt() == 0  # it is not asked again at once
    pause.until = 0.0
    assert attempt() > 0


def test_a_missing_redis_refuses_nobody(settings, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    use(1, settings, monkeypatch)
    begun = time.monotonic()
    assert [attempt() for _ in range(LIMIT + 1)] == [0] * (LIMIT + 1)
    assert time.monotonic() - begun < 2 and len(caplog.records) == 1
