"""Say whether an email address can be used for a new account, and let it be used again. See docs/moderation.md."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import barred


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="an email address")
        parser.add_argument("--lift", action="store_true", help="let it be used again")

    def handle(self, *args: Any, **options: Any) -> None:
        until = barred.until(options["address"])
        if until is None:
            raise CommandError(f"{options['address']} is not barred.")
        if options["lift"]:
            barred.lift(options["address"])
            self.stdout.write(f"{options['address']} can be used for an account again.")
        else:
            self.stdout.write(f"{options['address']} is barred until {until:%Y-%m-%d %H:%M} UTC.")
