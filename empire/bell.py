"""Start tasks after the commit. A lost message loses no work, because sweeps find the rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from celery import current_app
from django.db import transaction

blocks: list[str] = []  # those that discard tasks, of all threads


def ring(task: str, *args: object) -> None:
    """Start the task with this name after the transaction commits. A dead broker is logged and delays nobody."""

    def send() -> None:  # a function, because Django's robust callbacks do not support partials
        if not blocks:
            current_app.signature(task, args=args).apply_async(retry=False)

    transaction.on_commit(send, robust=True)


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
