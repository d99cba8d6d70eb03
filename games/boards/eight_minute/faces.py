"""The faces of cards and leaders as plain data: a picture, icons and words.

Pictures are symbols of `cards.svg` over their `scene-…`; icons are those of `icons.svg`.
"""

from collections.abc import Mapping

import msgspec

from games.rules.eight_minute.edition import Ability, Card, Gift
from games.rules.words import Translate, gettext_noop, untranslated

Wording = Mapping[str, tuple[str, str]]  # by kind of ability, singular and plural


class Sign(msgspec.Struct, frozen=True):
    """An icon of the sprite with its words. `n` is the amount, 0 if it has none."""

    icon: str
    words: str
    n: int = 0


class Face(msgspec.Struct, frozen=True):
    """A card as people see it.

    `family` is the CSS name, `family_name` the reader's; `spoken` is the full text. `only` is for cards used only with
    the largest number of players.
    """

    id: str
    name: str
    family: str
    family_name: str
    abilities: tuple[Sign, ...]
    parts: tuple[Sign, ...]
    joined: str
    joined_words: str
    spoken: str
    art: str = ""
    scene: str = ""
    only: Sign | None = None


FAMILIES = {
    "ancient": gettext_noop("ancient"),
    "arcane": gettext_noop("arcane"),
    "cursed": gettext_noop("cursed"),
    "dire": gettext_noop("dire"),
    "forest": gettext_noop("forest"),
    "mountain": gettext_noop("mountain"),
    "night": gettext_noop("night"),
    "noble": gettext_noop("noble"),
    "crystal": gettext_noop("crystal"),
    "carrot": gettext_noop("carrot"),
    "tree": gettext_noop("tree"),
    "coal": gettext_noop("coal"),
    "anvil": gettext_noop("anvil"),
    "wild": gettext_noop("wild"),
}
LEADER = "leader"

# singular, plural
_GOODS = {
    "crystal": (gettext_noop("1 crystal"), gettext_noop("{n} crystals")),
    "carrot": (gettext_noop("1 carrot"), gettext_noop("{n} carrots")),
    "tree": (gettext_noop("1 tree"), gettext_noop("{n} trees")),
    "coal": (gettext_noop("1 piece of coal"), gettext_noop("{n} pieces of coal")),
    "anvil": (gettext_noop("1 anvil"), gettext_noop("{n} anvils")),
    "wild": (gettext_noop("1 wild good"), gettext_noop("{n} wild goods")),
}

# icon, singular, plural
_ABILITIES = {
    "flying": ("wing", gettext_noop("flying"), gettext_noop("flying")),
    "immune": ("shield", gettext_noop("immune to attack"), gettext_noop("immune to attack")),
    "elixir": ("flask", gettext_noop("1 elixir"), gettext_noop("{n} elixirs")),
    "army": ("army", gettext_noop("+1 army on each place"), gettext_noop("+{n} armies on each place")),
    "movement": ("boot", gettext_noop("+1 on each move"), gettext_noop("+{n} on each move")),
    "coins": ("coins", gettext_noop("1 coin now"), gettext_noop("{n} coins now")),
    "extra-card": ("card", *(gettext_noop("may take one more card at the end"),) * 2),
    "robs": (
        "coins",
        gettext_noop("for each army destroyed, a coin from its owner"),
        gettext_noop("for each army destroyed, {n} coins from its owner"),
    ),
    "captures": ("swords", *(gettext_noop("captures the armies it destroys"),) * 2),
    "more-at-start": (
        "army",
        gettext_noop("starts with one more army"),
        gettext_noop("starts with {n} more armies"),
    ),
    "musters": ("city", *(gettext_noop("each new city brings an army"),) * 2),
    "wins-ties": ("star", *(gettext_noop("wins all ties"),) * 2),
}

# singular, plural or a loss
_POINTS = {
    "points": (gettext_noop("1 point"), gettext_noop("{points} points")),
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
    "no-supply": (
        gettext_noop("1 point if no armies are left to place"),
        gettext_noop("{points} points if no armies are left to place"),
    ),
    "per-captives": (
        gettext_noop("1 point for each {n} armies captured"),
        gettext_noop("{points} points for each {n} armies captured"),
    ),
    "per-large-island": (
        gettext_noop("1 point for each island of {n} regions or more"),
        gettext_noop("{points} points for each island of {n} regions or more"),
    ),
}
# A leader counts a fixed number of cards, not the whole family.
_LEADER_POINTS = {
    **_POINTS,
    "whole-set": (
        gettext_noop("1 point for {n} {family} cards"),
        gettext_noop("{points} points for {n} {family} cards"),
    ),
}

