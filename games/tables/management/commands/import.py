"""`manage.py import FILE`: take in the record of a finished game."""

# ruff: noqa: N999 - the name is the command's

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from games.errors import RecordError
from games.tables.services import records


class Command(BaseCommand):
    help = "Take in the record of a finished game, checked to the last draw. Prints the id that it has here."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", help="whose game it is from now on; nobody else sees it without its link")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if options["user"] and user is None:
            raise CommandError("There is no player of this name.")
        try:
            game = records.take_in(data=options["file"].read_bytes(), user=user)
        except OSError as problem:
            raise CommandError(f"The file cannot be read: {problem.strerror}.") from None
        except RecordError as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(game.public_id)
