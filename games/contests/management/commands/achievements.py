"""`manage.py achievements [--mend]`: work out achievements, streaks and records again, and compare them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.contests.achievements.book import recompute


class Command(BaseCommand):
    help = "Recompute achievements, streaks and records from the scores. The exit code is 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mend", action="store_true", help="correct rows that differ from the scores")

    def handle(self, *args: Any, **options: Any) -> None:
        problems = recompute(mend=options["mend"])
        self.stdout.write("\n".join(problems) or "correct")
        if problems and not options["mend"]:
            raise CommandError("Some rows differ from the scores. Run with --mend to correct them.")
