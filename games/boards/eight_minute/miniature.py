"""A position in miniature, for lists: who controls which region, drawn in a few kilobytes and within a millisecond.

It shows what is public only: the land in flat colors and the color and shape of each region's controller. It needs no
fonts and loads nothing, and its colors suit light and dark pages.
"""

from functools import cache
from itertools import pairwise

from games.boards.eight_minute.geometry import Region, picture, posed, simplified
from games.boards.eight_minute.land import sea, tone
from games.boards.eight_minute.lying import shown
from games.boards.themes import SHAPES, colours
from games.rules.eight_minute.view import View

COARSE = 25  # tenths of a unit that an outline may differ from the coast
COAST = "#4a3a24"
MARK = 1.35  # size of a controller's shape; it has a radius of about 10 units at 1


def miniature(view: View) -> str:
    """Draw the board as a standalone SVG."""
    board, paints = picture(shown(view)), colours(len(view.players))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {board.size}><g stroke="{COAST}" stroke-linejoin="round">']
    for left, top, right, bottom in (slot.box for slot in board.slots):
        box = f'x="{left + 9:g}" y="{top + 9:g}" width="{right - left - 18:g}" height="{bottom - top - 18:g}"'
        parts.append(f'<rect {box} fill="none" stroke="#8a744c" stroke-width="3" stroke-dasharray="12 10"/>')
    for sheet in board.sheets:
        left, top, right, bottom = sheet.box
        box = f'x="{left + 2:g}" y="{top + 2:g}" width="{right - left - 4:g}" height="{bottom - top - 4:g}"'
        parts.append(f'<rect {box} rx="5" fill="{sea("light", sheet.side)}"/>')
        outlines = _outlines(sheet.side, sheet.turns)
        regions = [region for region in board.regions.values() if region.sheet == sheet]
        land = ""
        for region in regions:
            controller = view.regions[region.id].controller
            fill = tone("light", region.side, region.tone) if controller is None else paints[controller].fill
            land += f'<path d="{outlines[region.id]}" fill="{fill}"/>'
        parts.append(f'<g transform="translate({sheet.x:g} {sheet.y:g})" stroke-width="2">{land}</g>')
    parts.append('</g><g stroke="#fffaf0" stroke-width="3" paint-order="stroke">')
    for region in board.regions.values():
        controller = view.regions[region.id].controller
        if controller is not None:
            paint, (x, y) = paints[controller], region.anchors[0]
            place = f'transform="translate({x:g} {y:g}) scale({MARK})"'
            parts.append(f'<path d="{SHAPES[paint.shape]}" {place} fill="{paint.edge}"/>')
    return "".join((*parts, "</g></svg>"))


@cache
def _outlines(side: str, turns: int) -> dict[str, str]:
    """Return each region's outline around the middle of its sheet, as a path in whole units."""
    return {region.id: _path(region) for region in posed(side, turns)}


def _path(region: Region) -> str:
    points = [(round(x), round(y)) for x, y in simplified(region, COARSE)]
    steps = " ".join(f"{x - px} {y - py}" for (px, py), (x, y) in pairwise(points))
    return f"M{points[0][0]} {points[0][1]}l{steps}Z".replace(" -", "-")
