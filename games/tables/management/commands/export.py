"""`manage.py export GAME [--seat N]`: the record of a game on standard output."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.errors import NotFound
from games.tables.selectors import rights
from games.tables.services import records


class Command(BaseCommand):
    help = "Write a game's record: whole when it has ended, before that what the seat, or a watcher, may know."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the id of the game")
        parser.add_argument("--seat", type=int, help="as this seat may know it; counted from 0")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game, seats = rights.find(public_id=options["game"])
            data = records.export_for(game=game, seats=seats, seat=options["seat"])
        except NotFound:
            raise CommandError("There is no game with this id that has begun.") from None
        self.stdout.write(data.decode(), ending="")
