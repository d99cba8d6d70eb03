"""Painted wooden pieces: counters for armies, small castles for cities, the flag of the start region.

Pieces are drawn around the origin in a square of 24 units. Parts shared by all pieces of a colour are in `<defs>` and
used by id. Numerals are strokes, so that a picture looks the same with any fonts.
"""

from collections.abc import Iterable

from games.boards.themes import SHAPES, Colour

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
MIDDLE = {"triangle": 2.4, "star": 0.6}  # offset below the origin at which a numeral looks centred
STANDARD = (
    '<g id="b-start"><ellipse cx="-4" cy="10.6" rx="5.5" ry="1.8" opacity=".3"/>'
    '<path d="M-6-9.6H10.4L6.6-4.2L10.4 1.2H-6Z" fill="#f4c64a" stroke="#6b4306" stroke-width="1.3"/>'
    '<path d="M-1.2-.9L-2.8-7.2L.1-5.2L1.7-8.2L3.3-5.2L6.2-7.2L4.6-.9Z" fill="#7a3d0a"/>'
    '<path d="M-6-11.4V10.6" stroke="#4d2f0c" stroke-width="2.2" stroke-linecap="round"/></g>'
)


def defs(paints: Iterable[Colour]) -> str:
    """Return the shared parts for these colours: `b-<key>` a counter, `b-<key>-pile` several, `b-<key>-city` a city."""
    return STANDARD + "".join(_counter(paint) + _pile(paint) + _city(paint) + _wash(paint) for paint in paints)


def army(paint: Colour, n: int) -> str:
    """Draw the armies of a colour in a region: a single counter, or a pile with a number."""
    if n == 1:
        return f'<use href="#b-{paint.key}"/>'
    return f'<use href="#b-{paint.key}-pile"/>{_numeral(paint, n)}'


def city(paint: Colour) -> str:
    return f'<use href="#b-{paint.key}-city"/>'


def standard() -> str:
    """Draw the flag of the start region."""
    return '<use href="#b-start"/>'


def coin(n: int) -> str:
    """Draw a gold coin with a number, in the lower half of the square."""
    return (
        '<circle cy="5" r="7.4" fill="#8a5a06"/><circle cy="4.2" r="7.2" fill="#f6c83f" stroke="#6b4306"'
        f' stroke-width="1.1"/><path {STROKE} stroke="#4a2c04" transform="translate(0 4.2) scale(.86)"'
        f' d="{NUMERALS[str(n)]}"/>'
    )


def _numeral(paint: Colour, n: int) -> str:
    y = MIDDLE.get(paint.shape, 0)
    digits = str(n)
    if len(digits) == 1:
        place = f' transform="translate(0 {y})"' if y else ""
        return f'<path {STROKE} stroke="{paint.ink}"{place} d="{NUMERALS[digits]}"/>'
    tens, ones = (
        f'<path transform="translate({x} 0)" d="{NUMERALS[d]}"/>' for x, d in zip((-3.6, 3.6), digits, strict=True)
    )
    return f'<g {STROKE} stroke="{paint.ink}" transform="translate(0 {y}) scale(.84)">{tens}{ones}</g>'


def _counter(paint: Colour) -> str:
    return f'<g id="b-{paint.key}">{_wood(SHAPES[paint.shape], paint, 1.6)}</g>'


def _pile(paint: Colour) -> str:
    return f'<g id="b-{paint.key}-pile">{_wood(SHAPES[paint.shape], paint, 3.4)}</g>'


def _city(paint: Colour) -> str:
    sign = f'<path d="{SHAPES[paint.shape]}" transform="translate(0 2.6) scale(.5)" fill="{paint.ink}"/>'
    return f'<g id="b-{paint.key}-city">{_wood(CASTLE, paint, 1.6)}{sign}</g>'


def _wood(path: str, paint: Colour, thick: float) -> str:
    """Draw a painted piece `thick` units high, with a shadow and a pale rim that separates it from any land."""
    return (
        f'<path d="{path}" transform="translate(1.2 {thick + 1.4})" opacity=".3"/>'
        f'<path d="{path}" transform="translate(0 {thick})" fill="{paint.edge}"'
        f' stroke="{paint.edge}" stroke-width="1.6"/>'
        f'<path d="{path}" fill="{paint.fill}" stroke="#fffaf0" stroke-width="1.5" stroke-linejoin="round"/>'
    )


def _wash(paint: Colour) -> str:
    """Draw the pattern on land that a colour controls: its shape, scattered."""
    path = SHAPES[paint.shape]
    return (
        f'<pattern class="{paint.key}" id="b-{paint.key}-wash" width="18" height="18" patternUnits="userSpaceOnUse">'
        f'<g class="wash" fill="{paint.line}"><path d="M0 0H18V18H0Z" fill-opacity=".22"/><g fill-opacity=".36">'
        f'<path d="{path}" transform="translate(4.5 4.5) scale(.17)"/>'
        f'<path d="{path}" transform="translate(13.5 13.5) scale(.17)"/></g></g></pattern>'
    )
