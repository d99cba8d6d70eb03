"""All glyphs of the charts: unique ones (`drawings/glyphs.toml`), common things, and ornaments."""

import tomllib

import numpy as np

from games.boards.eight_minute.build.drawing import FOLDER
from games.boards.eight_minute.build.hands import COMMON
from games.boards.eight_minute.build.ornaments import cartouche, compass
from games.boards.eight_minute.build.stroke import Glyph


def _heroes() -> dict[str, Glyph]:
    table = tomllib.loads((FOLDER / "glyphs.toml").read_text())
    return {
        kind: Glyph(drawn["box"][0], drawn["box"][1], [tuple(stroke) for stroke in drawn["ink"]])
        for kind, drawn in table.items()
    }


def glyphs() -> dict[str, Glyph]:
    """Return every glyph by name; common things have variants: `tree-1`, `tree-2` …"""
    hand = np.random.default_rng(8)
    common = {f"{kind}-{n + 1}": draw(hand) for kind, (count, draw) in COMMON.items() for n in range(count)}
    return common | _heroes() | {"compass": compass(), "cartouche": cartouche()}


def variants(kind: str) -> list[str]:
    """Return the names of a kind's variants."""
    return [f"{kind}-{n + 1}" for n in range(COMMON[kind][0])] if kind in COMMON else [kind]
