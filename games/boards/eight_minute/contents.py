"""The contents of a region, piece by piece: painted wooden pieces, and cardboard and wood that lies next to them.

Each is drawn around the origin in a square of 24 units. Parts that a picture needs more than once are in `<defs>` as
`b-<key>` and used by id. Numerals are strokes, so that a picture looks the same with any fonts. Explore tokens are
round, citadels shields, encounters hexagonal, portals arches, goods crates.
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from typing import Any, NamedTuple

from games.boards.eight_minute.clusters import beside_token, cluster
from games.boards.eight_minute.geometry import FOLDER, Picture, Region
from games.boards.eight_minute.lying import Point
from games.boards.themes import COLOURS, SHAPES, Colour, in_theme
from games.rules.eight_minute.tokens import MERCHANTS
from games.rules.eight_minute.view import View

OUTPOST = "outpost"
LINE = 'stroke="#3b2410" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round"'
CASTLE = "M-10.4 10.4Q-8 7.4-8-1.2H-10.8V-11H-6.4V-7.6H-2.4V-11H2.4V-7.6H6.4V-11H10.8V-1.2H8Q8 7.4 10.4 10.4Z"
NUMERALS = {
    "0": "M0-4.6C3.8-4.6 3.8 4.6 0 4.6S-3.8-4.6 0-4.6Z",
    "1": "M-1.8-3L.6-4.6V4.6",
    "2": "M-2.7-2.3C-2.4-5.6 2.7-5.6 2.7-2C2.7 .4-2.6 2.6-2.8 4.5H3",
    "3": "M-2.6-4.5H2.5L-.5-1C3.8-1.1 3.8 4.6 0 4.6C-1.3 4.6-2.4 4-2.9 2.9",
    "4": "M1.3 4.6V-4.6L-3.1 2H3.3",
    "5": "M2.4-4.5H-2L-2.4-.5C3.2-2.1 4.4 4.6-.2 4.6C-1.4 4.6-2.4 4.1-2.9 3.1",
    "6": "M2.2-4.1C-1.2-5.7-2.9-2-2.9 1.2C-2.9 5.8 2.9 5.6 2.9 1.6C2.9-2.2-2.7-1.8-2.8 1.6",
    "7": "M-2.8-4.5H2.8C.8-1.6-.4 1-.8 4.6",
    "8": "M0-.4C-3.2-.8-3.2-4.7 0-4.7S3.2-.8 0-.4C-4-.1-3.9 4.7 0 4.7S4-.1 0-.4Z",
    "9": "M-2.2 4.1C1.2 5.7 2.9 2 2.9-1.2C2.9-5.8-2.9-5.6-2.9-1.6C-2.9 2.2 2.7 1.8 2.8-1.6",
}
STROKE = 'fill="none" stroke-width="2.1" stroke-linecap="round" stroke-linejoin="round"'
MIDDLE = {"triangle": 2.4, "star": 0.6}  # offset below the origin at which a numeral looks centered
USED = re.compile(r"#b-([\w-]+)")
WASH = round(50 / 3, 3)  # side of the pattern on land; sheets are on a grid of 50, so it lies the same on each
STANDARD = (
    '<g id="b-start"><ellipse cx="-4" cy="10.6" rx="5.5" ry="1.8" opacity=".3"/>'
    '<path d="M-6-9.6H10.4L6.6-4.2L10.4 1.2H-6Z" fill="#f4c64a" stroke="#6b4306" stroke-width="1.3"/>'
    '<path d="M-1.2-.9L-2.8-7.2L.1-5.2L1.7-8.2L3.3-5.2L6.2-7.2L4.6-.9Z" fill="#7a3d0a"/>'
    '<path d="M-6-11.4V10.6" stroke="#4d2f0c" stroke-width="2.2" stroke-linecap="round"/></g>'
)


class Placed(NamedTuple):
    """A piece at its position: a drawing around the origin. `what`: army, city, token, town, start or outpost."""

    at: Point
    drawing: str
    what: str
    colour: int | None = None


def placed(view: View, board: Picture, region: Region, paints: tuple[Colour, ...]) -> list[Placed]:
    """Return everything in the region: token, start flag, outpost flag, merchants, then armies and cities by color."""
    here = view.regions[region.id]
    pieces: list[tuple[str, str, int | None]] = []
    if region.id == view.start:
        pieces.append(('<use href="#b-start"/>', "start", None))
    if region.id == view.outpost:
        pieces.append((laid(OUTPOST), "outpost", None))
    if here.town:
        pieces.append((town(here.town), "town", None))
    for colour, (paint, armies, cities) in enumerate(zip(paints, here.armies, here.cities, strict=True)):
        if armies:
            pieces.append((army(paint, armies), "army", colour))
        pieces += [(city(paint), "city", colour)] * cities
    result = []
    if here.token:
        at, spots = beside_token(board, region, len(pieces))
        result.append(Placed(at, peeked(here.face) if here.face else laid(here.token), "token"))
    else:
        spots = cluster(board, region, len(pieces)) if pieces else ()
    return result + [Placed(spot, *piece) for spot, piece in zip(spots, pieces, strict=True)]


def token_defs(view: View) -> str:
    """Return the shared drawings of the tokens on the board."""
    return "".join(_token_defs(view).values())


def gone_defs(views: Sequence[View]) -> str:
    """Return the shared drawings of tokens that the last of these positions needs no longer."""
    drawn: dict[str, str] = {}
    for view in views:
        drawn |= _token_defs(view)
    return "".join(drawing for name, drawing in drawn.items() if name not in _token_defs(views[-1]))


def defs_for(drawing: str, theme: str) -> str:
    """Return the shared drawings that a drawing uses, if it is shown alone."""
    pieces, used = _piece_defs(in_theme(COLOURS, theme)), set(USED.findall(drawing))
    parts = [pieces[name] for name in sorted(used & pieces.keys())]
    parts += [f'<g id="b-{name}">{_drawing(name)}</g>' for name in sorted(used.intersection(token_names()))]
    return f"<defs>{''.join(parts)}</defs>" if parts else ""


def _token_defs(view: View) -> dict[str, str]:
    names = [OUTPOST] if view.outpost else []
    for here in view.regions.values():
        names += [here.face or here.token, MERCHANTS if here.town else ""]
    return {name: f'<g id="b-{name}">{_drawing(name)}</g>' for name in filter(None, names)}


# Wooden pieces


def piece_defs(paints: Sequence[Colour]) -> str:
    """Return the start flag, and the shared parts for these colors."""
    return "".join(_piece_defs(tuple(paints)).values())


@lru_cache(maxsize=64)
def _piece_defs(paints: tuple[Colour, ...]) -> dict[str, str]:
    """Draw the start flag, and the shared parts for these colors, by id without its prefix.

    `<key>` is a counter, `<key>-pile` several, `<key>-city` a city, `<key>-wash` the pattern on land that the color
    controls: its shape, scattered.
    """
    parts = {"start": STANDARD}
    for paint in paints:
        key, shape = paint.key, SHAPES[paint.shape]
        parts[key] = f'<g id="b-{key}">{_wood(shape, paint, 1.6)}</g>'
        parts[f"{key}-pile"] = f'<g id="b-{key}-pile">{_wood(shape, paint, 3.4)}</g>'
        parts[f"{key}-city"] = (
            f'<g id="b-{key}-city">{_wood(CASTLE, paint, 1.6)}'
            f'<path d="{shape}" transform="translate(0 2.6) scale(.5)" fill="{paint.ink}"/></g>'
        )
        parts[f"{key}-wash"] = (
            f'<pattern class="{key}" id="b-{key}-wash" width="{WASH}" height="{WASH}" patternUnits="userSpaceOnUse">'
            f'<g class="wash" fill="{paint.line}"><path d="M0 0H18V18H0Z" fill-opacity=".22"/><g fill-opacity=".36">'
            f'<path d="{shape}" transform="translate(4.5 4.5) scale(.17)"/>'
            f'<path d="{shape}" transform="translate(13.5 13.5) scale(.17)"/></g></g></pattern>'
        )
    return parts


def _wood(path: str, paint: Colour, thick: float) -> str:
    """Draw a painted piece `thick` units high, with a shadow and a pale rim that separates it from any land."""
    return (
        f'<path d="{path}" transform="translate(1.2 {thick + 1.4})" opacity=".3"/>'
        f'<path d="{path}" transform="translate(0 {thick})" fill="{paint.edge}"'
        f' stroke="{paint.edge}" stroke-width="1.6"/>'
        f'<path d="{path}" fill="{paint.fill}" stroke="#fffaf0" stroke-width="1.5" stroke-linejoin="round"/>'
    )


def army(paint: Colour, n: int) -> str:
    """Draw the armies of a color in a region: a single counter, or a pile with a number."""
    if n == 1:
        return f'<use href="#b-{paint.key}"/>'
    y, digits = MIDDLE.get(paint.shape, 0), str(n)
    if len(digits) == 1:
        place = f' transform="translate(0 {y})"' if y else ""
        numeral = f'<path {STROKE} stroke="{paint.ink}"{place} d="{NUMERALS[digits]}"/>'
    else:
        tens, ones = (
            f'<path transform="translate({x} 0)" d="{NUMERALS[d]}"/>' for x, d in zip((-3.6, 3.6), digits, strict=True)
        )
        numeral = f'<g {STROKE} stroke="{paint.ink}" transform="translate(0 {y}) scale(.84)">{tens}{ones}</g>'
    return f'<use href="#b-{paint.key}-pile"/>{numeral}'


def city(paint: Colour) -> str:
    return f'<use href="#b-{paint.key}-city"/>'


# Tokens


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "_tokens.toml").read_text(encoding="utf-8"))


@cache
def token_names() -> tuple[str, ...]:
    """Return every token that has a drawing, including the merchants' stall and the outpost's flag."""
    return (*_data()["tokens"], MERCHANTS, OUTPOST)


@cache
def _drawing(name: str) -> str:
    """Draw a wooden thing, or a token of cardboard with its shadow and a pale edge that separates it from any land."""
    cardboard, wooden = "", _data()["wooden"]
    if name in wooden:
        drawing: str = wooden[name]
    else:
        token = _data()["tokens"][name]
        shape, drawing = _data()["shapes"][token["shape"]], token["drawing"]
        cardboard = (
            f'<path d="{shape}" transform="translate(1 2.2)" opacity=".3"/>'
            f'<path d="{shape}" fill="{token["ground"]}" stroke="#fffaf0" stroke-width="2.6"/>'
            f'<path d="{shape}" fill="none" stroke="{token["rim"]}" stroke-width="1.5" stroke-linejoin="round"/>'
        )
    return cardboard + drawing.replace("\n", "").replace("LINE", LINE)


def laid(name: str) -> str:
    """Draw a token in place."""
    return f'<use href="#b-{name}"/>'


def peeked(face: str) -> str:
    """Draw a token that is face down for others: its face shines through, with a corner of the back over it."""
    return f'<g opacity=".82">{laid(face)}</g>{_drawing("peeked")}'


def town(coins: int) -> str:
    """Draw the merchants' stall, with a gold coin that has the number of coins waiting there."""
    return (
        f'{laid(MERCHANTS)}<circle cy="5" r="7.4" fill="#8a5a06"/><circle cy="4.2" r="7.2" fill="#f6c83f"'
        f' stroke="#6b4306" stroke-width="1.1"/><path {STROKE} stroke="#4a2c04"'
        f' transform="translate(0 4.2) scale(.86)" d="{NUMERALS[str(coins)]}"/>'
    )


def token_icon(name: str, label: str = "") -> str:
    """Draw a token outside the map as its own picture. Screen readers read `label`, or skip it if there is none."""
    spoken = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="token-icon" viewBox="-13.5 -13.5 28 28" width="28" height="28"'
        f' {spoken} focusable="false">{_drawing(name)}</svg>'
    )
