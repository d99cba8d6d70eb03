"""Cards as SVG: a few uses of the sprite's parts, the name, and the full text as a title.

The sprite is one SVG document with all parts, which a browser loads once. A card is three layers: `k-<suit>` the paper
and the field, `k-<figure>` the hero with its numbers, `k-<suit>-sign` the sign and the lines around it. A figure uses
the suit's color as `color` and the deep one as `fill`.
"""

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from html import escape

import msgspec

from games.boards.kingdoms.faces import HEROES, PEN, face, figures, numeral, sheet, strokes
from games.rules.kingdoms.deck import deck, suit_name
from games.rules.words import Translate, gettext_noop, untranslated

WIDTH, HEIGHT = 100, 140
NAME = 12.5  # the size of a name, and the average width of its letters
LETTER = 0.53
ROOM = 86
LETTERS = 'font-family="Alegreya" font-weight="700" text-anchor="middle"'
PAPER = "#fbf4e4"
PLATE = "M6 6H34.5V49Q34.5 57 26.5 57H6Z"
EDGE = "M9 1H91Q99 1 99 9V131Q99 139 91 139H9Q1 139 1 131V9Q1 1 9 1Z"
LINES = "M34.5 6V49Q34.5 57 26.5 57H6M8 6H92Q94 6 94 8V108Q94 110 92 110H8Q6 110 6 108V8Q6 6 8 6Z"
FAINT = {"epic": 0.7}  # opacity of fields that differ from the others
DOTS = 6  # in the row on each card; the price is solid


class Suit(msgspec.Struct, frozen=True):
    """The colors of a suit. `deep` is readable on paper."""

    fill: str
    deep: str
    pale: str


# `sprite` is the address of the sprite's document; it is empty if the parts are in the same picture.
# `place` are attributes that position a card in a larger picture.


def card_picture(card_id: str, sprite: str = "", place: str = "", translate: Translate = untranslated) -> str:
    """Draw the face of a card."""
    shown = face(card_id, translate)
    return _picture(shown.suit, shown.figure, shown.name, shown.spoken, sprite, place)


def castle_picture(castle: str, sprite: str = "", place: str = "", translate: Translate = untranslated) -> str:
    """Draw a Castle. It is not part of the deck, but lies in front of its player like a card."""
    suit = castle.rpartition("-")[2]
    name = translate(gettext_noop("Castle"))
    spoken = translate(gettext_noop("{suit} Castle. Without Towers, its wall adds 3 to a defense."))
    return _picture(suit, "castle", name, spoken.format(suit=suit_name(suit, translate)), sprite, place)


def back_picture(sprite: str = "", place: str = "", translate: Translate = untranslated) -> str:
    title = escape(translate(gettext_noop("A face-down card")))
    return f'{_opened("back", place)}><title>{title}</title><use href="{sprite}#k-back"/></svg>'


def _picture(suit: str, figure: str, name: str, spoken: str, sprite: str, place: str) -> str:
    paint = suits()[suit]
    uses = "".join(f'<use href="{sprite}#{part}"/>' for part in parts_of(suit, figure))
    size = round(min(NAME, ROOM / (len(name) * LETTER)), 1)
    return (
        f'{_opened(suit, place)} color="{paint.fill}" fill="{paint.deep}"><title>{escape(spoken)}</title>{uses}'
        f'<text x="50" y="121.6" {LETTERS} font-size="{size:g}" fill="#2a2118">{escape(name)}</text></svg>'
    )


def _opened(suit: str, place: str) -> str:
    where = f" {place}" if place else ""
    return f'<svg class="k-card k-{suit}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"{where}'


# The sprite


@cache
def sprite() -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(parts().values())}</svg>'


@cache
def version() -> str:
    """Return a short hash of the document, used in its address, so that a new drawing has a new one."""
    return sha256(sprite().encode()).hexdigest()[:12]


def parts_of(suit: str, figure: str) -> tuple[str, str, str]:
    """Return the ids of the sprite's parts that make up a face."""
    return f"k-{suit}", f"k-{figure}", f"k-{suit}-sign"


def definitions(keys: Iterable[str]) -> str:
    """Return the parts with these ids, for the `<defs>` of a picture that loads nothing."""
    return "".join(parts()[key] for key in dict.fromkeys(keys))


@cache
def suits() -> dict[str, Suit]:
    """Return the four suits, and those of Epics and Bosses."""
    return {key: Suit(suit["fill"], suit["deep"], suit["pale"]) for key, suit in sheet("suits").items()}


@cache
def parts() -> dict[str, str]:
    """Return each part by its id, as a group."""
    shown = {one.figure: one for one in map(face, deck(1))}
    drawn = {f"k-{key}": _figure(key, str(shown[key].value), shown[key].kind, shown[key].dots) for key in HEROES}
    drawn["k-castle"] = _figure("castle", "+3", "castle", 0)
    drawn["k-back"] = f"<g {PEN}>{strokes(sheet('things')['back']['drawing'])}</g>"
    for key, suit in suits().items():
        paints = {"suit": suit.fill, "deep": suit.deep, "pale": suit.pale}
        field, sign = (strokes(sheet("suits")[key][what], paints) for what in ("field", "sign"))
        # The paper, and the field behind the figure.
        drawn[f"k-{key}"] = (
            f'<path fill="{PAPER}" d="{EDGE}"/><svg x="6" y="6" width="88" height="104" viewBox="0 0 88 104">'
            f'<path fill="{suit.pale}" d="M0 0H88V104H0Z"/>'
            f'<g opacity="{FAINT.get(key, 0.42)}" {PEN}>{field}</g></svg>'
        )
        # The lines around card, plate and window, and the suit's sign under the value.
        drawn[f"k-{key}-sign"] = (
            f'<g fill="none" stroke="{suit.deep}"><path stroke-width="2" d="{EDGE}"/>'
            f'<path stroke-width="1.5" d="{LINES}"/></g>'
            f'<g transform="translate(9.5 34.4) scale(.88)" {PEN}>{sign}</g>'
        )
    return {key: f'<g id="{key}">{drawing}</g>' for key, drawing in drawn.items()}


def _figure(key: str, value: str, kind: str, price: int) -> str:
    """Draw a figure in its window, its value, the sign of its class, and a row of dots, the price solid (section 2)."""
    solid = hollow = ""
    for dot in range(DOTS if kind != "castle" else 0):
        x = round(38.4 + 9.2 * dot, 1)
        if dot < price:
            solid += f"M{x} 131a3.6 3.6 0 1 1 7.2 0a3.6 3.6 0 1 1-7.2 0Z"
        else:
            hollow += f"M{x + 1} 131a2.6 2.6 0 1 1 5.2 0a2.6 2.6 0 1 1-5.2 0Z"
    row = f'<path d="{solid}"/>' if solid else ""
    if hollow:
        row += f'<path fill="none" stroke="#8d7a5c" stroke-width="1" d="{hollow}"/>'
    return (
        f'<svg x="6" y="6" width="88" height="104" viewBox="0 0 88 104" {PEN}>{figures()[key]}</svg>'
        f'<path fill="{PAPER}" d="{PLATE}"/>{numeral(value, 20.3, 32, 36.5, 25)}'
        f'<path transform="translate(8.5 123.4) scale(.5)" d="{sheet("things")["classes"][kind]}"/>{row}'
    )
