"""Interventions at a table in words, followed by the reason as given."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.notices.outbox.words import enumerated
from games.rules import house
from games.tables.models import Seat

A_DAY = 24


def sentence(intervention: house.Intervention, seats: Sequence[Seat]) -> str:
    """Return the intervention and its reason, with the current names of the seats."""
    return _("{what} Reason: {reason}").format(what=what(intervention, seats), reason=intervention.reason)


def what(intervention: house.Intervention, seats: Sequence[Seat]) -> str:
    """Return the intervention without its reason."""
    match intervention:
        case house.Replaced(seat=seat, by=house.BOT):
            return _("Staff gave {player}’s seat to a bot.").format(player=seats[seat].name)
        case house.Replaced(seat=seat):
            words = _("Staff gave a seat to another player: {player}.")
            return words.format(player=seats[seat].name)
        case house.TimeGiven(hours=hours, seats=given):
            names = enumerated([seats[seat].name for seat in given])
            return _("Staff gave {players} {time} more.").format(time=time(hours), players=names)
        case house.LeftToBots():
            return _("The competition’s time is up. Bots play this game to the end.")
        case house.Ended():
            return _("Staff ended the game. The score at that point is the result.")
    return _("Staff called the game off. It doesn’t count.")


def time(hours: int) -> str:
    """Format hours as `3 hours` or `2 days`."""
    if hours % A_DAY:
        return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    days = hours // A_DAY
    return ngettext("{n} day", "{n} days", days).format(n=days)
