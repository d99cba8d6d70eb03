"""The geometry of a layout's picture: sheets, regions, names, spots for pieces, and outlines.

Each board side is drawn upright on a sheet (`geometry/<side>.json`). Sheets of boards laid side by side are 200 by 300
units; a single board has its own size and is never turned. A picture lays the sheets together at the middles of
touching edges, and is turned as a whole if it would be wider than tall. One unit of the picture is one unit of a sheet.
Upright parts (names, pieces, glyphs) have different places for each quarter turn of their board.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import NamedTuple

import msgspec

from games.boards.eight_minute.lying import Point, Size, middles, showing, without_portals
from games.rules.words import Translate

WIDTH, HEIGHT = 200, 300  # of a sheet laid next to others
MARGIN = 8
NAME_SIZE = 10  # letter height of a region's name
NAME_LEADING = 9.5
CELL = 14  # space for one badge around its spot
CLOSE = 6.0  # maximum distance of a shorter outline from the coast, in tenths of a unit
NARROWEST = 4.2  # room for every name, in letter heights: some nine letters
SMALLEST = 0.78  # the least size of a long name
# Widths of letters of Alegreya Italic relative to their height; all others use OTHER.
WIDTHS = {
    letter: width
    for letters, width in (
        (" '’", 0.19), ("fijlt", 0.27), ("cersI-J", 0.35), ("LSTFYPZ", 0.53), ("ABCEGKRVX", 0.62),
        ("DHNOQUw", 0.69), ("mM", 0.78), ("W", 0.89),
    )
    for letter in letters
}  # fmt: skip
OTHER = 0.47
SECOND_POINT = re.compile(r"(\.\d+) (?=\.)")
FOLDER = Path(__file__).with_name("geometry")

Box = tuple[float, float, float, float]  # left, top, right, bottom


class Pose(msgspec.Struct, frozen=True):
    """Places of a region for one orientation, in tenths of a unit of the upright sheet."""

    label: tuple[int, int]
    lines: tuple[str, ...]
    spots: tuple[tuple[int, int], ...]
    token: tuple[int, int]


class DrawnRegion(msgspec.Struct, frozen=True):
    """A region on its sheet. `poses`: its places after 0, 1, 2, 3 quarter turns, or only 0."""

    id: str
    name: str
    tone: int
    outline: tuple[int, ...]
    poses: tuple[Pose, ...]


class Route(msgspec.Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """A dotted line over water, from a region to another or to the middle of an edge (`top`, `right` …)."""

    start: str
    end: str
    line: tuple[int, ...]


class DrawnSide(msgspec.Struct, frozen=True):
    """The geometry part of a side's JSON file; `land` reads the paint part. Lengths are tenths of a unit.

    `alone`: a single board, never turned. `names` are in the sea: the title, or the islands of a single board.
    """

    side: str
    title: str
    size: tuple[int, int]
    alone: bool
    names: tuple[str, ...]
    regions: tuple[DrawnRegion, ...]
    islands: tuple[tuple[int, ...], ...]
    routes: tuple[Route, ...]


class Sheet(NamedTuple):
    """A side in the picture: its middle, its quarter turns on the page, and its box."""

    place: str
    side: str
    turns: int
    x: float
    y: float

    @property
    def size(self) -> Size:
        width, height = drawn(self.side).size
        return (height, width) if self.turns % 2 else (width, height)

    @property
    def box(self) -> Box:
        return around(self.x, self.y, *self.size)

    def point(self, x: float, y: float) -> Point:
        """Convert a point of the upright sheet to the picture."""
        width, height = drawn(self.side).size
        dx, dy = x - width / 2, y - height / 2
        for _ in range(self.turns):
            dx, dy = -dy, dx
        return self.moved((dx, dy))

    def moved(self, point: Point) -> Point:
        """Convert a point relative to the middle of the sheet to the picture."""
        return round(self.x + point[0], 1), round(self.y + point[1], 1)


class Slot(NamedTuple):
    """A free place for a board."""

    place: str
    x: float
    y: float
    width: float
    height: float

    @property
    def box(self) -> Box:
        return around(self.x, self.y, self.width, self.height)


def around(x: float, y: float, width: float, height: float) -> Box:
    """Return the box of that size around a point."""
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


class NameLine(NamedTuple):
    """A line of a name: centered at `x` on the baseline `y`, `NAME_SIZE` high, or that times `size`."""

    text: str
    x: float
    y: float
    size: float = 1.0


class Region(NamedTuple):
    """A region in the picture. `anchors`: middles of free cells of `CELL` by `CELL`, best first, at least four.

    `token`: the place of a token, off the anchors, or on the last of them if there is no room. `coast`: the outline,
    relative to the middle of the sheet.
    """

    id: str
    name: str
    sheet: Sheet
    tone: int
    coast: tuple[Point, ...]
    label: Point
    lines: tuple[NameLine, ...]
    anchors: tuple[Point, ...]
    token: Point
    box: Box

    @property
    def side(self) -> str:
        return self.sheet.side

    @property
    def points(self) -> tuple[Point, ...]:
        """Return the outline in the picture."""
        return tuple(self.sheet.moved(point) for point in self.coast)


class Picture(NamedTuple):
    """A whole layout, with its top left corner at 0 0, or `turned` by a quarter clockwise. `slots` are free places."""

    layout: str
    width: float
    height: float
    turned: bool
    sheets: tuple[Sheet, ...]
    regions: dict[str, Region]
    slots: tuple[Slot, ...] = ()

    @property
    def size(self) -> str:
        """Return the size as attributes of an `<svg>`."""
        return f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'


@cache
def drawn(side: str) -> DrawnSide:
    return msgspec.json.decode((FOLDER / f"{side}.json").read_bytes(), type=DrawnSide)


@cache
def side_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json") if not path.stem.startswith("_")))


def region_name(region: str) -> str:
    """Return the English name of a region or board side; the id itself if it has none."""
    return _region_names().get(region, region)


@cache
def _region_names() -> dict[str, str]:
    sides = [drawn(side) for side in side_names()]
    names = {side.side: side.title for side in sides}
    return names | {region.id: region.name for side in sides for region in side.regions}


def picture(text: str) -> Picture:
    """Return the picture of a layout, or of boards still being laid. Raises `ValueError` for an invalid text."""
    return _picture(without_portals(text))


@lru_cache(maxsize=1024)
def _picture(text: str) -> Picture:
    laid, free, upright = showing(text)
    at = middles({board.place: Sheet(*board, 0, 0).size for board in laid} | dict(free))
    sheets = [Sheet(*board, *at[board.place]) for board in laid]
    slots = [Slot(place, *at[place], *size) for place, size in free.items()]
    left, top, right, bottom = _hull([*sheets, *slots])
    turned = right - left > bottom - top and not upright
    if turned:
        sheets = [Sheet(s.place, s.side, (s.turns + 1) % 4, -s.y, s.x) for s in sheets]
        left, top, right, bottom = _hull(sheets)
    dx, dy = MARGIN - left, MARGIN - top
    placed = tuple(s._replace(x=s.x + dx, y=s.y + dy) for s in sheets)
    regions = {}
    for sheet in placed:
        for region in posed(sheet.side, sheet.turns):
            label, box = sheet.moved(region.label), region.box
            regions[region.id] = region._replace(
                sheet=sheet, label=label, lines=_lines(tuple(line.text for line in region.lines), label),
                anchors=tuple(map(sheet.moved, region.anchors)), token=sheet.moved(region.token),
                box=(*sheet.moved(box[:2]), *sheet.moved(box[2:])),
            )  # fmt: skip
    width, height = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    free_now = tuple(slot._replace(x=slot.x + dx, y=slot.y + dy) for slot in slots)
    return Picture(text, width, height, turned, placed, regions, free_now)


def _hull(things: Sequence[Sheet | Slot]) -> Box:
    lefts, tops, rights, bottoms = zip(*[thing.box for thing in things], strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


@cache
def posed(side: str, turns: int) -> tuple[Region, ...]:
    """Return the regions of a side with this orientation, around its middle. There are many layouts but few sides."""
    sheet, (width, height) = Sheet("", side, turns, 0, 0), drawn(side).size
    regions = []
    for region in drawn(side).regions:
        outline = [(x - 5 * width, y - 5 * height) for x, y in pairs(region.outline)]
        for _ in range(turns):
            outline = [(-y, x) for x, y in outline]
        points = tuple((x / 10, y / 10) for x, y in outline)
        xs, ys = zip(*points, strict=True)
        pose = region.poses[turns]
        label = _tenths(sheet, pose.label)
        regions.append(
            Region(
                id=region.id, name=region.name, sheet=sheet, tone=region.tone, coast=points, label=label,
                lines=_lines(pose.lines, label), anchors=tuple(_tenths(sheet, spot) for spot in pose.spots),
                token=_tenths(sheet, pose.token), box=(min(xs), min(ys), max(xs), max(ys)),
            )
        )  # fmt: skip
    return tuple(regions)


def _tenths(sheet: Sheet, point: tuple[int, int]) -> Point:
    return sheet.point(point[0] / 10, point[1] / 10)


def _lines(lines: tuple[str, ...], label: Point, size: float = 1.0) -> tuple[NameLine, ...]:
    x, y = label
    first, apart = y + 0.3 * NAME_SIZE * size - NAME_LEADING * size * (len(lines) - 1) / 2, NAME_LEADING * size
    return tuple(NameLine(text, x, round(first + apart * number, 1), size) for number, text in enumerate(lines))


# Names in the reader's language


def in_language(board: Picture, translate: Translate) -> Picture:
    """Return the picture with the names of its regions in the reader's language."""
    return renamed(board.layout, tuple(translate(region.name) for region in board.regions.values()))


