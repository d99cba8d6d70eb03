"""Redraw the app icons."""

from typing import Any

from django.core.management.base import BaseCommand

from empire.icons import ICONS, IMAGES, drawn


class Command(BaseCommand):
    help = __doc__ or ""

    def handle(self, **options: Any) -> None:
        for name in ICONS:
            (IMAGES / f"{name}.png").write_bytes(drawn(name))
