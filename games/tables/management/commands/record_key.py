"""Print a new private key for `RECORD_KEY`, and the current public keys to put in `RECORD_KEYS_RETIRED`."""

from typing import Any

from django.core.management.base import BaseCommand

from empire.environment import new_signing_key
from games.tables.services.records import published


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"RECORD_KEY={new_signing_key()}")
        self.stdout.write(f"RECORD_KEYS_RETIRED={','.join(key['public_key'] for key in published())}")
