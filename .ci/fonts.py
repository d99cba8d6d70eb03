"""Make the fonts of the pages, `empire/static/fonts`, from those of the pictures, `games/boards/fonts`.

They keep every character, which is all of Latin-1 and Latin Extended-A and a narrow space that we add, and lose what no
page uses: small capitals, and the hints for screens with few pixels. Needs the `maps` extra. Run it after changing a
font or a feature below.
"""

from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._g_l_y_f import Glyph

ROOT = Path(__file__).parents[1]
SOURCES, PAGES = ROOT / "games" / "boards" / "fonts", ROOT / "empire" / "static" / "fonts"
FONTS = {
    "Alegreya-Regular": "alegreya-400", "Alegreya-Italic": "alegreya-400-italic", "Alegreya-Bold": "alegreya-700",
    "AlegreyaSans-Regular": "alegreya-sans-400", "AlegreyaSans-Bold": "alegreya-sans-700",
}  # fmt: skip
# Those that the style sheets use (font-variant-numeric), ligatures, kerning, and the letter forms of languages
FEATURES = ["lnum", "tnum", "liga", "kern", "locl"]
NARROW = 0x202F  # the no-break space before ! ? ; and inside « »
SMOOTH = 15  # the bits of the gasp table: antialiased in both directions, at all sizes


def add_narrow_space(source: Path) -> None:
    """Give the font of the pictures the narrow no-break space of French: an eighth of the font size."""
    font = TTFont(source, recalcTimestamp=False)
    if NARROW in font.getBestCmap():
        return
    width = round(font["head"].unitsPerEm / 8)
    font.setGlyphOrder([*font.getGlyphOrder(), "uni202F"])
    if "glyf" in font:
        font["glyf"]["uni202F"] = Glyph()
    font["hmtx"].metrics["uni202F"] = (width, 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[NARROW] = "uni202F"
    font.save(source)


def make(source: Path, target: Path) -> None:
    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(Options(layout_features=FEATURES, hinting=False, notdef_outline=True))
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    font["gasp"] = newTable("gasp")
    font["gasp"].version, font["gasp"].gaspRange = 1, {0xFFFF: SMOOTH}
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    for source, target in FONTS.items():
        add_narrow_space(SOURCES / f"{source}.ttf")
        make(SOURCES / f"{source}.ttf", PAGES / f"{target}.woff2")
        print(target, (PAGES / f"{target}.woff2").stat().st_size)
