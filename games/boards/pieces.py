"""What lies on the land, as the fragment that travels with every turn: one SVG to lay exactly over the land's picture.

Below: a group for each region, with its words, who controls it, what changed and what can be clicked. Above: the steps
of the last turn, names and pieces. A piece belongs to its region wherever it lies: who clicks it clicks the region.
"""

from collections.abc import Mapping, Sequence
from html import escape

import msgspec

from games.boards import tokens
from games.boards.clusters import cell, cluster
from games.boards.describe import region_words
from games.boards.geometry import NAME_SIZE, Picture, Point, Region, picture
from games.boards.outlines import short_outline
from games.boards.themes import SHAPES, Colour, colours
from games.rules.empire.view import RegionView, View
from games.rules.words import Translate, gettext_noop, untranslated

INKS = {"light": ("#2f210d", "#f8efd8"), "dark": ("#f6ecd4", "#11181a")}  # letters, and what sets them off
SPARK = "M0-5.4L1.3-1.3L5.4 0L1.3 1.3L0 5.4L-1.3 1.3L-5.4 0L-1.3-1.3Z"


class Target(msgspec.Struct, frozen=True):
    """A region that can be clicked: what that does in words, where a plain link leads, the action's text if it is one.

    `kind` is a word for CSS: `act`, `choose` or `cancel`.
    """

    label: str
    href: str = ""
    action: str = ""
    kind: str = "act"


class Step(msgspec.Struct, frozen=True):
    """An army of a colour that went from one region to another."""

    origin: str
    target: str
    colour: int


class Marks(msgspec.Struct, frozen=True):
    """What a page draws on a position: live targets by region, the region that a move starts from, what is new."""

    targets: Mapping[str, Target] = {}
    chosen: str = ""
    changed: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


NO_MARKS = Marks()


def pieces(
    view: View,
    marks: Marks = NO_MARKS,
    *,
    names: Sequence[str] = (),
    translate: Translate = untranslated,
    theme: str = "light",
) -> str:
    """The fragment. `names` are those of the seats; `theme` matters where the site's CSS is not at hand."""
    drawn, paints = picture(view.layout), colours(len(view.players), theme)
    regions = drawn.regions.values()
    words = {region: region_words(view, region, names, translate) for region in drawn.regions}
    size = f'viewBox="0 0 {drawn.width:g} {drawn.height:g}" width="{drawn.width:g}" height="{drawn.height:g}"'
    title = escape(translate(gettext_noop("The board")))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="pieces" {size} role="group" aria-label="{title}">',
            f"<desc>{escape(' '.join(words.values()))}</desc>",
            f"<defs>{tokens.defs(paints)}{_outlines(drawn)}</defs>",
            *(_region(view, region, marks, words[region.id], paints) for region in regions),
            *(_edge(region, marks) for region in regions),
            _over(*(_arrow(drawn, step, paints[step.colour]) for step in marks.steps)),
            _names(view, drawn, marks, paints, theme),
            '<g class="tokens" aria-hidden="true">',
            *(_cluster(view, drawn, region, marks, paints) for region in regions),
            "</g></svg>",
        )
    )


def _over(*drawings: str) -> str:
    """Drawings that no click notices."""
    return f'<g pointer-events="none" fill="none">{"".join(drawings)}</g>' if drawings else ""


def _outlines(drawn: Picture) -> str:
    return "".join(
        f'<path id="b-{region.id}" d="{short_outline(region)}"/>'
        f'<clipPath id="b-in-{region.id}"><use href="#b-{region.id}"/></clipPath>'
        for region in drawn.regions.values()
    )


def _region(view: View, region: Region, marks: Marks, words: str, paints: tuple[Colour, ...]) -> str:
    """A region as something to point at, a link if it can be clicked."""
    controller = view.regions[region.id].controller
    paint = None if controller is None else paints[controller]
    target = marks.targets.get(region.id)
    inside = f"<title>{escape(words)}</title>{_ground(region, paint, region.id in marks.changed)}"
    classes = " ".join(filter(None, ("region", paint.key if paint else "", *_states(region, marks))))
    link = _link(region, target, words, inside + _glow(region)) if target else inside
    return f'<g class="{classes}" id="region-{region.id}" data-region="{region.id}">{link}</g>'


