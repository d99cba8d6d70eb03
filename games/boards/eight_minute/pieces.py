"""Everything on the land, as the fragment sent with every turn: one SVG that exactly covers the land's picture.

Below: a group for each region, with its words, controller, changes and link. Above: moves of armies, names, pieces, and
signs for news. A piece belongs to its region wherever it is drawn: clicking it clicks the region.
"""

from collections.abc import Mapping, Sequence
from html import escape

import msgspec

from games.boards.eight_minute.changes import NOTHING, Changes, change_words
from games.boards.eight_minute.contents import defs, standing
from games.boards.eight_minute.describe import region_words
from games.boards.eight_minute.geometry import NAME_SIZE, Picture, Region, picture, short_outline
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.marking import Drawing, arrows
from games.boards.eight_minute.marking import signs as change_signs
from games.boards.eight_minute.signs import letters, signs
from games.boards.themes import Colour, colours
from games.rules.eight_minute.view import RegionView, View
from games.rules.words import Translate, gettext_noop, untranslated

INKS = {"light": ("#2f210d", "#f8efd8"), "dark": ("#f6ecd4", "#11181a")}  # letters, and what sets them off


class Target(msgspec.Struct, frozen=True):
    """A region that can be clicked: what that does in words, the link's address, and the action's text, if any.

    `kind` is a word for CSS: `act`, `choose` or `cancel`.
    """

    label: str
    href: str = ""
    action: str = ""
    kind: str = "act"


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
    view: View,
    marks: Marks = NO_MARKS,
    *,
    names: Sequence[str] = (),
    translate: Translate = untranslated,
    theme: str = "light",
) -> str:
    """Draw the fragment. `names` are the players' names by seat; `theme` matters only without the site's CSS."""
    drawn, paints = picture(shown(view)), colours(len(view.players), theme)
    regions = drawn.regions.values()
    words = {region: region_words(view, region, names, translate) for region in drawn.regions}
    drawing = Drawing(view, drawn, paints, names, translate)
    size = f'viewBox="0 0 {drawn.width:g} {drawn.height:g}" width="{drawn.width:g}" height="{drawn.height:g}"'
    title = escape(translate(gettext_noop("The board")))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="pieces" {size} role="group" aria-label="{title}">',
            f"<desc>{escape(' '.join((*_news(marks, view, names, translate), *words.values())))}</desc>",
            f"<defs>{defs(view, paints)}{_outlines(drawn)}</defs>",
            *(_region(view, region, marks, words[region.id], paints) for region in regions),
            *(_edge(region, marks) for region in regions),
            arrows(drawing, marks.changes),
            _names(view, drawn, marks, paints, theme),
            '<g class="tokens" aria-hidden="true">',
            *(_cluster(view, drawn, region, marks, paints) for region in regions),
            "</g>",
            change_signs(drawing, marks.changes),
            "</svg>",
        )
    )


def _news(marks: Marks, view: View, names: Sequence[str], translate: Translate) -> list[str]:
    """Describe what changed, for reading before the position itself."""
    said = change_words(marks.changes, view, names, translate)
    return [translate(gettext_noop("What changed:")), *said, translate(gettext_noop("The board now:"))] if said else []


def _over(*drawings: str) -> str:
    """Group drawings that ignore clicks."""
    return f'<g pointer-events="none" fill="none">{"".join(drawings)}</g>' if drawings else ""


def _outlines(drawn: Picture) -> str:
    return "".join(
        f'<path id="b-{region.id}" d="{short_outline(region)}"/>'
        f'<clipPath id="b-in-{region.id}"><use href="#b-{region.id}"/></clipPath>'
        for region in drawn.regions.values()
    )


def _region(view: View, region: Region, marks: Marks, words: str, paints: tuple[Colour, ...]) -> str:
    """Draw a region with its tooltip; it is a link if it can be clicked."""
    paint = _paint(view.regions[region.id], paints)
    target = marks.targets.get(region.id)
    inside = f"<title>{escape(words)}</title>{_ground(region, paint, region.id in marks.changed)}"
    classes = " ".join(filter(None, ("region", paint.key if paint else "", *_states(region, marks))))
    link = _link(region, target, words, inside + _glow(region)) if target else inside
    return f'<g class="{classes}" id="region-{region.id}" data-region="{region.id}">{link}</g>'


