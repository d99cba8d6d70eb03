"""The log in sentences, for one reader."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

import msgspec
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, gettext, gettext_noop, ngettext

from empire.prepared import Prepared
from empire.web.languages import display_name
from games.notices.outbox.words import enumerated
from games.rules import log, staff
from games.rules.protocol import Event, Ruleset
from games.tables.families import parts_of
from games.tables.models import Entry, Game, Seat
from games.tables.models.log import By
from games.tables.selectors import position, rights

RECENT = 60  # entries shown on a page; older ones on demand
MOST_REMEMBERED = 5000  # of about 500 bytes
_remembered: dict[tuple[Any, ...], tuple[str, ...]] = {}
NOTES = {
    By.ORDERS: gettext_noop("Answered by a standing order."),
    By.CLOCK: gettext_noop("Out of time: a bot played this turn."),
    By.LATE: gettext_noop("Out of time: the default action was taken."),
    By.STAND_IN: gettext_noop("Played by a substitute bot."),
}


@dataclass(frozen=True)
class LogLine:
    """A log entry in sentences, with the submitted action texts.

    `seat` is None for the site; `by` tells who decided for the seat; `new` means since the reader last looked.
    `actions` are withheld from readers who may not know all of their effects. `learned` are the sentences that only the
    reader sees. `events` are the facts as the reader may know them. `is_undone` means that the turn was undone, so
    only its sentences remain. `by_staff` marks decisions by staff. To others, a standing order looks like the player's
    own decision.
    """

    seq: int
    at: datetime
    seat: int | None
    by: str
    sentences: Sequence[str]
    new: bool
    actions: tuple[str, ...]
    learned: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    is_undone: bool = False
    by_staff: bool = False

    @property
    def note(self) -> str:
        """Say who decided, if it was not the player."""
        return gettext(NOTES[By(self.by)]) if self.by in NOTES else ""


def lines(*, game: Game, seats: list[Seat], seat: Seat | None, entries: Sequence[Entry]) -> list[LogLine]:
    """Return the entries in sentences, without what the reader in `seat` may not know."""
    seen_seq, undone = seat.seen_seq if seat else game.seq, log.undone(entries)
    all_lines = [_line(game, seats, seat, entry, is_new=entry.seq > seen_seq) for entry in entries]
    # The line of an undone turn is reduced to its sentences
    void: dict[str, Any] = {"is_undone": True, "actions": (), "learned": (), "events": ()}
    return [replace(line, **void) if line.seq in undone else line for line in all_lines]


def _line(game: Game, seats: list[Seat], seat: Seat | None, entry: Entry, *, is_new: bool) -> LogLine:
    if log.undoes(entry) is not None and entry.seat is not None:
        sentence = gettext("{player} undid their last turn.").format(player=display_name(seats[entry.seat].name))
        return LogLine(entry.seq, entry.at, entry.seat, entry.by, (sentence,), is_new, tuple(entry.actions))
    if intervention := log.intervention(entry):
        sentence = gettext(intervention.reason) if game.lesson else intervention_sentence(intervention, seats)
        return LogLine(
            entry.seq, entry.at, entry.seat, entry.by, (sentence,), is_new, tuple(entry.actions),
            by_staff=not game.lesson,
        )  # fmt: skip
    rules, viewer, names = game.rules, seat.number if seat else None, [display_name(other.name) for other in seats]
    plain, is_own = position.plain(entry), viewer is not None and entry.seat == viewer
    facts, region_name = position.facts(rules, entry), parts_of(rules).region_name
    seen_events = [rules.seen(event, viewer) for event in facts]
    events = [event for event in seen_events if event is not None]
    learned: tuple[str, ...] = ()
    if is_own:  # the sentences that only the acting player sees
        public = [event for event in (rules.seen(event, None) for event in facts) if event is not None]
        private = [event for event in events if event not in public]
        public_sentences = _sentences(rules, public, names, region_name) if private else ()
        learned = tuple(
            sentence for sentence in _sentences(rules, private, names, region_name) if sentence not in public_sentences
        )
    # Written when they are first read, because pages leave out most old lines of a log
    sentences = cast(Sequence[str], SimpleLazyObject(lambda: _sentences(rules, events, names, region_name)))
    return LogLine(
        seq=entry.seq, at=entry.at, seat=entry.seat, by=entry.by if is_own else log.as_by_hand(plain).by,
        sentences=sentences, new=is_new,
        actions=log.seen_actions(rules, plain, viewer, seen_events), learned=learned, events=tuple(events),
    )  # fmt: skip


def _sentences(
    rules: Ruleset, events: Sequence[Event], names: Sequence[str], region_name: Callable[[str], str]
) -> tuple[str, ...]:
    """Describe events, as a reader may know them, in the current language. Each process remembers them.

    The sentences follow from the events, the names and the language alone, so readers who may know the same share them.
    """
    facts = (*map(type, events), msgspec.msgpack.encode(events))
    key = (rules.slug, rules.version, facts, tuple(names), get_language())
    written = _remembered.get(key)
    if written is None:
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        written = _remembered[key] = tuple(rules.tell(events, names, gettext, region_name))
    return written


def sentences(*, game: Game, seats: list[Seat], seat: Seat | None, entry: Entry) -> Sequence[str]:
    """Return the sentences of one entry for the reader in `seat`."""
    return _line(game, seats, seat, entry, is_new=False).sentences


def turn_lines(shown: Iterable[LogLine]) -> list[LogLine]:
    """Return the lines of turns, without undone turns, undo entries and interventions."""
    return [line for line in shown if not (line.is_undone or line.by_staff or line.actions == (log.UNDO,))]


ENTRIES = Prepared(lambda game, first, last: Entry.objects.filter(game=game, seq__range=(first, last)).order_by("seq"))


def recent(game: Game, upto: int) -> list[Entry]:
    """Return the last entries up to `upto`, oldest first."""
    return ENTRIES(game.pk, max(0, upto - RECENT + 1), upto)


def since(*, game: Game, seats: list[Seat], seat: Seat, after: int) -> list[LogLine]:
    """Return the lines after entry `after`, for an email."""
    entries = list(Entry.objects.filter(game=game, seq__gt=after).order_by("seq"))
    return lines(game=game, seats=seats, seat=seat, entries=entries)


def log_lines(*, public_id: str, user: rights.Reader, before: int | None = None, invite: str = "") -> list[LogLine]:
    """Return all lines before entry `before`, oldest first; without it the whole log."""
    game, seats = rights.visible(public_id=public_id, user=user, invite=invite)
    entries = Entry.objects.filter(game=game).order_by("seq")
    # `before` itself is read too, because it may undo the entry before it
    older = entries if before is None else entries.filter(seq__lte=before)
    shown = lines(game=game, seats=seats, seat=rights.seat_of(user, seats), entries=list(older))
    return [line for line in shown if before is None or line.seq < before]


# Interventions


def intervention_sentence(intervention: staff.Intervention, seats: Sequence[Seat]) -> str:
    """Return the intervention, with the current names of the seats, followed by the reason as given."""
    words = intervention_words(intervention, seats)
    return gettext("{what} Reason: “{reason}”").format(what=words, reason=gettext(intervention.reason))


def intervention_words(intervention: staff.Intervention, seats: Sequence[Seat]) -> str:
    """Return what was done, with the current names of the seats, without the reason."""
    match intervention:
        case staff.Replaced(seat=seat, by=staff.BOT):
            return gettext("A bot took over {player}’s seat.").format(player=display_name(seats[seat].name))
        case staff.Replaced(seat=seat):
            return gettext("{player} took over a seat.").format(player=display_name(seats[seat].name))
        case staff.TimeGiven(hours=hours, seats=given):
            names = enumerated([seats[seat].name for seat in given])
            return gettext("Staff gave {players} {time} of extra time.").format(time=hours_words(hours), players=names)
        case staff.LeftToBots():
            return gettext("Bots play this game to the end.")
        case staff.Ended(reason=staff.SEASON_OVER):
            return gettext("The game has ended early. The score at that point is the result.")
        case staff.Ended():
            return gettext("Staff ended the game. The score at that point is the result.")
        case _:
            return gettext("Staff canceled the game. It doesn’t count.")


def hours_words(hours: int) -> str:
    """Format hours as `3 hours` or `2 days`."""
    if hours % 24:
        return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    return ngettext("{n} day", "{n} days", hours // 24).format(n=hours // 24)
