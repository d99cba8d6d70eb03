"""Everything on the land, as the fragment sent with every turn: one SVG that exactly covers the land's picture.

Below: a group for each region, with its words, controller, changes and link. Above: moves of armies, pieces, names with
their signs, and marks for news. A piece belongs to its region wherever it is drawn: clicking it clicks the region.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import product
from math import inf
from typing import NamedTuple

import msgspec

from games.boards.eight_minute.changes import NOTHING, Changes
from games.boards.eight_minute.clusters import cell, cluster
from games.boards.eight_minute.contents import (
    Placed,
    army,
    city,
    laid,
    peeked,
    piece_defs,
    placed,
    token_defs,
    token_names,
    town,
)
from games.boards.eight_minute.describe import all_words
from games.boards.eight_minute.geometry import (
    NAME_SIZE,
    Box,
    NameLine,
    Picture,
    Region,
    in_language,
    name_width,
    picture,
    renamed,
    short_outline,
)
from games.boards.eight_minute.lying import Point, shown
from games.boards.eight_minute.marking import (
    Drawing,
    arrow_parts,
    arrows,
    change_marks,
    change_signs,
    common_marks,
    small_part,
)
from games.boards.sprites import COARSE, Part, Shape
from games.boards.targets import SPARK, Target, leads
from games.boards.themes import COLOURS, SHAPES, Colour, colours, in_theme, shade_of
from games.rules.eight_minute.tokens import gifts
from games.rules.eight_minute.view import RegionView, View
from games.rules.words import Translate, gettext_noop, untranslated

INKS = {"light": ("#2f210d", "#f8efd8"), "dark": ("#f6ecd4", "#11181a")}  # letters, and what sets them off
OWNER_SCALE = " scale(.42)"  # of the controller's shape next to a name
SIGN = 5.7  # half the width and height of a sign next to a name, including its rim
GAP = 1.2  # between a sign and the letters
TALL = 1.4  # a board this many times as high as wide leaves room next to it
HEIGHT = 0.3  # of the middle of small letters, above the baseline
# On phones, the site's CSS makes names larger, so that letters are 11 pixels high on a map of 390: from which width of
# the board, how much, and the class of the picture. A name without room on one side grows to the other.
ENLARGED = ((590, 1.52, " widest"), (540, 1.4, " wide"), (0, 1.35, ""))
USUAL_PIECES = 3  # in a region; names keep clear of this many
WOOD = 0.8  # width and height of a piece, in cells
NUMBER = 0.4  # of the number on a pile, in cells
# The ways to grow, best first: the class, and the point of the name that stays in place, across and along it
WAYS = {
    "": (0.5, 0.5), " east": (0.0, 0.5), " rise": (0.5, 1.0), " sink": (0.5, 0.0), " west": (1.0, 0.5),
    " east rise": (0.0, 1.0), " east sink": (0.0, 0.0), " west rise": (1.0, 1.0), " west sink": (1.0, 0.0),
}  # fmt: skip
# Ids of what the drawing uses more than once: pieces, tokens, and shapes of regions, which only another land changes
PIECES, TOKENS, OUTLINES = SHARED = "b-drawings", "b-tokens", "b-outlines"
ON_LAND = '<g id="on-land">'  # everything that a step can change
MANY = 12  # armies that are often in a region


class Marks(msgspec.Struct, frozen=True):
    """What a page marks on a position: targets by region, the region a move starts from, and news.

    `changed` regions are highlighted as a whole; `changes` are what happened there.
    """

    targets: Mapping[str, Target] = {}
    chosen: str = ""
    changed: tuple[str, ...] = ()
    changes: Changes = NOTHING


NO_MARKS = Marks()


def pieces(
    view: View, marks: Marks = NO_MARKS, *, names: Sequence[str] = (), translate: Translate = untranslated,
    theme: str = "light",
) -> str:  # fmt: skip
    """Draw the fragment. `names` are the players' names by seat; `theme` matters only without the site's CSS."""
    board, paints = in_language(picture(shown(view)), translate), colours(len(view.players), theme)
    words = all_words(view, names, translate)
    title = escape(translate(gettext_noop("The board")))
    shape = ("pieces tall" if board.height > TALL * board.width else "pieces") + _enlarged(board)[1]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{shape}" {board.size} role="group" aria-label="{title}">'
        f"{drawings(len(view.players), theme)}"
        f'<defs id="{TOKENS}">{token_defs(view)}</defs>'
        f'<defs id="{OUTLINES}">{_outlines(shown(view))}</defs>'
        f"{_on_land(Drawing(view, board, paints, names, translate), words, marks, theme)}</svg>"
    )


@lru_cache(maxsize=1024)
def _outlines(text: str) -> str:
    """Define the shapes of all regions of a layout."""
    return "".join(map(_outline, picture(text).regions.values()))


def _outline(region: Region) -> str:
    """Define the shape of a region."""
    path, clip = f'<path id="b-{region.id}" d="{short_outline(region)}"/>', f'<use href="#b-{region.id}"/>'
    return f'{path}<clipPath id="b-in-{region.id}">{clip}</clipPath>'


def drawings(players: int, theme: str = "light") -> str:
    """Draw the pieces that positions with this number of players use."""
    return f'<defs id="{PIECES}">{piece_defs(colours(players, theme))}</defs>'


def what_steps_change(drawn: str, *, in_setup: bool = False) -> str:
    """Return the parts of a drawn fragment that steps change, each with an id: all but the drawings that they share.

    In set-up steps place tokens, whose drawings the page may lack.
    """
    if ON_LAND not in drawn:
        return drawn  # boards are being laid
    tokens = shared(drawn, TOKENS) if in_setup else ""
    return tokens + drawn[drawn.index(ON_LAND) : -len("</svg>")]


def shared(drawn: str, which: str) -> str:
    """Return the `<defs>` with that id of a drawn fragment; empty if it has none, because boards are being laid."""
    start = drawn.find(f'<defs id="{which}">')
    return drawn[start : drawn.index("</defs>", start) + len("</defs>")] if start >= 0 else ""


def _on_land(drawing: Drawing, words: Mapping[str, str], marks: Marks, theme: str) -> str:
    """Draw everything that a step can change. `words` describe the regions."""
    view, board, paints = drawing.view, drawing.board, drawing.paints
    regions = board.regions.values()
    lying = {region.id: placed(view, board, region, paints) for region in regions}
    below, above = _names(drawing, marks, theme, [piece.at for here in lying.values() for piece in here])
    parts = [
        ON_LAND,
        *(_region(region, _paint(view.regions[region.id], paints), words[region.id], marks) for region in regions),
        '<g class="edges">',
        *(_edge(region, marks) for region in regions),
        "</g>",
        arrows(drawing, marks.changes),
        below,
        '<g class="tokens" aria-hidden="true">',
    ]
    # What lies in a region links to the same target as the region, even beyond its border.
    for region in regions:
        drawn, target = _drawn(lying[region.id], board, paints), marks.targets.get(region.id)
        if drawn and target and target.href:
            parts.append(f'<a {leads(target)} tabindex="-1" data-of="{region.id}">{drawn}</a>')
        elif drawn:
            parts.append(f'<g pointer-events="none" data-of="{region.id}">{drawn}</g>')
    return "".join((*parts, "</g>", above, change_signs(drawing, marks.changes), "</g>"))


def parts(
    view: View,
    changes: Changes = NOTHING,
    theme: str = "light",
    *,
    grid: int,
    translate: Translate = untranslated,
    language: str = "en",
) -> Iterator[Part | Shape]:
    """Draw the same as `pieces`, without words and targets, in parts from the lowest to the topmost.

    Equal parts of boards that lie differently on the grid have equal text.
    """
    board, paints = in_language(picture(shown(view)), translate), colours(len(view.players), theme)
    drawing, scale, size = Drawing(view, board, paints, (), untranslated), cell(board) / 26, name_size(board)
    regions = list(board.regions.values())
    held = {region.id: _paint(view.regions[region.id], paints) for region in regions}
    for region in regions:
        if paint := held[region.id]:
            yield _region_part(region, paint, grid)
    for way in changes.ways:
        yield from arrow_parts(drawing, way)
    lying = [piece for region in regions for piece in placed(view, board, region, paints)]
    low, names = _low(board, [piece.at for piece in lying]), tuple(region.name for region in regions)
    labels = {
        region.id: [
            _name_part(region, size, theme, language),
            *map(_sign_part, _signs(board.layout, names, region.id, held[region.id], is_new=False)),
        ]
        for region in regions
    }
    yield from (part for region, drawn in labels.items() if region in low for part in drawn)
    yield from (small_part(piece.at, piece.drawing, scale) for piece in lying)
    yield from (part for region, drawn in labels.items() if region not in low for part in drawn)
    for mark in change_marks(drawing, changes):
        yield from (small_part(at, drawn, scale) for at, drawn in mark.drawings)


def common_parts(text: str, theme: str, translate: Translate, language: str, *, grid: int) -> Iterator[Part]:
    """Draw the parts of the regions of a map that positions on it may show: with every color, and every name."""
    board = in_language(picture(text), translate)
    for region in board.regions.values():
        yield from (_region_part(region, paint, grid) for paint in in_theme(COLOURS, theme))
        yield _name_part(region, name_size(board), theme, language)


def common_pieces() -> set[str]:
    """Return the drawings of all pieces, tokens and marks that pictures often show."""
    faces = set(token_names()) & set(gifts())
    drawn = {'<use href="#b-start"/>', *map(laid, token_names()), *map(peeked, faces), *map(town, (1, 2, 3))}
    for paint in COLOURS:
        drawn |= {city(paint), *(army(paint, n) for n in range(1, MANY + 1))}
    return drawn | common_marks(COLOURS)


def _sign_part(sign: "Sign") -> Part:
    return Part(sign.at, sign.drawn(0, 0), (-SIGN - 1, -SIGN - 1, SIGN + 1, SIGN + 1), COARSE)


def owner_part(at: Point, paint: Colour) -> Part:
    """Draw the sign of a controller next to a name."""
    return _sign_part(Sign(at, _owner(paint), OWNER_SCALE))


def _name_part(region: Region, size: float, theme: str, language: str) -> Part:
    """Draw the name of a region around its label."""
    x, y = region.label
    lines = tuple((line.text, round(line.x - x, 1), round(line.y - y, 1), line.size) for line in region.lines)
    drawing, box = _name_drawing(lines, size, theme, language)
    return Part((x, y), drawing, box)


@lru_cache(maxsize=4096)
def _name_drawing(
    lines: tuple[tuple[str, float, float, float], ...], size: float, theme: str, language: str
) -> tuple[str, Box]:
    """Draw the lines of a name, and return the drawing and the box around it.

    The language tells resvg which forms of letters to use.
    """
    boxes = [_letters(NameLine(*line), size) for line in lines]
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    # Letters may be a little wider than estimated, and taller than most
    box = left - 0.1 * (right - left) - 4, top - 0.4 * size, right + 0.1 * (right - left) + 4, bottom + 0.4 * size
    drawn = "".join(_line(NameLine(*line), size) for line in lines)
    return f'<g xml:lang="{language}" {_letter(size, theme)}>{drawn}</g>', box


def _region_part(region: Region, paint: Colour, grid: int) -> Part:
    """Draw the land of a region that a player controls, around a point of the grid."""
    (x, y), sheet, box = (region.sheet.x // grid * grid, region.sheet.y // grid * grid), region.sheet, region.box
    here = region._replace(sheet=sheet._replace(x=sheet.x - x, y=sheet.y - y))
    drawn = f"<defs>{_outline(here)}</defs>{_region(here, paint, '', NO_MARKS)}"
    return Part((x, y), drawn, (box[0] - x, box[1] - y, box[2] - x, box[3] - y))


def inside(view: View, board: Picture, region: Region, paints: tuple[Colour, ...]) -> str:
    """Draw what lies in a region."""
    return _drawn(placed(view, board, region, paints), board, paints)


def _drawn(pieces: Sequence[Placed], board: Picture, paints: tuple[Colour, ...]) -> str:
    scale = f"{cell(board) / 26:.2f}".lstrip("0")
    return "".join(
        f'<g class="{piece.what}{"" if piece.colour is None else f" {paints[piece.colour].key}"}"'
        f' transform="translate({piece.at[0]:g} {piece.at[1]:g}) scale({scale})">{piece.drawing}</g>'
        for piece in pieces
    )


def _paint(here: RegionView, paints: tuple[Colour, ...]) -> Colour | None:
    return None if here.controller is None else paints[here.controller]


def _region(region: Region, paint: Colour | None, words: str, marks: Marks) -> str:
    """Draw the land of a region, with the shape and, along its border, the color of the player who controls it.

    It is a picture with its words, or a link that they describe if it can be clicked.
    """
    here, clip = f'href="#b-{region.id}"', f'clip-path="url(#b-in-{region.id})"'
    classes, band = ["region"], ""
    fill = 'fill="none" pointer-events="all"'
    if region.id in marks.changed:
        band = f'<use class="halo" {here} stroke="#ffe9a0" stroke-width="15" stroke-opacity=".7"/>'
    if paint:
        classes.append(paint.key)
        fill = f'fill="url(#b-{paint.key}-wash)"'
        band += (
            f'<use class="rim" {here} stroke="#fffaf0" stroke-width="9.4" stroke-opacity=".5"/>'
            f'<use class="band" {here} stroke="{paint.line}" stroke-width="7"/>'
        )
    inside = f'<title>{escape(words)}</title><use class="hit" {here} {fill}/>'
    if band:
        inside += f'<g {clip} fill="none">{band}</g>'
    if target := marks.targets.get(region.id):
        # Only the page's CSS turns on the highlight of a region under the pointer.
        glow = (
            f'<g pointer-events="none" fill="none"><use class="glow" {here} {clip} opacity="0" fill="#fff8dc"'
            ' fill-opacity=".3" stroke="#fff8dc" stroke-width="14" stroke-opacity=".8"/></g>'
        )
        inside = f'<a id="tap-{region.id}" {leads(target)} aria-label="{escape(target.label)}">{inside}{glow}</a>'
    if region.id in marks.changed:
        classes.append("changed")
    if region.id == marks.chosen:
        classes.append("chosen")
    role = "" if target else ' role="img"'
    return f'<g class="{" ".join(classes)}" id="region-{region.id}" data-region="{region.id}"{role}>{inside}</g>'


def _edge(region: Region, marks: Marks) -> str:
    """Draw the line around a clickable region (dashed) or the chosen one (solid), over neighbors' bands."""
    if region.id == marks.chosen:
        kind, under = "chosen", 'stroke="#33200a" stroke-width="6"'
        above = 'stroke="#ffd24a" stroke-width="3"'
    elif region.id in marks.targets:
        kind, under = "live", 'stroke="#fff8e0" stroke-width="4.8"'
        above = 'stroke="#5c1d08" stroke-width="2" stroke-dasharray="6 5"'
    else:
        return ""
    here = f'href="#b-{region.id}"'
    lines = f'<use {here} {under}/><use class="dash" {here} {above}/>'
    return f'<g pointer-events="none" fill="none"><g class="edge {kind}" stroke-linejoin="round">{lines}</g></g>'


