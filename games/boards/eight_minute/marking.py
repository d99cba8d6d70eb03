"""Marks for changes on the board: arrows as on old campaign maps, plus and minus signs next to pieces, rings.

Each mark has a text title. Color is never the only sign: an arrow shows its army's shape, a number its sign.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import dist
from typing import NamedTuple

from games.boards.eight_minute import changes as c
from games.boards.eight_minute.clusters import beside_token, cell, cluster
from games.boards.eight_minute.contents import NUMERALS, Placed, army, placed
from games.boards.eight_minute.geometry import Picture
from games.boards.eight_minute.lying import Point
from games.boards.sprites import COARSE, Layer, Part, Shape
from games.boards.themes import SHAPES, Colour
from games.rules.eight_minute.view import View
from games.rules.words import Translate

CREAM = "#fffaf0"
GOLD, EARTH = "#ffd24a", "#33200a"
TAIL, NECK, HEAD, BARB = 1.3, 3.3, 12.0, 7.6  # half widths at an arrow's tail and neck; head length and half width
LEAST = 15.0  # minimum length of an arrow
BENDS = 8  # straight lines in place of a curve, in pixels
SHADOW, SHADOW_AT, RIM, EDGE = 0.3, (1, 2), 3.6, 0.9  # opacity and place of an arrow's shadow, widths of its lines
AIR = 16  # units around the middle of a piece that is 26 wide, for its shadow and rim
ALONE, SEVERAL = 0.46, 0.74  # size of the army on an arrow: alone, with a number
FEW = 4  # armies that often come or go at once
SIGN = 'fill="none" stroke-width="2.3" stroke-linecap="round" stroke-linejoin="round"'
PLUS, MINUS = "M-3 0H3M0-3V3", "M-3 0H3"
GONE = 'stroke-dasharray="5 5"'
RING = "M7.5-11.8A14 14 0 1 1-1-14Q7-14.2 11.3-8.6"  # an open, hand-drawn ring


class Drawing(NamedTuple):
    """Everything needed to draw marks on a position."""

    view: View
    board: Picture
    paints: tuple[Colour, ...]
    names: Sequence[str]
    translate: Translate

    @property
    def scale(self) -> float:
        return cell(self.board) / 26

    def placed(self, region: str) -> list[Placed]:
        return placed(self.view, self.board, self.board.regions[region], self.paints)

    def where(self, region: str, what: str, colour: int | None = None) -> Point | None:
        """Return the middle of the last such piece in a region, or None."""
        spots = [piece.at for piece in self.placed(region) if (piece.what, piece.colour) == (what, colour)]
        return spots[-1] if spots else None

    def free(self, region: str) -> Point:
        """Return the point in a region farthest from all its pieces."""
        here, where = [piece.at for piece in self.placed(region)], self.board.regions[region]
        if not here:
            return cluster(self.board, where, 1)[0]
        taken = [*here, where.label]
        spots = [*where.anchors, *cluster(self.board, where, len(taken))]
        return max(spots, key=lambda spot: min(abs(spot[0] - x) + abs(spot[1] - y) for x, y in taken))


class Mark(NamedTuple):
    """A mark for a change: drawings around points, a class for the site's CSS, and what it says in words."""

    kind: str
    words: str
    drawings: Sequence[tuple[Point, str]]


def arrows(drawing: Drawing, changes: c.Changes) -> str:
    """Draw the moves of armies, below the pieces."""
    drawn = []
    for number, way in enumerate(changes.ways):
        words = c.way_words(way, drawing.view, drawing.names, drawing.translate)
        arrow = _arrow(drawing, way, *ends(drawing, way), number)
        drawn.append(_mark(f"step {drawing.paints[way.colour].key}", words, arrow))
    return _group("ways", drawn)


def ends(drawing: Drawing, way: c.Way) -> tuple[Point, Point]:
    """Return the points between which an arrow leads: where the armies are, or would be."""
    origin, target = (
        drawing.where(region, "army", way.colour) or drawing.free(region) for region in (way.origin, way.target)
    )
    return origin, target


def arrow_parts(drawing: Drawing, way: c.Way) -> Iterator[Part | Shape]:
    """Draw a single arrow as a shape, and the army on it."""
    paint, swoosh, size = (
        drawing.paints[way.colour],
        _swoosh(*ends(drawing, way), drawing.scale),
        _army_size(drawing, way),
    )
    layers = (
        Layer("#000", opacity=SHADOW, by=SHADOW_AT), Layer(CREAM, pen=RIM), Layer(paint.fill),
        Layer(paint.edge, is_filled=False, pen=EDGE),
    )  # fmt: skip
    yield Shape(*_polygon(swoosh), layers)
    yield small_part(swoosh.middle, army(paint, way.n), size)


def armies_on_arrows(paints: Iterable[Colour]) -> list[tuple[str, float]]:
    """Return the drawings of armies that arrows often show, and their sizes."""
    return [(army(paint, n), ALONE if n == 1 else SEVERAL) for paint in paints for n in range(1, FEW + 1)]


