"""The cards: what each one is, which are in play, and the order of every list of cards.

A card is its id, `sun-attack-4-1`; with two decks it is prefixed by `d1:` or `d2:`. The numbers are in data/deck.toml.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from games.rules.protocol import IllegalAction
from games.rules.words import Translate, gettext_noop, in_context, untranslated

SUITS = ("sun", "wave", "pine", "plum")
RANKS = ("emperor", "queen", "prince", "princess")
COMMANDERS = ("epic", "boss")
SEATS_A_DECK = 4
DATA = Path(__file__).parent / "data"


class Card(msgspec.Struct, frozen=True):
    """A hero. `kind` is attack, champion, support, kingdom, epic or boss.

    Kingdom Heroes have a `rank`; Epics and Bosses have a `power`, and neither suit nor dots (K52).
    """

    id: str
    name: str
    kind: str
    suit: str | None
    rank: str | None
    value: int
    dots: int
    power: str | None

    @property
    def commands(self) -> bool:
        """Whether it is an Epic or a Boss."""
        return self.kind in COMMANDERS


class Power(msgspec.Struct, frozen=True):
    """The power of an Epic or a Boss; name and text are translatable."""

    name: str
    text: str


KINDS = {
    "attack": gettext_noop("Attack Hero"),
    "champion": gettext_noop("Champion Hero"),
    "support": gettext_noop("Support Hero"),
    "kingdom": gettext_noop("Kingdom Hero"),
    "epic": gettext_noop("Epic Hero"),
    "boss": gettext_noop("Boss Hero"),
}
CLASSES = {  # in the order of a hand
    "kingdom": gettext_noop("Kingdom Heroes"),
    "champion": gettext_noop("Champions"),
    "attack": gettext_noop("Attack Heroes"),
    "support": gettext_noop("Support Heroes"),
    "epic": gettext_noop("Epics"),
    "boss": gettext_noop("Bosses"),
}
RANK_NAMES = {
    "emperor": gettext_noop("Emperor"), "queen": gettext_noop("Queen"), "prince": gettext_noop("Prince"),
    "princess": gettext_noop("Princess"),
}  # fmt: skip


@cache
def load(name: str) -> dict[str, Any]:
    """Return the plain data of `data/<name>.toml`. Don't modify it."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


SUIT_NAMES = {suit["id"]: suit["name"] for suit in load("deck")["suits"]}
POWERS = msgspec.convert(load("deck")["powers"], dict[str, Power])


@cache
def _cards() -> dict[str, Card]:
    """Return the 100 cards of one deck by id, in deck order."""
    data, cards = load("deck"), []
    for suit in data["suits"]:
        for row in data["heroes"]:
            rank_or_value = row.get("rank") or row["value"]
            for copy in range(1, row["copies"] + 1):
                hero = Card(
                    id=f"{suit['id']}-{row['kind']}-{rank_or_value}-{copy}", name=f"{suit['name']} {row['name']}",
                    kind=row["kind"], suit=suit["id"], rank=row.get("rank"), value=row["value"], dots=row["dots"],
                    power=None,
                )  # fmt: skip
                cards.append(hero)
    cards += [Card(suit=None, rank=None, dots=0, **row) for row in data["lone"]]
    return {hero.id: hero for hero in cards}


def _all() -> dict[str, Card]:
    """Return every card by id, without and with each prefix, in deck order."""
    cards = dict(_cards())
    for number in (1, 2):
        for hero in _cards().values():
            card_id = f"d{number}:{hero.id}"
            cards[card_id] = msgspec.structs.replace(hero, id=card_id)
    return cards


CARDS = _all()
COMMANDING = frozenset(hero.id for hero in CARDS.values() if hero.commands)
ROYAL = frozenset(hero.id for hero in CARDS.values() if hero.kind == "kingdom")
deck_index = {card_id: index for index, card_id in enumerate(CARDS)}.__getitem__  # of a card, in deck order


def card(card_id: str) -> Card:
    """Return the card with that id, including its prefix. Raises `IllegalAction` if there is none."""
    try:
        return CARDS[card_id]
    except KeyError:
        raise IllegalAction(gettext_noop("There is no card “{card}”."), card=card_id[:40]) from None


def suit_name(suit: str, translate: Translate = untranslated) -> str:
    return in_context("suit", SUIT_NAMES[suit], translate)


def card_name(card_id: str, translate: Translate = untranslated) -> str:
    """Return the card's name with its suit, `Sun Archer`. Raises `IllegalAction`."""
    hero = card(card_id)
    if hero.suit is None:
        return translate(hero.name)
    hero_name = translate(hero.name.removeprefix(f"{SUIT_NAMES[hero.suit]} "))
    return translate(gettext_noop("{suit} {hero}")).format(suit=suit_name(hero.suit, translate), hero=hero_name)


