"""The land of a layout as one picture: the sheets of a chart laid together. It never changes, so pages cache it.

The parts that turn with a board are one fragment per side, drawn on the upright sheet in tenths of a unit, pens too,
which shortens their paths by a quarter. The upright parts, glyphs and the names in the sea, are one fragment per side
and quarter turn. Corners not covered by a sheet show a compass rose and a scroll.
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from games.boards.eight_minute.geometry import FOLDER, MARGIN, Box, Picture, Sheet, drawn, join, pairs, picture
from games.boards.eight_minute.lying import Point
from games.boards.sprites import Part
from games.boards.themes import mixed, shade_of
from games.rules.words import LABELLED, Translate, gettext_noop, untranslated

BELTS = ((150, 0.3), (80, 0.55))  # shallow water: width over the coast, paleness
RIPPLES = ((6, ".75", "900 25"), (5, ".6", "340 30 190 20"), (5, ".42", "150 50 70 40"))  # pen width, opacity, dashes
EDGE, RIM = 0.3, 0.13  # share of the wash at a region's edge, and next to it
AIR = 3  # units around a sheet, for the ends of dotted lines, which cross its edge
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))  # at the right, at the bottom
BEARINGS = ((1, 0), (4, 1), (2, 1), (4, 3), (1, 1), (3, 4), (1, 2), (1, 4), (0, 1))

SPACED = 0.07  # between letters of names in the sea, in font sizes
LARGEST, SMALLEST = 14.0, 8.0  # font sizes of names in the sea
RING, NUMBER = re.compile(r"M([^Z]*)Z"), re.compile(r"-?\d*\.?\d+")
SCROLL = "cartouche"
_EMPTY = gettext_noop("An empty table")
_SCROLL = (gettext_noop("A true chart"), gettext_noop("of lands that may be won"), gettext_noop("in eight minutes"))
_SCROLL_LINES = ((9.5, -25.0), (6.2, -16.5), (6.2, -9.5))  # size, and baseline

Wording = tuple[tuple[str, str], ...]  # English names, each with the one in the reader's language
Ornament = tuple[str, float, float, float]  # glyph, middle, size
GlyphPlace = tuple[str, int, int, int]  # glyph, middle of its box in tenths, size in hundredths
Title = tuple[int, int, str]  # middle in tenths, outlines of the letters around it


# The stored drawings, and the colors of each theme


class Page(msgspec.Struct, frozen=True):
    """The upright parts of a sheet for a number of quarter turns."""

    glyphs: tuple[GlyphPlace, ...]
    titles: tuple[Title, ...]


class PaintedRegion(msgspec.Struct, frozen=True):
    """A painted region. `washes`: the outline, and two areas inside its painted edge."""

    tone: int
    washes: tuple[str, str, str]


class Way(msgspec.Struct, frozen=True):
    line: tuple[int, ...]


class PaintedSide(msgspec.Struct, frozen=True):
    """The painting part of a side's JSON file. Paths are in tenths of a unit of the upright sheet."""

    regions: tuple[PaintedRegion, ...]
    routes: tuple[Way, ...]
    bridges: tuple[Way, ...]
    borders: str
    ripples: tuple[str, str, str]
    lakes: tuple[str, ...]
    cliffs: str
    pages: tuple[Page, ...]


class Glyph(NamedTuple):
    """A glyph: a box and strokes (fill, stroke, pen width, path) above the middle of its foot, in units."""

    width: float
    height: float
    strokes: tuple[tuple[str, str, float, str], ...]


@cache
def painted(side: str) -> PaintedSide:
    return msgspec.json.decode((FOLDER / f"{side}.json").read_bytes(), type=PaintedSide)


@cache
def glyphs() -> dict[str, Glyph]:
    return msgspec.json.decode((FOLDER / "_glyphs.json").read_bytes(), type=dict[str, Glyph])


