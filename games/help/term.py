"""A term: something with a name that can be looked up, as tips and the rules pages show it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse

RULES, CARDS = "rules", "rules_cards"  # the pages on which terms stand, by the names of their addresses


@dataclass(frozen=True)
class Term:
    """What it does in sentences, and where the rules tell more. Kind and id find it again: `token`, `magic-book`.

    `part_of` is the option that brings it to the table.
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
        """Whether it is a thing that lies on the map, which has a drawing."""
        return self.kind in ("token", "good") and self.id != "wild"

    @property
    def url(self) -> str:
        return f"{reverse(self.page, args=[self.ruleset])}#{self.anchor}"


class Shelf(NamedTuple):
    """All terms of a kind in the rulesets of a family. `term` raises `KeyError` for an id that there is not."""

    ids: Callable[[str], Sequence[str]]
    term: Callable[[str, str], Term]
