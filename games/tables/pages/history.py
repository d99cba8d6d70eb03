"""Looking back at a game: stepping through its log, and what a reader has missed.

Every entry has a URL, `?at=N`, with links to the others. With `&from=M` it is a replay of what happened after entry M,
up to the current table. What was missed is shown in sentences, as a replay, and as highlighted changes on the board.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.tables.models import TimeOut
from games.tables.models.log import By
from games.tables.selectors.table import ENTRY, LAST, LOOK, NEW, START, TURN, Table
from games.tables.services.deadlines import IN_A_ROW

KEPT = ("at", "from", "since")  # query parameters kept when highlights are toggled
MARKED = {
    LOOK: gettext_noop("Highlighted: changes since your last visit."),
    NEW: gettext_noop("Highlighted: changes that are new to you."),
    TURN: gettext_noop("Highlighted: changes since your last turn."),
    START: gettext_noop("Highlighted: changes since the game began."),
    LAST: gettext_noop("Highlighted: changes from the last move."),
    ENTRY: gettext_noop("Highlighted: changes from this move."),
}
LATE = {  # the same to the player whose time it was
    By.CLOCK: gettext_noop("You ran out of time, so a bot played for you."),
    By.LATE: gettext_noop("You ran out of time, so the default action was taken."),
}
SHORT = 140  # characters; sentences of at most this length in all, four lines on a phone, are shown unfolded


@dataclass(frozen=True)
class EntryLink:
    """A link to another entry; `url` is empty if there is none."""

    rel: str
    sign: str
    words: str
    url: str


@dataclass(frozen=True)
class History:
    """The entry shown, and links to others. `title` tells how far it is, `start` is where a replay begins."""

    at: int
    title: str
    line: Any
    links: tuple[EntryLink, ...]
    start: int | None = None

    @property
    def is_replay(self) -> bool:
        return self.start is not None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the entry; empty at the beginning of a replay."""
        return self.line.sentences if self.line and self.at != self.start else ()


def history(at: int, last: int, log: Sequence[Any], *, start: int | None = None, now: str = "") -> History:
    """Return the stepper at entry `at` of a log that ends with `last`; with `start` as a replay that ends at `now`.

    Entries have the numbers that the log, the charts and the review show. Entry 0 sets up the game.
    """
    line = next((line for line in log if line.seq == at), None)
    if start is None or not 0 <= start <= at or start == last:
        start, first, replayed_from, now = None, 0, "", ""
        title = _("Move {at} of {last}").format(at=at, last=last) if at else _("Start of the game")
        words = _("First move"), _("Previous move"), _("Next move"), _("Last move")
    else:
        first, replayed_from, n, count = start, f"&from={start}", at - start, last - start
        title = (_("Move {n} of {count}") if n else _("Before move 1 of {count}")).format(n=n, count=count)
        onward = _("Next move") if at < last else _("Go to the table")
        words = _("First move"), _("Previous move"), onward, _("Last move")
    has_before, has_after = at > first, at < last
    links = (
        EntryLink("first", "«", words[0], f"?at={first}{replayed_from}" if has_before else ""),
        EntryLink("prev", "‹", words[1], f"?at={at - 1}{replayed_from}" if has_before else ""),
        EntryLink("next", "›", words[2], f"?at={at + 1}{replayed_from}" if has_after else now),
        EntryLink("last", "»", words[3], f"?at={last}{replayed_from}" if has_after else ""),
    )
    return History(at, title, line, links, start)


# What the reader has missed


@dataclass(frozen=True)
class Since:
    """News that the reader missed.

    `replay` and `further` are URLs: a replay of the news, and the page with everything since the reader's last turn.

    `late` are sentences about the reader's own time, if it ran out, and what follows if it does so again.
    """

    heading: str
    sentences: tuple[str, ...]
    is_unfolded: bool
    replay: str
    replay_words: str
    further: str
    late: tuple[str, ...] = ()


@dataclass(frozen=True)
class Marking:
    """The meaning of the highlights on the board, and the URL that toggles them."""

    words: str
    is_on: bool
    url: str


def since(table: Table) -> Since | None:
    """Return what others did and what was done for the reader, without staff decisions; None for spectators."""
    period, me = table.period, table.seat.number if table.seat else None
    news = [line for line in table.fresh if not (line.is_undone or line.by_staff)]
    shown = [line for line in news if line.seat != me or line.by != "seat"]
    sentences = tuple(
        sentence
        for line in shown
        for sentence in (*line.sentences, *([line.note] if line.by in LATE and line.seat != me else []))
    )
    if me is None or period.kind in (LAST, ENTRY) or not sentences:
        return None
    late = [_(LATE[By(line.by)]) for line in shown if line.seat == me and line.by in LATE][-1:]
    if late and table.game.time_out == TimeOut.TURN and table.seat and table.seat.time_outs == IN_A_ROW - 1:
        late.append(_("If you run out of time again, a bot takes over until you come back."))
    is_unseen, n = period.kind in (LOOK, NEW), period.count
    is_more = is_unseen and table.last_turn is not None and table.last_turn < period.after
    if period.kind == LOOK:
        heading = ngettext("{n} move since your last visit", "{n} moves since your last visit", n)
    elif period.kind == NEW:
        heading = ngettext("{n} new move", "{n} new moves", n)
    elif period.kind == TURN:
        heading = ngettext("{n} move since your last turn", "{n} moves since your last turn", n)
    else:
        heading = ngettext("{n} move since the game began", "{n} moves since the game began", n)
    replay = ngettext("Step through {n} move", "Step through {n} moves", n)
    return Since(
        heading=heading.format(n=n),
        sentences=sentences,
        is_unfolded=is_unseen and sum(map(len, sentences)) <= SHORT,
        replay=f"?at={period.after + 1}&from={period.after}",
        replay_words=replay.format(n=n),
        further=f"?since={TURN}" if is_more else "",
        late=tuple(late),
    )


def is_marked(query: Mapping[str, str]) -> bool:
    """Return whether the reader wants highlights: their last choice, by default yes."""
    return query.get("marks") != "0"


def marking(table: Table, query: Mapping[str, str]) -> Marking:
    is_on = is_marked(query)
    kept = {name: query[name] for name in KEPT if query.get(name)}
    return Marking(_(MARKED[table.period.kind]), is_on, f"?{urlencode(kept | {'marks': int(not is_on)})}")
