"""Draw the parts of pictures in emails and previews before they are needed, for all processes of this machine.

Run it after each installation. Without it, the first pictures of each map take up to a second of processor time.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import gettext, override

from games.boards.sprites import MEGABYTE
from games.boards.themes import THEMES
from games.notices.delivery.families import PARTS
from games.tables.apps import sprites_folder


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        drawn = 0
        for language, _name in settings.LANGUAGES:
            with override(language):
                for family in PARTS.values():
                    drawn += sum(family.prepare(theme, gettext, language) for theme in THEMES)
        folder = sprites_folder()
        used = folder.sweep()
        if not folder.is_writable:
            self.stderr.write(f"Sprites cannot be kept in {folder.folder}, so each process draws its own.")
        self.stdout.write(f"Drew {drawn} sprites. {folder.folder} has {used / MEGABYTE:.0f} MB.")
