"""Scheduled tasks for accounts."""

from celery import shared_task

from accounts import proof


@shared_task
def sweep_address_changes() -> None:
    proof.sweep_address_changes()
