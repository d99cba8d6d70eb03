"""Redraw the app icons as PNG, for phones without SVG support."""

from pathlib import Path
from typing import Any

import resvg_py
from django.conf import settings
from django.core.management.base import BaseCommand

IMAGES = Path(settings.BASE_DIR) / "empire" / "static" / "img"
ICONS = {"app-180": "app", "app-192": "app", "app-512": "app", "badge-96": "badge"}  # the number is the size in pixels


def drawn(name: str) -> bytes:
    svg = (IMAGES / f"{ICONS[name]}.svg").read_text()
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=int(name.rpartition("-")[2])))


class Command(BaseCommand):
    help = __doc__ or ""

    def handle(self, **options: Any) -> None:
        for name in ICONS:
            (IMAGES / f"{name}.png").write_bytes(drawn(name))
