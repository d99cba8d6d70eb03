"""The faces of Kingdoms cards as plain data, and in words for people who can't see them."""

import msgspec

from games.rules.kingdoms.deck import KINDS, POWERS, SUIT_NAMES, card
from games.rules.words import Translate, gettext_noop, untranslated


class Face(msgspec.Struct, frozen=True):
    """A card's face.

    `figure` is the key of its drawing; `suit` is a suit, or epic or boss. `spoken` is the full text.
    """

    id: str
    figure: str
    suit: str
    kind: str
    name: str
    value: int
    dots: int
    spoken: str


# The heroes by the key of their figure. The deck has their values and ranks.
HEROES = {
    "archer": gettext_noop("Archer"),
    "spearman": gettext_noop("Spearman"),
    "rider": gettext_noop("Rider"),
    "swordsman": gettext_noop("Swordsman"),
    "halberdier": gettext_noop("Halberdier"),
    "captain": gettext_noop("Captain"),
    "tactician": gettext_noop("Tactician"),
    "duelist": gettext_noop("Duelist"),
    "general": gettext_noop("General"),
    "drummer": gettext_noop("Drummer"),
    "healer": gettext_noop("Healer"),
    "bearer": gettext_noop("Standard Bearer"),
    "emperor": gettext_noop("Emperor"),
    "queen": gettext_noop("Queen"),
    "prince": gettext_noop("Prince"),
    "princess": gettext_noop("Princess"),
    "dragon": gettext_noop("Dragon"),
    "oracle": gettext_noop("Oracle"),
    "fox": gettext_noop("Fox"),
    "carp": gettext_noop("Carp"),
    "warmaster": gettext_noop("Warmaster"),
    "spymaster": gettext_noop("Spymaster"),
    "builder": gettext_noop("Master Builder"),
    "peacekeeper": gettext_noop("Peacekeeper"),
}
_PRICES = (gettext_noop("price 1 dot"), gettext_noop("price {n} dots"))


def face(card_id: str, translate: Translate = untranslated) -> Face:
    """Return a card's face, translated. Raises `IllegalAction` for an unknown id.

    Its full text is like `Sun Archer. Attack Hero, value 4, price 1 dot.`
    """
    one = card(card_id)
    figure = one.name.rpartition(" ")[2].lower()
    name = translate(HEROES[figure])
    title = _suited(one.suit, name, translate) if one.suit else name
    parts = [translate(KINDS[one.kind]), translate(gettext_noop("value {n}")).format(n=one.value)]
    if one.dots:
        parts.append(translate(_PRICES[one.dots != 1]).format(n=one.dots))
    spoken = f"{title}. {', '.join(parts)}."
    if one.power:
        spoken += f" {translate(POWERS[one.power].name)}: {translate(POWERS[one.power].text)}"
    return Face(card_id, figure, one.suit or one.kind, one.kind, name, one.value, one.dots, spoken)


def hero(card_id: str, translate: Translate = untranslated) -> str:
    """Return the card's name with its suit, `Sun Archer`."""
    shown = face(card_id, translate)
    return _suited(shown.suit, shown.name, translate) if shown.suit in SUIT_NAMES else shown.name


def _suited(suit: str, name: str, translate: Translate) -> str:
    return translate(gettext_noop("{suit} {hero}")).format(suit=translate(SUIT_NAMES[suit]), hero=name)
