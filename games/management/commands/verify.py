"""`manage.py verify GAME|FILE|--all`: prove that a game is what its rules, its seed and its players made it."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Game
from games.rules.record import verify
from games.services import records
from games.services.errors import RecordError


class Command(BaseCommand):
    help = "Check the chain, the seed, every draw and decision, and the score. The exit code is 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="*", metavar="GAME|FILE", help="ids of games, or record files")
        parser.add_argument("--all", action="store_true", help="every game that has begun")

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["what"]) == options["all"]:
            raise CommandError("Name games or record files, or say --all.")
        checked = self.all_games() if options["all"] else map(self.named, options["what"])
        bad = sum(self.tell(name, problems) for name, problems in checked)
        if bad:
            raise CommandError(f"Not as they should be: {bad}.")

    def all_games(self) -> Iterator[tuple[str, list[str]]]:
        for game in Game.objects.filter(seq__gte=0).order_by("pk").iterator():
            yield game.public_id, records.verify(game=game)

    def named(self, what: str) -> tuple[str, list[str]]:
        game = Game.objects.filter(public_id=what, seq__gte=0).first()
        return what, records.verify(game=game) if game else self.file(what)

    def file(self, name: str) -> list[str]:
        try:
            data = Path(name).read_bytes()
        except OSError:
            return ["There is no game with this id that has begun, and no such file."]
        try:
            return verify(records.read(data))
        except RecordError as problem:
            return [str(problem)]

    def tell(self, name: str, problems: Iterable[str]) -> bool:
        problems = list(problems)
        self.stdout.write(f"{name}: {' '.join(problems) or 'as it should be'}")
        return bool(problems)
