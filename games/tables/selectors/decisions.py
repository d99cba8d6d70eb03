"""What the house decided at a table, in words. The reason stands behind them, as it was given."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.notices.outbox.words import enumerated
from games.rules import house
from games.tables.models import Seat

A_DAY = 24


def sentence(intervention: house.Intervention, seats: Sequence[Seat]) -> str:
    """The intervention and its reason, with the seats under the names that they have now."""
    return _("{what} The reason: {reason}").format(what=what(intervention, seats), reason=intervention.reason)


def what(intervention: house.Intervention, seats: Sequence[Seat]) -> str:
    """The intervention without its reason."""
    match intervention:
        case house.Replaced(seat=seat, by=house.BOT):
            return _("The house has given the seat of {player} to a bot.").format(player=seats[seat].name)
        case house.Replaced(seat=seat):
            words = _("The house has given a seat to another player: {player} plays on there.")
            return words.format(player=seats[seat].name)
        case house.TimeGiven(hours=hours, seats=given):
            names = enumerated([seats[seat].name for seat in given])
            return _("The house has given {time} more to {players}.").format(time=time(hours), players=names)
        case house.LeftToBots():
            return _("Time is up for this game. Bots play it to the end.")
        case house.Ended():
            return _("The house has ended the game; the points as they stood are its result.")
    return _("The house has called the game off: it counts for nothing.")


def time(hours: int) -> str:
    """`3 hours`, `2 days`."""
    if hours % A_DAY:
        return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    days = hours // A_DAY
    return ngettext("{n} day", "{n} days", days).format(n=days)
