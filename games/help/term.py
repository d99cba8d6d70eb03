"""Terms: things with a name and an explanation, shown in tips and on the rules pages, with cards and pictures."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

RULES, CARDS = "rules", "rules_cards"  # URL names of the pages that list terms
NO_ICON = SafeString("")
IDS = re.compile(r'(id="|href="#|url\(#)')  # where a drawing defines or uses an id


@dataclass(frozen=True)
class Term:
    """A term with its explanation and its place on the rules pages.

    `kind` and `id` identify it within a ruleset: `token`, `magic-book`. `part_of` is the option that brings it into the
    game. `icon` shows a thing as it looks on the board.
    """

    ruleset: str
    kind: str
    id: str
    name: str
    sentences: tuple[str, ...]
    anchor: str
    page: str = RULES
    part_of: str = ""
    icon: SafeString = NO_ICON

    @property
    def url(self) -> str:
        return f"{reverse(self.page, args=[self.ruleset])}#{self.anchor}"


class Shelf(NamedTuple):
    """All terms of one kind in a family's rulesets. `term` raises `KeyError` for an unknown id."""

    ids: Callable[[str], Sequence[str]]
    term: Callable[[str, str], Term]


@dataclass(frozen=True)
class CardHelp:
    """A card's picture and explanation. `power` names the card's power if the rules page has a section on it."""

    picture: SafeString
    term: Term
    power: str = ""


@dataclass(frozen=True)
class CardGroup:
    """Cards of one group, with a heading and what is true of all of them."""

    anchor: str
    name: str
    cards: tuple[CardHelp, ...]
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Position:
    """The pieces of a position, to be drawn once on a page."""

    name: str
    drawing: SafeString


def with_ids(drawing: str, prefix: str) -> SafeString:
    """Return a trusted drawing whose ids begin with `prefix-`, so that they are unique on the page."""
    return mark_safe(IDS.sub(rf"\g<1>{prefix}-", drawing))


@dataclass(frozen=True)
class CutOut:
    """A part of a position. `box` is the part, in units of the whole picture, which is `width` by `height`."""

    position: str
    label: str
    land: str
    dark: str
    width: float
    height: float
    box: str
    is_whole: bool = False
