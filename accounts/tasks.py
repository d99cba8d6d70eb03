"""Tasks for accounts: archives of personal data, and what is removed each night."""

from celery import shared_task
from django.utils import timezone

from accounts import personal


@shared_task
def make_export(user: int) -> None:
    personal.make(user)


@shared_task
def sweep_exports() -> None:
    personal.sweep_exports()


@shared_task
def sweep_personal_data() -> None:
    personal.sweep(timezone.now())
