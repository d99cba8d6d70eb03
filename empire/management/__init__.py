"""What commands of `manage.py` share."""

import sys

from django.conf import settings
from django.core.management.base import BaseCommand


class OwnSession(BaseCommand):
    """A command that changes settings of its session, or needs several statements to reach the same session.

    A pooler that hands out connections by transaction would give those settings to web processes: after `replay`, for
    example, they could not write.
    """

    def run_from_argv(self, argv: list[str]) -> None:
        if settings.TRANSACTION_POOLING:
            sys.exit(
                f"{argv[1]} needs a session of its own, so it can't run through a pooler (TRANSACTION_POOLING). Set"
                " TRANSACTION_POOLING=0 and a DATABASE_URL that leads to PostgreSQL itself for this command."
            )
        super().run_from_argv(argv)
