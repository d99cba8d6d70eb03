"""Tasks that record that the schedule and the workers are running, and check the health of the site."""

from celery import shared_task

from empire.observability import health


@shared_task
def heartbeat() -> None:
    health.note_heartbeat()
    health.watch()


@shared_task
def hear(queue: str) -> None:
    health.note_worker(queue)