@lru_cache(maxsize=1024)
def renamed(text: str, names: tuple[str, ...]) -> Picture:
    """Return the picture with these names, which are its key in place of the language."""
    board = picture(text)
    if names == tuple(region.name for region in board.regions.values()):
        return board
    named = zip(board.regions.items(), names, strict=True)
    regions = {region: one._replace(name=name, lines=_fitted(name, one)) for (region, one), name in named}
    return board._replace(regions=regions)


def _fitted(name: str, region: Region) -> tuple[NameLine, ...]:
    """Break a name as its region has room, in as many lines as the English name if possible, or make it smaller."""
    room = max(1.2 * max(name_width(line.text, 1) for line in region.lines), NARROWEST)
    words, tried = name.split(" "), []
    for at in range(len(words)):
        lines = (name,) if at == 0 else (" ".join(words[:at]), " ".join(words[at:]))
        wide = max(name_width(line, 1) for line in lines)
        tried.append((max(0.0, wide - room), abs(len(lines) - len(region.lines)), wide, lines))
    _over, _more, wide, lines = min(tried)
    return _lines(lines, region.label, max(SMALLEST, min(1.0, round(room / wide, 2))))


def name_width(text: str, size: float) -> float:
    return sum(WIDTHS.get(letter, OTHER) for letter in text) * size


