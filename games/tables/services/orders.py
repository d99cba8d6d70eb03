"""Standing orders: answers that a player gives in advance."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from games.errors import GameError, NotYours, Over
from games.rules.protocol import Ruleset
from games.tables.models import Game, Seat
from games.tables.models.log import By
from games.tables.services import commit, play


@transaction.atomic
def give_orders(*, game: Game | str, seat: int, orders: Mapping[str, Any]) -> Seat:
    """Save the seat's orders, and answer a due decision at once if they cover it. Raises `GameError`."""
    row = commit.lock_row(game)
    if not (row.is_open or row.is_running):
        raise Over(gettext("The game is over."))
    mine = Seat.objects.filter(game=row, number=seat).first()
    if mine is None:
        raise NotYours(gettext("This table has no such seat."))
    mine.orders = checked(row.rules, orders)
    mine.save(update_fields=["orders"])
    if row.is_running and mine.owes:
        locked, now, before = commit.load(row), timezone.now(), row.seq
        locked.by[seat] = By.SEAT
        commit.answer_by_orders(locked, now)
        if row.seq > before:
            play.settle(locked, locked.seat(seat), now)
    return mine


def checked(rules: Ruleset, orders: Mapping[str, Any]) -> dict[str, bool | str]:
    """Return the orders if the rules accept them. Raises `GameError`."""
    fields = {field.name: field for field in rules.order_fields()}
    if not fields:
        raise GameError(gettext("This game has no standing orders."))
    for name, value in orders.items():
        if name not in fields:
            raise GameError(gettext("There is no such standing order."))
        if not any(choice.value == value and type(choice.value) is type(value) for choice in fields[name].choices):
            label = gettext(fields[name].label)
            raise GameError(gettext("“%(order)s”: choose one of the answers.") % {"order": label})
    return dict(orders)
