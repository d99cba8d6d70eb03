"""The land of a layout as one picture: sheets of a chart laid together. It never changes, so pages keep it for good.

What turns with a board (coasts, borders, routes) is one fragment for each side; what stays upright (glyphs, the title in the
sea) one for each side and quarter turn. Colours are mixed from `geometry/_paint.toml`.
"""

import tomllib
from functools import cache, lru_cache
from html import escape
from typing import Any, NamedTuple

import msgspec

from games.boards.geometry import FOLDER, HEIGHT, MARGIN, WIDTH, Picture, Sheet, drawn, outline, pairs, picture

Box = tuple[float, float, float, float]
Standing = tuple[str, int, int, int]  # glyph, middle of its box in tenths, size in hundredths
Title = tuple[int, int, str]  # middle in tenths, outlines of the letters around it
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


class Page(msgspec.Struct, frozen=True):
    """What stands upright on a sheet that lies one way."""

    glyphs: tuple[Standing, ...]
    title: Title


class PaintedRegion(msgspec.Struct, frozen=True):
    tone: int
    washes: tuple[str, ...]


class Way(msgspec.Struct, frozen=True):
    line: tuple[int, ...]


class PaintedSide(msgspec.Struct, frozen=True):
    """What one JSON file holds for painting: paths in units of the upright sheet."""

    regions: tuple[PaintedRegion, ...]
    routes: tuple[Way, ...]
    bridges: tuple[Way, ...]
    coast: str
    borders: str
    ripples: tuple[str, ...]
    lakes: tuple[str, ...]
    cliffs: str
    pages: tuple[Page, Page, Page, Page]


class Glyph(NamedTuple):
    """Strokes (fill, stroke, width of the pen, path) over a foot at 0 0."""

    width: float
    height: float
    strokes: tuple[tuple[str, str, float, str], ...]


@cache
def _painted(side: str) -> PaintedSide:
    return msgspec.json.decode((FOLDER / f"{side}.json").read_bytes(), type=PaintedSide)


@cache
def _glyphs() -> dict[str, Glyph]:
    return msgspec.json.decode((FOLDER / "_glyphs.json").read_bytes(), type=dict[str, Glyph])


@cache
def _paint(theme: str) -> dict[str, Any]:
    paint: dict[str, Any] = tomllib.loads((FOLDER / "_paint.toml").read_text())[theme]
    return paint


def _ink(theme: str, name: str) -> str:
    return name if name == "none" else str(_paint(theme)["inks"][name])


def mix(colour: str, other: str, share: float) -> str:
    """The colour with a share of the other in it; both as `#rrggbb`."""
    ours, theirs = bytes.fromhex(colour[1:]), bytes.fromhex(other[1:])
    return "#" + bytes(round(a + (b - a) * share) for a, b in zip(ours, theirs, strict=True)).hex()


@lru_cache(maxsize=256)
def land(layout: str, theme: str) -> str:
    """A standalone SVG document; `theme` is `light` or `dark`."""
    view = picture(layout)
    corners = _ornaments(view)
    names = {name for name, *_ in corners} | {glyph[0] for sheet in view.sheets for glyph in _page(sheet).glyphs}
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {view.width:g} {view.height:g}" '
            f'width="{view.width:g}" height="{view.height:g}" role="img">',
            _words(view),
            "<defs>" + "".join(_symbol(name, theme) for name in sorted(names)) + "</defs>",
            *(_water(sheet, theme) for sheet in view.sheets),
            _rhumbs(view, corners, theme),
            *(_standing(*ornament) for ornament in corners),
            *(_turned(sheet, _ground(sheet.side, theme)) + _upright(sheet, theme) for sheet in view.sheets),
            "</svg>",
        )
    )


def _words(view: Picture) -> str:
    titles = [drawn(sheet.side).title for sheet in view.sheets]
    told = [f"{drawn(s.side).title}: {', '.join(r.name for r in drawn(s.side).regions)}." for s in view.sheets]
    return f"<title>{escape(', '.join(titles))}</title><desc>{escape(' '.join(told))}</desc>"


def _page(sheet: Sheet) -> Page:
    return _painted(sheet.side).pages[sheet.turns]


# The sea


def _rect(box: Box, inset: float) -> str:
    left, top, right, bottom = box
    return f'x="{left + inset:g}" y="{top + inset:g}" width="{right - left - 2 * inset:g}" height="{bottom - top - 2 * inset:g}"'


def _water(sheet: Sheet, theme: str) -> str:
    """The paper with its shadow, the sea, and the frame of degrees round it."""
    shadow = f'<rect {_rect(sheet.box, -0.6)} transform="translate(1.4 2)" fill="{_ink(theme, "shadow")}" fill-opacity=".22"/>'
    return (
        f'{shadow}<rect {_rect(sheet.box, 0)} fill="{_ink(theme, "paper")}"/>'
        f'<rect {_rect(sheet.box, 2.6)} fill="{_paint(theme)["sea"][sheet.side]}"/>'
        f'<g fill="none" stroke="{_ink(theme, "ink")}">'
        f'<rect {_rect(sheet.box, 2.6)} stroke-width=".5"/>'
        f'<rect {_rect(sheet.box, 3.7)} stroke-width="1.5" stroke-dasharray="9.62 9.62" stroke-opacity=".75"/>'
        f'<rect {_rect(sheet.box, 4.8)} stroke-width=".5"/></g>'
    )