def _glow(region: Region) -> str:
    """The light in which a region stands that is pointed at: only the page's CSS turns it on."""
    return _over(
        f'<use class="glow" href="#b-{region.id}" clip-path="url(#b-in-{region.id})" opacity="0" fill="#fff8dc"'
        ' fill-opacity=".3" stroke="#fff8dc" stroke-width="14" stroke-opacity=".8"/>'
    )


def _states(region: Region, marks: Marks) -> tuple[str, str]:
    return "changed" if region.id in marks.changed else "", "chosen" if region.id == marks.chosen else ""


def _link(region: Region, target: Target, words: str, inside: str) -> str:
    label = escape(f"{target.label}. {words}")
    return f'<a id="tap-{region.id}" {_leads(target)} aria-label="{label}">{inside}</a>'


def _leads(target: Target) -> str:
    """The attributes of a link that does what a target says."""
    where = f'href="{escape(target.href)}"' if target.href else 'role="button" tabindex="0"'
    action = f' data-action="{escape(target.action)}"' if target.action else ""
    return f'class="target {target.kind}" {where}{action}'


def _ground(region: Region, paint: Colour | None, is_new: bool) -> str:
    """The land of a region: strewn with the shape of whoever controls it, inside a band of their colour."""
    here = f'href="#b-{region.id}"'
    fill = f'fill="url(#b-{paint.key}-wash)"' if paint else 'fill="none" pointer-events="all"'
    halo = f'<use class="halo" {here} stroke="#ffe9a0" stroke-width="15" stroke-opacity=".7"/>' if is_new else ""
    rim = f'<use class="rim" {here} stroke="#fffaf0" stroke-width="9.4" stroke-opacity=".5"/>' if paint else ""
    band = f'<use class="band" {here} stroke="{paint.line}" stroke-width="7"/>' if paint else ""
    inner = f'<g clip-path="url(#b-in-{region.id})" fill="none">{halo}{rim}{band}</g>' if halo or band else ""
    return f'<use class="hit" {here} {fill}/>{inner}'


def _edge(region: Region, marks: Marks) -> str:
    """The line around what can be clicked, dashed, or has been picked, solid. It lies over the neighbours' bands."""
    if region.id not in marks.targets and region.id != marks.chosen:
        return ""
    if region.id == marks.chosen:
        return _lines(region, "chosen", 'stroke="#33200a" stroke-width="6"', 'stroke="#ffd24a" stroke-width="3"')
    dashes = 'stroke="#5c1d08" stroke-width="2" stroke-dasharray="6 5"'
    return _lines(region, "live", 'stroke="#fff8e0" stroke-width="4.8"', dashes)


def _lines(region: Region, kind: str, under: str, above: str) -> str:
    here = f'href="#b-{region.id}"'
    return _over(
        f'<g class="edge {kind}" stroke-linejoin="round"><use {here} {under}/><use class="dash" {here} {above}/></g>'
    )


def _names(view: View, drawn: Picture, marks: Marks, paints: tuple[Colour, ...], theme: str) -> str:
    """The names of the regions: before each the shape of whoever controls it, behind it a spark if something is new."""
    ink, glow = INKS[theme]
    size = round(NAME_SIZE * max(1.0, min(1.15, drawn.width / 480)), 1)
    lines = "".join(
        f'<text x="{line.x:g}" y="{line.y:g}">{escape(line.text)}</text>'
        for region in drawn.regions.values()
        for line in region.lines
    )
    letters = (
        f'<g class="names" font-family="Alegreya" font-style="italic" font-size="{size:g}" text-anchor="middle"'
        f' aria-hidden="true" fill="{ink}" stroke="{glow}" stroke-width="2.4" stroke-linejoin="round"'
        f' paint-order="stroke">{lines}</g>'
    )
    signs = "".join(_signs(view.regions[region.id], region, marks, paints, size) for region in drawn.regions.values())
    return f'<g pointer-events="none">{letters}{signs}</g>'


