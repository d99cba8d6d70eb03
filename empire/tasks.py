"""The schedule's own sign of life."""

from celery import shared_task

from empire import health


@shared_task
def heartbeat() -> None:
    health.note_heartbeat()


@shared_task
def watch() -> None:
    health.watch()
