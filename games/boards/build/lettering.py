"""Lettering as outlines, so that a picture shown as an image needs no font."""

from pathlib import Path

FONTS = Path(__file__).parents[1] / "fonts"