def _rhumbs(view: Picture, corners: list[tuple[str, float, float, float]], theme: str) -> str:
    """Lines of constant bearing over all sheets, from the compass rose."""
    x, y = next(((x, y) for name, x, y, _ in corners if name == "compass"), (view.width / 2, view.height / 2))
    far = [(8, 0), (8, 2), (8, 4), (6, 6), (4, 8), (2, 8), (0, 8), (-2, 8), (-4, 8), (-6, 6), (-8, 4), (-8, 2)]
    seas = [tuple(edge + inset for edge, inset in zip(sheet.box, (5, 5, -5, -5), strict=True)) for sheet in view.sheets]
    rays = "".join(_ray(x, y, dx, dy, sea) for dx, dy in far for sea in seas)
    return f'<path d="{rays}" stroke="{_ink(theme, "rhumb")}" stroke-width=".6" stroke-opacity=".4"/>'


def _ray(x: float, y: float, dx: float, dy: float, sea: tuple[float, ...]) -> str:
    """What a sea shows of the line through a point."""
    enter, leave = -1e9, 1e9
    for at, step, low, high in ((x, dx, sea[0], sea[2]), (y, dy, sea[1], sea[3])):
        if step:
            near, away = sorted(((low - at) / step, (high - at) / step))
            enter, leave = max(enter, near), min(leave, away)
        elif not low < at < high:
            return ""
    if enter >= leave:
        return ""
    return f"M{x + enter * dx:.1f} {y + enter * dy:.1f}L{x + leave * dx:.1f} {y + leave * dy:.1f}"


# The land


def _turned(sheet: Sheet, fragment: str) -> str:
    turn = f" rotate({90 * sheet.turns})" if sheet.turns else ""
    return f'<g transform="translate({sheet.x:g} {sheet.y:g}){turn} translate(-{WIDTH / 2:g} -{HEIGHT / 2:g})">{fragment}</g>'


@cache
def _ground(side: str, theme: str) -> str:
    """All that turns with the board, on the upright sheet."""
    ours = _painted(side)
    return "".join(
        (
            f'<defs><path id="coast-{side}" d="{ours.coast}"/></defs>',
            '<g fill="none" stroke-linejoin="round" stroke-linecap="round">',
            _shallows(ours, side, theme),
            *(_painted_region(region, side, theme) for region in ours.regions),
            _lines(ours, side, theme),
            *(_bridge(way, theme) for way in ours.bridges),
            _routes(ours, theme),
            "</g>",
        )
    )


def _shallows(ours: PaintedSide, side: str, theme: str) -> str:
    pale, line = _ink(theme, "shallow"), _ink(theme, "ripple")
    belts = "".join(
        f'<use href="#coast-{side}" stroke="{pale}" stroke-width="{wide}" stroke-opacity=".32"/>' for wide in (15, 8)
    )
    pens = ((0.6, ".75", ""), (0.5, ".55", "34 3 19 2"), (0.5, ".38", "15 5 7 4"))
    water = "".join(
        f'<path d="{d}" stroke="{line}" stroke-width="{wide}" stroke-opacity="{faint}"'
        + (f' stroke-dasharray="{dashes}"/>' if dashes else "/>")
        for d, (wide, faint, dashes) in zip(ours.ripples, pens, strict=True)
    )
    return belts + water


def _painted_region(region: PaintedRegion, side: str, theme: str) -> str:
    tone, wash = _paint(theme)["tones"][side][region.tone], _ink(theme, "wash")
    colours = [mix(tone, wash, share) for share in (0.3, 0.13, 0)]
    return "".join(f'<path d="{d}" fill="{c}"/>' for d, c in zip(region.washes, colours, strict=True))


def _lines(ours: PaintedSide, side: str, theme: str) -> str:
    """Borders as an inked frontier, lakes, cliffs and the coast."""
    ink = _ink(theme, "ink")
    lakes = "".join(f'<path d="{d}" fill="{_ink(theme, "water")}" stroke="{ink}" stroke-width=".7"/>' for d in ours.lakes)
    cliffs = f'<path d="{ours.cliffs}" stroke="{ink}" stroke-width=".5" stroke-opacity=".8"/>' if ours.cliffs else ""
    return (
        f'<path d="{ours.borders}" stroke="{_ink(theme, "border")}" stroke-width="1.9" stroke-opacity=".75"/>'
        f'<path d="{ours.borders}" stroke="{ink}" stroke-width=".8" stroke-dasharray="3.2 2.4" stroke-opacity=".85"/>'
        f'{lakes}{cliffs}<use href="#coast-{side}" stroke="{ink}" stroke-width="1.1"/>'
    )


