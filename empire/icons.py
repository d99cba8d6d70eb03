"""The app icons as PNG, for phones without SVG support. `manage.py icons` redraws them."""

from pathlib import Path

import resvg_py
from django.conf import settings

IMAGES = Path(settings.BASE_DIR) / "empire" / "static" / "img"
ICONS = {"app-180": "app", "app-192": "app", "app-512": "app", "badge-96": "badge"}  # the number is the size in pixels


def drawn(name: str) -> bytes:
    svg = (IMAGES / f"{ICONS[name]}.svg").read_text()
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=int(name.rpartition("-")[2])))
