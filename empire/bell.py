"""The doorbell: after the commit a worker is told what to do. A lost bell loses nothing, for sweeps find the rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from celery import current_app
from django.db import transaction


def ring(task: str, *args: object) -> None:
    """Run the task of that name when the transaction is through. A dead broker is logged and delays nobody."""

    def send() -> None:  # a real function: Django's robust callbacks cannot cope with partials
        current_app.signature(task, args=args).apply_async(retry=False)

    transaction.on_commit(send, robust=True)


@contextmanager
def without_bells() -> Iterator[None]:
    """No worker need hear of what is done here."""
    broker = current_app.conf.broker_url
    current_app.conf.update(broker_url="memory://localhost/")
    try:
        yield
    finally:
        current_app.conf.update(broker_url=broker)