def pairs(flat: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return `x, y, x, y …` as points."""
    return list(zip(flat[::2], flat[1::2], strict=True))


# Paths


def join(steps: list[tuple[int, int]]) -> str:
    """Return steps in tenths as path numbers, as short as possible: a minus or a second point also separates."""
    text = " ".join(_number(value) for step in steps for value in step)
    return SECOND_POINT.sub(r"\1", text.replace(" -", "-"))


def _number(tenths: int) -> str:
    whole, rest = divmod(abs(tenths), 10)
    sign = "-" if tenths < 0 else ""
    return f"{sign}{whole or ''}.{rest}" if rest else f"{sign}{whole}"


# Outlines with fewer points, for fragments sent with every turn; the difference from the coast is invisible


def short_outline(region: Region) -> str:
    """Return a region's outline as a path, within half a unit of the drawn one."""
    x, y = (_number(round(10 * number)) for number in region.sheet.moved(region.coast[0]))
    return f"M{x} {y}{_short_steps(region.side, region.sheet.turns)[region.id]}"


@cache
def _short_steps(side: str, turns: int) -> dict[str, str]:
    """Return each region's outline as path steps from its first point, which is always kept."""
    steps = {}
    for region in posed(side, turns):
        tenths = [(round(10 * x), round(10 * y)) for x, y in short_points(region)]
        steps[region.id] = f"l{join([(x - px, y - py) for (px, py), (x, y) in pairwise(tenths)])}Z"
    return steps


def short_points(region: Region) -> tuple[Point, ...]:
    return simplified(region, CLOSE)


def simplified(region: Region, close: float) -> tuple[Point, ...]:
    """Return the points of an outline that stays within `close` tenths of a unit of the coast."""
    return tuple(region.sheet.moved(region.coast[i]) for i in _kept(region.side, close)[region.id])


@cache
def _kept(side: str, close: float) -> dict[str, list[int]]:
    """Return the indexes of the points kept of each outline, cut at its first point and the one farthest from it."""
    indexes = {}
    for region in drawn(side).regions:
        points = pairs(region.outline)
        x, y = points[0]
        far = max(range(len(points)), key=lambda i: (points[i][0] - x) ** 2 + (points[i][1] - y) ** 2)
        closed = [*points, points[0]]
        indexes[region.id] = _simplified(closed, 0, far, close) + _simplified(closed, far, len(points), close)
    return indexes


def _simplified(points: list[tuple[int, int]], first: int, last: int, close: float) -> list[int]:
    """Return the indexes kept by Douglas-Peucker from `first` up to, but excluding, `last`."""
    kept, open_spans = [], [(first, last)]
    while open_spans:
        start, end = open_spans.pop()
        (ax, ay), (bx, by) = points[start], points[end]
        dx, dy = bx - ax, by - ay
        length = hypot(dx, dy)
        away, middle = 0.0, start  # of the point farthest from the chord; the last of equals
        for i in range(start + 1, end):
            x, y = points[i]
            far = abs(dx * (y - ay) - dy * (x - ax)) / length if length else hypot(x - ax, y - ay)
            if far >= away:
                away, middle = far, i
        if away > close:
            open_spans += [(middle, end), (start, middle)]
        else:
            kept.append(start)
    return kept