def _signs(here: RegionView, region: Region, marks: Marks, paints: tuple[Colour, ...], size: float) -> str:
    line = region.lines[0]
    half, y = len(line.text) * size * 0.225, round(line.y - size * 0.3, 1)
    owner = spark = ""
    if here.controller is not None:
        paint = paints[here.controller]
        owner = (
            f'<path class="owner" d="{SHAPES[paint.shape]}" fill="{paint.fill}" stroke="#fffaf0" stroke-width="3"'
            f' transform="translate({line.x - half - 7:.1f} {y}) scale(.42)"/>'
        )
    if region.id in marks.changed:
        spark = (
            f'<path class="spark" d="{SPARK}" transform="translate({line.x + half + 8:.1f} {y})"'
            ' fill="#ffe27a" stroke="#5a3a00" stroke-width="1.1"/>'
        )
    return owner + spark


def _cluster(view: View, drawn: Picture, region: Region, marks: Marks, paints: tuple[Colour, ...]) -> str:
    """The pieces of a region. They lead where their region leads, also where they lie beyond its border."""
    laid = _pieces_of(view, region.id, paints)
    if not laid:
        return ""
    scale = f"{cell(drawn) / 26:.2f}".lstrip("0")
    spots = cluster(drawn, region, len(laid))
    inside = "".join(
        f'<g transform="translate({x:g} {y:g}) scale({scale})">{piece}</g>'
        for (x, y), piece in zip(spots, laid, strict=True)
    )
    target = marks.targets.get(region.id)
    if target and target.href:
        return f'<a {_leads(target)} tabindex="-1" data-of="{region.id}">{inside}</a>'
    return f'<g pointer-events="none" data-of="{region.id}">{inside}</g>'


def _pieces_of(view: View, region: str, paints: tuple[Colour, ...]) -> list[str]:
    """The standard of the start region, then for each colour its armies and its cities."""
    here = view.regions[region]
    laid = [tokens.standard()] if region == view.start else []
    for paint, armies, cities in zip(paints, here.armies, here.cities, strict=True):
        laid += [tokens.army(paint, armies)] * bool(armies) + [tokens.city(paint)] * cities
    return laid


def _arrow(drawn: Picture, step: Step, paint: Colour) -> str:
    """A bent arrow between the middles of two regions."""
    origin, target = _middle(drawn, step.origin), _middle(drawn, step.target)
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    bend = origin[0] + dx / 2 + dy / 4, origin[1] + dy / 2 - dx / 4
    tip, barbs = _head(bend, target)
    path = f"M{_xy(origin)}Q{_xy(bend)} {_xy(tip)}M{_xy(barbs[0])}L{_xy(tip)} {_xy(barbs[1])}"
    return (
        f'<g class="step {paint.key}" stroke-linecap="round" stroke-linejoin="round"><path d="{path}" stroke="#fffaf0"'
        f' stroke-width="6.5"/><path d="{path}" stroke="{paint.fill}" stroke-width="3.6"/></g>'
    )


def _head(origin: Point, target: Point) -> tuple[Point, tuple[Point, Point]]:
    """The tip of an arrow just before its target, and the ends of its two barbs."""
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / length, dy / length
    x, y = target[0] - 13 * ux, target[1] - 13 * uy
    return (x, y), ((x - 9 * ux + 6 * uy, y - 9 * uy - 6 * ux), (x - 9 * ux - 6 * uy, y - 9 * uy + 6 * ux))


def _middle(drawn: Picture, region: str) -> Point:
    return cluster(drawn, drawn.regions[region], 1)[0]


def _xy(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