@cache
def _paint(theme: str) -> dict[str, Any]:
    paint: dict[str, Any] = tomllib.loads((FOLDER / "_paint.toml").read_text())[shade_of(theme)]
    if theme != shade_of(theme):  # high contrast: plain land with strong borders
        paper, border, sea = "#ffffff", "#000000", "#c3e4ee"
        if shade_of(theme) == "dark":
            paper, border, sea = border, paper, "#06303f"
        paint["tones"] = {side: [mixed(tone, paper, 0.75) for tone in tones] for side, tones in paint["tones"].items()}
        paint["sea"] = dict.fromkeys(paint["sea"], sea)
        paint["inks"] |= {"border": border, "ink": border, "route": border, "wash": border, "title": border}
    return paint


def ink(theme: str, name: str) -> str:
    """Return a theme's color for a name of the paint box, or `none`."""
    return name if name == "none" else str(_paint(theme)["inks"][name])


def sea(theme: str, side: str) -> str:
    return str(_paint(theme)["sea"][side])


def tone(theme: str, side: str, number: int, wash: float = 0) -> str:
    """Return the color of a region, mixed with a share of the edge color."""
    return mixed(str(_paint(theme)["tones"][side][number]), ink(theme, "wash"), wash)


# The whole picture, or a part of it


def land(text: str, theme: str, translate: Translate = untranslated) -> str:
    """Return a standalone SVG document for the text of a picture; `theme` is one of `themes.LANDS`."""
    return worded(text, theme, wording(text, translate))


def wording(text: str, translate: Translate) -> Wording:
    """Return everything that the land of a layout says, in the reader's language: what pictures are kept by."""
    names: list[str] = [_EMPTY, LABELLED, *_SCROLL]
    for sheet in picture(text).sheets:
        side = drawn(sheet.side)
        names += [side.title, *side.names, *(region.name for region in side.regions)]
    return tuple((name, translate(name)) for name in dict.fromkeys(names))


@lru_cache(maxsize=256)
def worded(text: str, theme: str, wording: Wording) -> str:
    """Draw the land with these words."""
    view, said = picture(text), dict(wording)
    ornaments = _ornaments(text)
    words = f"<title>{escape(said[_EMPTY])}</title>"
    if view.sheets:
        sides = [drawn(sheet.side) for sheet in view.sheets]
        description = " ".join(
            said[LABELLED].format(
                label=said[side.title], text=f"{', '.join(said[region.name] for region in side.regions)}."
            )
            for side in sides
        )
        words = (
            f"<title>{escape(', '.join(said[side.title] for side in sides))}</title><desc>{escape(description)}</desc>"
        )
    sheets = "".join(_sheet(sheet, theme, wording) for sheet in view.sheets)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {view.size} role="img">{words}'
        f"{_symbols(theme, ornaments, wording, *view.sheets)}{_below(view, ornaments, theme)}{sheets}</svg>"
    )


@lru_cache(maxsize=256)
def alone(side: str, turns: int, theme: str, wording: Wording = ()) -> str:
    """Return one sheet of the land, as a fragment around its middle, without its water."""
    sheet = Sheet("", side, turns, 0, 0)
    return _symbols(theme, [], wording, sheet) + _sheet(sheet, theme, wording)


def parts(text: str, theme: str, translate: Translate = untranslated) -> list[Part]:
    """Draw the land in parts: everything above the lines of bearing."""
    view, said = picture(text), wording(text, translate)
    scroll, land_parts = _scroll(said), list[Part]()
    for name, x, y, size in _ornaments(text):
        drawing = f"<defs>{_symbol(name, theme, scroll if name == SCROLL else ())}</defs>{_placed(name, 0, 0, size)}"
        wide, high = (size * (length / 2 + 2) for length in glyphs()[name][:2])
        land_parts.append(Part((x, y), drawing, (-wide, -high, wide, high)))
    for sheet in view.sheets:
        wide, high = (length / 2 + AIR for length in sheet.size)
        names = (drawn(sheet.side).title, *drawn(sheet.side).names)
        own = tuple(pair for pair in said if pair[0] in names)
        land_parts.append(
            Part((sheet.x, sheet.y), alone(sheet.side, sheet.turns, theme, own), (-wide, -high, wide, high))
        )
    return land_parts


