"""What stands on the face of a card: icons and words for what it gives and what it lets its taker do, as plain data."""

import msgspec

from games.rules.empire.cards import Ability, Card, Part
from games.rules.words import Translate, gettext_noop, untranslated


class Sign(msgspec.Struct, frozen=True):
    """An icon of the sprite and the words that go with it. `n` is how much of it, 0 where that makes no sense."""

    icon: str
    words: str
    n: int = 0


class Face(msgspec.Struct, frozen=True):
    """A card as people see it. `family` is the plain word for CSS, `family_name` the reader's; `spoken` says it all."""

    id: str
    name: str
    family: str
    family_name: str
    abilities: tuple[Sign, ...]
    parts: tuple[Sign, ...]
    joined: str
    joined_words: str
    spoken: str


FAMILIES = {
    "ancient": gettext_noop("ancient"),
    "arcane": gettext_noop("arcane"),
    "cursed": gettext_noop("cursed"),
    "dire": gettext_noop("dire"),
    "forest": gettext_noop("forest"),
    "mountain": gettext_noop("mountain"),
    "night": gettext_noop("night"),
    "noble": gettext_noop("noble"),
}

# icon, words for one, words for more
_ABILITIES = {
    "flying": ("wing", gettext_noop("flying"), gettext_noop("flying")),
    "immune": ("shield", gettext_noop("immune to attack"), gettext_noop("immune to attack")),
    "elixir": ("flask", gettext_noop("1 elixir"), gettext_noop("{n} elixirs")),
    "army": ("army", gettext_noop("+1 army on each place"), gettext_noop("+{n} armies on each place")),
    "movement": ("boot", gettext_noop("+1 on each move"), gettext_noop("+{n} on each move")),
    "coins": ("coins", gettext_noop("1 coin at once"), gettext_noop("{n} coins at once")),
}

# words for one point, words for more
_POINTS = {
    "per-card": (
        gettext_noop("1 point for each {family} card"),
        gettext_noop("{points} points for each {family} card"),
    ),
    "per-flying": (gettext_noop("1 point for each flying"), gettext_noop("{points} points for each flying")),
    "per-coins": (gettext_noop("1 point for each {n} coins"), gettext_noop("{points} points for each {n} coins")),
    "whole-set": (
        gettext_noop("1 point for all {n} {family} cards"),
        gettext_noop("{points} points for all {n} {family} cards"),
    ),
}

_PARTS = {
    "place": ("place", gettext_noop("place 1"), gettext_noop("place {n}")),
    "move": ("move", gettext_noop("move 1"), gettext_noop("move {n}")),
    "build": ("city", gettext_noop("build a city"), gettext_noop("build {n} cities")),
    "destroy": ("swords", gettext_noop("destroy an army"), gettext_noop("destroy {n} armies")),
}

_JOINED = {"": "", "and": gettext_noop("and then"), "or": gettext_noop("or")}


def face(card: Card, translate: Translate = untranslated) -> Face:
    """The card in the language of `translate`."""
    abilities = tuple(_ability(ability, translate) for ability in card.abilities)
    parts = tuple(_part(part, translate) for part in card.parts)
    family = translate(FAMILIES[card.family]) if card.family else ""
    joined = translate(_JOINED[card.joined]) if card.joined else ""
    action = f" {joined} ".join(part.words for part in parts)
    title = f"{card.name}, {family}" if family else card.name
    sentences = [title, *(sign.words for sign in abilities), action]
    spoken = " ".join(f"{_capital(sentence)}." for sentence in sentences)
    return Face(card.id, card.name, card.family, family, abilities, parts, card.joined, joined, spoken)


def _ability(ability: Ability, translate: Translate) -> Sign:
    if ability.kind in _POINTS:
        return _points(ability, translate)
    icon, one, more = _ABILITIES[ability.kind]
    return Sign(icon, translate(one if ability.n == 1 else more).format(n=ability.n), ability.n)


def _points(ability: Ability, translate: Translate) -> Sign:
    one, more = _POINTS[ability.kind]
    family = translate(FAMILIES[ability.of]) if ability.of else ""
    words = translate(one if ability.points == 1 else more)
    return Sign("star", words.format(points=ability.points, family=family, n=ability.n), ability.points)


def _part(part: Part, translate: Translate) -> Sign:
    icon, one, more = _PARTS[part.kind]
    return Sign(icon, translate(one if part.n == 1 else more).format(n=part.n), part.n)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
