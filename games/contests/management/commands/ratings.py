"""`manage.py ratings [--mend]`: recompute ratings and statistics from the logs, and compare them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.contests.ratings.recompute import recompute
from games.rules.registry import RULESETS


class Command(BaseCommand):
    help = "Work out all ratings and statistics again from the logs. The exit code is 1 if anything differs and stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="all rulesets by default")
        parser.add_argument("--mend", action="store_true", help="correct rows that differ from the logs")

    def handle(self, *args: Any, **options: Any) -> None:
        for slug in options["rulesets"]:
            if slug not in RULESETS:
                raise CommandError(f"There is no ruleset {slug}; there are {', '.join(RULESETS)}.")
        problems = [self.one(slug, mend=options["mend"]) for slug in options["rulesets"] or RULESETS]
        if any(problems) and not options["mend"]:
            raise CommandError("Some rows differ from the logs. Run with --mend to correct them.")

    def one(self, slug: str, *, mend: bool) -> list[str]:
        problems = recompute(slug, mend=mend)
        self.stdout.write(f"{slug}: {' '.join(problems) or 'correct'}")
        return problems