def _symbols(theme: str, ornaments: Sequence[Ornament], wording: Wording, *sheets: Sheet) -> str:
    """Define the glyphs that these use."""
    names = {name for name, *_ in ornaments} | {glyph[0] for sheet in sheets for glyph in _page(sheet).glyphs}
    scroll = _scroll(wording)
    shown = (_symbol(name, theme, scroll if name == SCROLL else ()) for name in sorted(names))
    return f"<defs>{''.join(shown)}</defs>"


def _scroll(wording: Wording) -> tuple[str, ...]:
    """Return the lines on the scroll."""
    said = dict(wording)
    return tuple(said.get(line, line) for line in _SCROLL)


@lru_cache(maxsize=1024)
def _symbol(name: str, theme: str, words: tuple[str, ...] = ()) -> str:
    """Define a glyph around the middle of its box. `words` are the lines on the scroll."""
    glyph, strokes = glyphs()[name], ""
    inks = list(glyph.strokes)
    if words and words != _SCROLL:
        lines = zip(words, _SCROLL_LINES, strict=True)
        written = [("ink", "none", 0.0, written_out(line, size, down, width=76)) for line, (size, down) in lines]
        inks = [*inks[: -len(words)], *written]
    for fill, stroke, width, d in inks:
        thin = ' fill-opacity=".5"' if fill in ("dim", "glow") else ""
        pen = f' stroke="{ink(theme, stroke)}" stroke-width="{width:g}"' if stroke != "none" else ""
        strokes += f'<path d="{d}" fill="{ink(theme, fill)}"{thin}{pen}/>'
    place = f'transform="translate(0 {glyph.height / 2:g})"'
    return f'<g id="{name}" {place} stroke-linecap="round" stroke-linejoin="round">{strokes}</g>'


def _page(sheet: Sheet) -> Page:
    return painted(sheet.side).pages[sheet.turns]


def _placed(name: str, x: float, y: float, size: float) -> str:
    if size == 1:
        return f'<use href="#{name}" x="{x:g}" y="{y:g}"/>'
    return f'<use href="#{name}" transform="translate({x:g} {y:g}) scale({size:g})"/>'


def _rect(box: Box, inset: float) -> str:
    left, top, right, bottom = box
    width, height = right - left - 2 * inset, bottom - top - 2 * inset
    return f'<rect x="{left + inset:g}" y="{top + inset:g}" width="{width:g}" height="{height:g}"'


# The sheets


def _sheet(sheet: Sheet, theme: str, wording: Wording) -> str:
    """Draw the ground, the frame, the ways that cross the frame, and the upright parts."""
    # The degrees around the sea, and again the rim of the paper over water that crossed it.
    frame = (
        f'<g fill="none" stroke="{ink(theme, "ink")}">'
        f'{_rect(sheet.box, 1.3)} stroke="{ink(theme, "paper")}" stroke-width="2.6"/>'
        f'{_rect(sheet.box, 3.7)} stroke="{sea(theme, sheet.side)}" stroke-width="2.2"/>'
        f'{_rect(sheet.box, 2.6)} stroke-width=".5"/>'
        f'{_rect(sheet.box, 3.7)} stroke-width="1.4" stroke-dasharray="9.62 9.62" stroke-opacity=".75"/>'
        f'{_rect(sheet.box, 4.8)} stroke-width=".5"/></g>'
    )
    # Fragments of the upright sheet, in tenths, are placed at the sheet's position and turn.
    turn = f" rotate({90 * sheet.turns})" if sheet.turns else ""
    width, height = drawn(sheet.side).size
    place = f"translate({sheet.x:g} {sheet.y:g}){turn} scale(.1) translate(-{5 * width} -{5 * height})"
    said = dict(wording)
    names = tuple(said.get(name, name) for name in drawn(sheet.side).names)
    return (
        f'<g transform="{place}">{_ground(sheet.side, theme)}</g>{frame}'
        f'<g transform="{place}">{_ways(sheet.side, theme)}</g>'
        f'<g transform="translate({sheet.x:g} {sheet.y:g})">{_scene(sheet.side, sheet.turns, theme, names)}</g>'
    )


