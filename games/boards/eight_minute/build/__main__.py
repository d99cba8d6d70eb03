"""`python -m games.boards.eight_minute.build [side …]` rebuilds the geometry of the boards."""

import json
import sys
from pathlib import Path

import msgspec

from games.boards.eight_minute.build.drawing import SIDES, alphabet
from games.boards.eight_minute.build.sheet import glyph_table, sheet
from games.boards.eight_minute.clusters import Usual, searched
from games.boards.eight_minute.geometry import drawn, posed, side_names

SIZES = (22.0, 22.1, 24.5, 26.8, 29.2)  # of a cell, on all maps: see `clusters.cell`
OUT = Path(__file__).parents[1] / "geometry"


def main(sides: list[str]) -> None:
    """Rebuild these sides, or all sides if none are given, the glyphs, and the letters."""
    (OUT / "_glyphs.json").write_text(json.dumps(glyph_table(), separators=(",", ":")) + "\n")
    letters = json.dumps(alphabet(), ensure_ascii=False, separators=(",", ":"))
    (OUT / "_letters.json").write_text(letters + "\n", encoding="utf-8")
    for side in sides or SIDES:
        text = json.dumps(sheet(side), ensure_ascii=False, separators=(",", ":"), indent=None)
        (OUT / f"{side}.json").write_text(text + "\n")
        print(f"{side}: {len(text) / 1000:.0f} kB")
    clusters = msgspec.json.encode({f"{size:g}": positions(size) for size in SIZES})
    (OUT / "_clusters.json").write_bytes(clusters + b"\n")


def positions(size: float) -> dict[str, list[dict[str, Usual]]]:
    """Search the positions of pieces of this size on all sides; those that lie alone are in pictures of one width."""
    return {
        side: [
            {region.id: searched(side, turns, region.id, size) for region in posed(side, turns)}
            for turns in range(len(drawn(side).regions[0].poses))
        ]
        for side in side_names()
        if size == SIZES[0] or not drawn(side).alone
    }


if __name__ == "__main__":
    main(sys.argv[1:])
