"""`manage.py import FILE`: import the record of a finished game."""

# ruff: noqa: N999 - the module name is the command name

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from games.errors import RecordError
from games.tables.services import records


class Command(BaseCommand):
    help = "Verify and import the record of a finished game, and print its new ID."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", help="the owner of the imported game; others need its link to see it")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if options["user"] and user is None:
            raise CommandError("There is no player with this name.")
        try:
            game = records.take_in(data=options["file"].read_bytes(), user=user)
        except OSError as problem:
            raise CommandError(f"Cannot read the file: {problem.strerror}.") from None
        except RecordError as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(game.public_id)