@cache
def _ground(side: str, theme: str) -> str:
    """Draw the land in its water, without the dotted lines over it."""
    ours, dark = painted(side), ink(theme, "ink")
    # The regions in their edge color; coast line and shallow water are wide outlines below them.
    water, pale = sea(theme, side), ink(theme, "shallow")
    shapes = "".join(f'<path d="{r.washes[0]}" fill="{tone(theme, side, r.tone, EDGE)}"/>' for r in ours.regions)
    pens = [(mixed(water, pale, share), wide) for wide, share in BELTS] + [(dark, 21)]
    belts = "".join(f'<use href="#land-{side}" stroke="{colour}" stroke-width="{wide}"/>' for colour, wide in pens)
    parts = [f'<defs><g id="land-{side}">{shapes}</g></defs>{belts}<use href="#land-{side}"/>']
    # Water lines, fainter and more broken farther out.
    for d, (pen, faint, dashes) in zip(ours.ripples, RIPPLES, strict=True):
        line = f'stroke="{ink(theme, "ripple")}" stroke-width="{pen}" stroke-opacity="{faint}"'
        parts.append(f'<path d="{d}" {line} stroke-dasharray="{dashes}"/>')
    for region in ours.regions:
        _, inner, heart = region.washes
        parts.append(f'<path d="{inner}" fill="{tone(theme, side, region.tone, RIM)}"/>')
        parts.append(f'<path d="{heart}" fill="{tone(theme, side, region.tone)}"/>')
    if ours.borders:  # dashes on a pale band
        dashes = f'stroke="{dark}" stroke-width="8" stroke-dasharray="32 24" stroke-opacity=".85"'
        band = f'stroke="{ink(theme, "border")}" stroke-width="19" stroke-opacity=".75"'
        parts.append(_drawn_over(f"borders-{side}", ours.borders, band, dashes))
    for lake in ours.lakes:
        parts.append(f'<path d="{lake}" fill="{ink(theme, "water")}" stroke="{dark}" stroke-width="7"/>')
    if ours.cliffs:  # hachures
        parts.append(f'<path d="{ours.cliffs}" stroke="{dark}" stroke-width="5" stroke-opacity=".8"/>')
    for way in ours.bridges:  # a deck of planks between two rails
        d = _line(way)
        parts.append(
            f'<g stroke-linecap="butt"><path d="{d}" stroke="{dark}" stroke-width="70"/>'
            f'<path d="{d}" stroke="{ink(theme, "wood")}" stroke-width="56"/>'
            f'<path d="{d}" stroke="{dark}" stroke-width="56" stroke-dasharray="6 19"/></g>'
        )
    return f'<g fill="none" stroke-linejoin="round" stroke-linecap="round">{"".join(parts)}</g>'


@cache
def _ways(side: str, theme: str) -> str:
    """Draw the dotted lines over water, which cross the sheet's frame and meet the neighbor's."""
    d = "".join(_line(way) for way in painted(side).routes)
    halo = f'stroke="{ink(theme, "routehalo")}" stroke-width="27" stroke-opacity=".3"'
    dots = f'stroke="{ink(theme, "route")}" stroke-width="17" stroke-dasharray="1 41"'
    return f'<g fill="none" stroke-linecap="round">{_drawn_over(f"ways-{side}", d, halo, dots)}</g>'


def _drawn_over(name: str, d: str, *pens: str) -> str:
    """Draw one path several times with different pens."""
    return f'<defs><path id="{name}" d="{d}"/></defs>' + "".join(f'<use href="#{name}" {pen}/>' for pen in pens)


def _line(way: Way) -> str:
    (x, y), *rest = pairs(way.line)
    return f"M{x} {y}L" + " ".join(f"{px} {py}" for px, py in rest)


