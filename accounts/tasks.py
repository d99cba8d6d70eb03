"""What the schedule does for people."""

from celery import shared_task

from accounts import proof, services


@shared_task
def sweep_guests() -> None:
    services.sweep_guests()
    proof.sweep_address_changes()
