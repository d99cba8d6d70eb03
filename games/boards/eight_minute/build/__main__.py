"""`python -m games.boards.eight_minute.build [side …]` rebuilds the geometry of the boards."""

import json
import sys
from pathlib import Path

from games.boards.eight_minute.build.drawing import SIDES, alphabet
from games.boards.eight_minute.build.sheet import glyph_table, sheet

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


if __name__ == "__main__":
    main(sys.argv[1:])
