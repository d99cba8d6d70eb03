"""Editions: the data of one ruleset of the family, with numbers, cards and boards.

The rules read the data and never ask for an edition by name. Changes made by options are in the data too, under `when`.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.rules.eight_minute.cards import Card, CardRow

DATA = Path(__file__).parent / "data"


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the data when an option has a value: other prices, other sides in play, or revised cards by id."""

    option: str
    value: bool | str
    prices: tuple[int, ...] = ()
    sides: tuple[str, ...] = ()
    cards: dict[str, dict[str, Any]] = {}


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of an edition. Tuples by player count begin with two players.

    `layouts`: the possible layouts, default first. `start_rule` names a rule of layouts.py, `scored` parts of
    scoring.py, and `options` this edition's options of options.py. `in_order`: whether the parts of an AND keep the
    printed order. `goods`: how many of a good are needed for each of `goods_points`.
    """

    slug: str
    name: str
    deck_of: str
    sides: tuple[str, ...]
    layouts: tuple[tuple[str, ...], ...]
    start_rule: str
    players: tuple[int, ...]
    coins: tuple[int, ...]
    cards_owned: tuple[int, ...]
    armies: int
    cities: int
    third_colour: int
    start_armies: int
    outpost_armies: int
    prices: tuple[int, ...]
    crossing: int
    names_first: bool
    scored: tuple[str, ...]
    options: tuple[str, ...]
    cards: dict[str, Card]
    in_order: bool = True
    destroys_anywhere: bool = False
    most_elixirs: int = 0
    tied_elixirs: int = 0
    explore: tuple[str, ...] = ()
    citadels: int = 0
    town_coins: int = 0
    goods: dict[str, tuple[int, ...]] = {}
    goods_points: tuple[int, ...] = ()
    goods_tokens: tuple[str, ...] = ()
    when: tuple[Change, ...] = ()

    def deck(self, players: int) -> list[str]:
        """Return the ids of the cards in play, in the data's order."""
        return [card.id for card in self.cards.values() if card.players <= players]

    def family(self, name: str) -> list[str]:
        """Return the ids of the cards of a family."""
        return [card.id for card in self.cards.values() if card.family == name]


@cache
def load(name: str) -> dict[str, Any]:
    """Return the plain data of `data/<name>.toml`. Don't modify it."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def edition(name: str) -> Edition:
    """Return the edition of a name: a slug, followed by each change made by an option, `classic+side:side-b`."""
    slug, *changes = name.split("+")
    data = dict(load(slug))
    revisions = data.pop("revised", {})
    for change in data.get("when", ()):
        if _words(change["option"], change["value"]) in changes:
            revisions = revisions | change.get("cards", {})
            data.update({key: change[key] for key in ("prices", "sides") if key in change})
    rows = load(f"{data['deck_of']}_cards")["cards"]
    cards = [msgspec.convert(row | revisions.get(row["id"], {}), CardRow) for row in rows]
    ordered = data.get("in_order", True)
    return msgspec.convert({"slug": slug, **data, "cards": {row.id: row.card(ordered) for row in cards}}, Edition)


def changed(slug: str, options: object) -> str:
    """Return the name of the edition with the changes made by these options."""
    changes = [one for one in edition(slug).when if getattr(options, one.option) == one.value]
    return "+".join((slug, *(_words(one.option, one.value) for one in changes)))


def _words(option: str, value: bool | str) -> str:
    return f"{option}:{value}".lower()
