"""Start tasks after the commit, by name, because services do not import tasks. Sweeps find the work of a lost task."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import transaction

BEGINS_WITHIN = 5  # seconds; a lost task keeps others from being queued for no longer
GATHERS = 0.2  # seconds from one task to the next, in which work gathers on a busy site
_begun: dict[str, float] = {}  # when each such task of this process last began
discarding: list[None] = []  # one item for each block that discards tasks, of all threads


def delay_on_commit(task: str, *args: object) -> None:
    """Start the task with this name after the transaction commits, as the method of Celery's tasks with this name does.

    An unavailable broker is logged and delays nobody.
    """

    def send() -> None:  # a function, because Django's robust callbacks do not support partials
        _send(task, *args)

    transaction.on_commit(send, robust=True)


def delay_once_on_commit(task: str, *args: object) -> None:
    """Start a task as `delay_on_commit` does, unless one that has not begun will find this work too.

    The task must call `note_begun` first. Each task costs a worker 4 ms and the caller half a millisecond, whatever it
    does. Without Redis, processes share no cache in which to see that a task is waiting, so each call starts one.
    """

    def send() -> None:
        if not discarding and (not settings.REDIS_URL or cache.add(_waiting(task, *args), True, BEGINS_WITHIN)):
            _send(task, *args)

    transaction.on_commit(send, robust=True)


def _send(task: str, *args: object) -> None:
    if not discarding:
        current_app.signature(task, args=args).apply_async(retry=False)


def note_begun(task: str, *args: object) -> None:
    """Note that the task has begun. From now on, further work needs another one.

    If such a task of this process has begun less than `GATHERS` ago, wait until then, so that more work goes together.
    """
    if settings.REDIS_URL:
        key = _waiting(task, *args)
        if key in _begun:
            time.sleep(max(0.0, _begun[key] + GATHERS - time.monotonic()))
        _begun[key] = time.monotonic()
        cache.delete(key)


def _waiting(task: str, *args: object) -> str:
    """Return the key of the cache that says that the task is waiting."""
    return f"waiting.{task}.{'.'.join(map(str, args))}"


@contextmanager
def without_tasks() -> Iterator[None]:
    """Discard the tasks started in this block.

    Another broker would not do: Celery keeps its first connections, so those made here would swallow later tasks.
    """
    discarding.append(None)
    try:
        yield
    finally:
        discarding.pop()