def small_part(at: Point, drawing: str, scale: float) -> Part:
    """Draw a piece or a mark. `scale` is its size."""
    air = AIR * round(scale, 2)
    return Part(at, f'<g transform="scale({scale:.2f})">{drawing}</g>', (-air, -air, air, air), COARSE)


def _arrow(drawing: Drawing, way: c.Way, origin: Point, target: Point, number: int) -> str:
    paint, here = drawing.paints[way.colour], f'href="#b-way-{number}"'
    swoosh = _swoosh(origin, target, drawing.scale)
    return (
        f'<defs><path id="b-way-{number}" d="{_outline(swoosh)}" stroke-linejoin="round"/></defs>'
        f'<use {here} transform="translate({SHADOW_AT[0]} {SHADOW_AT[1]})" opacity="{SHADOW}"/>'
        f'<use {here} fill="{CREAM}" stroke="{CREAM}" stroke-width="{RIM}"/>'
        f'<use {here} fill="{paint.fill}" stroke="{paint.edge}" stroke-width="{EDGE}"/>'
    ) + _at(swoosh.middle, army(paint, way.n), _army_size(drawing, way))


def _army_size(drawing: Drawing, way: c.Way) -> float:
    return (ALONE if way.n == 1 else SEVERAL) * drawing.scale


def change_signs(drawing: Drawing, changes: c.Changes) -> str:
    """Draw all other marks, above the pieces."""
    marks = change_marks(drawing, changes)
    return _group(
        "counts",
        (
            _mark(mark.kind, mark.words, "".join(_at(at, drawn, drawing.scale) for at, drawn in mark.drawings))
            for mark in marks
        ),
    )


def change_marks(drawing: Drawing, found: c.Changes) -> list[Mark]:
    """Return rings around new cities, tokens and merchants and where one is gone, and plus and minus signs for armies.

    `drawing.scale` is their size.
    """
    view, board, names, translate = drawing.view, drawing.board, drawing.names, drawing.translate
    marks = []
    for count in found.cities:
        cities = [
            piece.at for piece in drawing.placed(count.region) if (piece.what, piece.colour) == ("city", count.colour)
        ]
        rings = [(at, _ring()) for at in cities[-count.n :]]
        marks.append(Mark("new", c.city_words(count, view, names, translate), rings))
    for region, what in found.laid:
        if at := drawing.where(region, what):
            marks.append(Mark("new", c.laid_words((region, what), view, translate), [(at, _ring())]))
    for region, what in found.gone:
        if view.regions[region].token:  # a citadel or another token that stays
            at = drawing.free(region)
        else:
            at, _spots = beside_token(board, board.regions[region], 0)
        marks.append(Mark("gone", c.gone_words((region, what), view, translate), [(at, _ring(GONE))]))
    return marks + [_army(drawing, count) for count in found.armies]


def common_marks(paints: Iterable[Colour]) -> set[str]:
    """Return the drawings of the marks that pictures often show."""
    drawn = {_ring(), _ring(GONE)}
    for paint in paints:
        drawn |= {_ghost(paint), *(_badge(paint, n) for n in range(-FEW, FEW + 1) if n)}
    return drawn


def _group(name: str, drawn: Iterable[str]) -> str:
    inside = "".join(drawn)
    return f'<g class="marks {name}" pointer-events="none">{inside}</g>' if inside else ""


def _mark(kind: str, words: str, drawing: str) -> str:
    return f'<g class="{kind}" role="img"><title>{escape(words)}</title>{drawing}</g>'


def _at(point: Point, drawing: str, scale: float = 1.0) -> str:
    size = f" scale({scale:.2f})" if scale != 1 else ""
    return f'<g transform="translate({point[0]:.1f} {point[1]:.1f}){size}">{drawing}</g>'


# Arrows


class Swoosh(NamedTuple):
    """The outline of a curved arrow, and the middle of its curve. An edge has one point if it is straight."""

    start: Point
    edges: Sequence[Sequence[Point]]
    middle: Point


def _swoosh(origin: Point, target: Point, scale: float) -> Swoosh:
    """Return a curved arrow that widens toward its head."""
    knee, length = _knee(origin, target), dist(origin, target)
    room = max(0.0, min(1.0, (length - LEAST) / (26 * scale)))
    out, back = _unit(origin, knee), _unit(knee, target)
    start = _along(origin, out, 9 * scale * room)
    tip = _along(target, back, -12.5 * scale * room)
    neck = _along(tip, back, -HEAD)
    barb = _along(tip, back, -HEAD * 1.3)
    # Each edge of the shaft: start, bend and end.
    left, right = (
        (_beside(start, out, s * TAIL), _beside(knee, back, s * (TAIL + NECK) / 2), _beside(neck, back, s * NECK))
        for s in (1, -1)
    )
    barbs = [_beside(barb, back, side * BARB) for side in (1, -1)]
    cheeks = [_beside(neck, back, side * (NECK + 1)) for side in (1, -1)]
    edges = (left[1:], barbs[:1], (cheeks[0], tip), (cheeks[1], barbs[1]), right[2:], (right[1], right[0]))
    middle = (start[0] + 2 * knee[0] + neck[0]) / 4, (start[1] + 2 * knee[1] + neck[1]) / 4
    return Swoosh(left[0], edges, middle)


