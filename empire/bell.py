"""Start tasks after the commit. A lost message loses no work, because sweeps find the rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import transaction

HEARD_WITHIN = 5  # seconds; a lost task keeps others from being queued for no longer
blocks: list[str] = []  # those that discard tasks, of all threads


def ring(task: str, *args: object) -> None:
    """Start the task with this name after the transaction commits. A dead broker is logged and delays nobody."""

    def send() -> None:  # a function, because Django's robust callbacks do not support partials
        _send(task, *args)

    transaction.on_commit(send, robust=True)


def ring_once(task: str, *args: object) -> None:
    """Start a task as `ring` does, unless one is already waiting that will find this work too.

    The task must call `heard` first. It would cost a worker 4 ms and the caller half a millisecond, whatever it does.
    Without Redis, processes share no cache in which to see that a task is waiting, so each call starts one.
    """

    def send() -> None:
        if not blocks and (not settings.REDIS_URL or cache.add(_waiting(task, *args), True, HEARD_WITHIN)):
            _send(task, *args)

    transaction.on_commit(send, robust=True)


def _send(task: str, *args: object) -> None:
    if not blocks:
        current_app.signature(task, args=args).apply_async(retry=False)


def heard(task: str, *args: object) -> None:
    """Note that the task has begun. From now on, further work needs another one."""
    if settings.REDIS_URL:
        cache.delete(_waiting(task, *args))


def _waiting(task: str, *args: object) -> str:
    return f"bell.{task}.{'.'.join(map(str, args))}"


@contextmanager
def without_bells() -> Iterator[None]:
    """Discard the tasks started in this block.

    Another broker would not do: Celery keeps its first connections, so those made here would swallow later tasks.
    """
    blocks.append("")
    try:
        yield
    finally:
        blocks.pop()
