"""What the schedule does for people."""

from celery import shared_task

from accounts import services


@shared_task
def sweep_guests() -> None:
    services.sweep_guests()