def _open(way: Way) -> str:
    return outline(tuple((x / 10, y / 10) for x, y in pairs(way.line)))[:-1]


def _bridge(way: Way, theme: str) -> str:
    """A deck of planks between two rails."""
    d, ink = _open(way), _ink(theme, "ink")
    return (
        f'<path d="{d}" stroke="{ink}" stroke-width="7" stroke-linecap="butt"/>'
        f'<path d="{d}" stroke="{_ink(theme, "wood")}" stroke-width="5.6" stroke-linecap="butt"/>'
        f'<path d="{d}" stroke="{ink}" stroke-width="5.6" stroke-dasharray=".6 1.9" stroke-linecap="butt"/>'
    )


def _routes(ours: PaintedSide, theme: str) -> str:
    d = "".join(_open(way) for way in ours.routes)
    return (
        f'<path d="{d}" stroke="{_ink(theme, "routehalo")}" stroke-width="3" stroke-opacity=".45"/>'
        f'<path d="{d}" stroke="{_ink(theme, "route")}" stroke-width="1.7" stroke-dasharray=".1 4.1"/>'
    )


# What stays upright


@cache
def _symbol(name: str, theme: str) -> str:
    strokes = "".join(_stroke(*stroke, theme=theme) for stroke in _glyphs()[name].strokes)
    return f'<g id="{name}" stroke-linecap="round" stroke-linejoin="round">{strokes}</g>'


def _stroke(fill: str, stroke: str, width: float, d: str, *, theme: str) -> str:
    thin = ' fill-opacity=".5"' if fill in ("dim", "glow") else ""
    pen = f' stroke="{_ink(theme, stroke)}" stroke-width="{width:g}"' if stroke != "none" else ""
    return f'<path d="{d}" fill="{_ink(theme, fill)}"{thin}{pen}/>'


def _standing(name: str, x: float, y: float, size: float) -> str:
    """A glyph around a middle."""
    foot = y + _glyphs()[name].height * size / 2
    if size == 1:
        return f'<use href="#{name}" x="{x:.1f}" y="{foot:.1f}"/>'
    return f'<use href="#{name}" transform="translate({x:.1f} {foot:.1f}) scale({size:g})"/>'


def _upright(sheet: Sheet, theme: str) -> str:
    return f'<g transform="translate({sheet.x:g} {sheet.y:g})">{_scene(sheet.side, sheet.turns, theme)}</g>'


@cache
def _scene(side: str, turns: int, theme: str) -> str:
    """Glyphs from the back to the front and the title, around the middle of the sheet."""
    sheet = Sheet("", side, turns, 0, 0)
    page = _page(sheet)
    placed = [(name, *sheet.point(x / 10, y / 10), size / 100) for name, x, y, size in page.glyphs]
    placed.sort(key=lambda one: one[2] + _glyphs()[one[0]].height * one[3] / 2)
    return "".join(_standing(*one) for one in placed) + _title(page.title, sheet, theme)


def _title(title: Title, sheet: Sheet, theme: str) -> str:
    x, y = sheet.point(title[0] / 10, title[1] / 10)
    return f'<path transform="translate({x:.1f} {y:.1f})" fill="{_ink(theme, "title")}" d="{title[2]}"/>'


def _ornaments(view: Picture) -> list[tuple[str, float, float, float]]:
    """A compass rose in the largest empty corner of the picture, a cartouche in the next."""
    rooms = sorted((_room(view, corner) for corner in CORNERS), key=lambda box: -_fits("compass", box))
    found = []
    for name, box in zip(("compass", "cartouche"), rooms, strict=False):
        size = min(_fits(name, box), 1.5)
        if size > 0.4:
            found.append((name, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, round(size, 2)))
    return found


def _fits(name: str, box: Box) -> float:
    """How many times its size a glyph may have in a box, with some air."""
    glyph = _glyphs()[name]
    return min((box[2] - box[0] - 14) / glyph.width, (box[3] - box[1] - 14) / glyph.height)


def _room(view: Picture, corner: tuple[int, int]) -> Box:
    """The roomiest box in a corner of the picture that no sheet covers."""
    right, low = corner
    xs = {edge for sheet in view.sheets for edge in (sheet.box[0], sheet.box[2])} | {0.0, view.width}
    ys = {edge for sheet in view.sheets for edge in (sheet.box[1], sheet.box[3])} | {0.0, view.height}
    boxes = [(x if right else 0.0, y if low else 0.0, view.width if right else x, view.height if low else y) for x in xs for y in ys]
    free = [box for box in boxes if not any(_overlap(box, sheet.box) for sheet in view.sheets)]
    return max(free, key=lambda box: min(box[2] - box[0], box[3] - box[1]), default=(0.0, 0.0, MARGIN, MARGIN))


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
