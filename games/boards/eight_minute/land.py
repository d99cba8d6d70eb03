"""The land of a layout as one picture: the sheets of a chart laid together. It never changes, so pages cache it.

The parts that turn with a board are one fragment per side (`ground`). The upright parts, glyphs and the sea's title,
are one fragment per side and quarter turn. Corners not covered by a sheet show a compass rose and a scroll.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from html import escape

from games.boards.eight_minute.geometry import MARGIN, Box, Picture, Sheet, Slot, drawn, picture
from games.boards.eight_minute.ground import ground, ways
from games.boards.eight_minute.paint import Page, Title, glyphs, ink, painted, sea

Ornament = tuple[str, float, float, float]  # glyph, middle, size
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))  # at the right, at the bottom
BEARINGS = ((1, 0), (4, 1), (2, 1), (4, 3), (1, 1), (3, 4), (1, 2), (1, 4), (0, 1))


@lru_cache(maxsize=256)
def land(text: str, theme: str) -> str:
    """Return a standalone SVG document for the text of a picture; `theme` is `light` or `dark`."""
    view = picture(text)
    ornaments = _ornaments(view)
    size = f'width="{view.width:g}" height="{view.height:g}"'
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {view.width:g} {view.height:g}" {size} role="img">',
        _words(view),
        _symbols(_names(ornaments, *view.sheets), theme),
        _below(view, ornaments, theme),
        *(_sheet(sheet, theme) for sheet in view.sheets),
        "</svg>",
    )
    return "".join(parts)


def below(text: str, theme: str) -> str:
    """Return only the part of the land below its sheets, as a fragment."""
    view = picture(text)
    ornaments = _ornaments(view)
    return _symbols(_names(ornaments), theme) + _below(view, ornaments, theme)


def alone(side: str, turns: int, theme: str) -> str:
    """Return one sheet of the land, as a fragment around its middle."""
    sheet = Sheet("", side, turns, 0, 0)
    return _symbols(_names([], sheet), theme) + _sheet(sheet, theme)


def _below(view: Picture, ornaments: list[Ornament], theme: str) -> str:
    parts = (
        *(_blank(slot, theme) for slot in view.slots),
        *(_water(sheet, theme) for sheet in view.sheets),
        _rhumbs(view, ornaments, theme),
        *(_standing(*ornament) for ornament in ornaments),
    )
    return "".join(parts)


def _words(view: Picture) -> str:
    if not view.sheets:
        return "<title>An empty table</title>"
    sides = [drawn(sheet.side) for sheet in view.sheets]
    told = " ".join(f"{side.title}: {', '.join(region.name for region in side.regions)}." for side in sides)
    return f"<title>{escape(', '.join(side.title for side in sides))}</title><desc>{escape(told)}</desc>"


# The sheets


def _sheet(sheet: Sheet, theme: str) -> str:
    below, above = ground(sheet.side, theme), ways(sheet.side, theme)
    return _turned(sheet, below) + _frame(sheet, theme) + _turned(sheet, above) + _upright(sheet, theme)


def _rect(box: Box, inset: float) -> str:
    left, top, right, bottom = box
    width, height = right - left - 2 * inset, bottom - top - 2 * inset
    return f'<rect x="{left + inset:g}" y="{top + inset:g}" width="{width:g}" height="{height:g}"'


def _water(sheet: Sheet, theme: str) -> str:
    """Draw the paper with its shadow, and the sea."""
    left, top, right, bottom = sheet.box
    shadow = _rect((left + 1.4, top + 2, right + 1.4, bottom + 2), -0.6)
    return (
        f'{shadow} fill="{ink(theme, "shadow")}" fill-opacity=".22"/>'
        f'{_rect(sheet.box, 0)} fill="{ink(theme, "paper")}"/>{_rect(sheet.box, 2.6)} fill="{sea(theme, sheet.side)}"/>'
    )


def _blank(slot: Slot, theme: str) -> str:
    """Draw the faint outline of a place where a sheet can go."""
    pen = f'stroke="{ink(theme, "ink")}" stroke-width=".6" stroke-opacity=".4"'
    return f'{_rect(slot.box, 7)} rx="3" fill="{ink(theme, "shallow")}" fill-opacity=".28" {pen}/>'


def _frame(sheet: Sheet, theme: str) -> str:
    """Draw the degrees around the sea, and again the rim of the paper over water that crossed it."""
    return (
        f'<g fill="none" stroke="{ink(theme, "ink")}">'
        f'{_rect(sheet.box, 1.3)} stroke="{ink(theme, "paper")}" stroke-width="2.6"/>'
        f'{_rect(sheet.box, 3.7)} stroke="{sea(theme, sheet.side)}" stroke-width="2.2"/>'
        f'{_rect(sheet.box, 2.6)} stroke-width=".5"/>'
        f'{_rect(sheet.box, 3.7)} stroke-width="1.4" stroke-dasharray="9.62 9.62" stroke-opacity=".75"/>'
        f'{_rect(sheet.box, 4.8)} stroke-width=".5"/></g>'
    )


def _turned(sheet: Sheet, fragment: str) -> str:
    """Place a fragment of the upright sheet, in tenths, at the sheet's position and turn."""
    turn = f" rotate({90 * sheet.turns})" if sheet.turns else ""
    width, height = drawn(sheet.side).size
    place = f"translate({sheet.x:g} {sheet.y:g}){turn} scale(.1) translate(-{5 * width} -{5 * height})"
    return f'<g transform="{place}">{fragment}</g>'