def in_order(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=deck_index))


# Equal cards: same kind, value, rank and power, whatever the suit. There are 24 different ones.


def _alike_as(hero: Card) -> tuple[str, int, str | None, str | None]:
    return hero.kind, hero.value, hero.rank, hero.power


DIFFERENT = tuple({_alike_as(hero): hero for hero in _cards().values()}.values())  # one of each, by number
_NUMBERS = {_alike_as(hero): number for number, hero in enumerate(DIFFERENT)}
_ALIKE = {card_id: _NUMBERS[_alike_as(hero)] for card_id, hero in CARDS.items()}

TALLY_BITS = 6  # for the 16 equal cards of two decks, and one bit more that is always 0
_tally_of = {card_id: 1 << number * TALLY_BITS for card_id, number in _ALIKE.items()}.__getitem__


def alike(ids: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Group equal cards. Keeps the given order."""
    groups: dict[int, list[str]] = {}
    for card_id in ids:
        groups.setdefault(_ALIKE[card_id], []).append(card_id)
    return tuple(map(tuple, groups.values()))


def different(ids: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the first of each group of equal cards, alone."""
    firsts: dict[int, tuple[str, ...]] = {}
    for card_id in ids:
        number = _ALIKE[card_id]
        if number not in firsts:
            firsts[number] = (card_id,)
    return [*firsts.values()]


def tally(ids: Iterable[str]) -> int:
    """Return how many cards there are of each of the `DIFFERENT` ones, in `TALLY_BITS` bits each.

    Hands with the same tally differ only in suits, so what does not depend on suits is remembered by tallies.
    """
    return sum(map(_tally_of, ids))


def first_of(hand: Iterable[str], wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the first cards of the hand that equal the wanted ones, of which there must be enough, in its order."""
    missing, cards = [_ALIKE[card_id] for card_id in wanted], []
    for card_id in hand:
        if not missing:
            break
        if (number := _ALIKE[card_id]) in missing:
            missing.remove(number)
            cards.append(card_id)
    return tuple(cards)


def tally_mask(cards: Iterable[Card]) -> int:
    """Return the bits of a tally that count these cards, which must be some of the `DIFFERENT` ones."""
    return sum((1 << TALLY_BITS) - 1 << DIFFERENT.index(hero) * TALLY_BITS for hero in cards)


def tallied(tally: int) -> Iterator[tuple[Card, int]]:
    """Yield one card of each that the tally counts, and how many there are."""
    while tally:
        number = ((tally & -tally).bit_length() - 1) // TALLY_BITS  # of the lowest bit that is set
        count = tally >> number * TALLY_BITS & (1 << TALLY_BITS) - 1
        yield DIFFERENT[number], count
        tally -= count << number * TALLY_BITS


@lru_cache(maxsize=1 << 5)
def deck(decks: int, princes: int | None = None, princesses: int | None = None) -> tuple[str, ...]:
    """Return the cards to draw from, including Epics and Bosses, in deck order (K61).

    `princes` and `princesses` are how many stay in each deck, the first ones (K97); None for all.
    """
    out = set(removed(decks, princes, princesses))
    return tuple(card_id for card_id in _whole(decks) if card_id not in out)


@lru_cache(maxsize=1 << 5)
def removed(decks: int, princes: int | None = None, princesses: int | None = None) -> tuple[str, ...]:
    """Return the Princes and Princesses that leave the game, in deck order (K97)."""
    staying = {"prince": princes, "princess": princesses}
    out: set[str] = set()
    for rank, stay in staying.items():
        if stay is not None:
            out.update([hero.id for hero in _cards().values() if hero.rank == rank][stay:])
    return tuple(card_id for card_id in _whole(decks) if card_id.rpartition(":")[2] in out)


def _whole(decks: int) -> tuple[str, ...]:
    if decks == 1:
        return tuple(_cards())
    return tuple(f"d{number}:{card_id}" for number in range(1, decks + 1) for card_id in _cards())


def castle(seat: int, decks: int = 1) -> str:
    """Return the Castle of a seat, a decoration that distinguishes players (K99)."""
    number, suit = divmod(seat, SEATS_A_DECK)
    name = f"castle-{SUITS[suit]}"
    return name if decks == 1 else f"d{number + 1}:{name}"


def decks_for(players: int) -> int:
    """Return how many decks a number of players needs (K98)."""
    return -(-players // SEATS_A_DECK)
