"""The faces of Kingdoms cards: as plain data, in words for people who can't see them, and as drawings."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.rules.kingdoms.deck import KINDS, POWERS, card, card_name
from games.rules.words import Translate, gettext_noop, labelled, untranslated


class Face(msgspec.Struct, frozen=True):
    """A card's face. `figure` is the key of its drawing; `suit` is a suit, epic or boss. `spoken` is the full text."""

    id: str
    figure: str
    suit: str
    kind: str
    name: str
    value: int
    dots: int
    spoken: str


# The heroes by the key of their figure, the last word of their name. The deck has their values and ranks.
HEROES = {
    name.rpartition(" ")[2].lower(): name for name in (
        gettext_noop("Archer"), gettext_noop("Spearman"), gettext_noop("Rider"), gettext_noop("Swordsman"),
        gettext_noop("Halberdier"), gettext_noop("Captain"), gettext_noop("Tactician"), gettext_noop("Duelist"),
        gettext_noop("General"), gettext_noop("Drummer"), gettext_noop("Healer"), gettext_noop("Standard Bearer"),
        gettext_noop("Emperor"), gettext_noop("Queen"), gettext_noop("Prince"), gettext_noop("Princess"),
        gettext_noop("Dragon"), gettext_noop("Oracle"), gettext_noop("Fox"), gettext_noop("Carp"),
        gettext_noop("Warmaster"), gettext_noop("Spymaster"), gettext_noop("Master Builder"),
        gettext_noop("Peacekeeper"),
    )
}  # fmt: skip
_PRICES = (gettext_noop("price 1 dot"), gettext_noop("price {n} dots"))


def face(card_id: str, translate: Translate = untranslated) -> Face:
    """Return a card's face, spoken as `Sun Archer. Attack Hero, value 4, price 1 dot.` Raises `IllegalAction`."""
    hero = card(card_id)
    figure = hero.name.rpartition(" ")[2].lower()
    name = translate(HEROES[figure])
    title = card_name(card_id, translate)
    parts = [translate(KINDS[hero.kind]), translate(gettext_noop("value {n}")).format(n=hero.value)]
    if hero.dots:
        parts.append(translate(_PRICES[hero.dots != 1]).format(n=hero.dots))
    spoken = f"{title}. {', '.join(parts)}."
    if hero.power:
        power = POWERS[hero.power]
        spoken += f" {labelled(translate(power.name), translate(power.text), translate)}"
    return Face(card_id, figure, hero.suit or hero.kind, hero.kind, name, hero.value, hero.dots, spoken)


def hero(card_id: str, translate: Translate = untranslated) -> str:
    """Return the card's name with its suit, `Sun Archer`."""
    return card_name(card_id, translate)


# The drawings of drawings/*.toml: pen strokes, one per line, converted to SVG once and cached

FOLDER = Path(__file__).parent / "drawings"
FIGURES = ("attack", "champion", "support", "kingdom", "epic", "boss")
INK = "#241a10"  # the color of a pen that a group need not name again
PEN = f'stroke="{INK}" stroke-linecap="round" stroke-linejoin="round"'


@cache
def sheet(name: str) -> dict[str, Any]:
    """Load one file of drawings."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def figures() -> dict[str, str]:
    """Return the strokes of every figure by its key, such as `archer`, and the Castle's."""
    drawn = {key: drawing for name in FIGURES for key, drawing in sheet(name).items()}
    drawn |= sheet("things")["figures"]
    return {key: moved(strokes(drawing), *sheet("things")["steps"].get(key, (0, 0))) for key, drawing in drawn.items()}


def strokes(drawing: str, paints: Mapping[str, str] | None = None) -> str:
    """Convert a drawing to paths. `paints` override those of the paint box."""
    box, paths = {**sheet("_paints"), **(paints or {})}, ""
    for line in drawing.strip().splitlines():
        fill, pen, width, d = line.split(maxsplit=3)
        stroke = f'{_painted("stroke", pen, box)} stroke-width="{width}"' if pen != "-" else ' stroke="none"'
        paths += f'<path{_painted("fill", fill, box)}{stroke} d="{d}"/>'
    return paths


def moved(drawing: str, across: float, down: float) -> str:
    return f'<g transform="translate({across:g} {down:g})">{drawing}</g>' if across or down else drawing


def _painted(what: str, word: str, box: Mapping[str, str]) -> str:
    if word == "none" or (what, word) == ("stroke", "ink"):
        return "" if word == "ink" else f' {what}="none"'
    colour, *cover = box[word].split()
    return f' {what}="{colour}"' + "".join(f' {what}-opacity="{share}"' for share in cover)


def numeral(text: str, x: float, y: float, size: float, widest: float = 1000) -> str:
    """Draw digits centered at x on the baseline y, in the inherited color; smaller if too wide."""
    shapes = [sheet("_numerals")[letter] for letter in text]
    wide = sum(shape["wide"] for shape in shapes)
    scale = min(size, 100 * widest / wide) / 100
    left, paths = 0, ""
    for shape in shapes:
        place = f' transform="translate({left} 0)"' if left else ""
        paths += f'<path{place} d="{shape["path"]}"/>'
        left += shape["wide"]
    return f'<g transform="translate({x - wide * scale / 2:.4g} {y:g}) scale({scale:.3g})">{paths}</g>'