@lru_cache(maxsize=512)
def _scene(side: str, turns: int, theme: str, names: tuple[str, ...]) -> str:
    """Draw the glyphs from back to front and the names in the sea, around the middle of the sheet."""
    sheet = Sheet("", side, turns, 0, 0)
    page = _page(sheet)
    placed = [(name, *sheet.point(x / 10, y / 10), size / 100) for name, x, y, size in page.glyphs]
    placed.sort(key=lambda one: one[2] + glyphs()[one[0]].height * one[3] / 2)
    parts = [_placed(*one) for one in placed]
    for (tenths_x, tenths_y, letters), english, name in zip(page.titles, drawn(side).names, names, strict=True):
        letters = letters if name == english else _in_place_of(letters, name)  # noqa: PLW2901
        x, y = sheet.point(tenths_x / 10, tenths_y / 10)
        parts.append(f'<path transform="translate({x:g} {y:g})" fill="{ink(theme, "title")}" d="{letters}"/>')
    return "".join(parts)


# Names in other languages, which take the room of the English ones


class Letter(NamedTuple):
    """The width of a letter and its outlines, `x, y, x, y …`, in thousandths of the font size."""

    width: int
    rings: tuple[tuple[int, ...], ...]


@cache
def _letters() -> dict[str, Letter]:
    stored = msgspec.json.decode((FOLDER / "_letters.json").read_bytes(), type=dict[str, tuple[int, Any]])
    return {letter: Letter(width, tuple(map(tuple, rings))) for letter, (width, rings) in stored.items()}


def _letter(letter: str) -> Letter:
    return _letters().get(letter) or _letters()["-"]


def _wide(text: str) -> float:
    """Return the width of a text in font sizes."""
    return sum(_letter(letter).width for letter in text) / 1000 + SPACED * (len(text) - 1)


def written_out(text: str, size: float, down: float, width: float = 0) -> str:
    """Return a text's outlines as a path, with the middle of its baseline `down` below 0 0, at most `width` wide."""
    if width and _wide(text) * size > width:
        size = width / _wide(text)
    path, at = "", -_wide(text) * size / 2
    for letter in text:
        for ring in _letter(letter).rings:
            points = [
                (round(10 * (at + x * size / 1000)), round(10 * (down + y * size / 1000))) for x, y in pairs(ring)
            ]
            steps = [(x - px, y - py) for (px, py), (x, y) in pairwise(points)]
            path += f"M{join(points[:1])}l{join([step for step in steps if step != (0, 0)] or [(0, 0)])}Z"
        at += (_letter(letter).width / 1000 + SPACED) * size
    return path


