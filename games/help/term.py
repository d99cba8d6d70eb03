"""Terms: things with a name and an explanation, shown in tips and on the rules pages, and cards with their pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString

from games.boards.eight_minute.faces import Face

RULES, CARDS = "rules", "rules_cards"  # URL names of the pages that list terms


@dataclass(frozen=True)
class Term:
    """A term with its explanation and its place on the rules pages.

    `kind` and `id` identify it within a ruleset: `token`, `magic-book`. `part_of` is the option that brings it into the
    game.
    """

    ruleset: str
    kind: str
    id: str
    name: str
    sentences: tuple[str, ...]
    anchor: str
    page: str = RULES
    part_of: str = ""

    @property
    def has_icon(self) -> bool:
        """Whether it is a thing on the map, which has an icon."""
        return self.kind in ("token", "good") and self.id != "wild"

    @property
    def url(self) -> str:
        return f"{reverse(self.page, args=[self.ruleset])}#{self.anchor}"


class Shelf(NamedTuple):
    """All terms of one kind in a family's rulesets. `term` raises `KeyError` for an unknown id."""

    ids: Callable[[str], Sequence[str]]
    term: Callable[[str, str], Term]


@dataclass(frozen=True)
class CardHelp:
    """A card's picture and explanation.

    The picture is either a `face` that a template lays out or a ready-made `picture`. `power` names the card's power if
    the rules page has a section on it.
    """

    face: Face | None
    term: Term
    picture: SafeString | None = None
    power: str = ""


@dataclass(frozen=True)
class CardGroup:
    """Cards of one group, with a heading and what is true of all of them."""

    anchor: str
    name: str
    cards: tuple[CardHelp, ...]
    sentences: tuple[str, ...] = ()
