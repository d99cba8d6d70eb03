"""The faces of cards and leaders as plain data: a picture, icons and words (faces.toml).

Pictures are symbols of `cards.svg` over their `scene-…`; icons are those of `icons.svg`.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from games.rules.eight_minute.edition import Ability, Card, Gift
from games.rules.words import Translate, gettext_noop, untranslated


class Wording(msgspec.Struct, frozen=True):
    """The words for `one`, and for more or a loss if they differ, with an icon."""

    one: str
    more: str = ""
    icon: str = "star"

    def of(self, n: int, translate: Translate) -> str:
        return translate(self.one if n == 1 else self.more or self.one)


WORDS = msgspec.toml.decode(Path(__file__).with_name("faces.toml").read_bytes(), type=dict[str, dict[str, Wording]])


class Sign(msgspec.Struct, frozen=True):
    """An icon of the sprite with its words. `n` is the amount, 0 if it has none."""

    icon: str
    words: str
    n: int = 0


class Face(msgspec.Struct, frozen=True):
    """A card as people see it.

    `family` is the CSS name, `family_name` the reader's; `spoken` is the full text. `only`: with most players only.
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

    @property
    def length(self) -> str:
        """Return how long the longest word of the name is, as a word for CSS."""
        letters = max(map(len, self.name.split()))
        return "longest" if letters > 14 else "long" if letters > 9 else ""


FAMILIES = {
    name: name for name in (
        gettext_noop("ancient"), gettext_noop("arcane"), gettext_noop("cursed"), gettext_noop("dire"),
        gettext_noop("forest"), gettext_noop("mountain"), gettext_noop("night"), gettext_noop("noble"),
        gettext_noop("crystal"), gettext_noop("carrot"), gettext_noop("tree"), gettext_noop("coal"),
        gettext_noop("anvil"), gettext_noop("wild"),
    )
}  # fmt: skip
LEADER = "leader"
_JOINED = {"and": gettext_noop("and then"), "either": gettext_noop("and"), "or": gettext_noop("or")}
_LEADER_SCENES = {"fairy-queen": "forest", "bandit-king": "plain", "red-sorceress": "arcane", "white-knight": "noble"}
LARGEST = 5  # players in the largest games


def face(card: Card, translate: Translate = untranslated) -> Face:
    """Return a card’s face: its signs, and the words for those who hear them."""
    abilities = tuple(_ability(ability, translate) for ability in card.abilities)
    parts = []
    for part in card.parts:
        words = WORDS["parts"]["sail" if part.ship else part.kind]
        parts.append(Sign(words.icon, words.of(part.n, translate).format(n=part.n), part.n))
    joined = ""
    if card.joined:
        joined = translate(_JOINED["either" if card.joined == "and" and not card.ordered else card.joined])
    family = translate(FAMILIES[card.family]) if card.family else ""
    name = translate(card.name)
    title = f"{name}, {family}" if family else name
    art = card.id
    if good := next((ability for ability in card.abilities if ability.kind == "good"), None):
        title = name
        art = f"good-{good.of}" if good.n == 1 else f"good-{good.of}-{good.n}"
    only = Sign("five", translate(gettext_noop("only with five players")), LARGEST) if card.players == LARGEST else None
    action = f" {joined} ".join(part.words for part in parts)
    return Face(
        id=card.id, name=name, family=card.family, family_name=family, abilities=abilities, parts=tuple(parts),
        joined=card.joined, joined_words=joined,
        spoken=_spoken(title, *(sign.words for sign in abilities), action, only.words if only else ""), art=art,
        scene=f"scene-{card.family or 'plain'}", only=only,
    )  # fmt: skip


def leader_face(leader: Gift, translate: Translate = untranslated) -> Face:
    """Return a leader as a card: portrait, name and powers. It has no action."""
    abilities, name = gift_signs(leader, translate), translate(leader.name)
    return Face(
        id=leader.id, name=name, family=LEADER, family_name=translate(gettext_noop("leader")), abilities=abilities,
        parts=(), joined="", joined_words="", spoken=_spoken(name, *(sign.words for sign in abilities)),
        art=leader.id, scene=f"scene-{_LEADER_SCENES[leader.id]}",
    )  # fmt: skip


def gift_signs(gift: Gift, translate: Translate = untranslated) -> tuple[Sign, ...]:
    """Return the signs of a token's or leader's abilities."""
    points = WORDS["points"] | WORDS["leader_points"]
    return tuple(_ability(ability, translate, points) for ability in gift.abilities)


def _ability(ability: Ability, translate: Translate, points: Mapping[str, Wording] = WORDS["points"]) -> Sign:
    if words := points.get(ability.kind):
        family = translate(FAMILIES[ability.of]) if ability.of else ""
        said = words.of(ability.points, translate).format(points=ability.points, family=family, n=ability.n)
        return Sign(words.icon, said, ability.points)
    is_good = ability.kind == "good"
    words = WORDS["goods"][ability.of] if is_good else WORDS["abilities"][ability.kind]
    icon = f"family-{ability.of}" if is_good else words.icon
    return Sign(icon, words.of(ability.n, translate).format(n=ability.n), ability.n)


def _spoken(*sentences: str) -> str:
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences if sentence)
