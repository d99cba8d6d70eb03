"""The land of a layout as one picture: sheets of a chart laid together. It never changes, so pages keep it for good."""

from functools import lru_cache
from html import escape

from games.boards.geometry import Picture, drawn, outline, pairs, picture

TONES = {
    "light": ("#e6d9ac", "#cfd8a0", "#d9c08a", "#b9cc9a", "#c7a98a"),
    "dark": ("#3d4436", "#35463f", "#4a4334", "#2f4038", "#4b3a33"),
}
SEA = {"light": "#9fc3bf", "dark": "#10202c"}
INK = {"light": "#4a3c22", "dark": "#cdbf95"}


@lru_cache(maxsize=256)
def land(layout: str, theme: str) -> str:
    """A standalone SVG document; `theme` is `light` or `dark`."""
    view = picture(layout)
    size = f'viewBox="0 0 {view.width:g} {view.height:g}" width="{view.width:g}" height="{view.height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{_words(view)}'
    return head + "".join(_sheets(view, theme)) + "</svg>"


def _words(view: Picture) -> str:
    titles = ", ".join(drawn(sheet.side).title for sheet in view.sheets)
    return f"<title>{escape(titles)}</title><desc>{escape(', '.join(r.name for r in view.regions.values()))}</desc>"


def _sheets(view: Picture, theme: str) -> list[str]:
    parts = []
    for sheet in view.sheets:
        turn = f"translate({sheet.x:g} {sheet.y:g}) rotate({90 * sheet.turns}) translate(-100 -150)"
        regions = "".join(
            f'<path d="{outline(tuple((x / 10, y / 10) for x, y in pairs(region.outline)))}" '
            f'fill="{TONES[theme][region.tone]}" stroke="{INK[theme]}" stroke-width="1" stroke-linejoin="round"/>'
            for region in drawn(sheet.side).regions
        )
        parts.append(f'<g transform="{turn}"><rect width="200" height="300" fill="{SEA[theme]}"/>{regions}</g>')
    return parts
