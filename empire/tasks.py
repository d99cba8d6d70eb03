"""Heartbeats of the schedule, after which health is checked, and of a worker at each queue."""

from celery import shared_task

from empire.observability import health


@shared_task
def heartbeat() -> None:
    health.note_heartbeat()
    health.watch()


@shared_task
def hear(queue: str) -> None:
    health.note_worker(queue)
