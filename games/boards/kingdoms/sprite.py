"""All parts of the cards, as one SVG document that a browser loads once.

A card is three layers: `k-<suit>` the paper and the field, `k-<figure>` the hero with its numbers, `k-<suit>-sign` the
sign and the lines around it. A figure uses the suit's colour as `color` and the deep one as `fill`.
"""

from collections.abc import Iterable
from functools import cache
from hashlib import sha256

from games.boards.kingdoms.drawings import PEN, figures, numeral, sheet, strokes
from games.boards.kingdoms.faces import HEROES, Suit, face
from games.rules.kingdoms.deck import deck

PAPER = "#fbf4e4"
PLATE = "M6 6H34.5V49Q34.5 57 26.5 57H6Z"
EDGE = "M9 1H91Q99 1 99 9V131Q99 139 91 139H9Q1 139 1 131V9Q1 1 9 1Z"
LINES = "M34.5 6V49Q34.5 57 26.5 57H6M8 6H92Q94 6 94 8V108Q94 110 92 110H8Q6 110 6 108V8Q6 6 8 6Z"
FAINT = {"epic": 0.7}  # opacity of fields that differ from the others
DOTS = 6  # in the row on each card; the price is solid


@cache
def suits() -> dict[str, Suit]:
    """Return the four suits, and those of Epics and Bosses."""
    return {key: Suit(key, suit["fill"], suit["deep"], suit["pale"]) for key, suit in sheet("suits").items()}


@cache
def parts() -> dict[str, str]:
    """Return each part by its id, as a group."""
    shown = {one.figure: one for one in map(face, deck(1))}
    drawn = {f"k-{key}": _figure(key, str(shown[key].value), shown[key].kind, shown[key].dots) for key in HEROES}
    drawn["k-castle"] = _figure("castle", "+3", "castle", 0)
    drawn["k-back"] = f"<g {PEN}>{strokes(sheet('things')['back']['drawing'])}</g>"
    for suit in suits().values():
        drawn[f"k-{suit.key}"], drawn[f"k-{suit.key}-sign"] = _frame(suit), _sign(suit)
    return {key: f'<g id="{key}">{drawing}</g>' for key, drawing in drawn.items()}


@cache
def sprite() -> str:
    """Return the whole document."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(parts().values())}</svg>'


@cache
def version() -> str:
    """Return a short hash of the document, used in its address, so that a new drawing has a new one."""
    return sha256(sprite().encode()).hexdigest()[:12]


def some(keys: Iterable[str]) -> str:
    """Return the parts with these ids, for the `<defs>` of a picture that loads nothing."""
    return "".join(parts()[key] for key in dict.fromkeys(keys))


def _figure(key: str, value: str, kind: str, dots: int) -> str:
    window = f'<svg x="6" y="6" width="88" height="104" viewBox="0 0 88 104" {PEN}>{figures()[key]}</svg>'
    sign = f'<path transform="translate(8.5 123.4) scale(.5)" d="{sheet("things")["classes"][kind]}"/>'
    row = _dots(dots) if kind != "castle" else ""
    return f'{window}<path fill="{PAPER}" d="{PLATE}"/>{numeral(value, 20.3, 32, 36.5, 25)}{sign}{row}'


def _dots(price: int) -> str:
    """Draw the row of dots, the price solid (section 2)."""
    solid = "".join(f"M{x} 131a3.6 3.6 0 1 1 7.2 0a3.6 3.6 0 1 1-7.2 0Z" for x in _places(range(price)))
    hollow = "".join(f"M{x + 1} 131a2.6 2.6 0 1 1 5.2 0a2.6 2.6 0 1 1-5.2 0Z" for x in _places(range(price, DOTS)))
    rings = f'<path fill="none" stroke="#8d7a5c" stroke-width="1" d="{hollow}"/>' if hollow else ""
    return (f'<path d="{solid}"/>' if solid else "") + rings


def _places(numbers: range) -> list[float]:
    return [round(38.4 + 9.2 * n, 1) for n in numbers]


def _frame(suit: Suit) -> str:
    """Draw the paper and the field behind the figure."""
    field = f'<g opacity="{FAINT.get(suit.key, 0.42)}" {PEN}>{_drawn(suit, "field")}</g>'
    return (
        f'<path fill="{PAPER}" d="{EDGE}"/><svg x="6" y="6" width="88" height="104" viewBox="0 0 88 104">'
        f'<path fill="{suit.pale}" d="M0 0H88V104H0Z"/>{field}</svg>'
    )


def _sign(suit: Suit) -> str:
    """Draw the suit's sign under the value, and the lines around card, plate and window."""
    return (
        f'<g fill="none" stroke="{suit.deep}"><path stroke-width="2" d="{EDGE}"/>'
        f'<path stroke-width="1.5" d="{LINES}"/></g>'
        f'<g transform="translate(9.5 34.4) scale(.88)" {PEN}>{_drawn(suit, "sign")}</g>'
    )


def _drawn(suit: Suit, what: str) -> str:
    return strokes(sheet("suits")[suit.key][what], {"suit": suit.fill, "deep": suit.deep, "pale": suit.pale})
