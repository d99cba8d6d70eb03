"""`check`, which with `--env-file` also finds the lines of a file with settings that no setting reads."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import check

from empire import apps


class Command(check.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--env-file", metavar="FILE", help="a file with settings; - reads it from standard input")

    def handle(self, *app_labels: Any, **options: Any) -> None:
        if path := options["env_file"]:
            try:
                text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise CommandError(f"Cannot read {path}: {getattr(error, 'strerror', error)}") from error
            apps.env_file[:] = text.splitlines()
        try:
            super().handle(*app_labels, **options)
        finally:
            apps.env_file.clear()