def _in_place_of(letters: str, name: str) -> str:
    """Return the outlines of a name in as many lines as make it largest in the box of these outlines."""
    xs, ys = [], []
    for ring in RING.findall(letters):
        (x, y), *steps = pairs(tuple(map(float, NUMBER.findall(ring))))  # type: ignore[arg-type]
        for dx, dy in [(0, 0), *steps]:
            x, y = x + dx, y + dy
            xs.append(x)
            ys.append(y)
    width, height = max(xs) - min(xs), max(max(ys) - min(ys), 11.0)
    words = name.split()
    settings = [[name], *([" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words)))]
    if len(words) > 2:
        settings.append(words)
    tried = [
        (min(LARGEST, width / max(map(_wide, lines)), height / (1.02 * len(lines) - 0.2)), lines) for lines in settings
    ]
    size, lines = max(tried, key=lambda one: one[0])
    size = max(size, SMALLEST)
    first = 0.33 * size - 1.02 * size * (len(lines) - 1) / 2
    return "".join(written_out(line, size, first + 1.02 * size * n) for n, line in enumerate(lines))


# Below the sheets


def _below(view: Picture, ornaments: Sequence[Ornament], theme: str) -> str:
    """Draw the free places, the paper and sea of each sheet, lines of bearing, and ornaments."""
    parts = []
    for slot in view.slots:  # a faint outline
        pen = f'stroke="{ink(theme, "ink")}" stroke-width=".6" stroke-opacity=".4"'
        parts.append(f'{_rect(slot.box, 7)} rx="3" fill="{ink(theme, "shallow")}" fill-opacity=".28" {pen}/>')
    for sheet in view.sheets:
        for box, colour, opacity in water(sheet, theme):
            faint = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
            parts.append(f'{_rect(box, 0)} fill="{colour}"{faint}/>')
    seas = [_inner(sheet.box, 5) for sheet in view.sheets] + [_inner(slot.box, 8) for slot in view.slots]
    parts.append(_rays(*_rose(view, ornaments), seas, ink(theme, "rhumb")))
    return "".join(parts) + "".join(_placed(*ornament) for ornament in ornaments)


def water(sheet: Sheet, theme: str) -> tuple[tuple[Box, str, float], ...]:
    """Return the shadow, the paper and the sea of a sheet, each with its color and opacity."""
    left, top, right, bottom = sheet.box
    return (
        ((left + 0.8, top + 1.4, right + 2, bottom + 2.6), ink(theme, "shadow"), 0.22),
        (sheet.box, ink(theme, "paper"), 1.0),
        (_inner(sheet.box, 2.6), sea(theme, sheet.side), 1.0),
    )


def rose(text: str) -> Point:
    """Return the point from which the lines of constant bearing start."""
    view = picture(text)
    return _rose(view, _ornaments(text))


def _rose(view: Picture, ornaments: Sequence[Ornament]) -> Point:
    """Return the middle of the first compass rose, or else a corner."""
    roses = [(x, y) for name, x, y, _ in ornaments if name == "compass"]
    for sheet in view.sheets:
        roses += [sheet.point(x / 10, y / 10) for name, x, y, _ in _page(sheet).glyphs if name == "compass"]
    return roses[0] if roses else (0, 0)


def star(reach: float) -> str:
    """Draw the lines of constant bearing around their start, in any color."""
    return _rays(0, 0, [(-reach, -reach, reach, reach)], "#000")


def _rays(x: float, y: float, boxes: list[Box], colour: str) -> str:
    """Draw lines of constant bearing from a point over all sheets and free places."""
    bearings = {(dx * side, dy) for dx, dy in BEARINGS for side in (1, -1)} - {(-1, 0)}
    rays = "".join(_ray(x, y, dx, dy, box) for dx, dy in sorted(bearings) for box in boxes)
    return f'<path d="{rays}" stroke="{colour}" stroke-width=".5" stroke-opacity=".32"/>'


def _inner(box: Box, inset: float) -> Box:
    return box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset


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


@lru_cache(maxsize=1024)
def _ornaments(text: str) -> tuple[Ornament, ...]:
    """Place a compass rose in the roomiest corner of the picture and a scroll in the next."""
    view = picture(text)
    taken = [sheet.box for sheet in view.sheets] + [slot.box for slot in view.slots]
    xs = {edge for box in taken for edge in box[::2]} | {0.0, view.width}
    ys = {edge for box in taken for edge in box[1::2]} | {0.0, view.height}
    rooms: list[Box] = []  # in each corner, the largest box that no sheet covers
    for at_right, at_bottom in CORNERS:
        across = [(x, view.width) if at_right else (0.0, x) for x in xs]
        down = [(y, view.height) if at_bottom else (0.0, y) for y in ys]
        free = [
            (left, top, right, bottom)
            for left, right in across
            for top, bottom in down
            if all(right <= box[0] or box[2] <= left or bottom <= box[1] or box[3] <= top for box in taken)
        ]
        square = max(free, key=lambda box: min(box[2] - box[0], box[3] - box[1]), default=(0.0, 0.0, MARGIN, MARGIN))
        rooms.append(square)
    rooms.sort(key=lambda box: -_fits("compass", box))
    names = []
    for name, box in zip(("compass", "cartouche"), rooms, strict=False):
        if (size := min(_fits(name, box), 1.5)) > 0.4:
            names.append((name, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, round(size, 2)))
    return tuple(names)


def _fits(name: str, box: Box) -> float:
    """Return how many times its size a glyph may have in a box, with some margin."""
    glyph = glyphs()[name]
    return min((box[2] - box[0] - 14) / glyph.width, (box[3] - box[1] - 14) / glyph.height)
