"""The clocks of a table in words: deadlines with their pauses, time banks, vacations and stand-ins."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.clocks.running import Explanation
from games.tables.models import Seat
from games.tables.models.absence import Handover, Why
from games.tables.selectors import clocks as selector
from games.tables.selectors.table import Table
from games.tables.templatetags.clock import span
from games.tables.views.waits import wait_words


@dataclass(frozen=True)
class WaitWords:
    """The deadline of a seat and its explanation. `name` is empty for the reader's own seat.

    `owner` names the player whose nights and weekends pause the clock while someone else plays, empty otherwise.
    """

    name: str
    deadline: datetime
    words: str
    why: Explanation
    owner: str


@dataclass(frozen=True)
class Hand:
    """A hand-over in a sentence."""

    at: datetime
    sentence: str


@dataclass(frozen=True)
class ClockWords:
    """Everything that the table says about clocks.

    `notes` are short words for each seat. `back` is the reader's own seat if they can take it back, `asked` a seat they
    were asked to play. `absences` are sentences about now, `plans` about future vacations.
    """

    waits: tuple[WaitWords, ...]
    notes: dict[int, tuple[str, ...]]
    absences: tuple[str, ...]
    plans: tuple[str, ...]
    hands: tuple[Hand, ...]
    own: Seat | None
    back: Seat | None
    asked: Seat | None

    @property
    def back_words(self) -> str:
        """The player of the reader's own seat, as a sentence."""
        return yours(self.back) if self.back else ""


def clock_words(table: Table, now: datetime) -> ClockWords:
    """Return the clocks of a started game. A finished game has no clocks but keeps its history of hand-overs."""
    runs = table.game.is_running
    found = selector.clocks(table.game, table.seats if runs else [], table.seat, now, is_reply=table.is_reply)
    own = table.own if runs else None
    return ClockWords(
        waits=tuple(_wait(wait, table.seat) for wait in found.waits),
        notes=_notes(table, found) if runs else {},
        absences=tuple(_absences(table, found, own)) if runs else (),
        plans=tuple(_plan(away) for away in found.away if not away.has_begun),
        hands=tuple(hand_words(table.seats, selector.hands(table.seats))),
        own=own,
        back=own if own and own.is_away else None,
        asked=table.asked if runs else None,
    )


def _wait(wait: selector.Wait, mine: Seat | None) -> WaitWords:
    seat = wait.seat
    assert seat.deadline is not None
    owner = seat.name if seat.is_away else ""
    return WaitWords("" if seat is mine else seat.name, seat.deadline, wait_words(wait.why), wait.why, owner)


def _notes(table: Table, found: selector.Clocks) -> dict[int, tuple[str, ...]]:
    away = {one.seat.number: _("on vacation") for one in found.away if one.has_begun}
    notes = {}
    for seat in table.seats:
        bank = found.banks.get(seat.number)
        words = (_("{time} in the bank").format(time=span(bank)) if bank is not None else "", stand_in(seat))
        notes[seat.number] = tuple(word for word in (*words, away.get(seat.number, "")) if word)
    return notes


def _absences(table: Table, found: selector.Clocks, own: Seat | None) -> Iterator[str]:
    for one in found.away:
        if one.has_begun:
            yield _("{name} is on vacation until {day}.").format(name=one.seat.name, day=day_words(one.last))
    for seat in table.seats:
        if seat.is_away and seat is not own:
            yield who_plays(seat, table.seat)


def _plan(away: selector.Away) -> str:
    words = _("{name} will be on vacation from {first} to {last}.")
    return words.format(name=away.seat.name, first=day_words(away.first), last=day_words(away.last))


def day_words(day: object) -> str:
    """Format a day as `3 December`."""
    return date_format(day, "j F")  # type: ignore[arg-type]


def moment_words(moment: datetime) -> str:
    """Format a moment as `3 December, 18:00`, in the reader's time zone."""
    return date_format(localtime(moment), "j F, H:i")


def stand_in(seat: Seat) -> str:
    """Return who plays for the seat's owner, in few words."""
    if not seat.is_away:
        return ""
    return _("{name} is playing").format(name=seat.user.username) if seat.user else _("a bot is playing")


def who_plays(seat: Seat, mine: Seat | None = None) -> str:
    """Return who plays for the seat's owner, and until when, as a sentence."""
    until = moment_words(seat.back_at) if seat.back_at else ""
    if seat.user is None and seat.has_given_up:
        words = _("A bot is playing for {owner} to the end of the game.")
    elif seat.user is None:
        words = _("A bot is playing for {owner} until {until}.") if until else _("A bot is playing for {owner}.")
    elif seat is mine:
        words = _("You are playing for {owner} until {until}.") if until else _("You are playing for {owner}.")
    else:
        words = _("{name} is playing for {owner} until {until}.") if until else _("{name} is playing for {owner}.")
    return words.format(owner=seat.name, until=until, name=seat.user.username if seat.user else "")


def yours(seat: Seat) -> str:
    """Return who plays the seat, as a sentence to its owner."""
    until = moment_words(seat.back_at) if seat.back_at else ""
    if seat.has_given_up:
        return _("You have resigned. A bot plays your seat to the end.")
    if seat.user is None:
        words = _("A bot is playing for you until {until}.") if until else _("A bot is playing for you.")
    else:
        words = _("{name} is playing for you until {until}.") if until else _("{name} is playing for you.")
    return words.format(until=until, name=seat.user.username if seat.user else "")


def hand_words(seats: Iterable[Seat], changes: Iterable[Handover]) -> Iterator[Hand]:
    """Yield the hand-overs of these seats as sentences, oldest first."""
    names = {seat.pk: seat.name for seat in seats}
    return (_hand(names[change.seat_id], change) for change in changes if change.seat_id in names)


def _hand(owner: str, change: Handover) -> Hand:
    until, name = moment_words(change.until) if change.until else "", change.to.username if change.to else ""
    return Hand(change.at, _words(change, until).format(owner=owner, until=until, name=name))


def _words(change: Handover, until: str) -> str:
    if change.why == Why.BACK:
        return _("{owner} came back.")
    if change.why == Why.ENDED:
        return _("The stand-in’s time ended, and {owner} plays again.")
    if change.why == Why.TIME:
        return _("{owner} ran out of time, so a bot took over.")
    if change.why == Why.OUT:
        return _("{owner} ran out of time and resigned. A bot plays the seat to the end.")
    if change.why == Why.UNFINISHED:
        return _("The season ended, so a bot plays {owner}’s seat to the end.")
    if change.why == Why.GOOD:
        return _("{owner} resigned. A bot plays the seat to the end.")
    if change.why == Why.REPLACED:
        return _("{name} took over the seat.") if change.to else _("Staff gave {owner}’s seat to a bot.")
    if change.to:
        return _("{name} took over for {owner} until {until}.") if until else _("{name} took over for {owner}.")
    return _("{owner} let a bot play until {until}.") if until else _("{owner} let a bot play.")
