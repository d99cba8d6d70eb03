"""`manage.py export GAME [--seat N]`: write the record of a game to standard output."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.errors import NotFound
from games.tables.selectors import rights
from games.tables.services import records


class Command(BaseCommand):
    help = "Write a game's record: all of it if the game is over, otherwise what the seat or a spectator may see."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the id of the game")
        parser.add_argument("--seat", type=int, help="as this seat may see it, counted from 0")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game, seats = rights.find(options["game"])
            data = records.export_for(game=game, seats=seats, seat=options["seat"])
        except NotFound:
            raise CommandError("There is no started game with this ID.") from None
        self.stdout.write(data.decode(), ending="")