# Names


def _names(drawing: Drawing, marks: Marks, theme: str, spots: Sequence[Point]) -> tuple[str, str]:
    """Draw the names of regions, with the controller's shape before and a spark after if there is news.

    Return those that lie below the pieces at `spots`, and those above.
    """
    board = drawing.board
    regions, size, low = board.regions.values(), name_size(board), _low(board, spots)
    names, below, above = tuple(region.name for region in regions), list[str](), list[str]()
    ways = growth(board.layout, names)
    for region in regions:
        paint, is_new = _paint(drawing.view.regions[region.id], drawing.paints), region.id in marks.changed
        lines = "".join(_line(line, size) for line in region.lines)
        signs = "".join(sign.drawn(*sign.at) for sign in _signs(board.layout, names, region.id, paint, is_new))
        # One group, which the site's CSS makes larger on phones.
        label = f'<g class="region-name{ways[region.id]}">{lines}{signs}</g>'
        (below if region.id in low else above).append(label)
    group = f'<g class="names" pointer-events="none" aria-hidden="true" {_letter(size, theme)}>'
    drawn = [f"{group}{''.join(labels)}</g>" if labels else "" for labels in (below, above)]
    return drawn[0], drawn[1]


def _letter(size: float, theme: str) -> str:
    """Return the attributes of the letters of names."""
    ink, glow = INKS[shade_of(theme)]
    font = f'font-family="Alegreya" font-style="italic" font-size="{size:g}" text-anchor="middle"'
    return f'{font} fill="{ink}" stroke="{glow}" stroke-width="2.4" stroke-linejoin="round"'


