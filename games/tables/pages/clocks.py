"""The clocks of a table in words: deadlines with their pauses, time banks, vacations and stand-ins."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from empire import dates
from empire.web.languages import display_name
from games.clocks.running import NIGHT, VACATION, WEEKEND, Explanation, Part
from games.notices.outbox.words import enumerated
from games.tables.models import Seat
from games.tables.models.absence import Handover, HandoverReason
from games.tables.selectors import clocks as selector
from games.tables.selectors.table import Table
from games.tables.templatetags.clock import span

NEARLY_A_DAY = timedelta(hours=22)  # a day on which clocks are set forward
SHORTEST_WHOLE = {VACATION: NEARLY_A_DAY, WEEKEND: 2 * NEARLY_A_DAY, NIGHT: timedelta(0)}
HANDOVERS = {
    HandoverReason.BACK: gettext_noop("{owner} came back."),
    HandoverReason.ENDED: gettext_noop("The substitute’s time ended, so {owner} is playing again."),
    HandoverReason.TIME: gettext_noop("{owner} ran out of time, so a bot took over."),
    HandoverReason.OUT: gettext_noop("{owner} ran out of time and resigned. A bot plays the seat to the end."),
    HandoverReason.UNFINISHED: gettext_noop("A bot plays {owner}’s seat to the end."),
    HandoverReason.GOOD: gettext_noop("{owner} resigned. A bot plays the seat to the end."),
}


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
class HandoverSentence:
    """A hand-over in a sentence."""

    at: datetime
    sentence: str


@dataclass(frozen=True)
class ClockWords:
    """Everything that the table says about clocks.

    `notes` are short words for each seat. `own` is the reader's own seat while the game runs, `back` the same if they
    can take it back, `asked` a seat they were asked to play; `why_back` is the reason of the last hand-over of `back`.
    `absences` are sentences about now, `plans` about future vacations.
    """

    waits: tuple[WaitWords, ...]
    notes: dict[int, tuple[str, ...]]
    absences: tuple[str, ...]
    plans: tuple[str, ...]
    handovers: tuple[HandoverSentence, ...]
    own: Seat | None
    back: Seat | None
    why_back: str
    asked: Seat | None

    @property
    def back_words(self) -> str:
        """The player of the reader's own seat, as a sentence."""
        return who_plays_for_you(self.back, self.why_back) if self.back else ""


def clock_words(table: Table, now: datetime) -> ClockWords:
    """Return the clocks of a started game. A finished game has no clocks but keeps its history of hand-overs."""
    runs = table.game.is_running
    clocks = selector.clocks(table.game, table.seats if runs else [], table.seat, now, is_reply=table.is_reply)
    own = table.own if runs else None
    waits = []
    for wait in clocks.waits:
        seat = wait.seat
        assert seat.deadline is not None
        shown_name = display_name(seat.name)
        name, owner = "" if seat is table.seat else shown_name, shown_name if seat.is_away else ""
        time, pauses = span(wait.why.bank), list(pause_words(wait.why.parts))
        words = _("{time} plus {pauses}") if pauses else _("{time}; the clock doesn’t pause")
        why = words.format(time=time, pauses=enumerated(pauses))
        waits.append(WaitWords(name, seat.deadline, why, wait.why, owner))
    vacations = {vacation.seat.number: _("on vacation") for vacation in clocks.away if vacation.has_begun}
    absences, plans = [], []
    for vacation in clocks.away:
        if vacation.has_begun:
            words = _("{name} is on vacation until {day}.")
            absences.append(words.format(name=vacation.seat.name, day=day_words(vacation.last)))
        else:
            words = _("{name} will be on vacation from {first} to {last}.")
            first, last = day_words(vacation.first), day_words(vacation.last)
            plans.append(words.format(name=vacation.seat.name, first=first, last=last))
    notes = dict[int, tuple[str, ...]]()
    if table.game.is_finished:
        notes |= {seat.number: (_("a bot played to the end"),) for seat in table.seats if seat.has_given_up}
    for seat in table.seats if runs else ():
        bank = clocks.banks.get(seat.number)
        time = _("{time} in the bank").format(time=span(bank)) if bank is not None else ""
        player = ""
        if seat.is_away and seat.user:
            player = _("{name} is playing").format(name=seat.user.username)
        elif seat.is_away or seat.is_of_former_player:
            player = _("a bot is playing")
        notes[seat.number] = tuple(word for word in (time, player, vacations.get(seat.number, "")) if word)
        if (seat.is_away and seat is not own) or seat.is_of_former_player:
            absences.append(who_plays(seat, table.seat))
    back, handovers = own if own and own.is_away else None, list(selector.handovers(table.seats))
    return ClockWords(
        waits=tuple(waits), notes=notes, absences=tuple(absences), plans=tuple(plans),
        handovers=tuple(handover_words(table.seats, handovers)), own=own, back=back,
        why_back=last_reason(back, handovers) if back else "", asked=table.asked if runs else None,
    )  # fmt: skip