def _rhumbs(view: Picture, ornaments: list[Ornament], theme: str) -> str:
    """Draw lines of constant bearing over all sheets and free places, from the compass rose or else from a corner."""
    x, y = next(((x, y) for name, x, y, _ in [*ornaments, *_drawn_roses(view)] if name == "compass"), (0, 0))
    seas = [_inner(sheet.box, 5) for sheet in view.sheets] + [_inner(slot.box, 8) for slot in view.slots]
    bearings = {(dx * side, dy) for dx, dy in BEARINGS for side in (1, -1)} - {(-1, 0)}
    rays = "".join(_ray(x, y, dx, dy, box) for dx, dy in sorted(bearings) for box in seas)
    return f'<path d="{rays}" stroke="{ink(theme, "rhumb")}" stroke-width=".5" stroke-opacity=".32"/>'


def _inner(box: Box, inset: float) -> Box:
    return box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset


def _drawn_roses(view: Picture) -> Iterator[Ornament]:
    """Yield the compass roses in the seas of the sheets."""
    for sheet in view.sheets:
        for name, x, y, size in _page(sheet).glyphs:
            if name == "compass":
                yield (name, *sheet.point(x / 10, y / 10), size / 100)


def _ray(x: float, y: float, dx: float, dy: float, box: Box) -> str:
    """Return the part of a line through a point that is inside a box."""
    enter, leave = -1e9, 1e9
    for at, step, low, high in ((x, dx, box[0], box[2]), (y, dy, box[1], box[3])):
        if step:
            near, far = sorted(((low - at) / step, (high - at) / step))
            enter, leave = max(enter, near), min(leave, far)
        elif not low < at < high:
            return ""
    if enter >= leave:
        return ""
    return f"M{x + enter * dx:.1f} {y + enter * dy:.1f}L{x + leave * dx:.1f} {y + leave * dy:.1f}"


# Upright parts


def _page(sheet: Sheet) -> Page:
    return painted(sheet.side).pages[sheet.turns]


def _names(ornaments: list[Ornament], *sheets: Sheet) -> set[str]:
    """Return the names of the glyphs used."""
    return {name for name, *_ in ornaments} | {glyph[0] for sheet in sheets for glyph in _page(sheet).glyphs}


