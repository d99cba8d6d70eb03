"""Cards as SVG: a few uses of the sprite's parts, the name, and the full text as a title.

`sprite` is the address of the sprite's document; it is empty if the parts are in the same picture.
"""

from html import escape

from games.boards.kingdoms.faces import face
from games.boards.kingdoms.sprite import suits
from games.rules.kingdoms.deck import SUIT_NAMES
from games.rules.words import Translate, gettext_noop, untranslated

WIDTH, HEIGHT = 100, 140
NAME = 12.5  # the size of a name, and the average width of its letters
LETTER = 0.53
ROOM = 86
LETTERS = 'font-family="Alegreya" font-weight="700" text-anchor="middle"'


def card_picture(card_id: str, sprite: str = "", place: str = "", translate: Translate = untranslated) -> str:
    """Draw the face of a card. `place` are attributes that position it in a larger picture."""
    shown = face(card_id, translate)
    return _picture(shown.suit, shown.figure, shown.name, shown.spoken, sprite, place)


def castle_picture(castle: str, sprite: str = "", place: str = "", translate: Translate = untranslated) -> str:
    """Draw a Castle. It is not part of the deck, but lies in front of its player like a card."""
    suit = castle.rpartition("-")[2]
    name = translate(gettext_noop("Castle"))
    spoken = translate(gettext_noop("{suit} Castle. Without Towers, its wall adds 3 to a defence."))
    return _picture(suit, "castle", name, spoken.format(suit=translate(SUIT_NAMES[suit])), sprite, place)


def back_picture(sprite: str = "", place: str = "", translate: Translate = untranslated) -> str:
    """Draw a face-down card."""
    title = escape(translate(gettext_noop("A face-down card")))
    return f'{_opened("back", place)}><title>{title}</title><use href="{sprite}#k-back"/></svg>'


def _picture(suit: str, figure: str, name: str, spoken: str, sprite: str, place: str) -> str:
    paint = suits()[suit]
    uses = "".join(f'<use href="{sprite}#{part}"/>' for part in parts_of(suit, figure))
    return (
        f'{_opened(suit, place)} color="{paint.fill}" fill="{paint.deep}"><title>{escape(spoken)}</title>{uses}'
        f'<text x="50" y="121.6" {LETTERS} font-size="{_size(name):g}" fill="#2a2118">{escape(name)}</text></svg>'
    )


def parts_of(suit: str, figure: str) -> tuple[str, str, str]:
    """Return the ids of the sprite's parts that make up a face."""
    return f"k-{suit}", f"k-{figure}", f"k-{suit}-sign"


def _opened(suit: str, place: str) -> str:
    where = f" {place}" if place else ""
    return f'<svg class="k-card k-{suit}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"{where}'


def _size(name: str) -> float:
    """Return the font size at which a name fits."""
    return round(min(NAME, ROOM / (len(name) * LETTER)), 1)