# Vacations and stand-ins


def day_words(day: object) -> str:
    """Format a day as `3 December`."""
    return dates.localized(day, "j F")  # type: ignore[arg-type]


def moment_words(moment: datetime) -> str:
    """Format a moment as `3 December, 18:00`, in the reader's time zone."""
    return dates.localized(localtime(moment), "j F, H:i")


def who_plays(seat: Seat, reader_seat: Seat | None = None) -> str:
    """Return who plays for the seat's owner, and until when, as a sentence."""
    until = moment_words(seat.back_at) if seat.back_at else ""
    if seat.user is None and seat.has_given_up:
        words = _("A bot is playing for {owner} to the end of the game.")
    elif seat.user is None:
        words = _("A bot is playing for {owner} until {until}.") if until else _("A bot is playing for {owner}.")
    elif seat is reader_seat:
        words = _("You are playing for {owner} until {until}.") if until else _("You are playing for {owner}.")
    else:
        words = _("{name} is playing for {owner} until {until}.") if until else _("{name} is playing for {owner}.")
    return words.format(owner=display_name(seat.name), until=until, name=seat.user.username if seat.user else "")


def last_reason(seat: Seat, changes: Sequence[Handover]) -> str:
    """Return the `HandoverReason` of the seat's last hand-over, or an empty text. `changes` are oldest first."""
    return next((change.why for change in reversed(changes) if change.seat_id == seat.pk), "")


def who_plays_for_you(seat: Seat, why: str = "") -> str:
    """Return who plays the seat, as a sentence to its owner. `why` is the reason of its last hand-over."""
    until = moment_words(seat.back_at) if seat.back_at else ""
    if why == HandoverReason.TIME:
        return _("You ran out of time, so a bot is playing for you until you come back.")
    if why == HandoverReason.OUT:
        return _("You ran out of time. At this table that means you resign, so a bot plays your seat to the end.")
    if why == HandoverReason.REPLACED and seat.user is None:
        return _("A bot has taken over your seat and plays it to the end.")
    if seat.has_given_up:
        return _("You have resigned. A bot plays your seat to the end.")
    if seat.user is None:
        words = _("A bot is playing for you until {until}.") if until else _("A bot is playing for you.")
    else:
        words = _("{name} is playing for you until {until}.") if until else _("{name} is playing for you.")
    return words.format(until=until, name=seat.user.username if seat.user else "")


def handover_words(seats: Iterable[Seat], changes: Iterable[Handover]) -> Iterator[HandoverSentence]:
    """Yield the hand-overs of these seats as sentences, oldest first.

    Those of suspended people read like those that a player makes: others are not told.
    """
    names = {seat.pk: display_name(seat.name) for seat in seats}
    for change in changes:
        if change.seat_id not in names:
            continue
        until = moment_words(change.until) if change.until else ""
        if change.why in HANDOVERS:
            words = _(HANDOVERS[HandoverReason(change.why)])
        elif change.why == HandoverReason.REPLACED:
            words = _("{name} took over the seat.") if change.to else _("A bot took over {owner}’s seat.")
        elif change.to:
            words = _("{name} took over for {owner} until {until}.") if until else _("{name} took over for {owner}.")
        else:
            words = _("{owner} let a bot play until {until}.") if until else _("{owner} let a bot play.")
        name = change.to.username if change.to else ""
        yield HandoverSentence(change.at, words.format(owner=names[change.seat_id], until=until, name=name))


# Deadlines with their pauses, such as “2 days plus 2 nights of 8 hours and a weekend”


def pause_words(parts: Iterable[Part]) -> Iterator[str]:
    """Yield each kind of pause with its count, and its total time if the pauses differ in length."""
    for kind, run in groupby(parts, key=lambda part: part.kind):
        same_kind = list(run)
        number, first = sum(part.count for part in same_kind), same_kind[0]
        if len(same_kind) == 1 and kind == NIGHT:
            words = ngettext("a night of {time}", "{n} nights of {time}", number)
            yield words.format(n=number, time=span(first.each))
        elif len(same_kind) == 1 and first.each >= SHORTEST_WHOLE[kind]:
            yield _counted(kind, number)
        else:
            total = sum((part.count * part.each for part in same_kind), timedelta())
            yield _("{what} ({time})").format(what=_counted(kind, number), time=span(total))


def _counted(kind: str, n: int) -> str:
    if kind == VACATION:
        words = ngettext("a day of vacation", "{n} days of vacation", n)
    elif kind == WEEKEND:
        words = ngettext("a weekend", "{n} weekends", n)
    else:
        words = ngettext("a night", "{n} nights", n)
    return words.format(n=n)
