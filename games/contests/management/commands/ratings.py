"""`manage.py ratings`: recompute ratings and statistics from the logs, or evaluate the rating model."""

import sys
from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from games.contests.ratings import calibration, evaluation, generators, model
from games.contests.ratings.recompute import recompute
from games.rules.registry import RULESETS

ENOUGH = 500  # contests of the site, before models are compared on them
LATEST = 20_000
FRESH = (101, 102, 103, 104)  # series of drawn results on which nothing was tuned
FRESH_BOTS = (2,)


class Command(BaseCommand):
    help = "Recompute all ratings and statistics from the logs. The exit code is 1 if rows differ, without --mend."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="all rulesets by default")
        parser.add_argument("--mend", action="store_true", help="correct rows that differ from the logs")
        parser.add_argument("--evaluate", action="store_true", help="compare the rating model with others instead")
        parser.add_argument(
            "--play", type=int, metavar="SERIES", help="let bots play a series for --evaluate, and print its contests"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for slug in options["rulesets"]:
            if slug not in RULESETS:
                raise CommandError(f"There is no ruleset {slug}; there are {', '.join(RULESETS)}.")
        if options["play"] is not None:
            for contest in generators.bots(options["play"]):
                self.stdout.write(msgspec.json.encode(contest).decode())
                sys.stdout.flush()
            return
        if options["evaluate"]:
            self.evaluate(options["rulesets"] or list(RULESETS))
            return
        problems = [self.recompute(slug, mend=options["mend"]) for slug in options["rulesets"] or RULESETS]
        if any(problems) and not options["mend"]:
            raise CommandError("Some rows differ from the logs. Run with --mend to correct them.")

    def recompute(self, slug: str, *, mend: bool) -> list[str]:
        problems = recompute(slug, mend=mend)
        self.stdout.write(f"{slug}: {' '.join(problems) or 'correct'}")
        return problems

    def evaluate(self, rulesets: list[str]) -> None:
        bots = [contests for number in FRESH_BOTS if (contests := generators.kept_games(number))]
        drawn = [list(generators.drawn(number)) for number in FRESH]
        sources = {"Bots by the real rules": bots, "Drawn results": drawn}
        for slug in rulesets:
            own = calibration.as_contests(slug, LATEST)
            if len(own) >= ENOUGH:
                sources[f"This site, {slug}"] = [own]
            else:
                self.stdout.write(f"{slug}: {len(own)} contests on this site; {ENOUGH} are enough to compare models.")
        for name, series in sources.items():
            self.stdout.write(f"\n{name}: {sum(map(len, series)):,} contests")
            self.stdout.write(f"{'model':<12} {'log-loss':>8} {'± s.e.':>8}   {'difference':>14} {'± s.e.':>8}")
            for loss in evaluation.compare(series):
                more = f"{loss.more:>+14.4f} {loss.more_error:>8.4f}"
                self.stdout.write(f"{loss.name:<12} {loss.mean:>8.4f} {loss.error:>8.4f}   {more}")
            predicted = [pairs for contests in series for pairs in evaluation.predictions(evaluation.Ours(), contests)]
            results = [(number, *pair) for number, pairs in enumerate(predicted) for pair in pairs]
            self.stdout.write("Favorites of our model, in tenths: predicted, actual, ± 95%")
            for tenth in calibration.deciles(results):
                self.stdout.write(f"  {tenth.predicted:5.1f}%  {tenth.actual:5.1f}%  ± {tenth.doubt:.1f}")
        self.stdout.write("\nContests until a player who suddenly improves is recognized")
        for kind in (evaluation.Ours, evaluation.OpenSkill, evaluation.TrueSkill, evaluation.Elo):
            self.stdout.write(f"{kind.name:<12} {evaluation.recovery(kind):6.1f}")
        if bot_contests := [contest for number in (1, 2) for contest in generators.kept_games(number)]:
            worth = evaluation.information_of_full_games(bot_contests)
            self.stdout.write(f"\nA full game is worth {worth:.2f} single games; the model uses {model.FULL_GAME}.")