def _symbols(names: set[str], theme: str) -> str:
    return f"<defs>{''.join(_symbol(name, theme) for name in sorted(names))}</defs>"


@cache
def _symbol(name: str, theme: str) -> str:
    """Define a glyph around the middle of its box."""
    glyph = glyphs()[name]
    strokes = "".join(_stroke(*stroke, theme=theme) for stroke in glyph.strokes)
    place = f'transform="translate(0 {glyph.height / 2:g})"'
    return f'<g id="{name}" {place} stroke-linecap="round" stroke-linejoin="round">{strokes}</g>'


def _stroke(fill: str, stroke: str, width: float, d: str, *, theme: str) -> str:
    thin = ' fill-opacity=".5"' if fill in ("dim", "glow") else ""
    pen = f' stroke="{ink(theme, stroke)}" stroke-width="{width:g}"' if stroke != "none" else ""
    return f'<path d="{d}" fill="{ink(theme, fill)}"{thin}{pen}/>'


def _standing(name: str, x: float, y: float, size: float) -> str:
    if size == 1:
        return f'<use href="#{name}" x="{x:g}" y="{y:g}"/>'
    return f'<use href="#{name}" transform="translate({x:g} {y:g}) scale({size:g})"/>'


def _upright(sheet: Sheet, theme: str) -> str:
    return f'<g transform="translate({sheet.x:g} {sheet.y:g})">{_scene(sheet.side, sheet.turns, theme)}</g>'


@cache
def _scene(side: str, turns: int, theme: str) -> str:
    """Draw the glyphs from back to front and the names in the sea, around the middle of the sheet."""
    sheet = Sheet("", side, turns, 0, 0)
    page = _page(sheet)
    placed = [(name, *sheet.point(x / 10, y / 10), size / 100) for name, x, y, size in page.glyphs]
    placed.sort(key=lambda one: one[2] + glyphs()[one[0]].height * one[3] / 2)
    return "".join(_standing(*one) for one in placed) + "".join(_title(title, sheet, theme) for title in page.titles)


def _title(title: Title, sheet: Sheet, theme: str) -> str:
    x, y = sheet.point(title[0] / 10, title[1] / 10)
    return f'<path transform="translate({x:g} {y:g})" fill="{ink(theme, "title")}" d="{title[2]}"/>'


# Corners not covered by a sheet


def _ornaments(view: Picture) -> list[Ornament]:
    """Place a compass rose in the largest corner and a scroll in the next."""
    rooms = sorted((_room(view, corner) for corner in CORNERS), key=lambda box: -_fits("compass", box))
    found = []
    for name, box in zip(("compass", "cartouche"), rooms, strict=False):
        if (size := min(_fits(name, box), 1.5)) > 0.4:
            found.append((name, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, round(size, 2)))
    return found


def _fits(name: str, box: Box) -> float:
    """Return how many times its size a glyph may have in a box, with some margin."""
    glyph = glyphs()[name]
    return min((box[2] - box[0] - 14) / glyph.width, (box[3] - box[1] - 14) / glyph.height)


def _room(view: Picture, corner: tuple[int, int]) -> Box:
    """Return the largest box in a corner of the picture that no sheet covers."""
    right, low = corner
    taken = [sheet.box for sheet in view.sheets] + [slot.box for slot in view.slots]
    xs = {edge for box in taken for edge in box[::2]} | {0.0, view.width}
    ys = {edge for box in taken for edge in box[1::2]} | {0.0, view.height}
    across = [(x, view.width) if right else (0.0, x) for x in xs]
    down = [(y, view.height) if low else (0.0, y) for y in ys]
    boxes = [(left, top, end, bottom) for left, end in across for top, bottom in down]
    free = [box for box in boxes if not any(_overlap(box, other) for other in taken)]
    return max(free, key=lambda box: min(box[2] - box[0], box[3] - box[1]), default=(0.0, 0.0, MARGIN, MARGIN))


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
