"""A player's standing orders in words, visible to that player only."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.tables.models import Seat


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
        answers = tuple(Answer(str(one.value), _(one.label), one.value == chosen) for one in field.choices)
        orders.append(Order(field.name, _(field.label), _(field.sentence), answers))
    return orders
