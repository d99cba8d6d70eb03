"""Drawings as PNG, lettered in our own fonts on every machine."""

from base64 import b64encode
from pathlib import Path

import resvg_py

FONTS = tuple(str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.ttf")))


def png(svg: str, width: int) -> bytes:
    """Render an SVG `width` pixels wide, in its own proportions."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=list(FONTS), skip_system_fonts=True)
    return bytes(drawn)


def data_url(png: bytes) -> str:
    """Return the URL of an image that contains the image."""
    return f"data:image/png;base64,{b64encode(png).decode()}"
