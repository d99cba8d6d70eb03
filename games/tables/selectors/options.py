"""The game and the chosen options of a table, and a player's standing orders, in short words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from games.rules.registry import get
from games.rules.words import labelled
from games.tables.models import Seat

FEWEST_OPTIONS = 2  # least options of a preset that is named in their place


class WithOptions(Protocol):
    """A game, a full game, or the settings of a league or tournament."""

    @property
    def ruleset(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


class Chosen(NamedTuple):
    """A chosen `option`, or a `preset` that replaces several, in short words."""

    kind: str
    id: str
    words: str


def short_name(slug: str) -> str:
    """Return the name of a game without that of its family."""
    return _(get(slug).name).rpartition(": ")[2]


def chosen(game: WithOptions) -> list[Chosen]:
    """Return the options that differ from the defaults, in the ruleset's order, after the largest matching preset."""
    rules = get(game.ruleset)
    holding = [
        candidate
        for candidate in rules.presets
        if len(candidate.options) >= FEWEST_OPTIONS and candidate.options.items() <= game.options.items()
    ]
    preset = max(holding, key=lambda candidate: len(candidate.options), default=None)
    parts = [Chosen("preset", preset.slug, _(preset.label))] if preset else []
    for field in rules.option_fields():
        value = game.options.get(field.name, field.usual)
        if value == field.usual or (preset and field.name in preset.options):
            continue
        choice = next((choice for choice in field.choices if choice.value == value), None)
        if choice and choice.short:
            parts.append(Chosen("option", field.name, _(choice.short)))
        elif choice:
            words = _(field.label) if field.kind == "yes-no" else labelled(_(field.label), _(choice.label), _)
            parts.append(Chosen("option", field.name, words))
    return parts


@dataclass(frozen=True)
class Answer:
    """A possible answer of an order."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class Order:
    """A decision that can be made in advance, in the reader's language, with one chosen answer."""

    name: str
    label: str
    sentence: str
    answers: tuple[Answer, ...]

    @property
    def chosen(self) -> str:
        """The chosen answer in words."""
        return next((answer.label for answer in self.answers if answer.is_chosen), "")


def orders_of(seat: Seat) -> list[Order]:
    """Return the seat's current orders, including defaults; empty for games without standing orders."""
    orders = []
    for field in seat.game.rules.order_fields():
        chosen = seat.orders.get(field.name, field.default)
        answers = tuple(Answer(str(choice.value), _(choice.label), choice.value == chosen) for choice in field.choices)
        orders.append(Order(field.name, _(field.label), _(field.sentence), answers))
    return orders