def _polygon(swoosh: Swoosh) -> tuple[list[Point], list[int]]:
    """Return the points of a polygon that looks like a curved arrow, and the numbers of those that are its corners."""
    points, corners = [swoosh.start], [0]
    for edge in swoosh.edges:
        if len(edge) == 1:
            points += edge
        else:
            (x, y), (bend_x, bend_y), (to_x, to_y) = points[-1], *edge
            for step in range(1, BENDS + 1):
                far = step / BENDS
                near, over, there = (1 - far) ** 2, 2 * far * (1 - far), far**2
                points.append((near * x + over * bend_x + there * to_x, near * y + over * bend_y + there * to_y))
        corners.append(len(points) - 1)
    return points, corners


def _knee(origin: Point, target: Point) -> Point:
    """Return the point toward which an arrow bends."""
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    bend = 0.2 + 9 / max(1.0, dist(origin, target))
    return origin[0] + dx / 2 + bend * dy, origin[1] + dy / 2 - bend * dx


def _unit(origin: Point, target: Point) -> Point:
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    length = max(0.1, (dx * dx + dy * dy) ** 0.5)
    return dx / length, dy / length


def _along(point: Point, way: Point, far: float) -> Point:
    return point[0] + far * way[0], point[1] + far * way[1]


def _beside(point: Point, way: Point, far: float) -> Point:
    return point[0] + far * way[1], point[1] - far * way[0]


def _outline(swoosh: Swoosh) -> str:
    """Return a closed path with relative coordinates, which are shorter."""
    x, y = (round(10 * n) for n in swoosh.start)  # tenths, so that rounding does not add up
    path = f"M{x / 10:g} {y / 10:g}"
    for edge in swoosh.edges:
        points = [(round(10 * point[0]), round(10 * point[1])) for point in edge]
        numbers = (f"{(to - at) / 10:g}" for point in points for to, at in zip(point, (x, y), strict=True))
        path += ("l" if len(points) == 1 else "q") + " ".join(numbers).replace(" -", "-")
        x, y = points[-1]
    return f"{path}z"


# Plus and minus signs, rings


def _army(drawing: Drawing, count: c.Count) -> Mark:
    """Draw a badge next to the armies or over the place where the last was."""
    paint, stands = drawing.paints[count.colour], drawing.where(count.region, "army", count.colour)
    at, corner = stands or drawing.free(count.region), 10.5 * drawing.scale
    drawings = [] if stands else [(at, _ghost(paint))]
    words = c.army_words(count, drawing.view, drawing.names, drawing.translate)
    badge = (at[0] + corner, at[1] - corner), _badge(paint, count.n)
    return Mark(f"count {paint.key}", words, [*drawings, badge])


def _ghost(paint: Colour) -> str:
    """Draw the outline of an army that is gone."""
    shape, dashes = SHAPES[paint.shape], f'stroke="{paint.edge}" stroke-width="1.8" stroke-dasharray="4 3"'
    return (
        f'<path d="{shape}" fill="{paint.fill}" fill-opacity=".3" stroke="{CREAM}" stroke-width="4"/>'
        f'<path d="{shape}" fill="none" {dashes}/>'
    )


def _badge(paint: Colour, n: int) -> str:
    """Draw `+2` on the color itself, or `-1` on paper."""
    digits, fewer = str(abs(n)), n < 0
    fill, ink, rim = (CREAM, paint.edge, paint.edge) if fewer else (paint.fill, paint.ink, CREAM)
    half = 4.2 * (1 + len(digits))
    sign_x, *places = [-half + 4.2 + 8.4 * place for place in range(1 + len(digits))]
    numbers = "".join(
        f'<path transform="translate({x:.1f} 0) scale(.95)" d="{NUMERALS[digit]}"/>'
        for x, digit in zip(places, digits, strict=True)
    )
    return (
        f'<rect x="{-half - 1.4:.1f}" y="-7.6" width="{2 * half + 2.8:.1f}" height="15.2" rx="7.6" fill="{fill}"'
        f' stroke="{rim}" stroke-width="1.7"/><g {SIGN} stroke="{ink}">'
        f'<path transform="translate({sign_x:.1f} 0)" d="{MINUS if fewer else PLUS}"/>{numbers}</g>'
    )


def _ring(dashes: str = "") -> str:
    pen = f'd="{RING}" fill="none" stroke-linecap="round"'
    return (
        f'<path {pen} stroke="{EARTH}" stroke-width="4.6" {dashes}/>'
        f'<path {pen} stroke="{GOLD}" stroke-width="2.5" {dashes}/>'
    )