def _line(line: NameLine, size: float) -> str:
    smaller = "" if line.size == 1 else f' font-size="{line.size * size:.1f}"'
    return f'<text x="{line.x:g}" y="{line.y:g}"{smaller} paint-order="stroke">{escape(line.text)}</text>'


def name_size(board: Picture) -> float:
    return round(NAME_SIZE * max(1.0, min(1.15, board.width / 480)), 1)


def _enlarged(board: Picture) -> tuple[float, str]:
    """Return how much larger names are on phones, and the class for it."""
    return next((scale, name) for width, scale, name in ENLARGED if board.width >= width)


def _low(board: Picture, spots: Sequence[Point]) -> set[str]:
    """Return the regions whose names lie below pieces at these spots, because on phones they would hide a number.

    The others lie above: letters over the edge of a piece can be read, and so can the piece.
    """
    reach, names = NUMBER * cell(board) / 2, tuple(region.name for region in board.regions.values())
    return {
        region
        for region, (_way, (left, top, right, bottom)) in _grown(board.layout, names).items()
        if any(left - reach < x < right + reach and top - reach < y < bottom + reach for x, y in spots)
    }


def growth(layout: str, names: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the classes by region that tell in which direction its name grows on phones.

    `names` are those of the regions in the reader's language, in their order; the English ones if there are none.
    """
    return {region: way for region, (way, _box) in _grown(layout, names).items()}


@lru_cache(maxsize=512)
def _grown(layout: str, names: tuple[str, ...]) -> dict[str, tuple[str, Box]]:
    """Return these classes, and the boxes that the names have with them.

    Few names overlap, and few meet `USUAL_PIECES` in their regions.
    """
    board = renamed(layout, names) if names else picture(layout)
    size, scale, half = name_size(board), _enlarged(board)[0], WOOD * cell(board) / 2
    tried = {}
    for region, area in board.regions.items():
        box = name_box(area, size)
        tried[region] = [(way, enlarged(box, scale, *fixed)) for way, fixed in WAYS.items()]
    # Only names that can meet at all are compared.
    reached = {}
    for region, grown in tried.items():
        lefts, tops, rights, bottoms = zip(*[box for _way, box in grown], strict=True)
        reached[region] = min(lefts), min(tops), max(rights), max(bottoms)
    near = {
        region: [other for other in reached if other != region and _meet(reached[region], reached[other])]
        for region in reached
    }
    pieces = [
        (x - half, y - half, x + half, y + half)
        for area in board.regions.values()
        for x, y in cluster(board, area, USUAL_PIECES)
    ]
    pieces_near = {region: [piece for piece in pieces if _meet(reached[region], piece)] for region in reached}
    ways, boxes = dict.fromkeys(tried, ""), {region: grown[0][1] for region, grown in tried.items()}
    # Twice, because the others have moved; then away from pieces, where that brings no names together
    for around_pieces, region in product((False, False, True, True), boxes):
        others, least = [boxes[other] for other in near[region]], (inf, inf)
        here = pieces_near[region] if around_pieces else []
        for way, box in tried[region]:
            outside = max(0.0, -box[0]) + max(0.0, box[2] - board.width)
            met = sum(_shared(box, other) for other in others)
            covered = sum(_shared(box, piece) for piece in here)
            if (cost := (10 * outside + met, covered)) < least:
                least, ways[region], boxes[region] = cost, way, box
            if least == (0, 0):
                break  # no other way is better
    return {region: (way, boxes[region]) for region, way in ways.items()}


def name_box(region: Region, size: float) -> Box:
    """Return the box around the letters of a name."""
    lefts, tops, rights, bottoms = zip(*[_letters(line, size) for line in region.lines], strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def enlarged(box: Box, scale: float, x: float, y: float) -> Box:
    """Return the box of a name when it is larger, and the point that far across and along it stays in place."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    left, top = left - x * (scale - 1) * width, top - y * (scale - 1) * height
    return left, top, left + scale * width, top + scale * height


def _meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _shared(box: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    width, height = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
    return max(0.0, width) * max(0.0, height)


def letters(picture: Picture, size: float) -> list[Box]:
    """Return the boxes of the letters of all names at a font size."""
    return [_letters(line, size) for region in picture.regions.values() for line in region.lines]


def _letters(line: NameLine, size: float) -> Box:
    size *= line.size
    half, middle = name_width(line.text, size) / 2, line.y - HEIGHT * size
    return line.x - half, middle - 0.35 * size, line.x + half, middle + 0.35 * size


class Sign(NamedTuple):
    """A sign next to a name: its middle, a path without its end, and its scale."""

    at: Point
    path: str
    scale: str

    def drawn(self, x: float, y: float) -> str:
        return f'{self.path} transform="translate({x:.1f} {y:.1f}){self.scale}"/>'


class OnPhone(NamedTuple):
    """How a name grows on phones: its box before, how much, the point that stays in place, and the other names."""

    name: Box
    scale: float
    fixed: Point
    others: list[Box]


def _signs(layout: str, names: tuple[str, ...], region: str, paint: Colour | None, is_new: bool) -> list[Sign]:
    """Return the shape of the controller's `paint` and, if `is_new`, a spark, each at its place."""
    if not (paint or is_new):
        return []
    drawn = [(_owner(paint), OWNER_SCALE)] if paint else []
    if is_new:
        drawn.append((f'<path class="spark" d="{SPARK}" fill="#ffe27a" stroke="#5a3a00" stroke-width="1.1"', ""))
    places = sign_places(layout, names, region, paint is not None, is_new)
    return [Sign(at, path, scale) for at, (path, scale) in zip(places, drawn, strict=True)]


@lru_cache(maxsize=512)
def _taken(layout: str, names: tuple[str, ...]) -> list[Box]:
    """Return the boxes of the letters of all names in the reader's language."""
    board = renamed(layout, names)
    return letters(board, name_size(board))


@lru_cache(maxsize=8192)
def sign_places(layout: str, names: tuple[str, ...], region: str, is_held: bool, is_new: bool) -> tuple[Point, ...]:
    """Return the middles of a region's signs: of its controller's shape, before its name, and of a spark after it.

    No sign covers a letter of any name; if it would, it moves to the other side of its name or farther off. It also
    moves to where it covers less of other names on phones. `names` are as in `growth`.
    """
    board, grown = renamed(layout, names), _grown(layout, names)
    size, here, way = name_size(board), board.regions[region], WAYS[grown[region][0]]
    others = [box for other, (_way, box) in grown.items() if other != region]
    on_phone = OnPhone(name_box(here, size), _enlarged(board)[0], way, others)
    left, top, right, bottom = _letters(here.lines[0], size)
    y, near, far = (top + bottom) / 2, SIGN + GAP, 3 * SIGN + 2 * GAP
    before, after, *farther = (left - near, y), (right + near, y), (right + far, y), (left - far, y)
    taken, places, found = _taken(layout, names), [after, before, *farther], list[Point]()
    for is_shown, possible in ((is_held, [before, after]), (is_new, places)):
        if is_shown:
            found.append(_free(possible, taken, on_phone))
            places.remove(found[-1])
    return tuple(found)


def _owner(paint: Colour) -> str:
    return f'<path class="owner" d="{SHAPES[paint.shape]}" fill="{paint.fill}" stroke="#fffaf0" stroke-width="3"'


def _free(places: Sequence[Point], names: list[Box], on_phone: OnPhone) -> Point:
    """Return the first place where a sign covers no letter, and the least of names on phones; else the first of all."""
    least, best = inf, places[0]
    for place in places:
        sign = _around(*place)
        if any(_meet(sign, name) for name in names):
            continue
        box = _grown_sign(place, on_phone)
        covered = sum(_shared(box, name) for name in on_phone.others if _meet(box, name))
        if covered < least:
            least, best = covered, place
        if not covered:
            break  # no other place is better
    return best


def _around(x: float, y: float) -> Box:
    """Return the box of a sign."""
    return x - SIGN, y - SIGN, x + SIGN, y + SIGN


def _grown_sign(place: Point, on_phone: OnPhone) -> Box:
    """Return the box of a sign on phones, where it grows in one group with its name."""
    sign, name, scale = _around(*place), on_phone.name, on_phone.scale
    left, top = min(sign[0], name[0]), min(sign[1], name[1])
    x = left + on_phone.fixed[0] * (max(sign[2], name[2]) - left)
    y = top + on_phone.fixed[1] * (max(sign[3], name[3]) - top)
    return x + scale * (sign[0] - x), y + scale * (sign[1] - y), x + scale * (sign[2] - x), y + scale * (sign[3] - y)
