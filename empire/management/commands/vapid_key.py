"""Print a new private key for web push, for `VAPID_PRIVATE_KEY`."""

from typing import Any

from django.core.management.base import BaseCommand

from empire.environment import new_push_key


class Command(BaseCommand):
    help = __doc__ or ""

    def handle(self, **options: Any) -> None:
        self.stdout.write(new_push_key())
