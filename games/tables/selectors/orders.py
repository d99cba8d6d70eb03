"""A player's standing orders in words. Nobody else is told of them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.rules.protocol import OptionField
from games.tables.models import Seat


@dataclass(frozen=True)
class Answer:
    """One that an order can give."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class Order:
    """What can be decided beforehand, in the reader's language; one of the answers is chosen."""

    name: str
    label: str
    sentence: str
    answers: tuple[Answer, ...]

    @property
    def chosen(self) -> str:
        """The answer in words."""
        return next((answer.label for answer in self.answers if answer.is_chosen), "")


def orders_of(seat: Seat) -> list[Order]:
    """The seat's orders as they stand, usual ones included; none in games where nothing can be ordered."""
    return [_order(field, seat.orders.get(field.name, field.default)) for field in seat.game.rules.order_fields()]


def _order(field: OptionField, value: object) -> Order:
    answers = tuple(Answer(str(one.value), _(one.label), one.value == value) for one in field.choices)
    return Order(field.name, _(field.label), _(field.sentence), answers)
