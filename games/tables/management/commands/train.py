"""`manage.py train`: train the weights of the stronger levels by self-play, without a database."""

import tomllib
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from time import process_time
from typing import Any

import tomlkit
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots.search import TRAINING
from games.rules.registry import RULESETS, get

TRAINABLE = [slug for slug, ruleset in RULESETS.items() if ruleset.family in TRAINING]


class Command(BaseCommand):
    help = (
        "Train the weights of Hard and Master by self-play, and write them with a record of the training. Kingdoms has"
        " another method: python -m games.bots.kingdoms.training"
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rulesets", nargs="*", metavar="RULESET", help=f"default: {', '.join(TRAINABLE)}")
        parser.add_argument(
            "--players", type=int, metavar="N", help="default: each number of players for which we ship weights"
        )
        parser.add_argument("--generations", type=int, help="by default as many as for the weights that we ship")
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same weights")
        parser.add_argument("--processes", type=int, default=1, metavar="N")
        parser.add_argument("--dry-run", action="store_true", help="write nothing, only print the weights")

    def handle(self, *args: Any, **chosen: Any) -> None:
        slugs = chosen["rulesets"] or TRAINABLE
        if unknown := set(slugs) - set(TRAINABLE):
            raise CommandError(f"unknown ruleset {', '.join(sorted(unknown))}; choose from {', '.join(TRAINABLE)}")
        for slug in slugs:
            if chosen["players"] not in (None, *get(slug).seat_counts):
                raise CommandError(f"{slug} has {', '.join(map(str, get(slug).seat_counts))} players")
        jobs = [
            (slug, players)
            for slug in slugs
            for players in ([chosen["players"]] if chosen["players"] else map(int, shipped(slug)))
        ]
        train = partial(trained, generations=chosen["generations"], seed=chosen["seed"])
        with ProcessPoolExecutor(chosen["processes"]) as pool:
            weights_by_job = dict(zip(jobs, pool.map(train, *zip(*jobs, strict=True)), strict=True))
        for file in sorted({TRAINING[get(slug).family].FILE for slug in slugs}):
            document = tomlkit.parse(file.read_text(encoding="utf-8"))
            for (slug, players), weights in weights_by_job.items():
                if file == TRAINING[get(slug).family].FILE:
                    document.setdefault(slug, {})[str(players)] = weights
            text = tomlkit.dumps(document)
            if chosen["dry_run"]:
                self.stdout.write(text)
            else:
                file.write_text(text, encoding="utf-8")


def shipped(slug: str) -> dict[str, Any]:
    """Return the weights of a ruleset and their records, by number of players."""
    weights: dict[str, Any] = tomllib.loads(TRAINING[get(slug).family].FILE.read_text(encoding="utf-8")).get(slug, {})
    return weights


def trained(slug: str, players: int, generations: int | None, seed: int) -> dict[str, Any]:
    """Return the weights of a ruleset for a number of players and the record of their training."""
    ruleset, began = get(slug), process_time()
    training = TRAINING[ruleset.family]
    if generations is None:
        record_before = shipped(slug).get(str(players), {}).get("record", {})
        generations = record_before.get("generations", training.GENERATIONS)
    steps = list(training.train(ruleset, players, generations, Random(f"{slug}/{seed}").gauss))
    lead, won = training.checked(ruleset, players, steps[-1].weights, 2 * training.CHECKED // players)
    record = {
        "seed": seed,
        "generations": generations,
        "games": generations * 2 * training.PAIRS * (training.GAMES // players * players),
        "lead_of_first_generation": round(steps[0].lead, 2),
        "processor_minutes": round((process_time() - began) / 60, 1),
        "wins_against_untrained": round(won, 3),
        "lead_over_untrained": round(lead, 2),
    }
    return {"record": record, "weights": steps[-1].weights._asdict()}