def _glow(region: Region) -> str:
    """Draw the highlight of a region under the pointer, which only the page's CSS turns on."""
    return _over(
        f'<use class="glow" href="#b-{region.id}" clip-path="url(#b-in-{region.id})" opacity="0" fill="#fff8dc"'
        ' fill-opacity=".3" stroke="#fff8dc" stroke-width="14" stroke-opacity=".8"/>'
    )


def _states(region: Region, marks: Marks) -> tuple[str, str]:
    return "changed" if region.id in marks.changed else "", "chosen" if region.id == marks.chosen else ""


def _link(region: Region, target: Target, words: str, inside: str) -> str:
    label = escape(f"{target.label}. {words}")
    return f'<a id="tap-{region.id}" {leads(target)} aria-label="{label}">{inside}</a>'


def leads(target: Target) -> str:
    """Return the attributes of a link that does what a target says."""
    where = f'href="{escape(target.href)}"' if target.href else 'role="button" tabindex="0"'
    action = f' data-action="{escape(target.action)}"' if target.action else ""
    return f'class="target {target.kind}" {where}{action}'


def _ground(region: Region, paint: Colour | None, is_new: bool) -> str:
    """Draw the land of a region, with the shape and, along its border, the color of the player who controls it."""
    here = f'href="#b-{region.id}"'
    fill = f'fill="url(#b-{paint.key}-wash)"' if paint else 'fill="none" pointer-events="all"'
    halo = f'<use class="halo" {here} stroke="#ffe9a0" stroke-width="15" stroke-opacity=".7"/>' if is_new else ""
    rim = f'<use class="rim" {here} stroke="#fffaf0" stroke-width="9.4" stroke-opacity=".5"/>' if paint else ""
    band = f'<use class="band" {here} stroke="{paint.line}" stroke-width="7"/>' if paint else ""
    inner = f'<g clip-path="url(#b-in-{region.id})" fill="none">{halo}{rim}{band}</g>' if halo or band else ""
    return f'<use class="hit" {here} {fill}/>{inner}'


def _edge(region: Region, marks: Marks) -> str:
    """Draw the line around a clickable region (dashed) or the chosen one (solid), over neighbours' bands."""
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
    """Draw the names of regions, with the controller's shape before and a spark after if there is news."""
    ink, glow = INKS[theme]
    size = round(NAME_SIZE * max(1.0, min(1.15, drawn.width / 480)), 1)
    lines = "".join(
        f'<text x="{line.x:g}" y="{line.y:g}">{escape(line.text)}</text>'
        for region in drawn.regions.values()
        for line in region.lines
    )
    names = (
        f'<g class="names" font-family="Alegreya" font-style="italic" font-size="{size:g}" text-anchor="middle"'
        f' aria-hidden="true" fill="{ink}" stroke="{glow}" stroke-width="2.4" stroke-linejoin="round"'
        f' paint-order="stroke">{lines}</g>'
    )
    places = letters(drawn, size)
    beside = "".join(
        signs(region, places, size, _paint(view.regions[region.id], paints), region.id in marks.changed)
        for region in drawn.regions.values()
    )
    return f'<g pointer-events="none">{names}{beside}</g>'


def _paint(here: RegionView, paints: tuple[Colour, ...]) -> Colour | None:
    return None if here.controller is None else paints[here.controller]


def _cluster(view: View, drawn: Picture, region: Region, marks: Marks, paints: tuple[Colour, ...]) -> str:
    """Draw the contents of a region. They link to the same target as their region, even beyond its border."""
    inside = standing(view, drawn, region, paints)
    if not inside:
        return ""
    target = marks.targets.get(region.id)
    if target and target.href:
        return f'<a {leads(target)} tabindex="-1" data-of="{region.id}">{inside}</a>'
    return f'<g pointer-events="none" data-of="{region.id}">{inside}</g>'