_PARTS = {
    "place": ("place", gettext_noop("place 1"), gettext_noop("place {n}")),
    "move": ("move", gettext_noop("move 1"), gettext_noop("move {n}")),
    "sail": ("ship", gettext_noop("move 1 over land and water"), gettext_noop("move {n} over land and water")),
    "build": ("city", gettext_noop("build a city"), gettext_noop("build {n} cities")),
    "destroy": ("swords", gettext_noop("destroy an army"), gettext_noop("destroy {n} armies")),
}

_JOINED = {"and": gettext_noop("and then"), "either": gettext_noop("and"), "or": gettext_noop("or")}
_LEADER_SCENES = {
    "fairy-queen": "scene-forest",
    "bandit-king": "scene-plain",
    "red-sorceress": "scene-arcane",
    "white-knight": "scene-noble",
}
LARGEST = 5  # players in the largest games


def face(card: Card, translate: Translate = untranslated) -> Face:
    """Return the face of a card, translated."""
    abilities = tuple(_ability(ability, translate) for ability in card.abilities)
    parts = []
    for part in card.parts:
        icon, one, more = _PARTS["sail" if part.ship else part.kind]
        parts.append(Sign(icon, translate(one if part.n == 1 else more).format(n=part.n), part.n))
    joined = ""
    if card.joined:
        joined = translate(_JOINED["either" if card.joined == "and" and not card.ordered else card.joined])
    family = translate(FAMILIES[card.family]) if card.family else ""
    title = f"{card.name}, {family}" if family else card.name
    art = card.id
    if good := next((ability for ability in card.abilities if ability.kind == "good"), None):
        title = card.name
        art = f"good-{good.of}" if good.n == 1 else f"good-{good.of}-{good.n}"
    only = Sign("five", translate(gettext_noop("only with five players")), LARGEST) if card.players == LARGEST else None
    action = f" {joined} ".join(part.words for part in parts)
    return Face(
        id=card.id,
        name=card.name,
        family=card.family,
        family_name=family,
        abilities=abilities,
        parts=tuple(parts),
        joined=card.joined,
        joined_words=joined,
        spoken=_spoken(title, *(sign.words for sign in abilities), action, only.words if only else ""),
        art=art,
        scene=f"scene-{card.family or 'plain'}",
        only=only,
    )


def leader_face(leader: Gift, translate: Translate = untranslated) -> Face:
    """Return a leader as a card: portrait, name and powers. It has no action."""
    abilities, name = gift_signs(leader, translate), translate(leader.name)
    return Face(
        id=leader.id,
        name=name,
        family=LEADER,
        family_name=translate(gettext_noop("leader")),
        abilities=abilities,
        parts=(),
        joined="",
        joined_words="",
        spoken=_spoken(name, *(sign.words for sign in abilities)),
        art=leader.id,
        scene=_LEADER_SCENES[leader.id],
    )


def gift_signs(gift: Gift, translate: Translate = untranslated) -> tuple[Sign, ...]:
    """Return the signs of a token's or leader's abilities."""
    return tuple(_ability(ability, translate, _LEADER_POINTS) for ability in gift.abilities)


def _ability(ability: Ability, translate: Translate, points: Wording = _POINTS) -> Sign:
    if ability.kind in points:
        one, more = points[ability.kind]
        family = translate(FAMILIES[ability.of]) if ability.of else ""
        words = translate(one if ability.points == 1 else more)
        return Sign("star", words.format(points=ability.points, family=family, n=ability.n), ability.points)
    if ability.kind == "good":
        one, more = _GOODS[ability.of]
        icon = f"family-{ability.of}"
    else:
        icon, one, more = _ABILITIES[ability.kind]
    return Sign(icon, translate(one if ability.n == 1 else more).format(n=ability.n), ability.n)


def _spoken(*sentences: str) -> str:
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences if sentence)
