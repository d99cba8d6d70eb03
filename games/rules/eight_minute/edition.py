"""Editions: the data of one ruleset of the family, with its numbers and cards.

The rules read the data and never ask for an edition by name. Changes made by options are in the data too, under `when`.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

DATA = Path(__file__).parent / "data"
StartRule = Literal["overseas", "harbour", "printed"]
ScoredPart = Literal[
    "regions", "islands", "continents", "abilities", "elixirs", "citadels", "tokens", "leaders", "goods"
]


class Ability(msgspec.Struct, frozen=True):
    """A lasting effect of a card, token or leader. The `kind` says what `n`, `of` and `points` mean.

    - `flying`, `immune`, `wins-ties`: no values
    - `elixir`, `coins`: `n` elixirs, or `n` coins at once
    - `army`, `movement`: `n` more on each place, or on each move
    - `good`: `n` of the good `of` (classic)
    - `points`: `points` at the end
    - `per-card`, `per-flying`, `per-coins`: `points` for each card of the family `of`, each `flying`, each `n` coins
    - `whole-set`: `points` for at least `n` cards of the family `of`

    Leaders have some of their own (R48, R49):

    - `extra-card`, `musters`, `captures`, `robs`: no values
    - `more-at-start`: `n` more armies at the start
    - `no-supply`: `points` if no army is left in the supply
    - `per-captives`: `points` for each `n` captives
    - `per-large-island`: `points` for each island held that has at least `n` regions
    """

    kind: str
    n: int = 1
    of: str = ""
    points: int = 0


class Part(msgspec.Struct, frozen=True):
    """One part of an action. `kind` is place, move, build or destroy; `n` counts armies, movements or cities.

    A move by `ship` crosses water like land.
    """

    kind: str
    n: int
    ship: bool = False


class Gift(msgspec.Struct, frozen=True):
    """Something other than a card that has abilities: a token or a leader."""

    id: str
    name: str
    abilities: tuple[Ability, ...] = ()

    def total(self, kind: str) -> int:
        """Return the sum of `n` over the abilities of a kind."""
        return sum(ability.n for ability in self.abilities if ability.kind == kind)


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A playing card. It is in the deck of games with at least `players` players.

    `joined` says how the parts of its action are combined: "", "and" or "or"; `ordered` whether the second part of an
    AND closes the first.
    """

    id: str
    name: str
    parts: tuple[Part, ...]
    joined: str
    ordered: bool
    abilities: tuple[Ability, ...] = ()
    family: str = ""
    players: int = 2

    def total(self, kind: str) -> int:
        """Return the sum of `n` over the card's abilities of a kind."""
        return sum(ability.n for ability in self.abilities if ability.kind == kind)


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the data when an option has a value: other values of the edition's fields, or revised cards by id."""

    option: str
    value: bool | str
    prices: tuple[int, ...] = ()
    sides: tuple[str, ...] = ()
    cards: dict[str, dict[str, Any]] = {}


class Version(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A later version of the rules: its changes, and the rulings that they implement. See docs/adding-a-ruleset.md."""

    number: int
    rulings: tuple[str, ...]
    changes: dict[str, Any]


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of an edition. Tuples by player count begin with two players.

    `layouts`: the possible layouts, default first. `start_rule` names a rule of boards.py, `scored` parts of
    scoring.py, and `options` and `presets` this edition's of data/options.toml. `in_order`: whether the parts of an AND
    keep the printed order. `goods`: how many of a good are needed for each of `goods_points`. `looks_after_extra`:
    whether a seat looks at face-down tokens after the extra card of its leader (R50).
    """

    slug: str
    name: str
    deck_of: str
    sides: tuple[str, ...]
    layouts: tuple[tuple[str, ...], ...]
    start_rule: StartRule
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
    scored: tuple[ScoredPart, ...]
    options: tuple[str, ...]
    presets: tuple[str, ...]
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
    looks_after_extra: bool = False
    when: tuple[Change, ...] = ()
    versions: tuple[Version, ...] = ()
    version: int = 1

    @property
    def changed(self) -> tuple[str, ...]:
        """The rulings that this version of the rules changed."""
        return next((version.rulings for version in self.versions if version.number == self.version), ())

    @property
    def id(self) -> str:
        """The name under which `edition` finds these rules, without changes made by options: `legends/2`."""
        return named(self.slug, self.version)

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
    """Return the edition of a name: a slug, `/` and a version, then each change by an option: `legends/2+leaders:true`.

    Without a version it is the first one: positions stored before there was a second one say only `legends`.
    """
    base, *changes = name.split("+")
    slug, _slash, version = base.partition("/")
    number = int(version or 1)
    data = load(slug) | {"version": number}
    for later in data.get("versions", ()):
        if later["number"] <= number:
            data |= later["changes"]
    revisions = data.pop("revised", {})
    for change in data.get("when", ()):
        if _words(change["option"], change["value"]) in changes:
            revisions = revisions | change.get("cards", {})
            data |= {key: value for key, value in change.items() if key not in ("option", "value", "cards")}
    cards = {}
    for printed in load(f"{data['deck_of']}_cards")["cards"]:
        row = printed | revisions.get(printed["id"], {})
        parts, joined = _parse_action(row.pop("action"))
        row |= {"parts": parts, "joined": joined, "ordered": data.get("in_order", True)}
        cards[row["id"]] = msgspec.convert(row, Card)
    return msgspec.convert({"slug": slug, **data, "cards": cards}, Edition)


def newest(slug: str) -> Edition:
    """Return an edition in the newest version of its rules, which new games are played by."""
    return edition(named(slug, max((later["number"] for later in load(slug).get("versions", ())), default=1)))


def _parse_action(text: str) -> tuple[tuple[Part, ...], str]:
    """Return the parts of an action such as `place 3 or move 4`, in printed order, and the joining word (R12)."""
    joined = next((word for word in ("and", "or") if f" {word} " in text), "")
    parts = []
    for part in text.split(f" {joined} ") if joined else [text]:
        kind, n = part.split()
        parts.append(Part("move", int(n), ship=True) if kind == "sail" else Part(kind, int(n)))
    return tuple(parts), joined


def named(slug: str, version: int) -> str:
    """Return the name of an edition in a version of its rules."""
    return slug if version == 1 else f"{slug}/{version}"


def changed(name: str, options: object) -> str:
    """Return the name of the edition with the changes made by these options."""
    changes = [change for change in edition(name).when if getattr(options, change.option) == change.value]
    return "+".join((name, *(_words(change.option, change.value) for change in changes)))


def _words(option: str, value: bool | str) -> str:
    return f"{option}:{value}".lower()
